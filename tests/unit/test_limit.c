/* SPDX-License-Identifier: BSD-3-Clause */
/* The clients and times that a rule is for: names of groups, and times. */
#include "tests/unit/vectors.h"

#include "module/rule/limit.h"

/* --- names of groups --- */

#define LETTERS_32 "abcdefghijklmnopqrstuvwxyz012345"

static struct name_row {
    const char *name, *text;
    size_t len;
    bool good;
} names[] = {
    {"nothing", "", 0, false},
    {"the first and last letters", "azAZ", 4, true},
    {"all that may follow a letter", "a09._-", 6, true},
    {"a digit first", "0a", 2, false},
    {"a dot first", ".a", 2, false},
    {"before A", "@", 1, false},
    {"after Z", "[", 1, false},
    {"before a", "`", 1, false},
    {"after z", "{", 1, false},
    {"a comma", "a,b", 3, false},
    {"before 0", "a/", 2, false},
    {"after 9", "a:", 2, false},
    {"a NUL", "a\0b", 3, false},
    {"the longest", LETTERS_32, XNM_GROUP_NAME_MAX, true},
    {"one more", LETTERS_32 "6", XNM_GROUP_NAME_MAX + 1, false},
};

TEST_ROWS(test_name, names, name)
{
    const struct name_row *row = *state;

    assert_int_equal(xnm_group_is_name(row->text, row->len), row->good);
}

/* --- times --- */

#define NO_TIME "is not a time"
#define EMPTY "has no time in it"

static struct span_row {
    const char *text, *expected; /* as it is written again, or how the error begins */
} spans[] = {
    {"Mon", "Mon"},
    {"sun-SAT", "Mon-Sun"},
    {"Sat-Sun/00:00-24:00", "Sat-Sun"},
    {"23:59-00:00", "23:59-24:00"},
    {"Fri/22:00-06:00", "Fri/22:00-06:00"},
    {"", NO_TIME},
    {"Mo", NO_TIME},
    {"Mond", NO_TIME},
    {"Mon-", NO_TIME},
    {"Mon-Fry", NO_TIME},
    {"Mon-Fri-Sat", NO_TIME},
    {"Mon/", NO_TIME},
    {"/08:00-16:00", NO_TIME},
    {"Mon/Tue", NO_TIME},
    {"8:00-16:00", NO_TIME},
    {"08:00-16:00x", NO_TIME},
    {"08:00+16:00", NO_TIME},
    {"08.00-16:00", NO_TIME},
    {"08:00-16.00", NO_TIME},
    {"0x:00-16:00", NO_TIME},
    {"08:x0-16:00", NO_TIME},
    {"08:60-16:00", NO_TIME},
    {"25:00-16:00", NO_TIME},
    {"24:01-16:00", NO_TIME},
    {"08:00-24:01", NO_TIME},
    {"08:00-08:00", EMPTY},
    {"24:00-08:00", EMPTY},
};

TEST_ROWS(test_span, spans, text)
{
    const struct span_row *row = *state;
    size_t len = strlen(row->text);
    char *text = malloc(len > 0 ? len : 1), written[XNM_LIMIT_PART_MAX];
    struct xnm_limit_span span;

    memcpy(text, row->text, len); /* without its NUL */
    const char *fault = xnm_limit_span_read(text, len, &span);
    free(text);
    if (fault)
        assert_int_equal(strncmp(fault, row->expected, strlen(row->expected)), 0);
    else
        assert_string_equal(xnm_limit_span_text(&span, written), row->expected);
}

enum { SUN, MON, TUE, WED, THU, FRI, SAT };

static struct time_row {
    const char *span;
    unsigned day, hour, minute;
    bool has;
} has[] = {
    {"Mon-Fri/08:00-16:00", MON, 7, 59, false},
    {"Mon-Fri/08:00-16:00", MON, 8, 0, true},
    {"Mon-Fri/08:00-16:00", FRI, 15, 59, true},
    {"Mon-Fri/08:00-16:00", FRI, 16, 0, false},
    {"Mon-Fri/08:00-16:00", SUN, 12, 0, false},
    {"Mon-Fri/08:00-16:00", SAT, 12, 0, false},
    {"Sat-Sun", SAT, 0, 0, true},
    {"Sat-Sun", SUN, 23, 59, true},
    {"Sat-Sun", MON, 0, 0, false},
    {"Fri/22:00-06:00", FRI, 21, 59, false},
    {"Fri/22:00-06:00", FRI, 22, 0, true},
    {"Fri/22:00-06:00", SAT, 5, 59, true},
    {"Fri/22:00-06:00", SAT, 6, 0, false},
    {"Fri/22:00-06:00", FRI, 5, 59, false},
    {"Fri/22:00-06:00", SAT, 22, 0, false},
    {"Sat/22:00-06:00", SUN, 0, 0, true},
};

TEST(test_times, "which times a span has")
{
    for (size_t i = 0; i < COUNT(has); i++) {
        const struct time_row *row = &has[i];
        struct xnm_limit_span span;
        assert_null(xnm_limit_span_read(row->span, strlen(row->span), &span));
        if (xnm_limit_span_has(&span, row->day, row->hour * 60 + row->minute) != row->has)
            fail_msg("%s, day %u, %02u:%02u", row->span, row->day, row->hour, row->minute);
    }
}

TEST_MAIN
