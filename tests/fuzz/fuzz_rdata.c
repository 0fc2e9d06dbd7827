/* SPDX-License-Identifier: BSD-3-Clause */
/* Records, as rules have them, or refused with an error at its place: from text, and from octets in
 * hexadecimal (RFC 3597), if these have the form of the type. Either is read again as it is
 * written. An input is a type in a line, and what is taken for the one and for the other, with
 * `lengthened`. */
#include "tests/fuzz/reports.h"
#include "tests/fuzz/zonelines.h"

/* Returns whether the text is a record, which the caller frees. */
static bool expect_text(uint16_t type, const uint8_t *data, size_t size, struct xnm_record *record)
{
    struct xnm_zonefile_error error = {0};
    char *text = exact_copy(data, size);
    bool good = xnm_zonefile_rdata(target_unicode(), type, text, size, record, &error);

    if (good) {
        assert_int_equal(record->type, type);
        expect_record_text(record);
    } else {
        assert_in_range(error.at, 0, size);
        expect_message(error.message);
    }
    free(text);
    return good;
}

/* Names may be in upper case, until they are read. */
static void expect_same_but_case(const uint8_t *read, const uint8_t *octets, size_t size)
{
    uint8_t *lower = exact_copy(octets, size);

    xn_wire_lower(lower, octets, size);
    for (size_t i = 0; i < size; i++)
        assert_true(read[i] == octets[i] || read[i] == lower[i]);
    free(lower);
}

static void expect_octets_of(uint16_t type, const uint8_t *data, size_t size)
{
    char *text = malloc(16 + 2 * size);
    size_t len = (size_t)sprintf(text, "\\# %zu ", size);
    struct xnm_record record = {0};

    for (size_t i = 0; i < size; i++)
        len += (size_t)sprintf(text + len, "%02x", data[i]);
    if (expect_text(type, (const uint8_t *)text, len, &record)) {
        assert_int_equal(record.rdata_len, size);
        expect_same_but_case(record.rdata, data, size);
        free(record.rdata);
    }
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const uint8_t *word;
    struct xnm_record record = {0};
    size_t len = take_line(&data, &size, &word);
    uint16_t type = xnm_zonefile_type((const char *)word, len);
    uint8_t *text = lengthened(data, size, &len);

    if (expect_text(type, text, len, &record))
        free(record.rdata);
    expect_octets_of(type, text, len);
    free(text);
    return 0;
}
