/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes the reply of a decision: rcode, records, the SOA of a negative answer, and the
 * extended error. Host-free: module/unbound/message.c turns it into Unbound's structs. */
#ifndef XNM_MODULE_ANSWER_RESPONSE_H
#define XNM_MODULE_ANSWER_RESPONSE_H

#include "module/answer/aliaschain.h"
#include "module/policy/policy.h"
#include "module/rule/action.h"

enum {
    XNM_RESPONSE_RECORDS_MAX = 256 + XNM_ALIASCHAIN_MAX, /* any more are left out */
    XNM_RESPONSE_SETS_MAX = 64 + XNM_ALIASCHAIN_MAX,     /* likewise */
    XNM_RESPONSE_OCTETS_MAX = 64000, /* likewise: a message has 65535, including its header,
                                        question and EDNS, and a longer one is sent empty */
    XNM_SOA_RDATA_MAX = 2 * XN_WIRE_NAME_MAX + 5 * 4, /* RFC 1035, section 3.3.13 */
    XNM_EDE_OPTION_MAX = 2 + XNM_RULE_EDE_TEXT_MAX    /* RFC 8914, section 2 */
};

/* An RRset: records of one type and one owner, at least one. */
struct xnm_response_set {
    const uint8_t *owner;
    size_t owner_len;
    const struct xnm_record *records;
    size_t count;
};

/* Pointers lead to the answer, the chain, the query name and the struct itself, so it must not be
 * copied. */
struct xnm_response {
    int rcode;
    struct xnm_response_set sets[XNM_RESPONSE_SETS_MAX];
    size_t set_count;
    bool has_soa;              /* the last set belongs in the authority section */
    struct xnm_wirename alias; /* of cname: the target */
    bool follow_alias;         /* the answer for the target belongs after it */
    /* private: storage of the sets */
    struct xnm_record records[XNM_RESPONSE_RECORDS_MAX];
    size_t record_count, octets; /* octets: the owner once for each set, then a pointer */
    struct xnm_wirename target, soa_owner;
    uint8_t soa_rdata[XNM_SOA_RDATA_MAX];
};

/* Makes the answer of a decision that changes answers, except drop and tcp-only, which have none.
 * The chain ends with the CNAME that leads to the refused name (xnm_aliaschain_cut); it is empty
 * if the query name itself is refused. The answer begins with the chain; then follow:
 * - nxdomain, nodata: the SOA of the policy's settings, owned by decision->name;
 * - refuse: no record, and no chain either;
 * - redirect, answer: the records of the query's type, all for ANY; if there are none, as nodata;
 * - cname: the alias, which CNAME and ANY queries do not follow. With `prefix`, the refused name's
 * labels precede the target; if the name gets too long, it is YXDOMAIN (RFC 6672, section 2.2),
 * without a record. */
void xnm_response_make(const struct xnm_policy_settings *settings,
                       const struct xnm_decision *decision, const struct xnm_question *question,
                       const struct xnm_aliaschain *chain, struct xnm_response *response);

/* Writes the data of the EDE option, info code and text: at most XNM_EDE_OPTION_MAX octets. Returns
 * the octets written; 0: the answer has no extended error. */
size_t xnm_response_ede(const struct xnm_policy_answer *answer, uint8_t *dst);

#endif
