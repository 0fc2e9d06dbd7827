/* SPDX-License-Identifier: BSD-3-Clause */
/* The file format of a compiled policy, which `unbound-idn compile` writes and a rule line
 * `compiled PATH` reads. Private to module/image/; others use module/image/write.h and
 * module/image/read.h.
 *
 * A head, then sections, each at a multiple of XNM_IMAGE_ALIGN octets, with zeros between them.
 * Numbers are little-endian and of fixed width. Places in a section are counted from its start;
 * there are no addresses. The large parts (entries, tables, filters, protected names) have their
 * layout in memory (module/policy/data.h, module/policy/lookalike.h) and are used in place; the
 * rest is read into structs, and its memory is given back.
 *
 * XNM_IMAGE_FORMAT changes with any of this, and with anything else that changes the policy that
 * the same rules give: how names are mapped, hashed or ranked, the order of the enums in
 * module/rule/rules.h, what a look-alike key is. */
#ifndef XNM_MODULE_IMAGE_IMAGE_H
#define XNM_MODULE_IMAGE_IMAGE_H

#include "module/base/thread.h"
#include "module/policy/data.h"

#define XNM_IMAGE_MAGIC "unbound-idn compiled policy\n"
enum {
    XNM_IMAGE_FORMAT = 2,
    XNM_IMAGE_ORDER = 0x01020304, /* has the byte order of the machine that wrote it */
    XNM_IMAGE_ALIGN = 64,         /* a cache line, and more than any number needs */
    XNM_IMAGE_HASH = 16           /* octets of an XXH3 of 128 bits */
};
/* The most occupied places in a row in any table. Neither a list with colliding names nor a forged
 * compiled policy can make a search longer. A million names reach about 200 by chance. */
enum { XNM_IMAGE_RUN_MAX = 4096 };
#define XNM_IMAGE_NONE UINT32_MAX /* no text, or no label rule */

typedef enum {
    /* Used in place: */
    XNM_IMAGE_ENTRIES,
    XNM_IMAGE_SLOTS,
    XNM_IMAGE_FILTER,
    XNM_IMAGE_NAMES,
    XNM_IMAGE_NAME_SLOTS,
    XNM_IMAGE_EXEMPT,
    XNM_IMAGE_EVERY,
    XNM_IMAGE_PLAIN,
    XNM_IMAGE_CONDITIONS,
    XNM_IMAGE_SOURCES,
    XNM_IMAGE_TEXT, /* strings, each with a NUL, and RDATA */
    XNM_IMAGE_KEPT, /* … up to here; read into structs: */
    XNM_IMAGE_LINES = XNM_IMAGE_KEPT,
    XNM_IMAGE_LABEL_RULES,
    XNM_IMAGE_EXCEPTS,
    XNM_IMAGE_VERDICTS,
    XNM_IMAGE_RECORDS,
    XNM_IMAGE_TAGS, /* uint32_t: where their texts begin */
    XNM_IMAGE_SECTIONS
} xnm_image_section;

/* octets from the start of the file */
struct xnm_image_span {
    uint64_t at, len;
};

struct xnm_image_head {
    char magic[32];
    uint32_t order, format;
    uint64_t size;                /* octets of the whole */
    uint8_t hash[XNM_IMAGE_HASH]; /* of everything after it */
    char unicode[16];             /* version, padded with NULs */
    uint64_t lookalike;           /* xn_lookalike_version */
    uint64_t seed;
    struct xnm_depths depths, lookalike_depths, compared_whole, compared_left;
    uint32_t ttl; /* policy-ttl */
    uint8_t whole, any_tld, any_label;
    uint8_t zero[9];
    struct xnm_image_span sections[XNM_IMAGE_SECTIONS];
};
enum { XNM_IMAGE_HASHED = offsetof(struct xnm_image_head, hash) + XNM_IMAGE_HASH };
_Static_assert(sizeof(struct xnm_image_head) == 64 + 16 + 16 + 64 + 16 + 16 * XNM_IMAGE_SECTIONS,
               "the head has no padding");

/* The names of a line come from entries; its rank and counter are derived from the other members
 * (module/build/line.h). */
struct xnm_image_line {
    uint32_t file, subject, ede_text; /* in TEXT */
    uint32_t line, column, ttl;
    int32_t ede;
    uint32_t label_rule; /* number of its label rule: they are in the order of lines */
    uint8_t action, trigger, type_count;
    int8_t tag;
    uint16_t types[XNM_RULE_TYPES_MAX];
    uint8_t unseen[XNM_HITS_KEY];
    uint8_t zero[4];
};
_Static_assert(sizeof(struct xnm_image_line) == 32 + 4 + 32 + 16 + 4 && XNM_RULE_TYPES_MAX == 16,
               "a line has no padding");

struct xnm_image_label_rule {
    uint64_t scripts[XN_SCRIPT_NUMBERS / 64];
    uint32_t verdict;
    uint32_t except_at, except_count; /* names in EXCEPTS */
    uint8_t key, ascii, any_tld, any_label, min, strict_min;
    uint8_t outside, level;
    uint8_t zero[4];
};
_Static_assert(sizeof(struct xnm_image_label_rule) == 32 + 12 + 12 && XN_SCRIPT_NUMBERS == 256,
               "a label rule has no padding");

struct xnm_image_verdict {
    uint32_t line, ttl;
    int32_t ede;
    uint32_t records_at, record_count; /* in RECORDS */
    uint8_t action, prefix;
    uint8_t zero[2];
};
_Static_assert(sizeof(struct xnm_image_verdict) == 24, "a verdict has no padding");

struct xnm_image_record {
    uint16_t type, rdata_len;
    uint32_t ttl, rdata_at; /* in TEXT */
};
_Static_assert(sizeof(struct xnm_image_record) == 12, "a record has no padding");

/* A file that the policy was made from. */
struct xnm_image_source {
    uint64_t size;
    uint8_t hash[XNM_IMAGE_HASH];
    uint32_t path; /* in TEXT */
    uint8_t zero[4];
};
_Static_assert(sizeof(struct xnm_image_source) == 32, "a source has no padding");
_Static_assert(sizeof(struct xnm_wirename) == 1 + XN_WIRE_NAME_MAX, "a name has no padding");

/* The hash of a source file, and of an image. */
void xnm_image_hash(const void *octets, size_t len, uint8_t hash[XNM_IMAGE_HASH]);

static inline const void *xnm_image_part(const struct xnm_image_head *head,
                                         xnm_image_section section)
{
    return (const uint8_t *)head + head->sections[section].at;
}

static inline const struct xnm_image_head *xnm_image_head_of(const struct xnm_policy *policy)
{
    return (const struct xnm_image_head *)(const void *)policy->image.octets;
}

/* An image that is being read. Its head is complete, its sections are within it and aligned, and
 * TEXT is empty or ends with a NUL. */
struct xnm_image_reading {
    const struct xnm_image_head *head;
    struct xnm_policy *policy;
    const atomic_bool *stop;
    uint32_t line_count, label_rule_count, except_count, verdict_count, record_count;
    uint32_t label_rules_taken, ranked, lists; /* by the lines so far */
    struct xnm_label_rule *label_rules;
    struct xnm_wirename *excepts;
    struct xnm_record *records;
};

/* Each turn of each loop asks this. False: the policy is no longer wanted. */
enum { XNM_IMAGE_TURNS = 1024 };
static inline bool xnm_image_goes_on(const struct xnm_image_reading *reading, size_t turn)
{
    return turn % XNM_IMAGE_TURNS != 0 || !xnm_stop_is_set(reading->stop);
}

/* read_rules reads the sections that are not kept into the policy; take_tables uses the others in
 * place. Both return NULL, or what is wrong with the image. */
const char *xnm_image_read_rules(struct xnm_image_reading *reading);
const char *xnm_image_take_tables(struct xnm_image_reading *reading);
extern const char xnm_image_no_memory[];

#endif
