/* SPDX-License-Identifier: BSD-3-Clause */
/* The reason of a refusal, for clients that ask for it (Structured Error Data for Filtered DNS,
 * draft-ietf-dnsop-structured-dns-error): the sub-errors, the operator's part, and the lines with
 * the reason for all rules with a tag. */
#ifndef XNM_MODULE_RULE_WHY_H
#define XNM_MODULE_RULE_WHY_H

#include "module/rule/action.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The sub-errors, which are the numbers on the wire. */
typedef enum {
    XNM_SUB_ERROR_NONE,
    XNM_SUB_ERROR_MALWARE,
    XNM_SUB_ERROR_PHISHING,
    XNM_SUB_ERROR_SPAM,
    XNM_SUB_ERROR_SPYWARE,
    XNM_SUB_ERROR_NETWORK_POLICY, /* this and the next are only valid with Blocked */
    XNM_SUB_ERROR_DNS_POLICY,
    XNM_SUB_ERROR_COUNT
} xnm_sub_error;

/* Returns the word of a sub-error, as in sub-error=. Static storage. */
const char *xnm_sub_error_word(xnm_sub_error number);

/* Returns whether an answer with this info code may have the sub-error: none is valid with
 * Censored, and those about a policy only with Blocked. Forged Answer counts as Blocked, which is
 * sent in its place. */
bool xnm_sub_error_goes(xnm_sub_error number, int ede);

/* Returns whether a reason can be sent with this info code: with Blocked, Censored and Filtered;
 * with Forged Answer, which becomes Blocked; and with XNM_EDE_DEFAULT, which an RPZ zone's entries
 * decide. */
bool xnm_why_goes(int ede);

/* The line of a rule file with the reason for all rules with a tag. */
struct xnm_tag_reason {
    char tag[XNM_RULE_TAG_MAX + 1];
    char *why; /* as in struct xnm_rule; owned */
    uint8_t sub_error;
    const char *file; /* the rule file's path; owned by struct xnm_rules */
    unsigned line, column;
    bool used; /* some rule has the tag */
};

/* Octets of the operator's part, with a NUL. */
enum {
    XNM_WHY_CONTACT_MAX = 256,
    XNM_WHY_ORGANIZATION_MAX = 101,
    XNM_WHY_LANGUAGE_MAX = 36 /* RFC 5646, section 4.4.1: at least 35 characters */
};

/* The operator's part, from idn.conf. */
struct xnm_why_settings {
    uint16_t code;                               /* of the client's EDNS option; 0: off */
    char contact[XNM_WHY_CONTACT_MAX];           /* URIs with blanks between them; "": none */
    char organization[XNM_WHY_ORGANIZATION_MAX]; /* visible UTF-8; "": none */
    char language[XNM_WHY_LANGUAGE_MAX];         /* a tag of BCP 47, never "" */
};

/* Returns the octets at the beginning of a text that are visible characters. *cp is the character
 * after them, if there is one. Other characters would be invisible, or change the state of a
 * terminal or the direction of text. */
size_t xnm_why_visible(const char *text, size_t len, uint32_t *cp);

#endif
