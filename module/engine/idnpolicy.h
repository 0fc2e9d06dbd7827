/* SPDX-License-Identifier: BSD-3-Clause */
/* libidnpolicy: the policy engine of unbound-idn for other resolvers and programs. It reads the
 * same idn.conf and rules as the module for Unbound, decides the same, makes the same answers, and
 * writes the same log and metrics. See libidnpolicy(3).
 *
 * Everything is a plain C type, a struct of fixed layout, or a pointer to one, so that a
 * foreign-function interface can use it without a C compiler. Names are in wire format,
 * uncompressed (RFC 1035, section 3.1), in any case. Functions that take a struct idnp may be
 * called by any thread at any time, except idnp_close, which is the last.
 *
 * Later versions may add members at the ends of structs that begin with their size. Set size to
 * sizeof of the struct, and members that you do not use to 0. If the program's struct is shorter
 * than the library's, the library takes the missing members for 0. If it is longer, the library
 * ignores the members that it does not know if they are 0, and otherwise refuses the struct
 * (IDNP_TOO_NEW). struct idnp_record has no size, and stays as it is. */
#ifndef XNM_MODULE_ENGINE_IDNPOLICY_H
#define XNM_MODULE_ENGINE_IDNPOLICY_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define IDNP_API __attribute__((visibility("default")))

/* The version of this header: 10000 times the major number, plus 100 times the minor, plus the
 * patch. */
#define IDNP_VERSION 10000
#define IDNP_VERSION_TEXT "1.0.0"

/* Return the version of the library that runs. */
IDNP_API uint32_t idnp_version(void);
IDNP_API const char *idnp_version_text(void);

/* --- opening and closing --- */

struct idnp;

/* Severities of a message: an error or a warning, with its file, line and column; something to
 * know, such as a policy that has come into force; a line of the log, if idn.conf names no log-to.
 */
enum { IDNP_ERROR, IDNP_WARNING, IDNP_NOTICE, IDNP_LINE };

/* Takes one line of len octets, without its end; a NUL follows. Called by any thread, also by those
 * of the library; it must not call the library, and should not wait. */
typedef void idnp_log(void *arg, int32_t severity, const char *line, size_t len);

/* Flags of options. The first two say what the host lacks. A rule that it cannot hold is left out,
 * with an error; all others are in force. */
enum {
    IDNP_NO_CLIENTS = 1,   /* it may give one client's answer to another: no rule with client= */
    IDNP_NO_TRANSPORT = 2, /* it never sets IDNP_UDP: no tcp-only, and drop gives REFUSED */
    IDNP_RELOADS = 4 /* it reloads by closing its handle and opening one for the same idn.conf, also
                        with this flag: that one begins with the policy and the counters of the one
                        before, and keeps the last good configuration after an error */
};

struct idnp_options {
    uint32_t size;  /* sizeof(struct idnp_options) */
    uint32_t flags; /* 0, or those above */
    idnp_log *log;  /* NULL: messages wait for idnp_message */
    void *log_arg;
};

/* Reads idn.conf (NULL: /etc/unbound/idn.conf, which may be missing) and everything that it names.
 * The policy is then in force. options may be NULL: all 0. Errors and warnings are also written to
 * errors, one a line, up to the last whole one that fits with a NUL; errors may be NULL if
 * errors_cap is 0. If idn.conf or a rule file cannot be read, there are no rules, and an error
 * says so each minute; they come into force once they can be read. NULL: bad options, no memory, or
 * such an error or a log that cannot be opened if idn.conf has `required: yes`. The caller owns the
 * result.
 *
 * No thread is started yet. The first call that decides or reports a reply starts those that watch
 * the rules, write the log and write the metrics file; all signals are blocked in them. A process
 * may fork between opening and that call: each process then starts threads of its own. A child that
 * is forked later may not use the handle, not even to close it. The files must be on a local file
 * system. */
IDNP_API struct idnp *idnp_open(const char *config, const struct idnp_options *options,
                                char *errors, size_t errors_cap);

/* Opens a handle like idnp_open, but all callers in a process with the same text for config (or
 * NULL) get the same handle, which was opened with the first caller's options. Each caller closes
 * it once. It is opened anew after a failure, or after all callers have closed it. It is for hosts
 * whose threads run scripts that know nothing of each other. */
IDNP_API struct idnp *idnp_open_shared(const char *config, const struct idnp_options *options,
                                       char *errors, size_t errors_cap);

/* Writes the lines and metrics that wait, ends the threads and frees everything. No other call with
 * the handle may be under way or follow. It waits one second for lines that a pipe does not take. A
 * shared handle ends with the call of its last owner. NULL is fine. */
IDNP_API void idnp_close(struct idnp *idnp);

/* Takes out the oldest waiting message: writes it, with a NUL, or as many of its octets as fit in
 * cap, and returns its severity. IDNP_NO_MESSAGE: none waits, or cap is 0. At most 64 KiB wait;
 * later messages are lost, and the next one that finds room says how many. */
enum { IDNP_NO_MESSAGE = -1 };
IDNP_API int32_t idnp_message(struct idnp *idnp, char *dst, size_t cap);

/* Returns a number that changes with each policy that comes into force: while it stays the same, an
 * earlier decision still holds. */
IDNP_API uint64_t idnp_generation(struct idnp *idnp);

/* Returns 1 if idn.conf has client-subnet-from; 0: not, and `subnet` is never read. With it, a
 * query from one of the forwarders that it lists is its EDNS Client Subnet option's client (RFC
 * 7871): for rules with client=, and in the log. The same for as long as the handle is open. NULL:
 * 0. */
IDNP_API int32_t idnp_wants_subnet(const struct idnp *idnp);

/* --- deciding --- */

/* The host's next step, in the order of weight. A negative value says why nothing was decided. */
enum {
    IDNP_LEAVE = 0,         /* nothing: resolve, and send the resolver's answer */
    IDNP_ANSWER = 1,        /* answer as the decision says */
    IDNP_TRUNCATE = 2,      /* answer with TC set and without records (tcp-only, over UDP) */
    IDNP_DROP = 3,          /* send nothing */
    IDNP_BAD_ARGUMENT = -1, /* a struct that is too short, an invalid name, a NULL */
    IDNP_BAD_MESSAGE = -2,  /* a message that is malformed, or is not what it should be */
    IDNP_NO_ROOM = -3,      /* the reply does not fit */
    IDNP_NO_MEMORY = -4,
    IDNP_TOO_NEW = -5 /* a member is not 0 that this library, being older, does not know */
};

/* Sections of a message. */
enum { IDNP_SECTION_ANSWER = 1, IDNP_SECTION_AUTHORITY = 2 };

struct idnp_record {
    const uint8_t *owner; /* a name */
    const uint8_t *rdata; /* uncompressed */
    uint32_t owner_len;   /* octets */
    uint32_t rdata_len;
    uint32_t ttl; /* seconds */
    uint16_t type;
    uint16_t rclass;  /* 1: IN */
    uint16_t section; /* in a decision */
    uint16_t unused;
};

/* Flags of a question. */
enum {
    IDNP_UDP = 1,       /* the client uses UDP: drop drops, and tcp-only truncates */
    IDNP_FROM_A = 2,    /* the AAAA records of the answer are made from A records (DNS64) */
    IDNP_STRUCTURED = 4 /* of an exchange without a query: the query had the option of the code
                           decision->structured_code */
};

struct idnp_question {
    uint32_t size;        /* sizeof(struct idnp_question) */
    uint32_t flags;       /* IDNP_UDP and so on */
    const uint8_t *qname; /* a name */
    uint32_t qname_len;
    uint16_t qtype, qclass;
    uint8_t address[16]; /* of the client, in network order */
    uint32_t
        address_len; /* 4: IPv4, 16: IPv6, 0: unknown, so that no rule with client= is for it */
    uint32_t unused;
    int64_t seconds; /* the time for when=, since 1970; 0: now */

    /* The data of the query's EDNS Client Subnet option. NULL: it has none. It names the client if
     * `address` is a forwarder's, and is ignored otherwise, or if it is malformed. */
    const uint8_t *subnet;
    uint32_t subnet_len; /* octets */
    uint32_t unused2;
};

/* The decision and its reason. The library fills it in; its pointers are to the library's memory,
 * and stay valid until the decision is used for another call or freed. Only idnp_decision_new makes
 * one. */
struct idnp_decision {
    uint32_t size;     /* of the library's struct: a member behind it is not there */
    int32_t result;    /* IDNP_LEAVE and so on, as the call returned it */
    uint32_t matched;  /* 1: a rule matched, be it one that leaves the answer alone; 0: none */
    uint32_t log_only; /* 1: policy-mode is log-only: the rule would have decided */

    /* The answer, if result is IDNP_ANSWER. AD is clear in it. */
    int32_t rcode; /* 0 to 15 */
    int32_t ede;   /* info code of the extended error (RFC 8914); -1: none */
    uint32_t ttl;  /* seconds */
    uint32_t record_count;
    const struct idnp_record *records; /* those of one section and RRset together */
    const char *ede_text;              /* UTF-8; "": none */
    /* An alias's target, if its answer belongs after these records: resolve it (nothing decides
     * it), and add its answer and authority sections, with its rcode. Who cannot do that answers
     * with the alias alone. NULL: there is none. */
    const uint8_t *follow;
    uint32_t follow_len;

    /* Why, as in the log; all "" or 0 if nothing matched. */
    uint32_t line;       /* of the rule, in `file` */
    const char *file;    /* path of the rule file */
    const char *action;  /* "refuse", "log" */
    const char *subject; /* as match=, with A-labels: "zone xn--80aodfsg.example" */
    const char
        *key; /* of a look-alike: "exact", "strict", "words", "within", "near", "elsewhere" */
    const char *target; /* the alias's target that matched, as text; "": the question did */
    const char *tags;   /* of log rules: "a,b" */
    uint32_t label; /* for look-alikes and conditions: number of the label, from 1 at the left */
    uint32_t target_count; /* n: the n-th target of the alias chain matched; 0: the question did */
    uint64_t generation;   /* of the policy that decided */

    /* 1: idn.conf wants to hear of the reply: a rule matched, or the log or the metrics file has
     * this one too. 0: idnp_report would only count for idnp_metrics. */
    uint32_t report;

    /* 1: another client, or this one at another time, may get another answer: keep it in no cache
     * for others, nor give this client an answer that was kept for others. Of a message also what
     * is in its authority and additional sections. 0: it is everybody's. */
    uint32_t personal;
    const char *group; /* by which the rule is for the client; "": none */

    /* For a client whose query has an EDNS option of the code structured_code (0: idn.conf has
     * none), the extended error instead of `ede` and ede_text. Its text is JSON, or "". If the
     * reply with it would be too long, structured_brief, and if that is too long, no text. */
    uint32_t structured_code;
    int32_t structured_ede; /* -1: none */
    const char *structured_text, *structured_brief;
};

/* Makes storage for one decision at a time: some 200 kB, few of which are touched. NULL: no memory.
 * The caller owns it. It belongs to no handle; only one call at a time may use it. */
IDNP_API struct idnp_decision *idnp_decision_new(void);
IDNP_API void idnp_decision_free(struct idnp_decision *decision); /* NULL is fine */

/* Decides a question, before it is resolved. Returns decision->result. */
IDNP_API int32_t idnp_decide(struct idnp *idnp, const struct idnp_question *question,
                             struct idnp_decision *decision);

/* Decides an answer: the question and its alias chain, which are CNAME and DNAME records in their
 * order, each CNAME owned by the question's name or the target of the one before, at most 32. They
 * are the beginning of the decision's records if a target is refused. Returns decision->result. */
IDNP_API int32_t idnp_decide_answer(struct idnp *idnp, const struct idnp_question *question,
                                    const struct idnp_record *chain, uint32_t chain_count,
                                    struct idnp_decision *decision);

struct idnp_exchange {
    uint32_t size;         /* sizeof(struct idnp_exchange) */
    uint32_t flags;        /* IDNP_UDP, IDNP_FROM_A, IDNP_STRUCTURED */
    const uint8_t *query;  /* the client's message; NULL: as the answer has it */
    const uint8_t *answer; /* the resolver's message; NULL: there is none yet */
    const uint8_t *target; /* the resolver's message for decision->follow; NULL: there is none */
    uint8_t *reply;        /* room for the reply */
    uint32_t query_len, answer_len, target_len; /* octets */
    uint32_t reply_cap;
    uint32_t reply_len;   /* set: octets of the reply; 0: none was written */
    uint32_t address_len; /* of the client, as in a question */
    uint8_t address[16];
    int64_t seconds;       /* likewise */
    const uint8_t *subnet; /* as in a question; read only without a query */
    uint32_t subnet_len;   /* octets */
    uint32_t unused;
};

/* Decides whole messages, and writes the one to send. Without an answer it decides the question,
 * with one also the answer's aliases. Returns decision->result: IDNP_LEAVE: send the resolver's
 * answer; unless reply_len is 0, send the reply instead, which is that answer without the records
 * of refused names in its additional section, and in its authority section without those whose type
 * is not NS, SOA, DS, NSEC or NSEC3. IDNP_ANSWER and IDNP_TRUNCATE: send the reply. If
 * decision->follow is set and there was no target, the reply has the alias alone: resolve the
 * target and call again with it, or send this. IDNP_DROP: send nothing.
 *
 * Without a query, that is the answer's ID, question, RD, CD and OPT record; over UDP, it allows as
 * many octets as the answer has.
 *
 * The reply has the query's ID, question, RD and CD, and an OPT record if the query has one, with
 * the extended error. Over UDP it is as long as the query allows (512 octets without EDNS) or
 * reply_cap at most; a longer one is sent with TC and without records. A
 * structured error gets what the records leave. A query that is no ordinary
 * one (another opcode, no or several questions, EDNS of another version) is IDNP_BAD_MESSAGE. */
IDNP_API int32_t idnp_decide_message(struct idnp *idnp, struct idnp_exchange *exchange,
                                     struct idnp_decision *decision);

/* --- the log and the metrics --- */

enum {
    IDNP_TRANSPORT_UDP,
    IDNP_TRANSPORT_TCP,
    IDNP_TRANSPORT_DOT,
    IDNP_TRANSPORT_DOH,
    IDNP_TRANSPORT_DOQ
};

enum { IDNP_NO_RCODE = -1 }; /* a drop has none */

enum { IDNP_BOGUS = 1, IDNP_INDETERMINATE, IDNP_INSECURE, IDNP_SECURE };

struct idnp_reply {
    uint32_t size;        /* sizeof(struct idnp_reply) */
    uint32_t qname_len;   /* octets */
    const uint8_t *qname; /* as the client sent it */
    uint16_t qtype, qclass;
    uint16_t id;   /* of the DNS message */
    uint16_t port; /* of the client */
    int32_t rcode; /* as on the wire, or IDNP_NO_RCODE */
    uint32_t transport;
    uint32_t cached;      /* 1: from the resolver's cache */
    uint32_t address_len; /* 4: IPv4, 16: IPv6, 0: unknown */
    uint8_t address[16];  /* of the client, in network order */
    uint64_t elapsed_us;  /* from the query's arrival to this reply */
    int64_t seconds;      /* of the reply, since 1970; 0 and 0: now */
    int64_t nanoseconds;

    /* As it is sent: for the flags, the extended error and the records of the line. NULL: they are
     * not known. */
    const uint8_t *message;
    uint32_t message_len;  /* octets */
    uint32_t security;     /* what validation found: IDNP_SECURE, or 0: not known */
    const uint8_t *subnet; /* as in a question */
    uint32_t subnet_len;   /* octets */
    uint32_t unused;
};

/* Counts one reply in the metrics, and in the counters of the rules that matched, and writes its
 * line if idn.conf wants one. decision is that of the reply; NULL: there is none. Never waits: a
 * line that finds no room is lost, and counted. Returns 0, IDNP_BAD_ARGUMENT or IDNP_TOO_NEW. */
IDNP_API int32_t idnp_report(struct idnp *idnp, const struct idnp_reply *reply,
                             const struct idnp_decision *decision);

/* Writes the metrics in Prometheus' text format, with a NUL, if they fit in cap octets; dst may be
 * NULL if cap is 0. Returns the octets of the whole text, without the NUL, as snprintf does; 0: no
 * memory. The next call's text may be longer, since numbers grow: call again until it fits. */
IDNP_API size_t idnp_metrics(struct idnp *idnp, char *dst, size_t cap);

#ifdef __cplusplus
}
#endif

#endif
