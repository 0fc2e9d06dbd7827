/* SPDX-License-Identifier: BSD-3-Clause */
/* libidnpolicy's calls for whole messages, with a handle that has a rule for each action. */
#ifndef XN_TESTS_UNIT_IDNPMESSAGE_H
#define XN_TESTS_UNIT_IDNPMESSAGE_H

#include "tests/unit/dnsmessage.h"
#include "tests/unit/exact.h"
#include "tests/unit/idnphandle.h"

static struct dns query, answer, target;
static uint8_t reply[65535];
static struct idnp_exchange exchange;
static struct idnp *idnp;

/* From buffers that end where the messages do. */
static inline int32_t exchange_with(const struct dns *from, const struct dns *follow,
                                    uint32_t flags, size_t cap)
{
    uint8_t *asked = query.len > 0 ? exact_copy(query.octets, query.len) : NULL;
    uint8_t *answered = from ? exact_copy(from->octets, from->len) : NULL;
    uint8_t *followed = follow ? exact_copy(follow->octets, follow->len) : NULL;
    uint8_t *out = malloc(cap);

    exchange = (struct idnp_exchange){.size = sizeof exchange,
                                      .flags = flags,
                                      .query = asked,
                                      .answer = answered,
                                      .target = followed,
                                      .reply = out,
                                      .query_len = (uint32_t)query.len,
                                      .answer_len = from ? (uint32_t)from->len : 0,
                                      .target_len = follow ? (uint32_t)follow->len : 0,
                                      .reply_cap = (uint32_t)cap};
    int32_t result = idnp_decide_message(idnp, &exchange, decision);
    assert_int_equal(decision->result, result);
    memcpy(reply, out, exchange.reply_len);
    free(asked);
    free(answered);
    free(followed);
    free(out);
    return result;
}

static inline int32_t decide_with(const struct dns *from, uint32_t flags)
{
    return exchange_with(from, NULL, flags, sizeof reply);
}

static inline int32_t decide_without(const struct dns *from, uint32_t flags)
{
    struct dns asked = query;

    query.len = 0; /* nothing of it is given */
    int32_t result = exchange_with(from, NULL, flags, sizeof reply);
    query = asked;
    return result;
}

static inline void expect_reply(const char *expected)
{
    assert_string_equal(show_dns(reply, exchange.reply_len), expected);
    assert_int_equal(reply[0] << 8 | reply[1], 4711);
    assert_memory_equal(reply + 12, query.octets + 12, strlen((char *)query.octets + 12) + 5);
}

#define SETTINGS "log: none\npolicy: @/rules\npolicy-soa: ns.test nobody.test\n"

static inline void open_all(void)
{
    write_in("rules", every_action);
    idnp = open_handle(SETTINGS);
}

static inline void begin_query(const char *name)
{
    begin_dns(&query, RD, name, A);
}

static inline void begin_answer(void)
{
    begin_dns(&answer, QR | RD | RA | AD, "q.example", A);
    begin_query("q.example");
    put_edns(&query, 1232, true);
}

static inline void begin_target(unsigned flags)
{
    begin_query("c.example");
    begin_dns(&target, QR | RD | RA | flags, "t.example", A);
}

#endif
