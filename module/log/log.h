/* SPDX-License-Identifier: BSD-3-Clause */
/* Logs a reply: reads its name, or finds it in the thread's cache, and gives the line to the
 * writer.
 */
#ifndef XNM_MODULE_LOG_LOG_H
#define XNM_MODULE_LOG_LOG_H

#include "core/idna/name.h"
#include "module/config/config.h"
#include "module/log/logreply.h"
#include "module/log/namecache.h"

struct xnm_logwriter;

/* The parts of a state that log its replies. Pointers are borrowed. */
struct xnm_log {
    const struct xnm_config *config;
    const struct xn_unicode *unicode;
    struct xnm_logwriter *writer; /* NULL if no line is written */
    uint64_t owner;               /* of entries in the cache of names: see namecache.h */
    bool is_checked;              /* rules decide which words of other scripts imitate ASCII ones,
                                    and none matched: such words are written in Unicode */
};

/* Finds the reasons of a name with A-labels, which xn_name_split made of reply->qname: the thread
 * knows them, or the name is decoded; also if `is_logged` is set and the thread does not know its
 * text. Returns the name's place in the thread's cache, or NULL if
 * it has none. */
struct xnm_namecache_entry *xnm_log_read(const struct xnm_log *log, const struct xnm_reply *reply,
                                         bool is_logged, struct xn_name *name);

/* Writes the reply's line. `name` and `known` are what xnm_log_read left and returned; for a name
 * without A-labels, what xn_name_split made of it and NULL. */
void xnm_log_reply(const struct xnm_log *log, const struct xnm_reply *reply, struct xn_name *name,
                   struct xnm_namecache_entry *known);

#endif
