/* SPDX-License-Identifier: BSD-3-Clause */
#include "module/zone/zonewrite.h"

#include "core/names/presentation.h"
#include "module/base/format.h"
#include "module/zone/field.h"
#include "module/zone/zonefile.h"

#include <ctype.h>
#include <ldns/ldns.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static size_t write_name(const uint8_t *wire, char *text)
{
    char *out = text;

    for (size_t end; *wire != 0; wire += end) {
        end = *wire + 1u;
        for (size_t i = 1; i < end; i++) {
            if (xn_presentation_is_plain(wire[i]))
                *out++ = (char)wire[i];
            else
                out += sprintf(out, "\\%03u", wire[i]);
        }
        *out++ = '.';
    }
    if (out == text)
        *out++ = '.';
    *out = '\0';
    return (size_t)(out - text);
}

size_t xnm_zonewrite_name(const uint8_t *wire, size_t len, char *text)
{
    size_t text_len = write_name(wire, text);
    struct xnm_wirename read;
    bool same = !xnm_zonefield_read_name(text, &read) && read.len == len &&
                memcmp(read.octets, wire, len) == 0;

    return same ? text_len : 0;
}

/* --- records as text --- */

/* Returns whether every reader of zone files knows a type by name and writes it alike. */
static bool is_known_everywhere(uint16_t type)
{
    switch (type) {
    case LDNS_RR_TYPE_A:
    case LDNS_RR_TYPE_AAAA:
    case LDNS_RR_TYPE_PTR:
    case LDNS_RR_TYPE_MX:
    case LDNS_RR_TYPE_TXT:
    case LDNS_RR_TYPE_SRV:
    case LDNS_RR_TYPE_NAPTR:
    case LDNS_RR_TYPE_CAA:
    case LDNS_RR_TYPE_SSHFP:
    case LDNS_RR_TYPE_TLSA:
        return true;
    default:
        return false;
    }
}

/* Makes ldns read the RDATA after an owner, type, class, TTL and length. Returns NULL when out of
 * memory, or if it is not RDATA of that type. */
static ldns_rr *rr_of(const struct xnm_record *record)
{
    enum { HEADER = 1 + 2 + 2 + 4 + 2 };
    size_t len = HEADER + (size_t)record->rdata_len, at = 0;
    uint8_t *wire = calloc(1, len);
    ldns_rr *rr = NULL;

    if (!wire)
        return NULL;
    ldns_write_uint16(wire + 1, record->type);
    ldns_write_uint16(wire + 3, LDNS_RR_CLASS_IN);
    ldns_write_uint16(wire + HEADER - 2, record->rdata_len);
    if (record->rdata_len > 0)
        memcpy(wire + HEADER, record->rdata, record->rdata_len);
    ldns_status status = ldns_wire2rr(&rr, wire, len, &at, LDNS_SECTION_ANSWER);
    free(wire);
    if (status == LDNS_STATUS_OK && at == len)
        return rr;
    if (status == LDNS_STATUS_OK)
        ldns_rr_free(rr);
    return NULL;
}

/* Returns whether a text is words and quoted texts that every reader reads alike. */
static bool is_plain_text(const char *text)
{
    bool quoted = false;

    for (; *text != '\0'; text++) {
        uint8_t octet = (uint8_t)*text;
        if (octet < 0x20 || octet >= 0x7F)
            return false;
        if (octet == '"')
            quoted = !quoted;
        else if (quoted && octet == '\\' && text[1] != '\0')
            text++;
        else if (!quoted && !isalnum(octet) && !strchr(" .:-_+/=", octet))
            return false;
    }
    return !quoted;
}

static bool is_same_rdata(const struct xn_unicode *unicode, const struct xnm_record *record,
                          const char *text)
{
    struct xnm_zonefile_error error;
    struct xnm_record read = {0};

    if (!xnm_zonefile_rdata(unicode, record->type, text, strlen(text), &read, &error))
        return false;
    bool same = read.rdata_len == record->rdata_len &&
                memcmp(read.rdata, record->rdata, read.rdata_len) == 0;
    free(read.rdata);
    return same;
}

/* Returns the fields of a record as ldns writes them; NULL: it cannot. */
static char *fields_of(const struct xnm_record *record)
{
    ldns_rr *rr = rr_of(record);
    ldns_buffer *buffer = rr ? ldns_buffer_new(LDNS_MIN_BUFLEN) : NULL;
    char *text = NULL;
    bool good = buffer != NULL;

    for (size_t i = 0; good && i < ldns_rr_rd_count(rr); i++)
        good = (i == 0 || ldns_buffer_printf(buffer, " ") >= 0) &&
               ldns_rdf2buffer_str(buffer, ldns_rr_rdf(rr, i)) == LDNS_STATUS_OK;
    if (good)
        text = ldns_buffer_export2str(buffer);
    ldns_buffer_free(buffer);
    ldns_rr_free(rr);
    return text;
}

static size_t write_octets(const struct xnm_record *record, char *dst)
{
    char *out = dst + sprintf(dst, "TYPE%u \\# %u%s", record->type, record->rdata_len,
                              record->rdata_len > 0 ? " " : "");

    return (size_t)(xnm_format_octets(out, record->rdata, record->rdata_len) - dst);
}

size_t xnm_zonewrite_record(const struct xn_unicode *unicode, const struct xnm_record *record,
                            char *dst)
{
    char word[XNM_ZONEFIELD_TYPE_MAX];
    char *text = is_known_everywhere(record->type) ? fields_of(record) : NULL;
    bool good = text && strlen(text) <= 32 + 2 * (size_t)record->rdata_len && is_plain_text(text) &&
                is_same_rdata(unicode, record, text);
    size_t len = 0;

    if (good)
        len = (size_t)sprintf(dst, "%s %s", xnm_zonefield_type_word(record->type, word), text);
    free(text);
    return good ? len : write_octets(record, dst);
}
