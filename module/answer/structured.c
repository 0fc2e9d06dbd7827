/* SPDX-License-Identifier: BSD-3-Clause */
#include "module/answer/structured.h"

#include "core/idna/property.h"
#include "core/text/utf8char.h"
#include "core/wire/walk.h"
#include "module/rule/rule.h"

#include <stdio.h>
#include <string.h>

enum {
    CODE_LEN = 2,
    SENTENCE_MAX = 600, /* octets of a look-alike's, which names two names */
    REPLACEMENT = 0xFFFD
};

/* A text that is being written. */
struct text {
    char *at;
    size_t len, cap;
    bool is_full; /* something did not fit */
};

/* The reason of a decision, as far as it may be sent. */
struct reason {
    int code;
    const char *why; /* NULL: none */
    size_t why_len;
    xnm_sub_error sub_error;
    char sentence[SENTENCE_MAX];
};

/* --- JSON --- */

static void put(struct text *text, const char *octets, size_t len)
{
    if (text->is_full || len > text->cap - text->len) {
        text->is_full = true;
        return;
    }
    memcpy(text->at + text->len, octets, len);
    text->len += len;
}

static void put_word(struct text *text, const char *word)
{
    put(text, word, strlen(word));
}

static void put_escape(struct text *text, uint32_t cp)
{
    char escape[13];
    int len = cp < 0x10000 ? snprintf(escape, sizeof escape, "\\u%04x", (unsigned)cp)
                           : snprintf(escape, sizeof escape, "\\u%04x\\u%04x",
                                      (unsigned)(0xD800 + ((cp - 0x10000) >> 10)),
                                      (unsigned)(0xDC00 + ((cp - 0x10000) & 0x3FF)));

    put(text, escape, (size_t)len);
}

/* Writes a string. Whatever is invisible, steers a terminal or changes the direction of text is
 * escaped, and what is no UTF-8 becomes U+FFFD. */
static void put_string(struct text *text, const char *string, size_t len)
{
    const uint8_t *octets = (const uint8_t *)string;

    put_word(text, "\"");
    for (size_t at = 0; at < len;) {
        uint32_t cp;
        size_t read = xn_utf8_read(octets + at, len - at, &cp);
        if (read == 0)
            put_escape(text, REPLACEMENT);
        else if (cp == '"' || cp == '\\')
            put(text, cp == '"' ? "\\\"" : "\\\\", 2);
        else if (xn_unicode_is_visible(cp))
            put(text, string + at, read);
        else
            put_escape(text, cp);
        at += read ? read : 1;
    }
    put_word(text, "\"");
}

/* Begins a member; the first one opens the object. */
static void put_name(struct text *text, char name)
{
    const char start[] = {text->len == 0 ? '{' : ',', '"', name, '"', ':'};

    put(text, start, sizeof start);
}

static void put_contact(struct text *text, const char *contact)
{
    const char *before = "[";

    put_name(text, 'c');
    while (*contact) {
        size_t len = strcspn(contact, " ");
        put_word(text, before);
        put_string(text, contact, len);
        contact += len + (contact[len] == ' ');
        before = ",";
    }
    put_word(text, "]");
}

static void put_object(struct text *text, const struct xnm_why_settings *settings,
                       const struct reason *reason, bool is_brief)
{
    bool has_why = reason->why && !is_brief;
    bool has_organization = settings->organization[0] && !is_brief;

    if (settings->contact[0])
        put_contact(text, settings->contact);
    if (has_why) {
        put_name(text, 'j');
        put_string(text, reason->why, reason->why_len);
    }
    if (reason->sub_error) {
        const char digit = (char)('0' + (int)reason->sub_error);
        put_name(text, 's');
        put(text, &digit, 1);
    }
    if (text->len == 0 && !text->is_full)
        return; /* an organization alone is no reason */
    if (has_organization) {
        put_name(text, 'o');
        put_string(text, settings->organization, strlen(settings->organization));
    }
    if (has_why || has_organization) {
        put_name(text, 'l');
        put_string(text, settings->language, strlen(settings->language));
    }
    put_word(text, "}");
}

/* --- the reason --- */

static bool is_english(const char *language)
{
    return (language[0] | 0x20) == 'e' && (language[1] | 0x20) == 'n' &&
           (language[2] == '\0' || language[2] == '-');
}

/* Writes a name without its final dot. */
static size_t put_wire(char *dst, const uint8_t *wire)
{
    return xn_wire_to_text(wire, dst) - 1;
}

/* Writes which name a look-alike imitates. Names in which nearly every octet is an escape do not
 * fit. */
static void write_sentence(const struct xnm_why_settings *settings,
                           const struct xnm_decision *decision, struct reason *reason)
{
    const char *verb =
        is_english(settings->language) ? " imitates " : " \xE2\x89\xA0 "; /* U+2260 */
    char name[XN_WIRE_TEXT_MAX], protected_name[XN_WIRE_TEXT_MAX];
    size_t name_len = put_wire(name, decision->name.octets);
    size_t protected_len = put_wire(protected_name, decision->lookalike->octets);
    size_t verb_len = strlen(verb);

    if (name_len + verb_len + protected_len > sizeof reason->sentence)
        return;
    memcpy(reason->sentence, name, name_len);
    memcpy(reason->sentence + name_len, verb, verb_len);
    memcpy(reason->sentence + name_len + verb_len, protected_name, protected_len);
    reason->why = reason->sentence;
    reason->why_len = name_len + verb_len + protected_len;
}

bool xnm_structured_has_json(int code)
{
    return code == XNM_EDE_BLOCKED || code == XNM_EDE_CENSORED || code == XNM_EDE_FILTERED;
}

static void find_reason(const struct xnm_why_settings *settings,
                        const struct xnm_decision *decision, struct reason *reason)
{
    const struct xnm_policy_answer *answer = decision->answer;
    bool is_forged = answer->ede == XNM_EDE_FORGED;
    const char *why = answer->why || is_forged ? answer->why : answer->ede_text;

    reason->code = is_forged ? XNM_EDE_BLOCKED : answer->ede;
    reason->why = why;
    reason->why_len = why ? strlen(why) : 0;
    reason->sub_error = xnm_sub_error_goes(answer->sub_error, reason->code) ? answer->sub_error
                                                                            : XNM_SUB_ERROR_NONE;
    if (xnm_structured_has_json(reason->code) && !why && decision->lookalike)
        write_sentence(settings, decision, reason);
    if (is_forged && !reason->why && !reason->sub_error)
        reason->code = XNM_EDE_OFF;
}

size_t xnm_structured_write(const struct xnm_why_settings *settings,
                            const struct xnm_decision *decision, uint8_t *dst, size_t room)
{
    struct reason reason;

    find_reason(settings, decision, &reason);
    if (reason.code < 0 || room < CODE_LEN)
        return 0;
    dst[0] = (uint8_t)(reason.code >> 8);
    dst[1] = (uint8_t)reason.code;
    for (int is_brief = 0; is_brief < 2; is_brief++) {
        struct text text = {.at = (char *)dst + CODE_LEN, .cap = room - CODE_LEN};
        if (xnm_structured_has_json(reason.code))
            put_object(&text, settings, &reason, is_brief);
        else if (reason.why)
            put(&text, reason.why, reason.why_len);
        if (!text.is_full)
            return CODE_LEN + text.len;
    }
    return CODE_LEN;
}
