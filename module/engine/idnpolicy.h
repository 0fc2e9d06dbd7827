/* SPDX-License-Identifier: BSD-3-Clause */
/* libidnpolicy: the policy engine of unbound-idn for other resolvers and programs. It reads the
 * same idn.conf and rules as the module for Unbound, decides the same, makes the same answers, and
 * writes the same log and metrics. See libidnpolicy(3).
 *
 * All types are plain C types, structs of fixed layout, or pointers to them, so that a
 * foreign-function interface needs no C compiler. Names are in wire format, uncompressed (RFC 1035,
 * section 3.1), in upper or lower case. Numbers in structs are in the machine's byte order. Any
 * thread may call a function with a struct idnp at any time, except idnp_close, which is the last
 * call.
 *
 * Later versions may add members at the ends of structs that begin with their size. Set size to
 * sizeof of the struct, and members that you do not use to 0. If the program's struct is shorter
 * than the library's, the library treats the missing members as 0. If it is longer, the library
 * ignores the members that it does not know if they are 0, and otherwise rejects the struct
 * (IDNP_TOO_NEW). struct idnp_record has no size, and does not change. */
#ifndef XNM_MODULE_ENGINE_IDNPOLICY_H
#define XNM_MODULE_ENGINE_IDNPOLICY_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define IDNP_API __attribute__((visibility("default")))

/* The version of this header: 10000 times the major number, plus 100 times the minor number, plus
 * the patch number. */
#define IDNP_VERSION 10000
#define IDNP_VERSION_TEXT "1.0.0"

/* Return the version of the library that is loaded, as the constants above have that of the header.
 * The text is in static storage. */
IDNP_API uint32_t idnp_version(void);
IDNP_API const char *idnp_version_text(void);

/* --- opening and closing --- */

struct idnp;

/* Severities of a message: an error or a warning, with its file, line and column; a notice, such as
 * that a policy has come into force; a line of the query log, if idn.conf names no log-to. */
enum { IDNP_ERROR, IDNP_WARNING, IDNP_NOTICE, IDNP_LINE };

/* Receives one line of len octets, without its line end; a NUL follows. The line is valid until the
 * function returns; arg is log_arg of the options. Several threads may call it at the same time,
 * including the library's own. It must not call the library, and should not wait. */
typedef void idnp_log(void *arg, int32_t severity, const char *line, size_t len);

/* Flags of options: they describe the host. A rule that it cannot apply is left out, with an error;
 * all others are in force. */
enum {
    IDNP_NO_CLIENTS = 1,   /* it may send one client's answer to another: no rule with client= */
    IDNP_NO_TRANSPORT = 2, /* it never sets IDNP_UDP: no tcp-only, and drop answers REFUSED */
    IDNP_RELOADS = 4 /* it reloads by closing its handle and opening a new one with this flag, for
                        the same idn.conf: the new handle begins with the policy and the counters of
                        the closed one, and after an error with its last good configuration */
};

struct idnp_options {
    uint32_t size;  /* sizeof(struct idnp_options) */
    uint32_t flags; /* 0, or a set of the flags above */
    idnp_log *log;  /* NULL: messages wait for idnp_message */
    void *log_arg;
};

/* Reads idn.conf (config; NULL: /etc/unbound/idn.conf, which may be missing) and everything that it
 * names. The policy is then in force. If idn.conf or a rule file cannot be read, no rules are in
 * force until they can be read, and an error reports this each minute. options may be NULL: all
 * members are 0. Errors and warnings are also written to errors, each on its own line: as many
 * whole lines as fit in errors_cap octets with a NUL. errors may be NULL if errors_cap is 0. The
 * files must be on a local file system.
 *
 * Returns a handle, which the caller owns and closes. Returns NULL if the options have an unknown
 * flag or member, if there is no memory, if ICU cannot be opened or has another Unicode version
 * than the library, or if idn.conf has `required: yes` and idn.conf or a rule file cannot be read
 * or the log cannot be opened.
 *
 * Starts no thread. The first call that decides, reports a reply, or asks for metrics or the
 * generation starts the threads that watch the rules, write the log and write the metrics file; all
 * signals are blocked in them. A process may fork before that call: each process then starts its
 * own threads. A child that is forked later must not use the handle, not even to close it. */
IDNP_API struct idnp *idnp_open(const char *config, const struct idnp_options *options,
                                char *errors, size_t errors_cap);

/* Opens a handle like idnp_open, but all callers in a process that pass the same text for config
 * (or NULL) get the same handle, which was opened with the first caller's options. Each caller
 * closes it once. After a failure, or after all callers have closed the handle, the next call opens
 * a new one. This is for hosts whose threads run scripts that share no variables. */
IDNP_API struct idnp *idnp_open_shared(const char *config, const struct idnp_options *options,
                                       char *errors, size_t errors_cap);

/* Writes the lines and metrics that wait, stops the threads and frees everything. No other call
 * with the handle may be under way or follow. Waits one second for a pipe that takes no lines, and
 * without limit for a file system that does not respond. A shared handle is closed by the call of
 * its last owner. NULL is allowed. */
IDNP_API void idnp_close(struct idnp *idnp);

/* Removes the oldest message that waits. Writes as many of its octets as fit in cap octets with a
 * NUL. Returns its severity, or IDNP_NO_MESSAGE if none waits, a pointer is NULL or cap is 0. At
 * most 64 KiB wait; later messages are lost, and before the next one that has room, a warning says
 * how many. */
enum { IDNP_NO_MESSAGE = -1 };
IDNP_API int32_t idnp_message(struct idnp *idnp, char *dst, size_t cap);

/* Returns a number that changes with each policy that comes into force. While it stays the same,
 * earlier decisions still hold, except those that are client-specific (decision->client_specific).
 * Returns 0 for NULL. */
IDNP_API uint64_t idnp_generation(struct idnp *idnp);

/* Returns 1 if idn.conf has client-subnet-from: the client of a query from one of the forwarders
 * that it lists is the one that the query's EDNS Client Subnet option names (RFC 7871), for rules
 * with client= and in the log. Otherwise, and for NULL, returns 0: `subnet` is never read. The
 * result does not change while the handle is open. */
IDNP_API int32_t idnp_wants_subnet(const struct idnp *idnp);

/* --- deciding --- */

/* The host's next step. A negative value is the reason why nothing was decided. */
enum {
    IDNP_LEAVE = 0,         /* resolve, and send the resolver's answer */
    IDNP_ANSWER = 1,        /* send the answer in the decision */
    IDNP_TRUNCATE = 2,      /* answer with TC set and without records (tcp-only, over UDP) */
    IDNP_DROP = 3,          /* send nothing */
    IDNP_BAD_ARGUMENT = -1, /* a struct is too short, a pointer is NULL, or a name, a length or
                               another member is invalid */
    IDNP_BAD_MESSAGE = -2,  /* a message is malformed or not allowed: see idnp_decide_message */
    IDNP_NO_ROOM = -3,      /* reply_cap is too small: see idnp_decide_message */
    IDNP_NO_MEMORY = -4,    /* there is no memory; this version never returns it */
    IDNP_TOO_NEW = -5       /* a member that this library does not know is not 0 */
};

/* Sections of a message. */
enum { IDNP_SECTION_ANSWER = 1, IDNP_SECTION_AUTHORITY = 2 };

struct idnp_record {
    const uint8_t *owner; /* a name */
    const uint8_t *rdata; /* without compressed names */
    uint32_t owner_len;   /* octets */
    uint32_t rdata_len;
    uint32_t ttl; /* seconds */
    uint16_t type;
    uint16_t rclass;  /* 1: IN */
    uint16_t section; /* set in a decision's records */
    uint16_t unused;
};

/* Flags of a question. */
enum {
    IDNP_UDP = 1,       /* the client uses UDP: drop sends nothing, and tcp-only truncates */
    IDNP_FROM_A = 2,    /* the AAAA records of the answer are made from A records (DNS64) */
    IDNP_STRUCTURED = 4 /* in an exchange without a query: the query had the EDNS option
                           decision->structured_code */
};

struct idnp_question {
    uint32_t size;        /* sizeof(struct idnp_question) */
    uint32_t flags;       /* IDNP_UDP and so on */
    const uint8_t *qname; /* a name */
    uint32_t qname_len;
    uint16_t qtype, qclass;
    uint8_t address[16];  /* of the client, in network order */
    uint32_t address_len; /* 4: IPv4, 16: IPv6, 0: unknown, and rules with client= do not apply */
    uint32_t unused;
    int64_t seconds; /* the time for rules with when=, since 1970; 0: now */

    /* The data of the query's EDNS Client Subnet option; NULL: it has none. It names the client if
     * `address` is that of a forwarder in client-subnet-from and the option is not malformed. */
    const uint8_t *subnet;
    uint32_t subnet_len; /* octets */
    uint32_t unused2;
};

/* A decision and its reason. The library fills it in. Its pointers are to the library's memory, and
 * stay valid until the decision is used for another call or freed. Only idnp_decision_new allocates
 * one. */
struct idnp_decision {
    uint32_t size;     /* of the library's struct: members behind it do not exist */
    int32_t result;    /* IDNP_LEAVE and so on, as the call returned it */
    uint32_t matched;  /* 1: a rule matched, even one that leaves the answer alone; 0: none */
    uint32_t log_only; /* 1: the rule would have decided, but policy-mode is log-only */

    /* The answer, if result is IDNP_ANSWER. AD is clear in it. */
    int32_t rcode; /* 0 to 15 */
    int32_t ede;   /* info code of the extended error (RFC 8914); -1: none */
    uint32_t ttl;  /* seconds */
    uint32_t record_count;
    const struct idnp_record *records; /* those of one section and RRset are adjacent */
    const char *ede_text;              /* UTF-8; "": none */
    /* The target of the rule's alias, if its answer belongs after these records; NULL: none.
     * Resolve it without a decision, and add its answer and authority sections, with its rcode, or
     * answer with the alias alone. */
    const uint8_t *follow;
    uint32_t follow_len; /* octets */

    /* The reason, in the words of the log; all "" or 0 if nothing matched. */
    uint32_t line;       /* of the rule, in `file` */
    const char *file;    /* path of the rule file */
    const char *action;  /* "refuse", "log" */
    const char *subject; /* as match=, with A-labels: "zone xn--80aodfsg.example" */
    const char
        *key; /* of a look-alike: "exact", "strict", "words", "within", "near", "elsewhere" */
    const char *target; /* the alias's target that matched, as text; "": the question matched */
    const char *tags;   /* of log rules: "a,b" */
    uint32_t label;     /* of look-alikes and conditions: number of the label, from 1 at the left */
    uint32_t target_count; /* n: the n-th target of the alias chain matched; 0: the question */
    uint64_t generation;   /* of the policy that decided */

    /* 1: a rule matched, or the reply is logged or counted in the metrics file: call idnp_report.
     * 0: idnp_report would only count it for idnp_metrics. */
    uint32_t report;

    /* 1: the answer is client-specific: another client, or this one at another time, may get
     * another answer. Do not cache it for others, and do not give this client an answer that was
     * cached for others. For a message this includes its authority and additional sections. */
    uint32_t client_specific;
    const char *group; /* through which the rule applies to the client; "": none */

    /* The extended error that replaces `ede` and ede_text for a client whose query has an EDNS
     * option with the code structured_code (0: idn.conf has none). Its text is JSON, or "". If the
     * reply would be too long with it, send structured_brief; if it still would be, no text. */
    uint32_t structured_code;
    int32_t structured_ede; /* -1: none */
    const char *structured_text, *structured_brief;
};

/* Allocates a decision: about 200 kB, of which a call rarely touches much. Returns NULL if there is
 * no memory. The caller owns it. It can be used with any handle, but by one call at a time. */
IDNP_API struct idnp_decision *idnp_decision_new(void);
IDNP_API void idnp_decision_free(struct idnp_decision *decision); /* NULL is allowed */

/* Decides a question before it is resolved. Returns decision->result: IDNP_LEAVE, IDNP_ANSWER,
 * IDNP_TRUNCATE, IDNP_DROP, IDNP_BAD_ARGUMENT or IDNP_TOO_NEW. */
IDNP_API int32_t idnp_decide(struct idnp *idnp, const struct idnp_question *question,
                             struct idnp_decision *decision);

/* Decides an answer by the question and its alias chain: at most 32 CNAME and DNAME records in
 * their order, where the owner of a CNAME is the question's name or the target of the CNAME before.
 * Their rclass and section are not read. If a target is refused, the decision's records begin with
 * them. Returns decision->result, as idnp_decide; IDNP_BAD_ARGUMENT also if a record is invalid, or
 * there are more than 32. */
IDNP_API int32_t idnp_decide_answer(struct idnp *idnp, const struct idnp_question *question,
                                    const struct idnp_record *chain, uint32_t chain_count,
                                    struct idnp_decision *decision);

struct idnp_exchange {
    uint32_t size;         /* sizeof(struct idnp_exchange) */
    uint32_t flags;        /* IDNP_UDP, IDNP_FROM_A, IDNP_STRUCTURED */
    const uint8_t *query;  /* the client's message; NULL: taken from the answer */
    const uint8_t *answer; /* the resolver's message; NULL: none yet */
    const uint8_t *target; /* the resolver's message for decision->follow; NULL: none */
    uint8_t *reply;        /* room for reply_cap octets */
    uint32_t query_len, answer_len, target_len; /* octets */
    uint32_t reply_cap;
    uint32_t reply_len;   /* set, except with IDNP_BAD_ARGUMENT and IDNP_TOO_NEW: octets of the
                             reply; 0: none was written */
    uint32_t address_len; /* of the client, as in a question */
    uint8_t address[16];
    int64_t seconds;       /* as in a question */
    const uint8_t *subnet; /* as in a question; read only without a query */
    uint32_t subnet_len;   /* octets */
    uint32_t unused;
};

/* Decides whole messages, and writes the reply to send. Without an answer, decides the question;
 * with one, also the answer's aliases. The messages are not trusted. Returns decision->result:
 *
 * - IDNP_LEAVE: send the resolver's answer if reply_len is 0, and otherwise the reply. It is that
 *   answer without the records of refused names in its additional section, and without those in its
 *   authority section whose type is not NS, SOA, DS, NSEC or NSEC3 (or RRSIG for one of these). If
 *   there are more than 64 such records, allowed or not, the reply has none of them, unless the
 *   policy can change no answer.
 * - IDNP_ANSWER, IDNP_TRUNCATE: send the reply. If decision->follow is set and there was no target,
 *   the reply has the alias alone: send it, or resolve the target and call again with its answer.
 * - IDNP_DROP: send nothing.
 * - IDNP_BAD_MESSAGE: the query has another opcode than QUERY, not exactly one question, or an
 *   unknown version of EDNS. Or the answer or the target is for another question, or has malformed
 *   records, two aliases of one name in the chain, two DNAME records above one name, a CNAME record
 *   that its DNAME record does not make (RFC 6672), or more than 32 aliases in the chain or 64 in
 *   all. Or the answer section has records to which neither the question nor an alias leads, and
 *   one is of a refused name, or they are more than 64.
 * - IDNP_NO_ROOM: the reply does not fit in reply_cap; over UDP, not even without records. Or
 *   reply_cap is below answer_len, and records are to be removed from the answer.
 * - IDNP_NO_MEMORY, IDNP_BAD_ARGUMENT, IDNP_TOO_NEW.
 *
 * The reply has the query's ID, question, RD and CD, and an OPT record with the extended error if
 * the query has EDNS. Over UDP it has at most as many octets as the query allows (512 without EDNS)
 * or reply_cap; a longer one is sent with TC and without records. A structured error gets the room
 * that the records leave. Without a query, ID, question, RD, CD and OPT record are the answer's,
 * and UDP allows as many octets as the answer has, or 512. */
IDNP_API int32_t idnp_decide_message(struct idnp *idnp, struct idnp_exchange *exchange,
                                     struct idnp_decision *decision);

/* --- the log and the metrics --- */

/* How the client sent its query. */
enum {
    IDNP_TRANSPORT_UDP,
    IDNP_TRANSPORT_TCP,
    IDNP_TRANSPORT_DOT,
    IDNP_TRANSPORT_DOH,
    IDNP_TRANSPORT_DOQ
};

enum { IDNP_NO_RCODE = -1 }; /* the rcode of a drop */

/* The result of validation (RFC 4035, section 4.3). */
enum { IDNP_BOGUS = 1, IDNP_INDETERMINATE, IDNP_INSECURE, IDNP_SECURE };

struct idnp_reply {
    uint32_t size;        /* sizeof(struct idnp_reply) */
    uint32_t qname_len;   /* octets */
    const uint8_t *qname; /* as the client sent it */
    uint16_t qtype, qclass;
    uint16_t id;          /* of the DNS message */
    uint16_t port;        /* of the client */
    int32_t rcode;        /* 0 to 4095 (RFC 6891, section 6.1.3), or IDNP_NO_RCODE */
    uint32_t transport;   /* IDNP_TRANSPORT_UDP and so on */
    uint32_t cached;      /* 1: from the resolver's cache */
    uint32_t address_len; /* 4: IPv4, 16: IPv6, 0: unknown, and its column is "-" */
    uint8_t address[16];  /* of the client, in network order */
    uint64_t elapsed_us;  /* microseconds from the query's arrival to this reply */
    int64_t seconds;      /* of the reply, since 1970; if nanoseconds is 0, too: now */
    int64_t nanoseconds;

    /* The reply as it is sent, for the flags, the extended error and the records of the line. If it
     * is NULL, or does not begin with a header and one question, the line has none of these. */
    const uint8_t *message;
    uint32_t message_len;  /* octets */
    uint32_t security;     /* IDNP_SECURE and so on; 0: not known */
    const uint8_t *subnet; /* as in a question */
    uint32_t subnet_len;   /* octets */
    uint32_t unused;
};

/* Counts one reply in the metrics and in the counters of the rules that matched, and writes its
 * line if idn.conf asks for it. decision is the decision about this reply; NULL: none. Never waits:
 * a line for which the buffer has no room is lost, and counted. Returns 0, IDNP_BAD_ARGUMENT or
 * IDNP_TOO_NEW. */
IDNP_API int32_t idnp_report(struct idnp *idnp, const struct idnp_reply *reply,
                             const struct idnp_decision *decision);

/* Writes the metrics in Prometheus' text format, with a NUL, if they fit in cap octets; dst may be
 * NULL if cap is 0. Returns the octets of the whole text, without the NUL, as snprintf does, or 0
 * if there is no memory. Call again until the text fits: it may have grown. */
IDNP_API size_t idnp_metrics(struct idnp *idnp, char *dst, size_t cap);

#ifdef __cplusplus
}
#endif

#endif
