/* SPDX-License-Identifier: BSD-3-Clause */
/* Records of one owner, of which each is kept once, in the order in which they first came. */
#include "module/base/diagnostics.h"
#include "module/build/build.h"
#include "tests/unit/vectors.h"

#include "tests/unit/cputime.h"
#include "tests/unit/policytext.h"
#include "tests/unit/random.h"

enum { A = 1, TXT = 16, IN = 1, OWNERS = 8, VALUES = 300 };

static const char *owner_name(uint32_t number)
{
    static char text[32];

    snprintf(text, sizeof text, "n%u.example", number);
    return text;
}

static void add_record(struct xnm_policy_builder *builder, uint32_t owner,
                       const struct xnm_record *record)
{
    struct xnm_wirename name;
    size_t len = wirename_of(owner_name(owner), &name);
    const struct xnm_list_entry entry = {
        .action = XNM_ANSWER, .name = name.octets, .name_len = len, .record = record};

    assert_true(xnm_policy_builder_entry(builder, &entry));
}

/* --- which ones --- */

/* An owner's records: of each number the lowest bit is the record's type, the rest its data. */
struct owned {
    uint32_t values[2 * VALUES];
    size_t count;
};

static bool has_value(const struct owned *owned, uint32_t value)
{
    for (size_t i = 0; i < owned->count; i++)
        if (owned->values[i] == value)
            return true;
    return false;
}

static void expect_owned(const struct xnm_policy *policy, uint32_t owner, const struct owned *owned)
{
    struct xnm_decision decision;

    decided(policy, owner_name(owner), A, IN, &decision);
    assert_int_equal(decision.answer->record_count, owned->count);
    for (size_t i = 0; i < owned->count; i++) {
        const struct xnm_record *record = &decision.answer->records[i];
        uint16_t rdata;
        assert_int_equal(record->rdata_len, sizeof rdata);
        memcpy(&rdata, record->rdata, sizeof rdata);
        assert_int_equal(rdata * 2U + (record->type == A), owned->values[i]);
    }
}

/* There are few values, so after a while owners have the same ones; the first values begin
 * alike. */
TEST(test_each_once, "each once, in the order in which they came")
{
    uint32_t seed = 1035;

    for (uint32_t values = 2; values <= 2 * VALUES; values += 1 + values / 3) {
        struct xnm_policy_builder *builder = rpz_builder();
        static struct owned owned[OWNERS];
        memset(owned, 0, sizeof owned);
        for (uint32_t i = 0; i < OWNERS * values * 2; i++) {
            uint32_t owner = random_below(&seed, OWNERS);
            uint32_t value = owned[owner].count < 8 * (owner % 3)
                                 ? (uint32_t)owned[owner].count % values
                                 : random_below(&seed, values);
            uint16_t rdata = (uint16_t)(value / 2);
            const struct xnm_record record = {
                .type = value % 2 ? A : TXT, .rdata_len = sizeof rdata, .rdata = (uint8_t *)&rdata};
            add_record(builder, owner, &record);
            if (!has_value(&owned[owner], value))
                owned[owner].values[owned[owner].count++] = value;
        }
        struct xnm_policy *policy = xnm_policy_finish(builder, &xnm_diagnostics_ignored, NULL);
        for (uint32_t owner = 0; owner < OWNERS; owner++)
            expect_owned(policy, owner, &owned[owner]);
        xnm_policy_free(policy);
    }
}

/* --- how long it takes --- */

/* Builds the same number of records, shared by this many owners in turn. */
static double seconds_to_build(uint32_t owners)
{
    enum { RECORDS = 40000 };
    struct xnm_policy_builder *builder = rpz_builder();
    double start = cpu_seconds();

    for (uint32_t i = 0; i < RECORDS; i++) {
        const struct xnm_record record = {.type = A, .rdata_len = sizeof i, .rdata = (uint8_t *)&i};
        add_record(builder, i % owners, &record);
    }
    xnm_policy_free(xnm_policy_finish(builder, &xnm_diagnostics_ignored, NULL));
    return cpu_seconds() - start;
}

/* Who writes a zone cannot have it read for minutes: where each record is compared with all of its
 * owner these take over a hundred times as long. */
TEST(test_many_of_few, "thousands of one owner cost no more than of many")
{
    double of_many = seconds_to_build(40000);
    assert_true(seconds_to_build(8) < 10 * of_many);
}

TEST_MAIN
