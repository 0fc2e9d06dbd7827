/* SPDX-License-Identifier: BSD-3-Clause */
/* The file format of a compiled policy, which `unbound-idn compile` writes and a rule line
 * `compiled PATH` reads. Private to module/compiled/; others use module/compiled/write.h and
 * module/compiled/read.h.
 *
 * A head, then sections, each at a multiple of XNM_COMPILED_ALIGN octets, with zeros between them.
 * Numbers are little-endian and of fixed width. Places in a section are counted from its start;
 * there are no addresses. The large parts (entries, tables, filters, protected names) have their
 * layout in memory (module/policy/data.h, module/policy/lookalike.h) and are used in place; the
 * rest is read into structs, and its memory is given back.
 *
 * XNM_COMPILED_FORMAT changes with any of this, and with anything else that changes the policy that
 * the same rules give: how names are mapped, hashed or ranked, the order of the enums in
 * module/rule/rules.h, what a look-alike key is. */
#ifndef XNM_MODULE_COMPILED_LAYOUT_H
#define XNM_MODULE_COMPILED_LAYOUT_H

#include "core/lookalike/script.h"
#include "module/base/thread.h"
#include "module/policy/data.h"

#define XNM_COMPILED_MAGIC "unbound-idn compiled policy\n"
enum {
    XNM_COMPILED_FORMAT = 7,
    XNM_COMPILED_ORDER = 0x01020304, /* has the byte order of the machine that wrote it */
    XNM_COMPILED_ALIGN = 64,         /* a cache line, and more than any number needs */
    XNM_COMPILED_HASH = 16           /* octets of an XXH3 of 128 bits */
};
/* The most occupied places in a row in any table. Neither a list with colliding names nor a forged
 * compiled policy can make a search longer. A million names reach about 200 by chance. */
enum { XNM_COMPILED_RUN_MAX = 4096 };
/* The most octets that the entries in such a row have in $denyallow=: a search may read all. */
enum { XNM_COMPILED_DENIED_MAX = 1 << 20 };
#define XNM_COMPILED_NONE UINT32_MAX /* no text, or no label rule */

typedef enum {
    /* Used in place: */
    XNM_COMPILED_ENTRIES,
    XNM_COMPILED_SLOTS,
    XNM_COMPILED_FILTER,
    XNM_COMPILED_NAMES,
    XNM_COMPILED_NAME_SLOTS,
    XNM_COMPILED_EXEMPT,
    XNM_COMPILED_EVERY,
    XNM_COMPILED_PLAIN,
    XNM_COMPILED_PART_SLOTS,
    XNM_COMPILED_PART_EVERY,
    XNM_COMPILED_PART_PLAIN,
    XNM_COMPILED_CONDITIONS,
    XNM_COMPILED_SOURCES,
    XNM_COMPILED_RANGES, /* of client sets, in their order: those of IPv4, those of IPv6 */
    XNM_COMPILED_TEXT,   /* strings, each with a NUL, and RDATA */
    XNM_COMPILED_KEPT,   /* … up to here; read into structs: */
    XNM_COMPILED_LINES = XNM_COMPILED_KEPT,
    XNM_COMPILED_LABEL_RULES,
    XNM_COMPILED_EXCEPTS,
    XNM_COMPILED_VERDICTS,
    XNM_COMPILED_RECORDS,
    XNM_COMPILED_MODIFIERS,
    XNM_COMPILED_TAGS, /* uint32_t: where their texts begin */
    XNM_COMPILED_CLIENT_SETS,
    XNM_COMPILED_AUDIENCES,
    XNM_COMPILED_SECTIONS
} xnm_compiled_section;

/* Offset and length of a section, in octets from the start of the file. */
struct xnm_compiled_span {
    uint64_t at, len;
};

struct xnm_compiled_head {
    char magic[32];
    uint32_t order, format;
    uint64_t size;                   /* octets of the whole */
    uint8_t hash[XNM_COMPILED_HASH]; /* of everything after it */
    char unicode[16];                /* version, padded with NULs */
    uint64_t lookalike;              /* xn_lookalike_version */
    uint64_t seed;
    struct xnm_depths depths, lookalike_depths, compared_whole, compared_left, part_suffixes;
    uint64_t part_lengths;
    uint32_t ttl; /* policy-ttl */
    uint8_t whole, any_tld, any_label, strict, part_left, near, within, private;
    uint8_t zero[12];
    struct xnm_compiled_span sections[XNM_COMPILED_SECTIONS];
};
enum { XNM_COMPILED_HASHED = offsetof(struct xnm_compiled_head, hash) + XNM_COMPILED_HASH };
_Static_assert(sizeof(struct xnm_compiled_head) ==
                   64 + 16 + 16 + 80 + 32 + 16 * XNM_COMPILED_SECTIONS,
               "the head has no padding");

/* The names of a line come from entries; its rank and counter are derived from the other members
 * (module/build/line.h). */
struct xnm_compiled_line {
    uint32_t file, subject, ede_text; /* in TEXT */
    uint32_t line, column, ttl;
    int32_t ede;
    uint32_t label_rule; /* number of its label rule: they are in the order of lines */
    uint8_t action, trigger, type_count;
    int8_t tag;
    uint16_t types[XNM_RULE_TYPES_MAX];
    uint8_t unseen[XNM_HITS_KEY];
    uint16_t audience; /* its number, from 1; 0: none */
    uint8_t log_only;
    uint8_t zero[1];
};
_Static_assert(sizeof(struct xnm_compiled_line) == 32 + 4 + 32 + 16 + 4 && XNM_RULE_TYPES_MAX == 16,
               "a line has no padding");

/* Addresses of a group of clients. */
struct xnm_compiled_client_set {
    uint32_t group, path;         /* in TEXT */
    uint32_t count[XNM_FAMILIES]; /* of ranges */
};
_Static_assert(sizeof(struct xnm_compiled_client_set) == 16, "a client set has no padding");

/* All else of an audience follows from its texts. */
struct xnm_compiled_audience {
    uint32_t client, when; /* in TEXT */
};

struct xnm_compiled_label_rule {
    uint64_t scripts[XN_SCRIPT_NUMBERS / 64];
    uint32_t verdict;
    uint32_t except_at, except_count; /* names in EXCEPTS */
    uint8_t key, ascii, any_tld, any_label, min, strict_min;
    uint8_t outside, level, near, within, private;
    uint8_t zero[1];
};
_Static_assert(sizeof(struct xnm_compiled_label_rule) == 32 + 12 + 12 && XN_SCRIPT_NUMBERS == 256,
               "a label rule has no padding");

struct xnm_compiled_verdict {
    uint32_t line, ttl;
    int32_t ede;
    uint32_t records_at, record_count; /* in RECORDS */
    uint8_t action, prefix;
    uint8_t zero[2];
    uint32_t modifiers; /* number of its modifiers, or XNM_COMPILED_NONE */
};
_Static_assert(sizeof(struct xnm_compiled_verdict) == 28, "a verdict has no padding");

struct xnm_compiled_modifiers {
    uint32_t denied_at, denied_len; /* wire names in TEXT */
    uint8_t exempts, strength, but_types, type_count;
    uint16_t types[XNM_RULE_TYPES_MAX];
};
_Static_assert(sizeof(struct xnm_compiled_modifiers) == 12 + 32, "modifiers have no padding");

struct xnm_compiled_record {
    uint16_t type, rdata_len;
    uint32_t ttl, rdata_at; /* in TEXT */
};
_Static_assert(sizeof(struct xnm_compiled_record) == 12, "a record has no padding");

/* A file that the policy was made from. */
struct xnm_compiled_source {
    uint64_t size;
    uint8_t hash[XNM_COMPILED_HASH];
    uint32_t path; /* in TEXT */
    uint8_t zero[4];
};
_Static_assert(sizeof(struct xnm_compiled_source) == 32, "a source has no padding");
_Static_assert(sizeof(struct xnm_wirename) == 1 + XN_WIRE_NAME_MAX, "a name has no padding");

/* The hash of a source file, and of a compiled policy. */
void xnm_compiled_hash(const void *octets, size_t len, uint8_t hash[XNM_COMPILED_HASH]);

static inline const void *xnm_compiled_part(const struct xnm_compiled_head *head,
                                            xnm_compiled_section section)
{
    return (const uint8_t *)head + head->sections[section].at;
}

static inline const struct xnm_compiled_head *xnm_compiled_head_of(const struct xnm_policy *policy)
{
    return (const struct xnm_compiled_head *)(const void *)policy->compiled.octets;
}

/* A compiled policy that is being read. Its head is complete, its sections are within it and
 * aligned, and TEXT is empty or ends with a NUL. */
struct xnm_compiled_reading {
    const struct xnm_compiled_head *head;
    struct xnm_policy *policy;
    const atomic_bool *stop;
    uint64_t text_left; /* octets of TEXT, less those of records and modifiers so far */
    uint32_t line_count, label_rule_count, except_count, verdict_count, record_count,
        audience_count, modifiers_count;
    struct xnm_modifiers *modifiers;
    uint32_t label_rules_taken, ranked, lists; /* by the lines so far */
    struct xnm_label_rule *label_rules;
    struct xnm_wirename *excepts;
    struct xnm_record *records;
};

/* Each turn of each loop asks this. False: the policy is no longer wanted. */
enum { XNM_COMPILED_TURNS = 1024 };
static inline bool xnm_compiled_goes_on(const struct xnm_compiled_reading *reading, size_t turn)
{
    return turn % XNM_COMPILED_TURNS != 0 || !xnm_stop_is_set(reading->stop);
}

/* Have no entries in a row of occupied places more than XNM_COMPILED_DENIED_MAX? No row is longer
 * than XNM_COMPILED_RUN_MAX. False, too, if another thread sets *stop; NULL: nobody does. */
bool xnm_compiled_denies_little(const struct xnm_policy *policy, const atomic_bool *stop);

/* Counts the elements of a section. False: the last one is incomplete. */
static inline bool xnm_compiled_count(const struct xnm_compiled_reading *reading,
                                      xnm_compiled_section section, size_t size, uint32_t *count)
{
    uint64_t len = reading->head->sections[section].len;

    *count = (uint32_t)(len / size);
    return len % size == 0;
}

/* Extends an empty arena by this many zero octets. The kernel provides them, so it takes no time.
 */
static inline bool xnm_compiled_room(struct xnm_arena *arena, size_t len)
{
    if (len > 0 && !xnm_arena_reserve(arena, len))
        return false;
    arena->len = len;
    return true;
}

/* read_rules reads the sections that are not kept into the policy, with read_verdicts once their
 * lines are read; take_tables uses the others in place. All return NULL, or what is wrong with the
 * compiled policy. */
const char *xnm_compiled_read_rules(struct xnm_compiled_reading *reading);
const char *xnm_compiled_read_verdicts(struct xnm_compiled_reading *reading);
const char *xnm_compiled_take_tables(struct xnm_compiled_reading *reading);
extern const char xnm_compiled_no_memory[];

#endif
