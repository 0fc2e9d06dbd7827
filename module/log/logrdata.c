/* SPDX-License-Identifier: BSD-3-Clause */
#include "module/log/logrdata.h"

#include "core/idna/name.h"
#include "core/wire/expand.h"
#include "core/wire/walk.h"

typedef enum { WRITTEN, TOO_LONG, MALFORMED } outcome;

const char *xnm_logrdata_fields(uint16_t type)
{
    switch (type) {
    case XNM_TYPE_A:
        return "a";
    case XNM_TYPE_AAAA:
        return "b";
    case XNM_TYPE_NS:
    case XNM_TYPE_CNAME:
    case XNM_TYPE_PTR:
    case XNM_TYPE_DNAME:
        return "n";
    case XNM_TYPE_SOA:
        return "nn44444";
    case XNM_TYPE_HINFO:
        return "ss";
    case XNM_TYPE_MX:
        return "2n";
    case XNM_TYPE_TXT:
        return "S";
    case XNM_TYPE_SRV:
        return "222n";
    case XNM_TYPE_NAPTR:
        return "22sssn";
    case XNM_TYPE_DS:
    case XNM_TYPE_CDS:
    case XNM_TYPE_DNSKEY:
    case XNM_TYPE_CDNSKEY:
        return "211x";
    case XNM_TYPE_SSHFP:
        return "11x";
    case XNM_TYPE_TLSA:
        return "111x";
    case XNM_TYPE_CAA:
        return "1st";
    case XNM_TYPE_SVCB:
    case XNM_TYPE_HTTPS:
        return "2nx";
    default:
        return NULL;
    }
}

static uint32_t number_of(const uint8_t *octets, size_t len)
{
    uint32_t number = 0;

    for (size_t i = 0; i < len; i++)
        number = number << 8 | octets[i];
    return number;
}

static bool is_plain(uint8_t octet)
{
    return octet >= 0x20 && octet < 0x7F && octet != '"' && octet != '\\';
}

/* Writes the octets of a text: visible ASCII and blanks as they are, others as `\DDD`. */
static outcome put_octets(struct xnm_logrdata *data, const uint8_t *octets, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        if (data->len > XNM_LOGANSWERS_DATA_MAX)
            return TOO_LONG;
        if (is_plain(octets[i]))
            data->text[data->len++] = (char)octets[i];
        else
            data->len += xn_wire_label_to_text(octets + i, 1, data->text + data->len);
    }
    return WRITTEN;
}

static outcome put_hexadecimal(struct xnm_logrdata *data, const uint8_t *octets, size_t len)
{
    if (data->len + 2 * len > XNM_LOGANSWERS_DATA_MAX)
        return TOO_LONG;
    data->len = (size_t)(xnm_format_octets(data->text + data->len, octets, len) - data->text);
    return WRITTEN;
}

/* Not inlined, since its frame is large. */
__attribute__((noinline)) static size_t display(const struct xnm_loganswers_names *names,
                                                const uint8_t *wire, size_t len, char *dst)
{
    struct xn_name name;

    if (xn_name_read(names->unicode, wire, len, names->ignored, &name) != XN_OK)
        return 0;
    return xn_display_name(&name, dst);
}

size_t xnm_logrdata_name(const struct xnm_logrdata_form *form, const uint8_t *wire, size_t len,
                         char *dst)
{
    size_t out = form->names && len > 1 ? display(form->names, wire, len, dst)
                                        : xn_wire_to_text(wire, dst) - (len > 1);

    return len > 1 ? (size_t)(xnm_format(dst + out, form->after_name) - dst) : out;
}

static outcome put_name_field(struct xnm_logrdata *data, const struct xnm_logrdata_form *form,
                              const struct xnm_answer *answer, size_t *at)
{
    uint8_t wire[XN_WIRE_NAME_MAX];
    size_t len = xn_wire_expand(answer->octets, answer->end, at, wire);

    if (len == 0)
        return MALFORMED;
    data->len += xnm_logrdata_name(form, wire, len, data->text + data->len);
    return WRITTEN;
}

static outcome put_string(struct xnm_logrdata *data, const struct xnm_answer *answer, size_t *at)
{
    const uint8_t *string = answer->octets + *at;

    if (*at == answer->end || string[0] >= answer->end - *at)
        return MALFORMED;
    *at += (size_t)string[0] + 1;
    return put_octets(data, string + 1, string[0]);
}

/* Writes one character-string after the other, with a blank between them. */
static outcome put_strings(struct xnm_logrdata *data, const struct xnm_answer *answer, size_t *at)
{
    outcome result = put_string(data, answer, at);

    while (result == WRITTEN && *at < answer->end) {
        if (data->len > XNM_LOGANSWERS_DATA_MAX)
            return TOO_LONG;
        data->text[data->len++] = ' ';
        result = put_string(data, answer, at);
    }
    return result;
}

static outcome put_number(struct xnm_logrdata *data, const struct xnm_answer *answer, size_t *at,
                          size_t len)
{
    if (len > answer->end - *at)
        return MALFORMED;
    char *end = xnm_format_number(data->text + data->len, number_of(answer->octets + *at, len));
    data->len = (size_t)(end - data->text);
    *at += len;
    return WRITTEN;
}

static outcome put_field(struct xnm_logrdata *data, const struct xnm_logrdata_form *form,
                         const struct xnm_answer *answer, char field, size_t *at)
{
    const uint8_t *rest = answer->octets + *at;
    size_t left = answer->end - *at;

    switch (field) {
    case 'a':
    case 'b':
        if (!xnm_logrdata_is_address(answer))
            return MALFORMED;
        data->len = (size_t)(xnm_logrdata_address(data->text, answer) - data->text);
        *at = answer->end;
        return WRITTEN;
    case 'n':
        return put_name_field(data, form, answer, at);
    case 's':
        return put_string(data, answer, at);
    case 'S':
        return put_strings(data, answer, at);
    case 't':
        *at = answer->end;
        return put_octets(data, rest, left);
    case 'x':
        *at = answer->end;
        return put_hexadecimal(data, rest, left);
    default:
        return put_number(data, answer, at, (size_t)(field - '0'));
    }
}

/* Writes the data by the fields of its type. */
static outcome put_fields(struct xnm_logrdata *data, const struct xnm_logrdata_form *form,
                          const struct xnm_answer *answer, const char *fields)
{
    size_t at = answer->at;
    outcome result = WRITTEN;

    data->len = 0;
    for (const char *field = fields; *field && result == WRITTEN; field++) {
        if (data->len > XNM_LOGANSWERS_DATA_MAX)
            return TOO_LONG;
        if (field > fields && !(*field == 'x' && at == answer->end))
            data->len = (size_t)(xnm_format(data->text + data->len, form->separator) - data->text);
        result = put_field(data, form, answer, *field, &at);
    }
    if (result == WRITTEN && at != answer->end)
        return MALFORMED;
    return result == WRITTEN && data->len > XNM_LOGANSWERS_DATA_MAX ? TOO_LONG : result;
}

bool xnm_logrdata_write(struct xnm_logrdata *data, const struct xnm_logrdata_form *form,
                        const struct xnm_answer *answer, bool *is_generic)
{
    const char *fields = xnm_logrdata_fields(answer->type);
    outcome result = fields ? put_fields(data, form, answer, fields) : MALFORMED;

    *is_generic = result == MALFORMED;
    if (*is_generic)
        result = put_fields(data, form, answer, "x");
    if (data->len == 0)
        data->text[data->len++] = '-';
    return result == WRITTEN;
}
