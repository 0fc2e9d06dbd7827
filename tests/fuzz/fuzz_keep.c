/* SPDX-License-Identifier: BSD-3-Clause */
/* Rule files whose lists are lost while a compiled policy is in force that somebody forged: what it
 * held is kept, as a list of that kind would have it, and the rules are a policy like any other. It
 * decides, is compiled, and is kept from in its turn. An input is what `compiled` reads, with the
 * number of the rules after that of the seed. */
#include "tests/fuzz/compiled.h"

/* Rules as they are compiled, and as they are read without their lists. */
static const struct scene {
    const char *compiled, *lost;
} scenes[] = {
    {COMPILED_TEXT,
     "refuse zones list\nkeep\nrpz rpz zone\nkeep\nlog lookalikes protected key=strict "
     "tld=any ascii=safe tag=alike\nkeep"},
    {"log names l tag=a\n+ one.test\n+ a.example\nlog lookalikes p key=strict tld=any\n"
     "+ paypal.com\n+ google.com",
     "log names l tag=a\nkeep\nlog lookalikes p key=strict tld=any\nkeep"},
    {"drop lookalikes p\n+ paypal.com\nrpz rpz zone\n+ .example drop\n+ *.b.example answer 1 2 3\n"
     "+ a.example answer 1\n+ i.test cname 1 prefix",
     "drop lookalikes p\nkeep\nrpz rpz zone\nkeep\nlog lookalikes zone\nkeep"},
    {COMPILED_CLIENTS, "group kids file=f keep\ngroup staff file=f keep\n"
                       "refuse zones list client=kids,!staff\nkeep\n"
                       "rpz rpz zone when=22:00-06:00\nkeep"},
    {"refuse zones l client=!192.0.2.0/24\n+ .example / important denied=b.example\n"
     "+ a.example / exempt type=1\n+ .test / but-type=28\n+ one.test / exempt important",
     "log zones l\nkeep\nnxdomain names l\nkeep"},
};
enum { SCENES = sizeof scenes / sizeof *scenes };

static struct xnm_arena compiled_of_scene(uint8_t number)
{
    static struct xnm_arena images[SCENES];
    struct xnm_arena *compiled = &images[number % SCENES];

    if (!compiled->octets)
        *compiled = compiled_seed(scenes[number % SCENES].compiled);
    return copy_of(compiled->octets, compiled->len);
}

/* Uses and compiles the policy that keeps the entries of an older one. It has nothing that no
 * compiling makes. */
static struct xnm_policy *expect_kept(const char *rules, const struct xnm_policy *older)
{
    struct xnm_policy *kept = policy_of(rules, older, &xnm_diagnose_silently);
    const char *why;

    assert_non_null(kept);
    use(kept);
    kept = policy_of_compiled(compiled_of(kept), &why);
    assert_null(why);
    use(kept);
    return kept;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t room, unsigned seed)
{
    return mutate_changes(2, data, size, room, seed);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct xnm_arena compiled = compiled_of_scene(take_octet(&data, &size));
    const char *rules = scenes[take_octet(&data, &size) % SCENES].lost, *why;

    apply_all(&compiled, data, size);
    struct xnm_policy *forged = policy_of_compiled(compiled, &why);
    if (!forged)
        return 0;
    struct xnm_policy *kept = expect_kept(rules, forged);
    xnm_policy_free(forged);
    xnm_policy_free(expect_kept(rules, kept));
    xnm_policy_free(kept);
    return 0;
}
