/* SPDX-License-Identifier: BSD-3-Clause */
/* An RPZ zone as the text of a zone file, on standard output: for tools/rules/rpz.c. */
#ifndef XN_TOOLS_RULES_RPZPRINT_H
#define XN_TOOLS_RULES_RPZPRINT_H

#include "module/load/rpzexport.h"
#include "tools/text/buffer.h"

struct rpzprint {
    const struct xn_unicode *unicode;
    struct buffer out;
    const struct xnm_verdict *verdict; /* that the owner before this one had … */
    struct buffer records;  /* … and what stands behind such an owner, each in a line */
    const uint8_t *name;    /* of the owner before this one: its `*.` has the same … */
    struct buffer relative; /* … as text without a final dot, and no second comment */
    size_t left_out;        /* records so far, once for each verdict … */
    bool lacks;             /* … and of a rule's own among them: more than one owner has */
    bool failed;            /* ldns reads another name than is written */
};

/* Writes a comment line; whatever is in the text, it stays one. */
void rpzprint_comment(struct rpzprint *print, const char *text);

/* Writes $ORIGIN, $TTL, the SOA with the names and the TTL of the policy's settings, and NS
 * localhost. */
void rpzprint_head(struct rpzprint *print, const struct xnm_policy_settings *settings,
                   const struct xnm_wirename *origin, uint32_t serial);

/* Writes an owner with its records, and above it, if it has A-labels, its name in Unicode as
 * core/idna/display.h shows it. An alias for the owner itself, which leads nowhere, is PASSTHRU, as
 * resolvers read it. */
void rpzprint_owner(struct rpzprint *print, const struct xnm_rpzowner *owner);

/* Writes what is left, and frees. */
void rpzprint_finish(struct rpzprint *print);

#endif
