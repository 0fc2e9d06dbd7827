/* SPDX-License-Identifier: BSD-3-Clause */
/* Compiled policies as tests make and spoil them. */
#ifndef XN_TESTS_UNIT_COMPILEDTEXT_H
#define XN_TESTS_UNIT_COMPILEDTEXT_H

#include "module/compiled/layout.h"
#include "module/compiled/read.h"
#include "module/compiled/write.h"
#include "tests/unit/policytext.h"

/* A bit of everything. */
#define COMPILED_TEXT                                                                              \
    "nxdomain zone x.example\n"                                                                    \
    "passthru name www.x.example\n"                                                                \
    "redirect zone r.example 1 2 3 type=1 type=28\n"                                               \
    "answer name a.example 4 ttl=7\n"                                                              \
    "answer name a.example 5\n"                                                                    \
    "nodata name *.w.example ede=17:n\u00F3n\n"                                                    \
    "log zone example tag=all\n"                                                                   \
    "refuse zones list\n"                                                                          \
    "+ one.test\n+ .two.test\n+ *.three.test\n+ b\u00FCcher.test\n"                                \
    "rpz rpz zone\n"                                                                               \
    "+ p.test passthru\n+ .d.test drop\n+ i.test answer 9\n+ i.test answer 8\n"                    \
    "nxdomain lookalike paypal.com\n"                                                              \
    "log lookalikes protected key=strict tld=any ascii=safe tag=alike\n"                           \
    "+ google.com\n+ google.co.uk / min=1\n+ o\u00F6ps.de\n"                                       \
    "drop lookalike apple.com label=any min=3\n"                                                   \
    "log lookalikes l near=1 within=yes key=strict tag=parts\n+ facebook.com\n"                    \
    "log lookalike microsoft.com near=1 ascii=safe tag=near\n"                                     \
    "log script not-in Latn,Grek tag=script\n"                                                     \
    "log wholescript except=ru,ua\n"                                                               \
    "refuse invalid type=16"

/* Rules for some, of each kind. */
#define COMPILED_CLIENTS                                                                           \
    "group kids 192.0.2.0/24 198.51.100.128/25 2001:db8:1::/64\n"                                  \
    "group staff file=f 192.0.2.128/25 203.0.113.1\n"                                              \
    "nxdomain zone example client=kids\n"                                                          \
    "passthru name www.x.example client=!staff when=Mon-Fri/08:00-16:00\n"                         \
    "refuse zone x.example client=192.0.2.7,!kids tag=some\n"                                      \
    "log zone test client=staff tag=logged\n"                                                      \
    "refuse zones list mode=log-only client=kids\n"                                                \
    "+ one.test\n+ .two.test\n"                                                                    \
    "rpz rpz zone when=22:00-06:00\n"                                                              \
    "+ p.test passthru\n+ .d.test drop\n+ i.test answer 9\n"                                       \
    "nxdomain lookalike paypal.com client=!kids,!2001:db8::/32 tld=private\n"                      \
    "drop wholescript when=Sat-Sun"

static const char *const compiled_names[] = {
    ".",
    "example",
    "x.example",
    "a.x.example",
    "www.x.example",
    "a.www.x.example",
    "r.example",
    "b.r.example",
    "a.example",
    "b.a.example",
    "w.example",
    "b.w.example",
    "one.test",
    "b.one.test",
    "two.test",
    "b.c.two.test",
    "three.test",
    "b.three.test",
    "b\u00FCcher.test",
    "p.test",
    "d.test",
    "b.d.test",
    "i.test",
    "test",
    "nothing.test",
    "paypal.com",
    "p\u0430ypal.com",
    "www.p\u0430ypal.com",
    "p\u0430ypal.com.test",
    "g\u043E\u043Egle.org",
    "goog1e.com",
    "google.co.uk",
    "\u043E\u043Eps.de",
    "oops.de",
    "\u0430pple.evil.example",
    "f\u0430cebok.com",
    "m\u0443-f\u0430cebook.net",
    "mycrosoft.com",
    "\u0440\u0430\u0443.ru",
    "\u0440\u0430\u0443.com",
    "\u4E2D\u56FD.com",
    "xn--a-.com",
    "xn--zz--zz.x.example",
    "www.example p\u0430ypal.com",
    "b.example one.test",
    "b.example two.test nothing.test",
};
enum { COMPILED_NAMES = sizeof compiled_names / sizeof *compiled_names };

static inline const char *ede_text_of(const struct xnm_verdict *verdict)
{
    return verdict->ede_text ? verdict->ede_text : "none";
}

/* The octets of a policy, which is freed, made from these files. To be freed. */
static inline struct xnm_arena compiled_from(const struct xnm_sources *sources,
                                             struct xnm_policy *policy)
{
    struct xnm_arena compiled;
    const char *source;

    assert_non_null(policy);
    assert_null(xnm_compiled_write(policy, sources, &compiled, &source));
    assert_null(source);
    xnm_policy_free(policy);
    return compiled;
}

/* … made from none. */
static inline struct xnm_arena compiled_of(struct xnm_policy *policy)
{
    const struct xnm_sources none = {0};

    return compiled_from(&none, policy);
}

/* Octets in memory of their own, as a file is read to. */
static inline struct xnm_arena copy_of(const void *octets, size_t len)
{
    struct xnm_arena copy = {0};

    assert_non_null(xnm_arena_add(&copy, len + 1));
    memcpy(copy.octets, octets, len);
    copy.len = len;
    return copy;
}

/* Returns a section of a compiled policy. */
static inline void *section_of(struct xnm_arena *compiled, xnm_compiled_section section)
{
    const struct xnm_compiled_head *head = (const void *)compiled->octets;

    return compiled->octets + head->sections[section].at;
}

/* A section that is the last one of what is there so much longer: octets of its own. */
static inline struct xnm_arena longer(struct xnm_arena compiled, xnm_compiled_section section,
                                      size_t more)
{
    const struct xnm_compiled_head *old = (const void *)compiled.octets;
    size_t grown = (more + XNM_COMPILED_ALIGN - 1) / XNM_COMPILED_ALIGN * XNM_COMPILED_ALIGN;
    size_t end = old->sections[section].at + old->sections[section].len;
    size_t behind = (end + XNM_COMPILED_ALIGN - 1) / XNM_COMPILED_ALIGN * XNM_COMPILED_ALIGN;
    struct xnm_arena made = {0};

    assert_non_null(xnm_arena_add(&made, compiled.len + grown));
    memcpy(made.octets, compiled.octets, end);
    memcpy(made.octets + behind + grown, compiled.octets + behind, compiled.len - behind);
    struct xnm_compiled_head *head = (void *)made.octets;
    head->size += grown;
    head->sections[section].len += more;
    for (unsigned i = section + 1; i < XNM_COMPILED_SECTIONS; i++)
        head->sections[i].at += grown;
    xnm_arena_free(&compiled);
    return made;
}

static inline void fix_checksum(uint8_t *octets, size_t len)
{
    struct xnm_compiled_head *head = (struct xnm_compiled_head *)(void *)octets;

    if (len > XNM_COMPILED_HASHED)
        xnm_compiled_hash(octets + XNM_COMPILED_HASHED, len - XNM_COMPILED_HASHED, head->hash);
}

/* NULL: *why there is none. */
static inline struct xnm_policy *policy_of_compiled(struct xnm_arena compiled, const char **why)
{
    struct xnm_policy_settings settings = {
        .unicode = text_unicode(), .ttl = 1, .hits = text_hits()};
    struct xnm_policy *policy;

    wirename_of("ns.invalid", &settings.soa_mname);
    wirename_of("nobody.invalid", &settings.soa_rname);
    *why = xnm_compiled_read(&settings, &compiled, NULL, &policy);
    assert_true(*why ? !policy : policy != NULL);
    assert_null(compiled.octets);
    return policy;
}

/* Reads octets that were changed, with a new checksum: what is wrong with them; NULL: nothing. */
static inline void expect_holds(struct xnm_arena compiled, const char *holds)
{
    char expected[128] = "";
    const char *why;

    fix_checksum(compiled.octets, compiled.len);
    struct xnm_policy *policy = policy_of_compiled(compiled, &why);
    if (holds)
        snprintf(expected, sizeof expected,
                 "is damaged: invalid %s: expected the file as 'unbound-idn compile' wrote it",
                 holds);
    assert_string_equal(why ? why : "", expected);
    xnm_policy_free(policy);
}

#endif
