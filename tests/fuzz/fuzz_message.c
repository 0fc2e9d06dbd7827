/* SPDX-License-Identifier: BSD-3-Clause */
/* Whole messages for libidnpolicy: a query, an answer and the answer for an alias's target, all of
 * them anybody's. ldns reads them too, and no refused name gets past. */
#include "tests/fuzz/files.h"

#include "module/engine/idnpolicy.h"

#include <ldns/ldns.h>
#include <unistd.h>

static const char rules[] = "refuse name a ede=15:\"no\"\n"
                            "refuse name j why=\"\\\"why\\\"\" sub-error=spam\n"
                            "nxdomain zone n\n"
                            "nodata name *.o\n"
                            "drop name d\n"
                            "redirect 192.0.2.1 2001:db8::1 zone r\n"
                            "cname t zone c\n"
                            "tcp-only name u\n"
                            "log zone l tag=l\n"
                            "refuse name k client=198.51.100.0/24\n"
                            "nodata name m client=!2001:db8::/32\n";

/* Its files are gone when it is open. */
static struct idnp *open_handle(void)
{
    char folder[] = "/tmp/fuzz_message.XXXXXX", conf[64], rule_file[64], errors[1024];

    assert_non_null(mkdtemp(folder));
    write_file(folder, "rules", rules, rule_file);
    write_file(folder, "conf",
               "idn:\n  log: none\n  policy: rules\n  watch: no\n  structured-errors: 65001\n"
               "  client-subnet-from: 192.0.2.53\n",
               conf);
    struct idnp *opened = idnp_open(conf, NULL, errors, sizeof errors);
    if (!opened)
        print_error("%s", errors);
    assert_non_null(opened);
    remove(conf);
    remove(rule_file);
    remove(folder);
    return opened;
}

static struct idnp *handle(void)
{
    static struct idnp *opened;

    if (!opened)
        opened = open_handle();
    return opened;
}

static struct idnp_decision *new_decision(void)
{
    struct idnp_decision *made = idnp_decision_new();

    assert_non_null(made);
    return made;
}

/* --- what ldns says --- */

struct read {
    ldns_pkt *query, *answer, *target, *reply; /* NULL: malformed, or there is none */
};

/* Returns the record that ldns has read at this place of a message, without OPT; NULL: none. */
static const ldns_rr *record_at(const ldns_pkt *packet, size_t place)
{
    const ldns_rr_list *const sections[] = {ldns_pkt_answer(packet), ldns_pkt_authority(packet),
                                            ldns_pkt_additional(packet)};

    for (size_t i = 0; i < 3; place -= ldns_rr_list_rr_count(sections[i++]))
        if (place < ldns_rr_list_rr_count(sections[i]))
            return ldns_rr_list_rr(sections[i], place);
    return NULL;
}

/* ldns takes octets of an RDATA that follow its last field for the next record, and may end before
 * a record that is cut off. Returns whether it has read each record where the one before ends. */
static bool is_in_step(const uint8_t *octets, size_t len, const ldns_pkt *packet)
{
    size_t at = LDNS_HEADER_SIZE, questions = ldns_read_uint16(octets + 4), place = 0;
    size_t records = (size_t)ldns_read_uint16(octets + 6) + ldns_read_uint16(octets + 8) +
                     ldns_read_uint16(octets + 10);

    for (size_t i = 0; i < questions + records; i++) {
        size_t fixed = i < questions ? 4 : 10;
        ldns_rdf *owner = NULL;
        if (ldns_wire2dname(&owner, octets, len, &at) != LDNS_STATUS_OK)
            return false;
        bool whole = len - at >= fixed, same = true;
        if (whole && i >= questions && ldns_read_uint16(octets + at) != LDNS_RR_TYPE_OPT) {
            const ldns_rr *rr = record_at(packet, place++);
            same = rr && ldns_rr_get_type(rr) == ldns_read_uint16(octets + at) &&
                   ldns_dname_compare(ldns_rr_owner(rr), owner) == 0;
        }
        ldns_rdf_deep_free(owner);
        if (!whole || !same)
            return false;
        at += fixed + (i < questions ? 0 : ldns_read_uint16(octets + at + 8));
        if (at > len)
            return false;
    }
    return true;
}

/* Returns whether ldns compares these types as they are. */
static bool is_plain(const ldns_rr_list *records)
{
    for (size_t i = 0; i < ldns_rr_list_rr_count(records); i++) {
        const ldns_rr *rr = ldns_rr_list_rr(records, i);
        switch (ldns_rr_get_type(rr)) {
        case LDNS_RR_TYPE_A:
        case LDNS_RR_TYPE_AAAA:
        case LDNS_RR_TYPE_NS:
        case LDNS_RR_TYPE_CNAME:
        case LDNS_RR_TYPE_DNAME:
        case LDNS_RR_TYPE_PTR:
        case LDNS_RR_TYPE_SOA:
        case LDNS_RR_TYPE_MX:
        case LDNS_RR_TYPE_RP:
        case LDNS_RR_TYPE_SRV:
        case LDNS_RR_TYPE_NAPTR:
            break;
        default:
            return false;
        }
    }
    return true;
}

static ldns_pkt *read_message(const uint8_t *octets, size_t len)
{
    ldns_pkt *packet = NULL;

    if (!octets || ldns_wire2pkt(&packet, octets, len) != LDNS_STATUS_OK)
        return NULL;
    if (is_in_step(octets, len, packet) && is_plain(ldns_pkt_answer(packet)) &&
        is_plain(ldns_pkt_authority(packet)) && is_plain(ldns_pkt_additional(packet)))
        return packet;
    ldns_pkt_free(packet);
    return NULL;
}

static bool refuses(const ldns_rdf *name, uint16_t qtype, uint32_t flags)
{
    static struct idnp_decision *decision;

    if (!decision)
        decision = new_decision();
    const struct idnp_question question = {.size = sizeof question,
                                           .flags = flags,
                                           .qname = ldns_rdf_data(name),
                                           .qname_len = (uint32_t)ldns_rdf_size(name),
                                           .qtype = qtype,
                                           .qclass = 1};
    return idnp_decide(handle(), &question, decision) == IDNP_ANSWER;
}

static const ldns_rdf *cname_of(const ldns_pkt *answer, const ldns_rdf *name)
{
    for (size_t i = 0; i < ldns_pkt_ancount(answer); i++) {
        const ldns_rr *rr = ldns_rr_list_rr(ldns_pkt_answer(answer), i);
        if (ldns_rr_get_type(rr) == LDNS_RR_TYPE_CNAME &&
            ldns_rr_get_class(rr) == LDNS_RR_CLASS_IN &&
            ldns_dname_compare(ldns_rr_owner(rr), name) == 0)
            return ldns_rr_rdf(rr, 0);
    }
    return NULL;
}

/* Follows the first CNAME of each name. */
static void expect_none_refused(const ldns_pkt *answer, const ldns_rr *question, uint32_t flags)
{
    const ldns_rdf *name = ldns_rr_owner(question);

    for (int i = 0; name && i < 40; i++, name = cname_of(answer, name))
        assert_false(refuses(name, (uint16_t)ldns_rr_get_type(question), flags));
}

/* Knows the types that is_plain knows. */
static bool is_of_authority(ldns_rr_type type)
{
    return type == LDNS_RR_TYPE_NS || type == LDNS_RR_TYPE_SOA;
}

static void expect_no_additional_refused(const ldns_pkt *message)
{
    const ldns_rr_list *additional = ldns_pkt_additional(message);
    const ldns_rr_list *authority = ldns_pkt_authority(message);
    size_t in_additional = ldns_rr_list_rr_count(additional);

    for (size_t i = 0; i < in_additional + ldns_rr_list_rr_count(authority); i++) {
        const ldns_rr *rr = i < in_additional ? ldns_rr_list_rr(additional, i)
                                              : ldns_rr_list_rr(authority, i - in_additional);
        if (ldns_rr_get_class(rr) == LDNS_RR_CLASS_IN &&
            (i < in_additional || !is_of_authority(ldns_rr_get_type(rr))))
            assert_false(refuses(ldns_rr_owner(rr), (uint16_t)ldns_rr_get_type(rr), 0));
    }
}

/* The reply ends with the records of the target's section; of an authority section, with those of
 * its types. */
static void expect_copied(const ldns_rr_list *reply, const ldns_rr_list *target, bool is_authority)
{
    size_t last = ldns_rr_list_rr_count(reply);

    for (size_t i = ldns_rr_list_rr_count(target); i-- > 0;) {
        const ldns_rr *rr = ldns_rr_list_rr(target, i);
        if (is_authority && !is_of_authority(ldns_rr_get_type(rr)))
            continue;
        assert_true(last > 0);
        assert_int_equal(ldns_rr_compare(ldns_rr_list_rr(reply, --last), rr), 0);
    }
}

static void expect_reply(const struct idnp_exchange *exchange, const struct idnp_decision *decision,
                         const struct read *read)
{
    const ldns_rr *question = ldns_rr_list_rr(ldns_pkt_question(read->reply), 0);
    const ldns_rr *asked = ldns_rr_list_rr(ldns_pkt_question(read->query), 0);

    assert_true(ldns_pkt_qr(read->reply));
    assert_int_equal(ldns_pkt_id(read->reply), ldns_pkt_id(read->query));
    assert_int_equal(ldns_rr_compare(question, asked), 0);
    assert_int_equal(ldns_pkt_edns(read->reply), ldns_pkt_edns(read->query));
    assert_false(ldns_pkt_ad(read->reply));
    assert_int_equal(ldns_pkt_rd(read->reply), ldns_pkt_rd(read->query));
    assert_int_equal(ldns_pkt_cd(read->reply), ldns_pkt_cd(read->query));
    assert_int_equal(ldns_pkt_get_rcode(read->reply),
                     decision->result == IDNP_ANSWER ? decision->rcode : 0);
    if (exchange->flags & IDNP_UDP) {
        size_t allowed = ldns_pkt_edns(read->query) ? ldns_pkt_edns_udp_size(read->query) : 0;
        if (!exchange->query)
            allowed = exchange->answer_len;
        assert_in_range(exchange->reply_len, 12, allowed > 512 ? allowed : 512);
    }
    if (ldns_pkt_tc(read->reply)) {
        assert_int_equal(ldns_pkt_ancount(read->reply) + ldns_pkt_nscount(read->reply), 0);
        return;
    }
    if (!decision->follow && read->target && *decision->action == 'c' && decision->rcode != 6 &&
        ldns_pkt_ancount(read->reply) > 0 && exchange->target_len > 0 &&
        ldns_rr_get_type(asked) != LDNS_RR_TYPE_CNAME &&
        ldns_rr_get_type(asked) != LDNS_RR_TYPE_ANY) {
        expect_copied(ldns_pkt_answer(read->reply), ldns_pkt_answer(read->target), false);
        expect_copied(ldns_pkt_authority(read->reply), ldns_pkt_authority(read->target), true);
    }
}

static void expect_exchange(const struct idnp_exchange *exchange,
                            const struct idnp_decision *decision, const struct read *read)
{
    if (decision->result < 0 || decision->result == IDNP_DROP)
        assert_int_equal(exchange->reply_len, 0);
    if (!read->query || (exchange->answer && !read->answer) ||
        (exchange->target && !read->target) || decision->result < 0)
        return;
    if (exchange->reply_len > 0 && !read->reply) {
        ldns_pkt *packet = NULL;
        assert_int_equal(ldns_wire2pkt(&packet, exchange->reply, exchange->reply_len),
                         LDNS_STATUS_OK);
        ldns_pkt_free(packet);
        return;
    }
    if (decision->result == IDNP_ANSWER || decision->result == IDNP_TRUNCATE) {
        assert_true(exchange->reply_len > 0);
        expect_reply(exchange, decision, read);
    } else if (decision->result == IDNP_LEAVE && read->answer) {
        const ldns_rr *asked = ldns_rr_list_rr(ldns_pkt_question(read->query), 0);
        if (ldns_rr_get_class(asked) == LDNS_RR_CLASS_IN)
            expect_none_refused(read->answer, asked, exchange->flags);
        expect_no_additional_refused(exchange->reply_len > 0 ? read->reply : read->answer);
    }
}

/* LeakSanitizer asks for it. ldns 1.8 does not free a record of a known type whose RDATA is cut
 * off. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void) /* NOLINT(bugprone-reserved-identifier) */
{
    return "leak:ldns_rr_new\n";
}

/* --- the input --- */

/* The next message: two octets of length, then so many, or the rest. NULL: none. */
static uint8_t *take_message(const uint8_t **data, size_t *size, size_t *len)
{
    *len = (size_t)take_octet(data, size) << 8;
    *len |= take_octet(data, size);
    if (*len > *size)
        *len = *size;
    uint8_t *copy = *len > 0 ? exact_copy(*data, *len) : NULL;
    *data += *len;
    *size -= *len;
    return copy;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct idnp_decision *decision;
    static uint8_t again[65535];
    uint32_t flags = take_octet(&data, &size) & (IDNP_UDP | IDNP_FROM_A | IDNP_STRUCTURED);
    size_t cap = 16 * (size_t)take_octet(&data, &size);
    size_t query_len, answer_len, target_len;
    uint8_t *query = take_message(&data, &size, &query_len);
    uint8_t *answer = take_message(&data, &size, &answer_len);
    uint8_t *target = take_message(&data, &size, &target_len);
    uint8_t *reply = malloc(cap ? cap : sizeof again);

    if (!decision)
        decision = new_decision();
    struct idnp_exchange exchange = {.size = sizeof exchange,
                                     .flags = flags,
                                     .query = query,
                                     .answer = answer,
                                     .target = target,
                                     .reply = reply,
                                     .query_len = (uint32_t)query_len,
                                     .answer_len = (uint32_t)answer_len,
                                     .target_len = (uint32_t)target_len,
                                     .reply_cap = (uint32_t)(cap ? cap : sizeof again),
                                     .address = {192, 0, 2, 53}, /* a forwarder */
                                     .address_len = 4};
    int32_t result = idnp_decide_message(handle(), &exchange, decision);
    assert_in_range(result - IDNP_NO_MEMORY, 0, IDNP_DROP - IDNP_NO_MEMORY);
    assert_in_range(exchange.reply_len, 0, exchange.reply_cap);
    struct read read = {.query = query ? read_message(query, query_len)
                                       : read_message(answer, answer_len),
                        .answer = read_message(answer, answer_len),
                        .target = read_message(target, target_len)};
    if (exchange.reply_len > 0)
        read.reply = read_message(reply, exchange.reply_len);
    expect_exchange(&exchange, decision, &read);
    size_t len = exchange.reply_len;
    memcpy(again, reply, len);
    assert_int_equal(idnp_decide_message(handle(), &exchange, decision), result);
    expect_octets(reply, exchange.reply_len, again, len);
    ldns_pkt_free(read.query);
    ldns_pkt_free(read.answer);
    ldns_pkt_free(read.target);
    ldns_pkt_free(read.reply);
    free(query);
    free(answer);
    free(target);
    free(reply);
    return 0;
}
