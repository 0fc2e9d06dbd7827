/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes names and records as zone files have them, and expects to read back the same. */
#ifndef XN_TESTS_FUZZ_ZONELINES_H
#define XN_TESTS_FUZZ_ZONELINES_H

#include "module/zone/zonewrite.h"
#include "tests/fuzz/target.h"

#include "core/wire/wire.h"
#include "module/zone/zonefile.h"
#include "tests/unit/zonename.h"

static inline void expect_name_text(const uint8_t *octets, size_t len)
{
    uint8_t *wire = exact_copy(octets, len);
    char *text = malloc(XN_WIRE_TEXT_MAX + 1);
    struct xnm_wirename again;
    size_t text_len = xnm_zonewrite_name(wire, len, text);

    assert_in_range(text_len, 1, XN_WIRE_TEXT_MAX);
    assert_int_equal(strlen(text), text_len);
    assert_int_equal(text[text_len - 1], '.');
    assert_true(read_zone_name(target_unicode(), text, &again));
    expect_octets(again.octets, again.len, wire, len);
    free(text);
    free(wire);
}

static inline bool keep_record(void *arg, const struct xnm_zonefile_entry *entry)
{
    struct xnm_record *record = arg;

    record->type = entry->type;
    record->rdata = exact_copy(entry->rdata, entry->rdata_len);
    record->rdata_len = (uint16_t)entry->rdata_len;
    return false;
}

/* Writes a record, which has the form of its type, and reads that. The caller frees the RDATA. */
static inline struct xnm_record written_and_read(const struct xnm_record *record)
{
    static const char owner[] = "owner. 60 IN ";
    const struct xnm_wirename no_origin = {0};
    struct xnm_record read = {0};
    size_t room = 64 + 2 * (size_t)record->rdata_len, before = strlen(owner);
    char *line = malloc(before + room);
    size_t len = xnm_zonewrite_record(target_unicode(), record, line + before);

    assert_in_range(len, 1, room);
    for (size_t i = 0; i < len; i++)
        assert_in_range(line[before + i], 0x20, 0x7E);
    memcpy(line, owner, before);
    const struct xnm_zonefile_options options = {
        .unicode = target_unicode(), .entry = keep_record, .arg = &read};
    assert_true(xnm_zonefile_read(&options, "line", line, before + len, &no_origin));
    assert_int_equal(read.type, record->type);
    free(line);
    return read;
}

/* Expects the same record from its text. Names of a record that was read are in lower case. */
static inline void expect_record_text(const struct xnm_record *record)
{
    struct xnm_record read = written_and_read(record);

    expect_octets(read.rdata, read.rdata_len, record->rdata, record->rdata_len);
    free(read.rdata);
}

#endif
