/* SPDX-License-Identifier: BSD-3-Clause */
#include "module/policy/unmatched.h"
#include "module/policy/policy.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

enum { PAIRS = 2048, QNAME_MAX = 114 };

struct place {
    uint64_t generation;
    uint16_t qtype, qclass;
    bool from_a;
    uint8_t qname_len; /* 0: free */
    uint8_t qname[QNAME_MAX];
};

/* The newer question is first. */
struct pair {
    struct place places[2];
};
_Static_assert(PAIRS * sizeof(struct pair) == 512 << 10, "as it says");

static pthread_key_t own; /* each thread's pairs; freed when it ends */
static bool has_own;

/* Makes the key when the module is loaded, before there are workers. */
__attribute__((constructor)) static void make_key(void)
{
    has_own = pthread_key_create(&own, free) == 0;
}

static struct pair *own_pairs(void)
{
    return has_own ? pthread_getspecific(own) : NULL;
}

static struct pair *make_pairs(void)
{
    struct pair *pairs = has_own ? calloc(PAIRS, sizeof *pairs) : NULL;

    if (pairs && pthread_setspecific(own, pairs) == 0)
        return pairs;
    free(pairs);
    return NULL;
}

static struct pair *pair_of(struct pair *pairs, const struct xnm_question *question)
{
    return &pairs[XXH3_64bits(question->qname, question->qname_len) % PAIRS];
}

static bool is_of(const struct place *place, const struct xnm_question *question,
                  uint64_t generation)
{
    return place->qname_len == question->qname_len && place->generation == generation &&
           place->qtype == question->qtype && place->qclass == question->qclass &&
           place->from_a == question->from_a &&
           memcmp(place->qname, question->qname, question->qname_len) == 0;
}

bool xnm_unmatched_has(const struct xnm_question *question, uint64_t generation)
{
    struct pair *pairs = own_pairs();

    if (!pairs || question->qname_len > QNAME_MAX)
        return false;
    const struct pair *pair = pair_of(pairs, question);
    return is_of(&pair->places[0], question, generation) ||
           is_of(&pair->places[1], question, generation);
}

void xnm_unmatched_note(const struct xnm_question *question, uint64_t generation)
{
    struct pair *pairs = own_pairs();

    if (question->qname_len > QNAME_MAX || (!pairs && !(pairs = make_pairs())))
        return;
    struct pair *pair = pair_of(pairs, question);
    struct place *newer = &pair->places[0];
    pair->places[1] = *newer;
    newer->generation = generation;
    newer->qtype = question->qtype;
    newer->qclass = question->qclass;
    newer->from_a = question->from_a;
    newer->qname_len = (uint8_t)question->qname_len;
    memcpy(newer->qname, question->qname, question->qname_len);
}
