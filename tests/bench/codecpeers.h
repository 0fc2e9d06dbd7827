/* SPDX-License-Identifier: BSD-3-Clause */
/* The operations on one label that bench_codec measures, and the libraries that offer each. */
#ifndef XN_TESTS_BENCH_CODECPEERS_H
#define XN_TESTS_BENCH_CODECPEERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { BENCH_UNITS = 128, BENCH_TEXT = 512 };

/* A label in each form that a peer reads. The struct has 64 octets, and the data of one form is
 * contiguous for all labels, so that reading costs little. */
struct bench_label {
    const uint32_t *cps;
    const uint16_t *utf16;      /* the same */
    const uint16_t *punycode16; /* what follows "xn--" */
    const char *alabel;         /* with a NUL, like the two below */
    const char *text;           /* UTF-8 */
    const char *written;        /* the same with capitals */
    uint16_t cps_len, utf16_len, alabel_len, text_len, written_len;
};

/* The same before it is packed. */
struct bench_forms {
    uint32_t cps[64];
    uint16_t utf16[BENCH_UNITS], punycode16[64];
    char alabel[64], text[BENCH_TEXT], written[BENCH_TEXT];
    size_t cps_len, utf16_len, alabel_len, text_len, written_len;
};

/* The result of an operation: elements of its kind, counted in len. */
struct bench_result {
    bool good;
    size_t len;
    union {
        uint32_t cps[BENCH_UNITS];
        uint16_t utf16[BENCH_UNITS];
        char text[BENCH_TEXT];
    } as;
};

typedef void bench_run(const struct bench_label *label, struct bench_result *result);

typedef enum { BENCH_CPS, BENCH_UTF16, BENCH_TEXT_OCTETS } bench_kind;

struct bench_peer {
    const char *name;
    bench_run *run; /* NULL: this machine does not have it */
    bench_kind kind;
    bool same; /* it must give what ours gives for every label; else it is only counted */
};

enum { BENCH_PEERS = 5 };

struct bench_operation {
    const char *name;
    struct bench_peer peers[BENCH_PEERS]; /* ours first; a name of NULL behind the last */
};

/* Finds the peers: libidn2 and libidn in `folder` or, where it is NULL or has none, where the
 * system has them. False: our own library or ICU could not be opened. */
bool bench_peers_open(const char *folder);

/* Fills in all forms of a label. False: it is no U-label for ICU, or ASCII. */
bool bench_label_make(const uint32_t *cps, size_t len, struct bench_forms *label);

/* Ends with a name of NULL. */
const struct bench_operation *bench_operations(void);

#endif
