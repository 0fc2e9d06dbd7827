/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints an RPZ zone as a zone file on standard output: for tools/rules/rpz.c. */
#ifndef XN_TOOLS_RULES_RPZPRINT_H
#define XN_TOOLS_RULES_RPZPRINT_H

#include "module/policy/policy.h"
#include "tools/rules/rpzexport.h"
#include "tools/text/buffer.h"

/* `unicode` is the caller's; all other members are zero at first. */
struct rpzprint {
    const struct xn_unicode *unicode;
    struct buffer out;
    struct xnm_policy_answer answer; /* of the previous owner */
    struct buffer records;           /* of the previous owner, each in a line without the owner */
    const uint8_t *name;             /* of the previous owner; its `*.` gets no second comment */
    struct buffer relative;          /* this name as text, without the final dot */
    size_t left_out;                 /* records left out so far, counted once for each answer */
    bool lacks;                      /* a record of a rule itself, not of a list, was left out */
    bool failed;                     /* ldns reads another name than was written */
};

/* Writes a comment line; nothing in the text can end it. */
void rpzprint_comment(struct rpzprint *print, const char *text);

/* Writes $ORIGIN, $TTL, the SOA with the names and the TTL of the policy's settings, and NS
 * localhost. */
void rpzprint_head(struct rpzprint *print, const struct xnm_policy_settings *settings,
                   const struct xnm_wirename *origin, uint32_t serial);

/* Writes an owner with its records. If it has A-labels, a comment above shows its name in Unicode,
 * as core/names/display.h does. An alias for the owner itself, which leads nowhere, is PASSTHRU, as
 * resolvers read it. */
void rpzprint_owner(struct rpzprint *print, const struct rpzowner *owner);

/* Writes the rest of the zone, and frees what `print` owns. */
void rpzprint_finish(struct rpzprint *print);

#endif
