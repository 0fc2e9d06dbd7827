/* SPDX-License-Identifier: BSD-3-Clause */
/* Tests the highest cost of a stranger's name: a query and its reply ask ICU about no whole label,
 * and take no memory. */
#include "tests/unit/vectors.h"

#include <dlfcn.h>
#include <unicode/uidna.h>

#include "core/idna/mapping.h"
#include "core/idna/name.h"
#include "module/log/logline.h"
#include "module/log/logring.h"
#include "module/policy/match.h"
#include "module/run/metrics.h"
#include "tests/unit/policytext.h"
#include "tests/unit/wirenames.h"

static unsigned long counted_memory;

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
/* gcc comes without sanitizer/allocator_interface.h. */
int __sanitizer_install_malloc_and_free_hooks(void (*allocated)(const volatile void *, size_t),
                                              void (*freed)(const volatile void *));

static void count_memory(const volatile void *at, size_t len)
{
    (void)at, (void)len;
    counted_memory++;
}

static void count_nothing(const volatile void *at)
{
    (void)at;
}

__attribute__((constructor)) static void begin_counting(void)
{
    __sanitizer_install_malloc_and_free_hooks(count_memory, count_nothing);
}
#else
/* glibc's own, for who has a malloc of their own. */
extern void *__libc_malloc(size_t len);
extern void *__libc_calloc(size_t count, size_t len);
extern void *__libc_realloc(void *old, size_t len);

#define FOR_ALL __attribute__((visibility("default")))
FOR_ALL void *malloc(size_t len);
FOR_ALL void *calloc(size_t count, size_t len);
FOR_ALL void *realloc(void *old, size_t len);

void *malloc(size_t len)
{
    __atomic_fetch_add(&counted_memory, 1, __ATOMIC_RELAXED);
    return __libc_malloc(len);
}

void *calloc(size_t count, size_t len)
{
    __atomic_fetch_add(&counted_memory, 1, __ATOMIC_RELAXED);
    return __libc_calloc(count, len);
}

void *realloc(void *old, size_t len)
{
    __atomic_fetch_add(&counted_memory, 1, __ATOMIC_RELAXED);
    return __libc_realloc(old, len);
}
#endif

enum { A = 1, IN = 1, REPLIES = 100000 };

/* --- what is asked of ICU: its function that looks at a whole label --- */

static unsigned asked;

#define NAME_AS_IT_IS(function) #function
#define NAME(function) NAME_AS_IT_IS(function) /* with ICU's version behind it */

int32_t uidna_labelToUnicode(const UIDNA *idna, const UChar *label, int32_t length, UChar *dest,
                             int32_t capacity, UIDNAInfo *info, UErrorCode *error)
{
    static int32_t (*real)(const UIDNA *, const UChar *, int32_t, UChar *, int32_t, UIDNAInfo *,
                           UErrorCode *);

    if (!real)
        *(void **)&real = dlsym(RTLD_NEXT, NAME(uidna_labelToUnicode));
    asked++;
    return real(idna, label, length, dest, capacity, info, error);
}

/* --- a query and its reply --- */

static struct xnm_policy *policy;
static struct xnm_logring *ring;
static struct xn_name name, matched;
static struct xnm_match match;
static char line[1 + (XNM_LOGLINE_JSON_MAX > XNM_LOGLINE_TEXT_MAX ? XNM_LOGLINE_JSON_MAX
                                                                  : XNM_LOGLINE_TEXT_MAX)];

/* Rules of every kind that looks at a name. */
static const char rules[] = "log zone example\n"
                            "log lookalike paypal.com key=strict tld=any\n"
                            "log lookalike b\u00FCcher.example label=any ascii=wide\n"
                            "log invalid\n"
                            "log invalid tag=x\n"
                            "log restricted\n"
                            "log mixed-digits\n"
                            "log wholescript\n"
                            "log emoji\n"
                            "log bidi\n"
                            "log script not-in Latn\n"
                            "log script-level highly\n"
                            "log script-level moderate\n";

static void write_lines(const struct xnm_reply *reply)
{
    const struct xnm_config config = {.log_name = XNM_LOG_NAME_BOTH};
    const char *lines;
    static char across[sizeof line];

    for (int json = 0; json < 2; json++) {
        size_t len = json ? xnm_logline_json(&config, reply, &name, NULL, sizeof line - 1, line)
                          : xnm_logline_text(&config, reply, &name, NULL, false, line);
        line[len++] = 0x0A;
        assert_true(xnm_logring_put(ring, line, len));
        xnm_logring_drop(ring, xnm_logring_look(ring, across, sizeof across, &lines));
    }
}

/* All that is done without Unbound: decided before and behind the other modules, and logged. */
static void answer(const uint8_t *wire, size_t len)
{
    static const struct sockaddr_storage client = {.ss_family = AF_INET};
    const struct xnm_question question = {
        .qname = wire, .qname_len = len, .qtype = A, .qclass = IN};
    struct xnm_reply reply = {.client = &client,
                              .qname = wire,
                              .qname_len = len,
                              .type_name = "A",
                              .class_name = "IN",
                              .rcode_name = "NOERROR"};
    static struct xnm_metrics *metrics;
    struct xnm_decision decision;

    if (!metrics)
        metrics = xnm_metrics_new();
    xnm_policy_decide(policy, &question, &decision);
    if (xnm_policy_decide_answer(policy, &question, NULL, NULL, &decision)) {
        xnm_match_from(policy, &decision, false, &match);
        reply.match = &match;
        if (match.name.len > 0 &&
            xn_name_read(text_unicode(), match.name.octets, match.name.len, 0, &matched) == XN_OK)
            reply.match_name = &matched;
    }
    assert_int_equal(xn_name_read(text_unicode(), wire, len, 0, &name), XN_OK);
    xnm_metrics_count_reply(metrics, &reply, name.ace_count > 0 ? &name.reasons : NULL);
    write_lines(&reply);
}

/* --- names --- */

/* Code points that names are filled with in turn: one that maps to eighteen others, a capital, jamo
 * and marks that compose, a virama, one that maps to a dot, an emoji, a joiner; some whose validity
 * depends on their neighbours, but which keep no label from being valid; then marks that compose
 * with other letters than those before them, joiners in their context, digits, and a stroke. */
enum { PERIOD_MAX = 3 };
static const uint32_t kinds[][PERIOD_MAX] = {{0xFDFA},
                                             {0xC4},
                                             {0x11A8},
                                             {0x308},
                                             {0x94D},
                                             {0x3002},
                                             {0x1F600},
                                             {0x200D},
                                             {0x62},
                                             {0xB7},
                                             {0x375},
                                             {0x30FB},
                                             {0xFF65},
                                             {0x0F75},
                                             {0x1D1BF},
                                             {'b', 0x308},
                                             {0x1E27, 0x32D},
                                             {0xE9, 0x32D},
                                             {0xAC01, 0x11A8},
                                             {0x1E27, 0x316, 0x32D},
                                             {0x915, 0x94D, 0x200D},
                                             {0x628, 0x200C},
                                             {0x628, 0x64B, 0x200C},
                                             {0x660, 0x966},
                                             {0x30FB, 0x4E00}};

/* Fills a name with as many A-labels as it holds; each is an "a" and `count` code points. */
static size_t fill(const uint32_t kind[PERIOD_MAX], size_t count, uint8_t *wire)
{
    uint32_t cps[XN_ULABEL_MAX] = {'a'};
    size_t len = 0, label, period = 1;

    while (period < PERIOD_MAX && kind[period] != 0)
        period++;
    for (size_t i = 0; i < count; i++)
        cps[i + 1] = kind[i % period];
    do {
        size_t room = XN_WIRE_NAME_MAX - 2 - len;
        label = room > 8 ? put_a_label(cps, count + 1, wire + len + 1, room > 63 ? 63 : room) : 0;
        wire[len] = (uint8_t)label;
        len += label + 1;
    } while (label > 0);
    return len;
}

static void describe(const uint32_t kind[PERIOD_MAX], char *dst)
{
    for (size_t i = 0; i < PERIOD_MAX && kind[i] != 0; i++)
        dst += sprintf(dst, " U+%04X", kind[i]);
}

/* --- bounds --- */

static void watch(const uint8_t *wire, size_t len)
{
    unsigned long before = counted_memory;

    asked = 0;
    answer(wire, len);
    assert_int_equal(asked, 0);
    assert_int_equal(counted_memory, before);
}

/* Each name once, for tests/bench/instructions.sh, which counts the instructions of the two. */
__attribute__((noinline)) static void measure_reading(const uint8_t *wire, size_t len)
{
    assert_int_equal(xn_name_read(text_unicode(), wire, len, 0, &name), XN_OK);
}

__attribute__((noinline)) static void measure_all(const uint8_t *wire, size_t len)
{
    answer(wire, len);
}

static void measure(void)
{
    uint8_t wire[XN_WIRE_NAME_MAX];
    char code_points[64];

    for (size_t kind = 0; kind < COUNT(kinds); kind++)
        for (size_t count = 1; count < XN_ULABEL_MAX; count++) {
            size_t len = fill(kinds[kind], count, wire);
            describe(kinds[kind], code_points);
            printf("%zu of%s\n", count, code_points);
            measure_reading(wire, len);
            measure_all(wire, len);
        }
}

static void test_kind(void **state)
{
    const uint32_t *kind = *state;
    uint8_t wire[XN_WIRE_NAME_MAX];

    for (size_t count = 1; count < XN_ULABEL_MAX; count++) {
        size_t len = fill(kind, count, wire);
        watch(wire, len);
    }
}

/* The counters do count calls and allocations: ICU maps U+FF4E, and the policy has memory. */
TEST(test_counted, "calls and memory are counted")
{
    asked = 0;
    assert_int_equal(xn_unicode_judge_character(text_unicode(), 0xFF4E, 0, 0),
                     XN_CHARACTER_ALLOWED);
    assert_int_equal(asked, 1);
    assert_true(counted_memory > 0);
}

TEST(test_many, "100,000 replies to random names")
{
    uint8_t wire[XN_WIRE_NAME_MAX];
    uint64_t seed = 5;

    for (unsigned i = 0; i < REPLIES; i++)
        watch(wire, random_name(&seed, wire));
}

TEST(test_no_memory, "replies to ordinary names")
{
    static const char *const plain[] = {"www.example",           "B\xC3\xBC.example",
                                        "xn--bcher-kva.example", "xn--pypal-4ve.com",
                                        "xn--e28h.example",      "xn--31m-dda"};
    uint8_t wire[XN_WIRE_NAME_MAX];

    for (size_t i = 0; i < COUNT(plain); i++)
        watch(wire, wire_of(plain[i], wire));
}

int main(int argc, char **argv)
{
    static char titles[COUNT(kinds)][64] = {""};

    policy = policy_of(rules, NULL, NULL);
    ring = xnm_logring_new(XNM_LOGRING_SIZE);
    answer((const uint8_t *)"", 1); /* what is made once */
    if (argc > 1 && strcmp(argv[1], "--once") == 0) {
        measure();
        return 0;
    }
    for (size_t i = 0; i < COUNT(kinds); i++) {
        describe(kinds[i], titles[i] + sprintf(titles[i], "names full of"));
        add_test(titles[i], test_kind, (void *)(uintptr_t)&kinds[i]);
    }
    int status = run_unit();
    xnm_logring_free(ring);
    xnm_policy_free(policy);
    return status;
}
