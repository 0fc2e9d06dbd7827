/* SPDX-License-Identifier: BSD-3-Clause */
#include "module/config/whykeys.h"

#include "module/base/number.h"
#include "module/file/textline.h"

#include <stdio.h>
#include <string.h>

/* The last code of an EDNS option with another use (IANA, DNS EDNS0 Option Codes), and the last one
 * that can be assigned. */
enum { CODE_OTHERS = 19, CODE_MAX = 65534 };

/* A value while it is read. */
struct reading {
    const char *text;
    size_t len, at;
    char *fault;
};

/* Sets the fault. Returns false. */
static bool refuse(struct reading *reading, size_t at, const char *fault)
{
    reading->at = at;
    snprintf(reading->fault, XNM_WHYKEYS_FAULT_MAX, "%s", fault);
    return false;
}

static bool is_alphanumeric(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

/* --- structured-errors --- */

static bool take_code(struct reading *reading, struct xnm_why_settings *why)
{
    uint32_t code;

    if (!xnm_number_read(reading->text, reading->len, CODE_MAX, &code) || code <= CODE_OTHERS)
        return refuse(reading, 0,
                      "is not a value of structured-errors: expected the code of the EDNS option, "
                      "20 to 65534; those below belong to other options");
    why->code = (uint16_t)code;
    return true;
}

/* --- error-contact --- */

static bool has_scheme(const char *uri, size_t len, const char *scheme)
{
    return len > strlen(scheme) && memcmp(uri, scheme, strlen(scheme)) == 0;
}

/* Returns whether a URI may have the octet (RFC 3986): visible ASCII without the excluded
 * characters. */
static bool is_uri_octet(char c)
{
    return c > ' ' && c < 0x7F && !strchr("\"<>\\^`{|}", c);
}

static bool is_uri(const char *uri, size_t len)
{
    const char *sign = memchr(uri, '@', len);
    bool is_mail = has_scheme(uri, len, "mailto:") && sign && sign > uri + strlen("mailto:") &&
                   sign + 1 < uri + len;
    bool is_call = has_scheme(uri, len, "tel:") && strcspn(uri, "0123456789") < len;

    for (size_t i = 0; i < len; i++)
        if (!is_uri_octet(uri[i]))
            return false;
    return is_mail || is_call;
}

/* Copies the URIs with one blank between them. */
static bool take_contact(struct reading *reading, struct xnm_why_settings *why)
{
    const char *end = reading->text + reading->len, *behind;
    size_t used = 0;

    for (const char *uri = xnm_textline_skip_blanks(reading->text, end); uri < end;
         uri = xnm_textline_skip_blanks(behind, end)) {
        behind = xnm_textline_skip_word(uri, end);
        size_t at = (size_t)(uri - reading->text), len = (size_t)(behind - uri);
        if (!is_uri(uri, len))
            return refuse(reading, at,
                          "is not a value of error-contact: expected URIs with blanks between "
                          "them, such as mailto:help@example.net tel:+1-555-0100");
        if (used + len + 2 > sizeof why->contact)
            return refuse(reading, at,
                          "is too long for error-contact: expected 255 octets at most");
        if (used > 0)
            why->contact[used++] = ' ';
        memcpy(why->contact + used, uri, len);
        used += len;
    }
    why->contact[used] = '\0';
    return true;
}

/* --- error-organization, error-language --- */

static bool take_organization(struct reading *reading, struct xnm_why_settings *why)
{
    uint32_t cp;
    size_t good = xnm_why_visible(reading->text, reading->len, &cp);

    if (good < reading->len)
        return refuse(reading, good,
                      "has a character that is invisible or changes how text is shown: expected "
                      "visible characters");
    if (reading->len >= sizeof why->organization)
        return refuse(reading, 0,
                      "is too long for error-organization: expected 100 octets at most");
    memcpy(why->organization, reading->text, reading->len);
    why->organization[reading->len] = '\0';
    return true;
}

/* Returns whether a text has the syntax of a language tag (RFC 5646, section 2.1), without regard
 * to the meaning of subtags: subtags of 1 to 8 letters and digits, the first one of 2 letters or
 * more. */
static bool is_language(const char *text, size_t len)
{
    size_t subtag = 0;
    bool is_first = true;

    for (size_t i = 0; i <= len; i++) {
        bool is_end = i == len || text[i] == '-';
        if (is_end && (subtag == 0 || subtag > 8 || (is_first && subtag < 2)))
            return false;
        if (!is_end && (!is_alphanumeric(text[i]) || (is_first && text[i] <= '9')))
            return false;
        is_first &= !is_end;
        subtag = is_end ? 0 : subtag + 1;
    }
    return true;
}

static bool take_language(struct reading *reading, struct xnm_why_settings *why)
{
    if (reading->len >= sizeof why->language || !is_language(reading->text, reading->len))
        return refuse(reading, 0,
                      "is not a value of error-language: expected the tag of a language, such as "
                      "en or pt-BR, 35 octets at most");
    memcpy(why->language, reading->text, reading->len);
    why->language[reading->len] = '\0';
    return true;
}

bool xnm_whykeys_take(struct xnm_why_settings *why, const char *key, const char *text, size_t len,
                      size_t *at, char fault[XNM_WHYKEYS_FAULT_MAX])
{
    static const struct {
        const char *key;
        bool (*take)(struct reading *reading, struct xnm_why_settings *why);
    } keys[] = {{"structured-errors", take_code},
                {"error-contact", take_contact},
                {"error-organization", take_organization},
                {"error-language", take_language}};
    struct reading reading = {.text = text, .len = len, .fault = fault};
    bool is_taken = false;

    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (strcmp(key, keys[i].key) == 0)
            is_taken = keys[i].take(&reading, why);
    *at = reading.at;
    return is_taken;
}
