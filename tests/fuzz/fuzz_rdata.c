/* SPDX-License-Identifier: BSD-3-Clause */
/* Records: from text, as rules have it, or refused with an error at its place; and from wire
 * format, as compiled policies have it, if that has the form of its type. Either is read again as
 * it is written. An input is a type in a line, and what is taken for the one and for the other,
 * with `lengthened`. */
#include "tests/fuzz/reports.h"
#include "tests/fuzz/zonelines.h"

static void expect_text(uint16_t type, const uint8_t *data, size_t size)
{
    struct xnm_record record = {0};
    struct xnm_zonefile_error error = {0};
    char *text = exact_copy(data, size);

    if (xnm_zonefile_rdata(target_unicode(), type, text, size, &record, &error)) {
        assert_int_equal(record.type, type);
        assert_true(xnm_zonefile_has_form(&record));
        expect_record_text(&record);
        free(record.rdata);
    } else {
        assert_in_range(error.at, 0, size);
        expect_message(error.message);
    }
    free(text);
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

static void expect_wire(uint16_t type, const uint8_t *data, size_t size)
{
    uint8_t *rdata = exact_copy(data, size);
    const struct xnm_record record = {.type = type, .rdata_len = (uint16_t)size, .rdata = rdata};

    if (size <= UINT16_MAX && xnm_zonefile_has_form(&record)) {
        struct xnm_record read = written_and_read(&record);
        assert_int_equal(read.rdata_len, size);
        expect_same_but_case(read.rdata, rdata, size);
        expect_record_text(&read);
        free(read.rdata);
    }
    free(rdata);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const uint8_t *word;
    size_t len = take_line(&data, &size, &word);
    uint16_t type = xnm_zonefile_type((const char *)word, len);
    uint8_t *text = lengthened(data, size, &len);

    expect_text(type, text, len);
    expect_wire(type, text, len);
    free(text);
    return 0;
}
