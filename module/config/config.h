/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads idn.conf, which holds the operator's settings. Host-free; immutable once read. */
#ifndef XNM_MODULE_CONFIG_CONFIG_H
#define XNM_MODULE_CONFIG_CONFIG_H

#include "module/base/record.h"
#include "module/base/subnet.h"
#include "module/rule/why.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct xnm_diagnostics;

/* Values of the keys below, in the order of their words in idn.conf(5). */
enum { XNM_LOG_TEXT, XNM_LOG_JSON, XNM_LOG_NONE };
enum { XNM_LOG_NAMES_ALL, XNM_LOG_NAMES_IDN, XNM_LOG_NAMES_POLICY };
enum { XNM_LOG_NAME_BOTH, XNM_LOG_NAME_ASCII };
enum { XNM_LOG_ANSWERS_NO, XNM_LOG_ANSWERS_ADDRESSES, XNM_LOG_ANSWERS_ALL };
enum { XNM_LOG_CLIENT_FULL, XNM_LOG_CLIENT_PREFIX, XNM_LOG_CLIENT_NONE };
enum { XNM_NO, XNM_YES };
enum { XNM_POLICY_ENFORCE, XNM_POLICY_LOG_ONLY };
enum { XNM_WATCH_YES, XNM_WATCH_NO };
enum { XNM_REQUIRED_NO, XNM_REQUIRED_YES };

/* The keys' words are the enums above. */
struct xnm_config {
    /* These are applied only at a reload. */
    uint8_t log;
    uint8_t log_names;
    uint8_t log_name;
    uint8_t log_client;
    uint8_t log_answers;
    uint8_t show_emoji;
    uint32_t metrics_interval; /* seconds */
    char *log_to;              /* a path; NULL: Unbound's own log. Owned. */
    char *metrics_file;        /* a path; NULL: none. Owned. */
    struct xnm_forwarders client_subnet_from;

    /* These are applied as soon as the file has changed. */
    struct xnm_config_policy {
        uint8_t mode;
        uint8_t watch;
        uint8_t required; /* the host does not start without its rules */
        uint32_t ttl;     /* seconds */
        uint64_t memory;  /* octets */
        char **files; /* paths of rule files, in their order. The array and the paths are owned. */
        size_t file_count;
        struct xnm_wirename soa_mname, soa_rname;
        struct xnm_why_settings why;
    } policy;
};

/* The file that the module reads by default. */
#define XNM_CONFIG_DEFAULT_PATH "/etc/unbound/idn.conf"

/* Sets every default. Free it with xnm_config_free. */
void xnm_config_init(struct xnm_config *config);
void xnm_config_free(struct xnm_config *config);

/* Copies *config to *copy, which the caller frees. Returns false when out of memory; there is no
 * copy then. */
bool xnm_config_copy(const struct xnm_config *config, struct xnm_config *copy);

/* Adds the path of a rule file, and takes it over. Returns false when out of memory, or if path is
 * NULL; the caller then keeps the path. */
bool xnm_config_add_policy(struct xnm_config *config, char *path);

/* Writes the names of the keys that differ and are applied only at a reload, such as "log, log-to".
 * Returns dst; "" if there are none. The others are those of the policy. */
enum { XNM_CONFIG_LIST_MAX = 160 };
const char *xnm_config_list_fixed(const struct xnm_config *a, const struct xnm_config *b,
                                  char dst[XNM_CONFIG_LIST_MAX]);

/* Reading a file stops after this many errors. */
enum { XNM_CONFIG_ERRORS_MAX = 100 };

/* Reads the text of a configuration file into *config, which xnm_config_init made. Reports all
 * errors of the file with line and column, up to XNM_CONFIG_ERRORS_MAX. `file` is its path:
 * relative paths in it begin at its folder. Returns whether there was no error. */
bool xnm_config_parse(struct xnm_config *config, const char *file, const char *text, size_t len,
                      const struct xnm_diagnostics *diagnostics);

/* Does the same for the file itself, a regular file of at most XNM_CONFIG_SIZE_MAX octets. */
enum { XNM_CONFIG_SIZE_MAX = 1 << 20 };
bool xnm_config_load(struct xnm_config *config, const char *file,
                     const struct xnm_diagnostics *diagnostics);

#endif
