/* SPDX-License-Identifier: BSD-3-Clause */
/* Unbound with the module, in one process: an input says what clients ask and what servers answer,
 * in any order, with names and records of a small world. Whatever they say, no client gets the data
 * of a name that is refused to it, from the cache or from a server. */
#include "tests/fuzz/unbound/expected.h"

#include "tests/fuzz/files.h"

#include <ldns/ldns.h>
#include <unistd.h>

/* --- the world --- */

/* Zones' own servers are asked for what is below a. and e., for all else a forwarder. */
static const char *const names[] = {
    ".",    "a.",     "b.a.", "c.b.a.", "e.",     "x.e.", "f.",   "x.f.", "y.x.f.", "r.",   "x.r.",
    "q.a.", "x.w.e.", "w.e.", "d.f.",   "g.d.f.", "c.a.", "t.a.", "u.e.", "k.e.",   "i.e.", "p.f."};
enum { NAMES = sizeof names / sizeof *names };

static const char unbound_conf[] = "server:\n"
                                   "  use-syslog: no\n"
                                   "  chroot: \"\"\n"
                                   "  do-ip6: no\n"
                                   "  do-not-query-localhost: no\n"
                                   "  target-fetch-policy: \"0 0 0 0 0\"\n"
                                   "  msg-cache-slabs: 1\n"
                                   "  rrset-cache-slabs: 1\n"
                                   "  infra-cache-slabs: 1\n"
                                   "  msg-cache-size: 1m\n"
                                   "  rrset-cache-size: 1m\n"
                                   "  infra-cache-numhosts: 100\n"
                                   "stub-zone:\n"
                                   "  name: \"a.\"\n"
                                   "  stub-addr: 127.0.0.1\n"
                                   "stub-zone:\n"
                                   "  name: \"e.\"\n"
                                   "  stub-addr: 127.0.0.1\n"
                                   "forward-zone:\n"
                                   "  name: \".\"\n"
                                   "  forward-addr: 127.0.0.1\n";
static const char idn_conf[] = "idn:\n  log: none\n  policy: rules\n  watch: no\n";

static const uint16_t types[16] = {
    LDNS_RR_TYPE_CNAME, LDNS_RR_TYPE_CNAME, LDNS_RR_TYPE_CNAME, LDNS_RR_TYPE_CNAME,
    LDNS_RR_TYPE_CNAME, LDNS_RR_TYPE_A,     LDNS_RR_TYPE_A,     LDNS_RR_TYPE_A,
    LDNS_RR_TYPE_AAAA,  LDNS_RR_TYPE_AAAA,  LDNS_RR_TYPE_DNAME, LDNS_RR_TYPE_DNAME,
    LDNS_RR_TYPE_NS,    LDNS_RR_TYPE_NS,    LDNS_RR_TYPE_SOA,   LDNS_RR_TYPE_TXT};
static const uint16_t qtypes[] = {LDNS_RR_TYPE_A,     LDNS_RR_TYPE_A,    LDNS_RR_TYPE_AAAA,
                                  LDNS_RR_TYPE_CNAME, LDNS_RR_TYPE_ANY,  LDNS_RR_TYPE_NS,
                                  LDNS_RR_TYPE_DS,    LDNS_RR_TYPE_DNAME};

static ldns_rdf *wire[NAMES];

static void trace_question(const char *what, const ldns_rdf *name, uint16_t qtype)
{
    char *text = ldns_rdf2str(name), said[300];

    snprintf(said, sizeof said, "%s %s TYPE%u", what, text, (unsigned)qtype);
    trace(said, NULL, 0);
    free(text);
}

/* --- the start --- */

/* Its files are gone when it runs. */
static void start(void)
{
    char folder[] = "/tmp/fuzz_resolver.XXXXXX", unbound[64], idn[64], policy[64];

    for (size_t i = 0; i < NAMES; i++)
        wire[i] = ldns_dname_new_frm_str(names[i]);
    assert_non_null(mkdtemp(folder));
    write_file(folder, "unbound.conf", unbound_conf, unbound);
    write_file(folder, "idn.conf", idn_conf, idn);
    write_file(folder, "rules", expected_rules(), policy);
    world_start(unbound, idn, expect_reply);
    remove(unbound);
    remove(idn);
    remove(policy);
    remove(folder);
}

/* --- the input --- */

/* An event has so many octets, so that what is changed, added or taken out is one event. */
enum { EVENT = 16, EVENTS = 64, RECORDS = 4 };
enum { RD = 0x0100, CD = 0x0010 }; /* RFC 1035, section 4.1.1; RFC 4035, section 3.2.2 */

static const ldns_rdf *name_of(uint8_t octet)
{
    return wire[octet % NAMES];
}

static void ask(const uint8_t event[EVENT])
{
    const ldns_rdf *name = name_of(event[1]);
    uint16_t flags = (event[3] & 1 ? 0 : RD) | (event[3] & 2 ? CD : 0);
    uint16_t qtype = qtypes[event[2] % (sizeof qtypes / sizeof *qtypes)];
    uint8_t *qname = exact_copy(ldns_rdf_data(name), ldns_rdf_size(name));

    trace_question(event[3] & 4 ? "Unbound asks" : "a client asks", name, qtype);
    if (event[3] & 4)
        world_ask_for_itself(qname, ldns_rdf_size(name), qtype);
    else
        world_ask(qname, ldns_rdf_size(name), qtype, flags,
                  (struct client){event[3] & 8, event[3] & 16});
    free(qname);
}

/* --- what servers answer --- */

struct message {
    uint8_t octets[4096];
    size_t len;
};

static void add(struct message *message, const void *octets, size_t len)
{
    assert_true(message->len + len <= sizeof message->octets);
    memcpy(message->octets + message->len, octets, len);
    message->len += len;
}

static void add_number(struct message *message, unsigned number, size_t octets)
{
    while (octets-- > 0)
        message->octets[message->len++] = (uint8_t)(number >> 8 * octets);
}

static void add_rdata(struct message *message, uint16_t type, const ldns_rdf *name)
{
    static const uint8_t address[16] = {198, 51, 100, 1}, text[] = "\3txt", times[20];
    size_t at = message->len;

    add_number(message, 0, 2);
    switch (type) {
    case LDNS_RR_TYPE_A:
        add(message, address, 4);
        break;
    case LDNS_RR_TYPE_AAAA:
        add(message, address, 16);
        break;
    case LDNS_RR_TYPE_TXT:
        add(message, text, 4);
        break;
    default:
        break;
    }
    if (type != LDNS_RR_TYPE_A && type != LDNS_RR_TYPE_AAAA && type != LDNS_RR_TYPE_TXT)
        add(message, ldns_rdf_data(name), ldns_rdf_size(name));
    if (type == LDNS_RR_TYPE_SOA) {
        add(message, ldns_rdf_data(name), ldns_rdf_size(name));
        add(message, times, sizeof times);
    }
    ldns_write_uint16(message->octets + at, (uint16_t)(message->len - at - 2));
}

/* Three octets for each record: owner; type, TTL and section; what it is about. Often the owner is
 * the name that was asked for, or what the record before is about. */
static const ldns_rdf *add_record(struct message *message, const uint8_t octets[3],
                                  const ldns_rdf *before)
{
    const ldns_rdf *owner = octets[0] & 0x80 ? before : name_of(octets[0]);
    const ldns_rdf *about = name_of(octets[2]);
    uint16_t type = types[octets[1] % 16];
    size_t section = octets[1] >> 4 & 3;

    section = section == 3 ? 0 : section;
    add(message, ldns_rdf_data(owner), ldns_rdf_size(owner));
    add_number(message, type, 2);
    add_number(message, LDNS_RR_CLASS_IN, 2);
    add_number(message, octets[1] & 0x40 ? 5 : 300, 4);
    add_rdata(message, type, about);
    uint8_t *count = message->octets + 6 + 2 * section;
    ldns_write_uint16(count, (uint16_t)(ldns_read_uint16(count) + 1));
    return about;
}

static void answer(const uint8_t event[EVENT])
{
    static const uint8_t rcodes[] = {0, 0, 0, 0, 3, 2, 5, 6}, none[6];
    struct message message = {.len = 0};
    uint8_t flags = event[2];

    if (world_sent_count() == 0)
        return;
    size_t which = event[1] % world_sent_count();
    struct sent sent = world_sent(which);
    ldns_rdf *asked = ldns_dname_new_frm_data((uint16_t)sent.qname_len, sent.qname);
    const ldns_rdf *before = asked;
    add_number(&message, 0, 2);
    add_number(&message, 0x8000u | (flags & 8 ? 0 : 0x0400u) | rcodes[flags % 8], 2);
    add_number(&message, 1, 2);
    add(&message, none, sizeof none);
    add(&message, sent.qname, sent.qname_len);
    add_number(&message, sent.qtype, 2);
    add_number(&message, sent.qclass, 2);
    for (size_t i = 0; i < event[3] % (RECORDS + 1u); i++)
        before = add_record(&message, event + 4 + 3 * i, before);
    ldns_rdf_deep_free(asked);
    uint8_t *copy = exact_copy(message.octets, message.len);
    trace("a server answers", copy, message.len);
    world_answer(which, copy, message.len);
    free(copy);
}

static void happen(const uint8_t event[EVENT])
{
    switch (event[0] % 8) {
    case 0:
    case 1:
    case 2:
        ask(event);
        break;
    case 3:
        world_pass_time(event[1]);
        break;
    case 4:
        if (world_sent_count() > 0)
            world_answer(event[1] % world_sent_count(), NULL, 0);
        break;
    default:
        answer(event);
        break;
    }
    world_ask_for_cached();
}

/* Takes an event out, alters an octet of one, puts a copy of one elsewhere, or adds a new one. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t room, unsigned seed)
{
    size_t count = size > 1 ? (size - 1) / EVENT : 0, end = 1 + count * EVENT;
    uint8_t *at = data + 1 + (size_t)rand_r(&seed) % (count + 1) * EVENT;
    int what = rand_r(&seed) % 8;
    uint8_t event[EVENT];

    if (rand_r(&seed) % 16 == 0)
        data[0] = (uint8_t)rand_r(&seed);
    if (count > 0 && what == 0) {
        if (at < data + end)
            memmove(at, at + EVENT, (size_t)(data + end - at) - EVENT);
        return end - EVENT;
    }
    if (count > 0 && what < 5) {
        data[1 + (size_t)rand_r(&seed) % (end - 1)] = (uint8_t)rand_r(&seed);
        return end;
    }
    if (room < end + EVENT || count >= EVENTS)
        return end;
    for (size_t i = 0; i < EVENT; i++)
        event[i] = (uint8_t)rand_r(&seed);
    if (count > 0 && what == 5)
        memcpy(event, data + 1 + (size_t)rand_r(&seed) % count * EVENT, EVENT);
    memmove(at + EVENT, at, (size_t)(data + end - at));
    memcpy(at, event, EVENT);
    return end + EVENT;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static bool has_started;

    if (!has_started)
        start();
    has_started = true;
    uint8_t how = take_octet(&data, &size);
    world_reset(how & 2, how & 1);
    for (size_t i = 0; i < EVENTS && size >= EVENT; i++, data += EVENT, size -= EVENT)
        happen(data);
    world_reset(false, false);
    return 0;
}
