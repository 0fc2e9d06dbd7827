/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes one record's data for a log line. */
#ifndef XNM_MODULE_LOG_LOGRDATA_H
#define XNM_MODULE_LOG_LOGRDATA_H

#include "module/base/format.h"
#include "module/base/rrtype.h"
#include "module/log/loganswers.h"

/* How data is written. */
struct xnm_logrdata_form {
    const struct xnm_loganswers_names *names; /* NULL: names are A-labels */
    const char *separator, *after_name;       /* between fields; "." or "" */
    char escaped;                             /* the octet that this form must escape */
    const char *escape;                       /* its escape */
};

/* The data of one record, as it is written. A name or a string is written before its length is
 * known. */
struct xnm_logrdata {
    size_t len;
    char text[XNM_LOGANSWERS_DATA_MAX + XN_DISPLAY_NAME_MAX + sizeof ":."];
};
_Static_assert(4 * UINT8_MAX <= (int)XN_DISPLAY_NAME_MAX, "a string fits");

/* Returns the fields of a type's RDATA: `1`, `2` and `4` are numbers of so many octets, `a` and `b`
 * addresses, `n` a name, `s` a character-string; and up to the end: `S` character-strings, `t`
 * text, `x` octets. */
const char *xnm_logrdata_fields(uint16_t type);

/* Writes the data; as octets, which sets *is_generic, if its form is another, or not known. Data of
 * no octets is "-". Returns whether it is short enough. */
bool xnm_logrdata_write(struct xnm_logrdata *data, const struct xnm_logrdata_form *form,
                        const struct xnm_answer *answer, bool *is_generic);

/* Writes a valid name; the root is ".". Returns the octets written. */
size_t xnm_logrdata_name(const struct xnm_logrdata_form *form, const uint8_t *wire, size_t len,
                         char *dst);

/* Returns whether a record is A or AAAA, and has the form of its type. */
static inline bool xnm_logrdata_is_address(const struct xnm_answer *answer)
{
    size_t len = answer->end - answer->at;

    return (answer->type == XNM_TYPE_A && len == 4) || (answer->type == XNM_TYPE_AAAA && len == 16);
}

/* Writes the address of such a record. */
static inline char *xnm_logrdata_address(char *dst, const struct xnm_answer *answer)
{
    return answer->type == XNM_TYPE_A ? xnm_format_ipv4(dst, answer->octets + answer->at)
                                      : xnm_format_ipv6(dst, answer->octets + answer->at);
}

#endif
