/* SPDX-License-Identifier: BSD-3-Clause */
/* Compiled policies that somebody changed, checksum and all: refused, or a policy whose every use
 * stays inside of it and says nothing that a log line could not hold. Without a new checksum, cut
 * off, or with a head of another format, every change is refused. The seeds are compiled when the
 * program starts, so none is ever of an older format. */
#include "tests/fuzz/compiled.h"

#ifdef __has_feature
#if __has_feature(address_sanitizer)
#define __SANITIZE_ADDRESS__ 1
#endif
#endif
#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
#else
#define ASAN_POISON_MEMORY_REGION(at, len) ((void)(at), (void)(len))
#define ASAN_UNPOISON_MEMORY_REGION(at, len) ((void)(at), (void)(len))
#endif

static const char *const texts[] = {
    COMPILED_TEXT,
    "",
    "nxdomain zone .",
    "log lookalike paypal.com key=strict ascii=wide tld=any",
    "log script in Cyrl,Grek type=28\nlog script-level minimal except=ru",
    "rpz rpz zone\n+ .example drop\n+ *.b.example answer 1 2 3\n+ a.example answer 1",
    "log names l tag=a\n+ a.example\n+ .example\nlog zones m tag=b\n+ .example\n+ .test",
    COMPILED_CLIENTS,
    ("refuse zones l client=!192.0.2.0/24\n+ .example / important denied=b.example\n"
     "+ a.example / exempt type=1\n+ .test / but-type=28\n+ one.test / exempt important"),
};
enum { TEXTS = sizeof texts / sizeof *texts };

static struct xnm_arena seed_of(uint8_t number)
{
    static struct xnm_arena seeds[TEXTS];
    struct xnm_arena *seed = &seeds[number % TEXTS];

    if (!seed->octets)
        *seed = compiled_seed(texts[number % TEXTS]);
    return copy_of(seed->octets, seed->len);
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t room, unsigned seed)
{
    return mutate_changes(1, data, size, room, seed);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint8_t number = take_octet(&data, &size);
    struct xnm_arena made = seed_of(number), compiled = seed_of(number);
    const char *why;

    bool checked = apply_all(&compiled, data, size);
    bool same = compiled.len == made.len && memcmp(compiled.octets, made.octets, made.len) == 0;
    uint8_t *end = compiled.octets + compiled.len;
    size_t room = compiled.cap - compiled.len;
    ASAN_POISON_MEMORY_REGION(end, room);
    struct xnm_policy *policy = policy_of_compiled(compiled, &why);
    assert_true(checked || same == (policy != NULL));
    if (policy)
        use(policy);
    else
        expect_line(why, strlen(why));
    ASAN_UNPOISON_MEMORY_REGION(end, room);
    xnm_policy_free(policy);
    xnm_arena_free(&made);
    return 0;
}
