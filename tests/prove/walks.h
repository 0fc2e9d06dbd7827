/* SPDX-License-Identifier: BSD-3-Clause */
/* Contracts, for Frama-C's WP, of the functions in core/wire/wire.c that walk over a name: what
 * they may rely on, and what they promise. Eva shows that the other functions keep the contracts
 * given for them here, at every length that they can get: tests/prove/prove_wire.c. */
#ifndef XN_TESTS_PROVE_WALKS_H
#define XN_TESTS_PROVE_WALKS_H

#include "core/text/octets16.h"
#include "core/text/octets8.h"
#include "core/wire/wire.h"

/* A name from the length octet `at` on: how many octets it has, with the root's, and whether every
 * label has at most 63. An octet behind the root's is no part of it; without a root it is none. */
/*@ axiomatic Names {
      logic integer name_size{L}(uint8_t *at) reads at[0 .. 254];
      predicate is_name{L}(uint8_t *at) reads at[0 .. 254];
      axiom name_size_by_label{L}: \forall uint8_t *at;
        name_size(at) == (*at == 0 ? 1 : *at + 1 + name_size(at + (*at + 1)));
      axiom is_name_by_label{L}: \forall uint8_t *at;
        is_name(at) <==> name_size(at) >= 1 && *at <= XN_WIRE_LABEL_MAX &&
                         (*at == 0 || is_name(at + (*at + 1)));
    }
    predicate is_rest_of{L}(uint8_t *rest, uint8_t *wire) =
      \base_addr(rest) == \base_addr(wire) && rest - wire >= 0 && is_name(rest) &&
      name_size(wire) == (rest - wire) + name_size(rest);
    predicate is_readable_name{L}(uint8_t *wire) =
      is_name(wire) && name_size(wire) <= XN_WIRE_NAME_MAX &&
      \valid_read(wire + (0 .. name_size(wire) - 1));
    // Bounds the text of so many octets: four characters an octet, but one a length octet, and
    // no label has more than 64 octets with that.
    logic integer text_max(integer octets) = 4 * octets - 3 * ((octets + 63) / 64); */

/*@ requires wire_len <= XN_WIRE_NAME_MAX ==> \valid_read(wire + (0 .. wire_len - 1));
    requires \valid(cursor) && \separated(cursor, wire + (0 .. wire_len - 1));
    assigns cursor->pos \from wire;
    ensures \result == XN_OK ==>
      is_readable_name(wire) && name_size(wire) == wire_len && cursor->pos == wire; */
xn_status xn_wire_open(struct xn_wire_cursor *cursor, const uint8_t *wire, size_t wire_len);

/*@ requires is_readable_name(wire) && name_size(wire) == wire_len;
    assigns \nothing; */
bool xn_wire_has_ace(const uint8_t *wire, size_t wire_len);

/*@ requires is_readable_name(wire) && \valid(dst + (0 .. XN_WIRE_TEXT_MAX - 1));
    requires \separated(wire + (0 .. name_size(wire) - 1), dst + (0 .. XN_WIRE_TEXT_MAX - 1));
    assigns dst[0 .. XN_WIRE_TEXT_MAX - 1];
    ensures 1 <= \result <= XN_WIRE_TEXT_MAX; */
size_t xn_wire_to_text(const uint8_t *wire, char *dst);

/*@ requires is_readable_name(wire) && \valid(dst + (0 .. XN_WIRE_TEXT_MAX - 1));
    requires \separated(wire + (0 .. name_size(wire) - 1), dst + (0 .. XN_WIRE_TEXT_MAX - 1));
    assigns dst[0 .. XN_WIRE_TEXT_MAX - 1];
    ensures \result < XN_WIRE_NAME_MAX; */
static size_t plain_to_text(const uint8_t *wire, char *dst);

/* Eva shows the contracts below. */

struct plain_text;
/*@ requires \valid_read(src + (0 .. 15)) && \valid(dst + (0 .. 15)) && \valid(plain);
    requires \separated(plain, dst + (0 .. 15), src + (0 .. 15));
    assigns *plain, dst[0 .. 15]; */
static inline void sixteen_of_name(struct plain_text *plain, const uint8_t *src, unsigned before,
                                   char *dst);

/*@ requires XN_OCTETS16 < len <= XN_WIRE_NAME_MAX && \valid_read(octets + (0 .. len - 1));
    assigns \nothing; */
static inline bool has_hyphen_pair(const uint8_t *octets, size_t len);

/*@ requires len <= XN_WIRE_LABEL_MAX && \valid_read(label + (0 .. len - 1));
    requires \valid(dst + (0 .. 4 * len - 1));
    assigns dst[0 .. 4 * len - 1];
    ensures \result <= 4 * len; */
size_t xn_wire_label_to_text(const uint8_t *label, size_t len, char *dst);

#endif
