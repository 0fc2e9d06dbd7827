/* SPDX-License-Identifier: BSD-3-Clause */
/* The policy in BIND 9.18 or 9.20, as a plugin of the unmodified named. In each view of named.conf,
 * or outside if there are none:
 *
 *     plugin query "/usr/lib/x86_64-linux-gnu/bind/idn.so" { config "/etc/bind/idn.conf"; };
 *
 * See doc/hosts.md. This file is what named calls when it reads its configuration: it loads
 * libidnpolicy, opens idn.conf, and tells named's log what the library says. namedquery.c decides
 * queries.
 *
 * BIND's structs change from one release to the next, in Debian's security updates too, so the
 * plugin fits only the one whose headers it was built with (NAMED_VERSION, of the names of BIND's
 * libraries). Those libraries are not linked: named has them. */
#include "module/hosts/named.h"

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <isc/buffer.h>
#include <isc/log.h>
#include <isc/result.h>
#include <isc/thread.h>
#include <isc/util.h>
#include <isccfg/cfg.h>
#include <isccfg/grammar.h>
#include <ns/log.h>

enum {
    WAITING_MAX = 1000, /* messages for named's log */
    MAJOR = 10000,      /* of IDNP_VERSION: one major version */
    MINOR = 100         /* likewise */
};

#define EXPORT __attribute__((visibility("default")))
#define CONFIG "/etc/bind/idn.conf"
#define LIBRARY "libidnpolicy.so.1"

/* named's log context, which named passes to the plugin. */
static isc_log_t *named_log;

/* The library's functions; all NULL until it is loaded. */
struct named_library named_library;

/* A message from the library for named's log. */
struct message {
    struct message *next;
    int32_t severity;
    char text[];
};

struct named_policy {
    struct named_policy *next;
    char *config;
    struct stat found; /* idn.conf, as it was opened */
    unsigned views;
    struct idnp *idnp;
    isc_thread_t teller;
    /* The teller uses these, under the lock. */
    pthread_mutex_t lock;
    pthread_cond_t told;
    struct message *first, **end;
    unsigned waiting, lost;
    bool is_closing;
};

/* Guards the open policies: named reads its configuration in one thread, but may drop a view in
 * any. */
static pthread_mutex_t opening = PTHREAD_MUTEX_INITIALIZER;
static struct named_policy *policies;

struct idnp *named_policy_handle(const struct named_policy *policy)
{
    return policy->idnp;
}

static void no_policy(const char *why)
{
    isc_log_write(named_log, NS_LOGCATEGORY_GENERAL, NS_LOGMODULE_HOOKS, ISC_LOG_ERROR,
                  "idn: no policy: %s", why);
}

/* --- which named, which library --- */

/* Copies the version of the loaded libns from its file name, libns-VERSION.so. */
static int read_version(struct dl_phdr_info *info, size_t size, void *arg)
{
    const char *name = strrchr(info->dlpi_name, '/');
    char *version = arg;

    (void)size;
    name = name ? name + 1 : info->dlpi_name;
    return sscanf(name, "libns-%99[^/]", version) == 1;
}

/* Is this the named that the plugin was built for? */
static bool is_our_named(void)
{
    char version[100] = "";
    char why[300];

    dl_iterate_phdr(read_version, version);
    char *end = strstr(version, ".so");
    if (end)
        *end = '\0';
    if (strcmp(version, NAMED_VERSION) == 0)
        return true;
    snprintf(why, sizeof why, "this plugin was built for BIND %s, and this is %s", NAMED_VERSION,
             *version ? version : "another");
    no_policy(why);
    return false;
}

/* Whether a library of that version has what this was compiled with: one major version only adds.
 */
static bool fits(uint32_t version)
{
    return version / MAJOR == IDNP_VERSION / MAJOR && version / MINOR >= IDNP_VERSION / MINOR;
}

static bool load_library(const char *path)
{
    static char *loaded;
    char why[512];

    if (loaded && strcmp(loaded, path) == 0)
        return true;
    if (loaded) {
        snprintf(why, sizeof why, "%s: %s is loaded already", path, loaded);
        no_policy(why);
        return false;
    }
    void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!handle) {
        no_policy(dlerror());
        return false;
    }
    struct named_library library;
#define LOAD(name) library.name = (__typeof__(library.name))dlsym(handle, #name);
    NAMED_LIBRARY(LOAD)
#undef LOAD
    if (!library.idnp_version || !library.idnp_version_text || !fits(library.idnp_version())) {
        snprintf(why, sizeof why, "%s is version %s, and this needs %s", path,
                 library.idnp_version_text ? library.idnp_version_text() : "unknown",
                 IDNP_VERSION_TEXT);
        no_policy(why);
        dlclose(handle);
        return false;
    }
#define HAS(name) &&library.name
    if (!(true NAMED_LIBRARY(HAS)) || !(loaded = strdup(path))) {
        snprintf(why, sizeof why, "%s lacks functions", path);
        no_policy(why);
        dlclose(handle);
        return false;
    }
#undef HAS
    named_library = library;
    return true;
}

/* --- what the library says --- */

/* Takes a message from any thread of the library. named's log may not know that thread, so the
 * teller writes the message later. */
static void hear(void *arg, int32_t severity, const char *line, size_t len)
{
    struct named_policy *policy = arg;
    struct message *message = malloc(sizeof *message + len + 1);

    pthread_mutex_lock(&policy->lock);
    if (message && policy->waiting < WAITING_MAX) {
        message->next = NULL;
        message->severity = severity;
        memcpy(message->text, line, len + 1);
        *policy->end = message;
        policy->end = &message->next;
        policy->waiting++;
        message = NULL;
    } else {
        policy->lost++;
    }
    pthread_cond_signal(&policy->told);
    pthread_mutex_unlock(&policy->lock);
    free(message);
}

/* Takes all waiting messages off the queue; the caller holds the lock. */
static struct message *take(struct named_policy *policy, unsigned *lost)
{
    struct message *first = policy->first;

    *lost = policy->lost;
    policy->first = NULL;
    policy->end = &policy->first;
    policy->waiting = policy->lost = 0;
    return first;
}

static void tell(struct message *message, bool write)
{
    static const int levels[] = {[IDNP_ERROR] = ISC_LOG_ERROR,
                                 [IDNP_WARNING] = ISC_LOG_WARNING,
                                 [IDNP_NOTICE] = ISC_LOG_NOTICE,
                                 [IDNP_LINE] = ISC_LOG_INFO};

    while (message) {
        struct message *next = message->next;
        bool is_marked = message->severity == IDNP_LINE || strncmp(message->text, "idn: ", 5) == 0;
        if (write)
            isc_log_write(named_log, NS_LOGCATEGORY_GENERAL, NS_LOGMODULE_HOOKS,
                          levels[message->severity], "%s%s",
                          is_marked ? "" : "idn: ", message->text);
        free(message);
        message = next;
    }
}

static void *tell_all(void *arg)
{
    struct named_policy *policy = arg;
    bool is_closing;

    do {
        unsigned lost;
        pthread_mutex_lock(&policy->lock);
        while (!policy->first && policy->lost == 0 && !policy->is_closing)
            pthread_cond_wait(&policy->told, &policy->lock);
        struct message *first = take(policy, &lost);
        is_closing = policy->is_closing;
        pthread_mutex_unlock(&policy->lock);
        tell(first, true);
        if (lost > 0)
            isc_log_write(named_log, NS_LOGCATEGORY_GENERAL, NS_LOGMODULE_HOOKS, ISC_LOG_WARNING,
                          "idn: %u messages lost", lost);
    } while (!is_closing);
    return NULL;
}

/* --- policies --- */

static void free_policy(struct named_policy *policy)
{
    unsigned lost;

    tell(take(policy, &lost), false);
    pthread_cond_destroy(&policy->told);
    pthread_mutex_destroy(&policy->lock);
    free(policy->config);
    free(policy);
}

static struct named_policy *open_policy(const char *config, const struct stat *found)
{
    struct named_policy *policy = calloc(1, sizeof *policy);
    char errors[4096] = "";

    if (!policy || !(policy->config = strdup(config))) {
        free(policy);
        no_policy("no memory");
        return NULL;
    }
    policy->found = *found;
    policy->end = &policy->first;
    pthread_mutex_init(&policy->lock, NULL);
    pthread_cond_init(&policy->told, NULL);
    const struct idnp_options options = {.size = sizeof options, .log = hear, .log_arg = policy};
    policy->idnp = named_library.idnp_open(config, &options, errors, sizeof errors);
    if (!policy->idnp) {
        for (char *end; (end = strchr(errors, '\n'));)
            *end = end[1] ? ';' : '\0';
        no_policy(*errors ? errors : "no memory");
        free_policy(policy);
        return NULL;
    }
    isc_thread_create(tell_all, policy, &policy->teller);
    return policy;
}

static bool is_same_file(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino && a->st_size == b->st_size &&
           a->st_mtim.tv_sec == b->st_mtim.tv_sec && a->st_mtim.tv_nsec == b->st_mtim.tv_nsec;
}

/* Returns the policy of an idn.conf. If a view has already opened the file in its present state,
 * the views share that policy; otherwise it is opened, so `rndc reconfig` reads a changed file.
 * NULL: there is none, and named's log says why. */
static struct named_policy *attach(const char *config)
{
    struct stat found;
    struct named_policy *policy;

    if (stat(config, &found) != 0)
        found = (struct stat){0}; /* idnp_open says so */
    pthread_mutex_lock(&opening);
    for (policy = policies; policy; policy = policy->next) {
        if (strcmp(policy->config, config) == 0 && is_same_file(&policy->found, &found))
            break;
    }
    if (!policy && (policy = open_policy(config, &found))) {
        policy->next = policies;
        policies = policy;
    }
    if (policy)
        policy->views++;
    pthread_mutex_unlock(&opening);
    return policy;
}

/* Gives up a view's share of a policy. The last view closes it. */
static void detach(struct named_policy *policy)
{
    pthread_mutex_lock(&opening);
    bool is_last = --policy->views == 0;
    for (struct named_policy **link = &policies; is_last && *link; link = &(*link)->next) {
        if (*link == policy) {
            *link = policy->next;
            break;
        }
    }
    pthread_mutex_unlock(&opening);
    if (!is_last)
        return;
    named_library.idnp_close(policy->idnp);
    pthread_mutex_lock(&policy->lock);
    policy->is_closing = true;
    pthread_cond_signal(&policy->told);
    pthread_mutex_unlock(&policy->lock);
    isc_thread_join(policy->teller, NULL);
    free_policy(policy);
}

/* --- what named calls --- */

static cfg_clausedef_t clauses[] = {
    {"config", &cfg_type_qstring, 0}, {"library", &cfg_type_qstring, 0}, {NULL, NULL, 0}};
static cfg_clausedef_t *clause_sets[] = {clauses, NULL};
static cfg_type_t parameters_type = {"idn-parameters", cfg_parse_mapbody, cfg_print_mapbody,
                                     cfg_doc_mapbody,  &cfg_rep_map,      clause_sets};

struct parameters {
    cfg_parser_t *parser;
    cfg_obj_t *map;
    const char *config;
};

static const char *word(const cfg_obj_t *map, const char *key, const char *otherwise)
{
    const cfg_obj_t *obj = NULL;

    return map && cfg_map_get(map, key, &obj) == ISC_R_SUCCESS ? cfg_obj_asstring(obj) : otherwise;
}

static void free_parameters(struct parameters *parameters)
{
    if (parameters->map)
        cfg_obj_destroy(parameters->parser, &parameters->map);
    if (parameters->parser)
        cfg_parser_destroy(&parameters->parser);
}

/* Reads the plugin's parameters and loads the library. If it fails, named's log says why; the
 * caller frees the parameters in any case. */
static isc_result_t begin(struct parameters *parameters, const char *text, const char *file,
                          unsigned long line, isc_mem_t *mctx, isc_log_t *lctx)
{
    isc_result_t result = ISC_R_SUCCESS;

    *parameters = (struct parameters){0};
    named_log = lctx;
    if (!is_our_named())
        return ISC_R_FAILURE;
    if (text) {
        isc_buffer_t buffer;
        isc_buffer_constinit(&buffer, text, (unsigned)strlen(text));
        isc_buffer_add(&buffer, (unsigned)strlen(text));
        result = cfg_parser_create(mctx, lctx, &parameters->parser);
        if (result == ISC_R_SUCCESS)
            result = cfg_parse_buffer(parameters->parser, &buffer, file, (unsigned)line,
                                      &parameters_type, 0, &parameters->map);
    }
    if (result != ISC_R_SUCCESS)
        return result;
    parameters->config = word(parameters->map, "config", CONFIG);
    return load_library(word(parameters->map, "library", LIBRARY)) ? ISC_R_SUCCESS : ISC_R_FAILURE;
}

EXPORT isc_result_t plugin_register(const char *text, const void *cfg, const char *file,
                                    unsigned long line, isc_mem_t *mctx, isc_log_t *lctx,
                                    void *actx, ns_hooktable_t *hooks, void **instp)
{
    struct parameters parameters;
    struct named_policy *policy = NULL;

    (void)cfg;
    (void)actx;
    isc_result_t result = begin(&parameters, text, file, line, mctx, lctx);
    if (result == ISC_R_SUCCESS && !(policy = attach(parameters.config)))
        result = ISC_R_FAILURE;
    free_parameters(&parameters);
    if (policy)
        named_query_hook(hooks, mctx, policy);
    *instp = policy;
    return result;
}

/* Checks the parameters for named-checkconf. It does not open idn.conf: that would open the log, as
 * another user. */
EXPORT isc_result_t plugin_check(const char *text, const void *cfg, const char *file,
                                 unsigned long line, isc_mem_t *mctx, isc_log_t *lctx, void *actx)
{
    struct parameters parameters;

    (void)cfg;
    (void)actx;
    isc_result_t result = begin(&parameters, text, file, line, mctx, lctx);
    if (result == ISC_R_SUCCESS && access(parameters.config, R_OK) != 0) {
        char why[512];
        snprintf(why, sizeof why, "%s: %s", parameters.config, strerror(errno));
        no_policy(why);
        result = ISC_R_FAILURE;
    }
    free_parameters(&parameters);
    return result;
}

EXPORT void plugin_destroy(void **instp)
{
    detach(*instp);
    *instp = NULL;
}

EXPORT int plugin_version(void)
{
    return NS_PLUGIN_VERSION;
}
