/* SPDX-License-Identifier: BSD-3-Clause */
/* Handles of libidnpolicy in the folder of a test (tests/unit/stateproc.h). */
#ifndef XN_TESTS_UNIT_IDNPHANDLE_H
#define XN_TESTS_UNIT_IDNPHANDLE_H

#include "tests/unit/policyfolder.h"

#include "module/engine/idnpdecision.h"
#include "tests/unit/waiting.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

enum { A = 1, NS = 2, CNAME = 5, SOA = 6, MX = 15, TXT = 16, AAAA = 28, DNAME = 39, ANY = 255 };
enum { IN = 1 };

static const char every_action[] = "passthru name pass.example\n"
                                   "nxdomain zone nx.example ttl=77 ede=17:\"bl\u00F6d\"\n"
                                   "nodata zone \u043A\u0430\u0437\u0438\u043D\u043E.example\n"
                                   "refuse name a.example ede=off\n"
                                   "drop name d.example\n"
                                   "redirect 192.0.2.1 192.0.2.2 2001:db8::1 name r.example\n"
                                   "cname t.example name c.example\n"
                                   "answer name txt.example TXT \"hello\"\n"
                                   "tcp-only name tcp.example\n"
                                   "log name log.example tag=seen\n"
                                   "nxdomain lookalike paypal.com\n";

static struct idnp_decision *decision;
static char open_errors[4096];

/* Opens a handle with these lines as idn.conf, which write_conf takes. NULL: open_errors
 * says why. */
static inline struct idnp *try_handle(const char *lines, const struct idnp_options *options)
{
    write_conf(lines);
    return idnp_open(conf, options, open_errors, sizeof open_errors);
}

static inline struct idnp *open_handle(const char *lines)
{
    struct idnp *idnp = try_handle(lines, NULL);

    if (!idnp)
        print_error("%s", open_errors);
    assert_non_null(idnp);
    return idnp;
}

static inline struct idnp *open_with_rules(const char *rules)
{
    write_in("rules", rules);
    return open_handle("log: none\npolicy: @/rules\n");
}

static inline int32_t ask_for(struct idnp *idnp, const char *name, uint16_t qtype, uint32_t flags)
{
    uint8_t wire[XN_WIRE_NAME_MAX];
    const struct idnp_question question = {.size = sizeof question,
                                           .flags = flags,
                                           .qname = wire,
                                           .qname_len = (uint32_t)wire_of(name, wire),
                                           .qtype = qtype,
                                           .qclass = IN};

    int32_t result = idnp_decide(idnp, &question, decision);
    assert_int_equal(decision->result, result);
    return result;
}

static inline int32_t ask(struct idnp *idnp, const char *name)
{
    return ask_for(idnp, name, A, IDNP_UDP);
}

static inline void tell(struct idnp *idnp, const char *name, const struct idnp_decision *of)
{
    uint8_t wire[XN_WIRE_NAME_MAX];
    const struct idnp_reply reply = {.size = sizeof reply,
                                     .qname = wire,
                                     .qname_len = (uint32_t)wire_of(name, wire),
                                     .qtype = A,
                                     .qclass = IN,
                                     .address = {192, 0, 2, 7},
                                     .address_len = 4,
                                     .seconds = 1795211763,
                                     .nanoseconds = 214000};

    assert_int_equal(idnp_report(idnp, &reply, of), 0);
}

static inline uint64_t metric_of(struct idnp *idnp, const char *id)
{
    size_t cap = 0, len;
    char *text = NULL;
    struct samples samples;

    /* Other threads go on counting, so the text may be longer than the last call said. */
    while ((len = idnp_metrics(idnp, text, cap)) >= cap) {
        free(text);
        cap = len + 1;
        text = malloc(cap);
        assert_non_null(text);
    }
    read_samples(text, &samples);
    uint64_t value = value_of(&samples, id);
    free(text);
    return value;
}

static inline int open_decision(void **state)
{
    (void)state;
    decision = idnp_decision_new();
    assert_non_null(decision);
    return 0;
}

static inline int close_decision(void **state)
{
    (void)state;
    idnp_decision_free(decision);
    empty_folder();
    return 0;
}

#endif
