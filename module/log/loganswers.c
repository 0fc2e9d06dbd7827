/* SPDX-License-Identifier: BSD-3-Clause */
#include "module/log/loganswers.h"

#include "core/wire/walk.h"
#include "module/base/format.h"
#include "module/base/rrtype.h"
#include "module/config/config.h"
#include "module/log/logline.h"
#include "module/log/logrdata.h"
#include "module/zone/mnemonic.h"

#include <string.h>

/* Copies text with the form's escapes. */
static char *put_escaped(char *dst, const struct xnm_logrdata_form *form, const char *text,
                         size_t len)
{
    for (size_t i = 0; i < len; i++) {
        if (text[i] == form->escaped)
            dst = xnm_format_word(dst, form->escape);
        else
            *dst++ = text[i];
    }
    return dst;
}

/* --- text --- */

/* The fields so far. */
struct fields {
    const struct xnm_logrdata_form *form;
    char *start, *at;
    char *value;   /* of the last field, without its quotes; NULL: it is closed, or there is none */
    uint16_t type; /* of the last field's records */
    bool is_generic; /* its key is "type1" */
    bool is_plain;   /* its value needs no quotes */
    struct {         /* the state before the record that is being written */
        char *at, *value;
        bool is_plain;
    } before;
};

static void close_field(struct fields *fields)
{
    if (fields->value && !fields->is_plain) {
        memmove(fields->value + 1, fields->value, (size_t)(fields->at - fields->value));
        *fields->value = '"';
        fields->at[1] = '"';
        fields->at += 2;
    }
    fields->value = NULL;
}

/* Writes a type's mnemonic in lower case, or "type65280". "key" is another field's key. */
static char *put_key(char *dst, uint16_t type, bool is_generic)
{
    enum { KEY = 25 };
    const char *word = is_generic || type == KEY ? NULL : xnm_mnemonic_type(type);
    size_t len = word ? strlen(word) : 0;

    if (!word)
        return xnm_format_number(xnm_format(dst, "type"), type);
    xn_wire_lower((uint8_t *)dst, (const uint8_t *)word, len);
    return dst + len;
}

/* Begins the next value: in the last field, if that has the same key, or in one of its own. */
static void open_value(struct fields *fields, uint16_t type, bool is_generic)
{
    if (!is_generic && type == XNM_TYPE_AAAA)
        type = XNM_TYPE_A;
    bool same = fields->value && fields->type == type && fields->is_generic == is_generic;
    if (!same)
        close_field(fields);
    fields->before.at = fields->at;
    fields->before.value = fields->value;
    fields->before.is_plain = fields->is_plain;
    if (same) {
        *fields->at++ = ',';
        return;
    }
    *fields->at++ = ' ';
    if (type == XNM_TYPE_A && !is_generic)
        *fields->at++ = 'a';
    else
        fields->at = put_key(fields->at, type, is_generic);
    *fields->at++ = '=';
    fields->value = fields->at;
    fields->type = type;
    fields->is_generic = is_generic;
    fields->is_plain = true;
}

/* Not inlined, since its frame is large. Returns false if the data is too long, with nothing
 * written. */
__attribute__((noinline)) static bool put_other(struct fields *fields,
                                                const struct xnm_answer *answer)
{
    struct xnm_logrdata data;
    bool is_generic;

    if (!xnm_logrdata_write(&data, fields->form, answer, &is_generic))
        return false;
    open_value(fields, answer->type, is_generic);
    fields->at = put_escaped(fields->at, fields->form, data.text, data.len);
    fields->is_plain = fields->is_plain && xnm_logline_is_plain(data.text, data.len) &&
                       !memchr(data.text, ',', data.len);
    return true;
}

/* Writes a record. Returns false, with nothing written, if it does not fit. */
static bool put_record(struct fields *fields, const struct xnm_answer *answer, bool has_address)
{
    enum { QUOTES = 2 };

    if (has_address) {
        open_value(fields, answer->type, false);
        fields->at = xnm_logrdata_address(fields->at, answer);
    } else if (!put_other(fields, answer)) {
        return false;
    }
    if (fields->at - fields->start <= XNM_LOGANSWERS_FIELDS_MAX - QUOTES)
        return true;
    fields->at = fields->before.at;
    fields->value = fields->before.value;
    fields->is_plain = fields->before.is_plain;
    return false;
}

/* Writes how many records were left out; the first of them has this type. */
static void put_left(struct fields *fields, uint16_t type, size_t left)
{
    bool is_ascii = !fields->form->names;

    open_value(fields, type, !xnm_logrdata_fields(type));
    fields->at = xnm_format(fields->at, is_ascii ? "...+" : "\xE2\x80\xA6+");
    fields->at = xnm_format_number(fields->at, left);
    fields->is_plain = fields->is_plain && is_ascii;
}

size_t xnm_loganswers_text(const struct xnm_config *config,
                           const struct xnm_loganswers_names *names, const struct xnm_reply *reply,
                           size_t cap, char *dst)
{
    const struct xnm_logrdata_form form = {config->log_name == XNM_LOG_NAME_ASCII ? NULL : names,
                                           ":", ".", ',', "\\044"};
    struct fields fields = {.form = &form, .start = dst, .at = dst};
    struct xnm_answers walk = {.source = reply->answer_source, .now = reply->when.tv_sec};
    struct xnm_answer answer;
    uint16_t first_left = 0;
    size_t left = 0;

    while (reply->next_answer(&walk, &answer)) {
        bool has_address = xnm_logrdata_is_address(&answer);

        if (!has_address && config->log_answers == XNM_LOG_ANSWERS_ADDRESSES)
            continue;
        if (left == 0 && put_record(&fields, &answer, has_address))
            continue;
        if (left++ == 0)
            first_left = answer.type;
    }
    if (left > 0)
        put_left(&fields, first_left, left);
    if (!fields.is_plain)
        close_field(&fields);
    return (size_t)(fields.at - dst) <= cap ? (size_t)(fields.at - dst) : 0;
}

/* --- JSON --- */

/* Writes ,"dns.resolved_ip":["192.0.2.11"],"dns.answers_count":1. */
static char *put_resolved(char *dst, const struct xnm_reply *reply)
{
    static const char key[] = ",\"dns.resolved_ip\":[";
    struct xnm_answers walk = {.source = reply->answer_source, .now = reply->when.tv_sec};
    struct xnm_answer answer;
    char *start = dst, *list = start + sizeof key - 1, *at = list;
    size_t count = 0;

    for (; reply->next_answer(&walk, &answer); count++) {
        if (!xnm_logrdata_is_address(&answer) ||
            at - list > XNM_LOGANSWERS_RESOLVED_MAX - XNM_FORMAT_ADDRESS_MAX)
            continue;
        at = xnm_format_word(at, at == list ? "\"" : ",\"");
        at = xnm_logrdata_address(at, &answer);
        *at++ = '"';
    }
    if (at > list) {
        memcpy(start, key, sizeof key - 1);
        *at++ = ']';
        dst = at;
    }
    return xnm_format_number(xnm_format(dst, ",\"dns.answers_count\":"), count);
}

/* Writes {"name":"…","type":"MX","class":"IN","ttl":60,"data":"10 mail.example"}. Returns NULL if
 * the data is too long. Not inlined, since its frame is large. */
__attribute__((noinline)) static char *put_object(char *dst, const struct xnm_answer *answer)
{
    static const struct xnm_logrdata_form form = {NULL, " ", "", '\\', "\\\\"};
    struct xnm_logrdata data;
    char name[XN_WIRE_TEXT_MAX];
    bool is_generic;

    if (!xnm_logrdata_write(&data, &form, answer, &is_generic))
        return NULL;
    size_t len = xnm_logrdata_name(&form, answer->owner, answer->owner_len, name);
    dst = put_escaped(xnm_format(dst, "{\"name\":\""), &form, name, len);
    dst = xnm_format(dst, "\",\"type\":\"");
    dst = xnm_format_mnemonic(dst, xnm_mnemonic_type(answer->type), "TYPE", answer->type);
    dst = xnm_format(dst, "\",\"class\":\"");
    dst = xnm_format_class(dst, xnm_mnemonic_class(answer->rclass), answer->rclass);
    dst = xnm_format_number(xnm_format(dst, "\",\"ttl\":"), answer->ttl);
    dst = put_escaped(xnm_format(dst, ",\"data\":\""), &form, data.text, data.len);
    return xnm_format(dst, "\"}");
}

/* Writes ,"dns.answers":[…], or nothing if there is no record, or the first does not fit. */
static char *put_records(char *dst, const struct xnm_reply *reply)
{
    struct xnm_answers walk = {.source = reply->answer_source, .now = reply->when.tv_sec};
    struct xnm_answer answer;
    char *list = xnm_format(dst, ",\"dns.answers\":["), *at = list;

    while (reply->next_answer(&walk, &answer)) {
        char *object = at == list ? at : at + 1;
        char *behind = put_object(object, &answer);

        if (!behind || behind - list > XNM_LOGANSWERS_RECORDS_MAX)
            break;
        if (object > at)
            *at = ',';
        at = behind;
    }
    return at == list ? dst : xnm_format(at, "]");
}

size_t xnm_loganswers_json(const struct xnm_config *config, const struct xnm_reply *reply,
                           size_t cap, char *dst)
{
    char *at = put_resolved(dst, reply);
    size_t first_len = (size_t)(at - dst), len = first_len;

    if (config->log_answers == XNM_LOG_ANSWERS_ALL)
        len = (size_t)(put_records(at, reply) - dst);
    if (len <= cap)
        return len;
    return first_len <= cap ? first_len : 0;
}
