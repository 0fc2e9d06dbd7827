/* SPDX-License-Identifier: BSD-3-Clause */
#include "module/policy/unmatched.h"
#include "module/policy/policy.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

enum { ROWS = 512, PLACES = 8, QNAME_MAX = 114 };

struct place {
    uint64_t generation;
    uint16_t qtype, qclass;
    bool from_a;
    uint8_t qname_len; /* 0: free */
    uint8_t qname[QNAME_MAX];
};

struct row {
    struct place places[PLACES];
};
_Static_assert(ROWS * sizeof(struct row) == 512 << 10, "as it says");

static pthread_key_t own; /* each thread's rows; freed when it ends */
static bool has_own;

/* Makes the key when the module is loaded, before there are workers. */
__attribute__((constructor)) static void make_key(void)
{
    has_own = pthread_key_create(&own, free) == 0;
}

static struct row *own_rows(void)
{
    return has_own ? pthread_getspecific(own) : NULL;
}

static struct row *make_rows(void)
{
    struct row *rows = has_own ? calloc(ROWS, sizeof *rows) : NULL;

    if (rows && pthread_setspecific(own, rows) == 0)
        return rows;
    free(rows);
    return NULL;
}

static struct row *row_of(struct row *rows, const struct xnm_question *question)
{
    return &rows[XXH3_64bits(question->qname, question->qname_len) % ROWS];
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
    struct row *rows = own_rows();

    if (!rows || question->qname_len > QNAME_MAX)
        return false;
    const struct row *row = row_of(rows, question);
    for (size_t i = 0; i < PLACES; i++)
        if (is_of(&row->places[i], question, generation))
            return true;
    return false;
}

void xnm_unmatched_note(const struct xnm_question *question, uint64_t generation)
{
    struct row *rows = own_rows();

    if (question->qname_len > QNAME_MAX || (!rows && !(rows = make_rows())))
        return;
    struct row *row = row_of(rows, question);
    struct place *newer = &row->places[0];
    memmove(newer + 1, newer, (PLACES - 1) * sizeof *newer);
    newer->generation = generation;
    newer->qtype = question->qtype;
    newer->qclass = question->qclass;
    newer->from_a = question->from_a;
    newer->qname_len = (uint8_t)question->qname_len;
    memcpy(newer->qname, question->qname, question->qname_len);
}
