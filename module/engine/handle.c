/* SPDX-License-Identifier: BSD-3-Clause */
#include "module/engine/handle.h"

#include "module/base/same.h"
#include "module/engine/sized.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

uint32_t idnp_version(void)
{
    return IDNP_VERSION;
}

const char *idnp_version_text(void)
{
    return IDNP_VERSION_TEXT;
}

/* --- messages for idnp_message --- */

static bool init_messages(struct xnm_handle_messages *messages)
{
    messages->first = messages->len = 0;
    messages->lost = 0;
    return pthread_mutex_init(&messages->lock, NULL) == 0;
}

static void free_messages(struct xnm_handle_messages *messages)
{
    pthread_mutex_destroy(&messages->lock);
}

static bool append(struct xnm_handle_messages *messages, int32_t severity, const char *line,
                   size_t len)
{
    len = strnlen(line, len); /* the line ends at a NUL */
    if (len + 2 > XNM_HANDLE_MESSAGES_MAX - messages->len)
        return false;
    if (len + 2 > XNM_HANDLE_MESSAGES_MAX - messages->first - messages->len) {
        memmove(messages->text, messages->text + messages->first, messages->len);
        messages->first = 0;
    }
    char *at = messages->text + messages->first + messages->len;
    *at = (char)('0' + severity);
    memcpy(at + 1, line, len);
    at[1 + len] = '\0';
    messages->len += len + 2;
    return true;
}

static bool report_lost_messages(struct xnm_handle_messages *messages)
{
    char line[64];

    if (messages->lost == 0)
        return true;
    int len =
        snprintf(line, sizeof line, "idn: %llu messages lost", (unsigned long long)messages->lost);
    if (!append(messages, IDNP_WARNING, line, (size_t)len))
        return false;
    messages->lost = 0;
    return true;
}

static void queue_message(struct xnm_handle_messages *messages, int32_t severity, const char *line,
                          size_t len)
{
    pthread_mutex_lock(&messages->lock);
    if (!report_lost_messages(messages) || !append(messages, severity, line, len))
        messages->lost++;
    pthread_mutex_unlock(&messages->lock);
}

static int32_t take_first(struct xnm_handle_messages *messages, char *dst, size_t cap)
{
    const char *at = messages->text + messages->first;

    if (messages->len == 0)
        return IDNP_NO_MESSAGE;
    size_t len = strlen(at + 1), fits = len < cap ? len : cap - 1;
    memcpy(dst, at + 1, fits);
    dst[fits] = '\0';
    messages->first += len + 2;
    messages->len -= len + 2;
    return *at - '0';
}

static int32_t take_message(struct xnm_handle_messages *messages, char *dst, size_t cap)
{
    if (cap == 0)
        return IDNP_NO_MESSAGE;
    *dst = '\0';
    pthread_mutex_lock(&messages->lock);
    int32_t severity = take_first(messages, dst, cap);
    pthread_mutex_unlock(&messages->lock);
    return severity;
}

/* --- messages --- */

static void send_message(struct idnp *idnp, int32_t severity, const char *line, size_t len)
{
    if (idnp->options.log)
        idnp->options.log(idnp->options.log_arg, severity, line, len);
    else
        queue_message(&idnp->messages, severity, line, len);
}

static void keep_error(struct idnp *idnp, const char *line, size_t len)
{
    if (idnp->errors.cap == 0)
        return;
    if (len + 2 > idnp->errors.cap - idnp->errors.len) {
        idnp->errors.cap = 0; /* so that no later one is written */
        return;
    }
    memcpy(idnp->errors.at + idnp->errors.len, line, len);
    idnp->errors.len += len;
    memcpy(idnp->errors.at + idnp->errors.len++, "\n", 2);
}

static void report(void *arg, xnm_severity severity, const struct xnm_place *place,
                   const char *message)
{
    char text[2048];

    xnm_diagnostics_text(place, message, text, sizeof text);
    keep_error(arg, text, strlen(text));
    send_message(arg, severity == XNM_ERROR ? IDNP_ERROR : IDNP_WARNING, text, strlen(text));
}

/* The host gets a line with a NUL. */
static void send_line(void *arg, const char *line, size_t len)
{
    struct idnp *idnp = arg;
    char copy[XNM_LOGWRITER_HOST_LINE_MAX + 1];

    if (!idnp->options.log) {
        queue_message(&idnp->messages, IDNP_LINE, line, len);
        return;
    }
    if (len > XNM_LOGWRITER_HOST_LINE_MAX)
        len = XNM_LOGWRITER_HOST_LINE_MAX;
    memcpy(copy, line, len);
    copy[len] = '\0';
    idnp->options.log(idnp->options.log_arg, IDNP_LINE, copy, len);
}

static void send_notice(void *arg, const char *line, size_t len)
{
    send_message(arg, IDNP_NOTICE, line, len);
}

int32_t idnp_message(struct idnp *idnp, char *dst, size_t cap)
{
    return idnp && dst ? take_message(&idnp->messages, dst, cap) : IDNP_NO_MESSAGE;
}

/* --- opening --- */

enum { FLAGS = IDNP_NO_CLIENTS | IDNP_NO_TRANSPORT | IDNP_RELOADS };

static unsigned lacks_of(const struct idnp_options *options)
{
    return (options->flags & IDNP_NO_CLIENTS ? XNM_LACKS_CLIENTS : 0) |
           (options->flags & IDNP_NO_TRANSPORT ? XNM_LACKS_TRANSPORT : 0);
}

static struct xnm_state *open_state(struct idnp *idnp)
{
    return xnm_state_open(&(struct xnm_state_options){
        .engine = idnp->engine,
        .config_path = idnp->config ? idnp->config : XNM_CONFIG_DEFAULT_PATH,
        .config_may_be_missing = !idnp->config,
        .host_log = {.write = send_line, .arg = idnp},
        .notices = {.write = send_notice, .arg = idnp},
        .diagnostics = &idnp->diagnostics,
        .lacks = lacks_of(&idnp->options),
        .threads = true,
        .later = true,
        .counts = true,
    });
}

static pthread_mutex_t starting = PTHREAD_MUTEX_INITIALIZER; /* locked to start threads */

void xnm_handle_start(struct idnp *idnp)
{
    pthread_mutex_lock(&starting);
    if (!idnp->has_threads) {
        xnm_state_start(idnp->state);
        atomic_store_explicit(&idnp->has_threads, true, memory_order_release);
    }
    pthread_mutex_unlock(&starting);
}

/* --- from one handle to the next (IDNP_RELOADS) --- */

/* The policy, the counters and the last good configuration of a closed handle. The next handle for
 * the same idn.conf takes them. */
struct left {
    struct xnm_engine *engine;
    char *config;
    struct left *next;
};
static struct left *lefts;
static pthread_mutex_t leaving = PTHREAD_MUTEX_INITIALIZER; /* locked to use the list */

/* Takes what a handle has left for this idn.conf; NULL: nothing. */
static struct xnm_engine *take_left(const char *config)
{
    struct xnm_engine *engine = NULL;

    pthread_mutex_lock(&leaving);
    struct left **link = &lefts;
    while (*link && !xnm_same((*link)->config, config))
        link = &(*link)->next;
    struct left *found = *link;
    if (found) {
        *link = found->next;
        engine = found->engine;
        free(found->config);
        free(found);
    }
    pthread_mutex_unlock(&leaving);
    return engine;
}

/* Leaves the engine and the path for the next handle. Without memory, that begins without a policy.
 */
static void leave(struct idnp *idnp)
{
    struct left *left = malloc(sizeof *left);

    if (!left)
        return;
    pthread_mutex_lock(&leaving);
    *left = (struct left){idnp->engine, idnp->config, lefts};
    lefts = left;
    pthread_mutex_unlock(&leaving);
    idnp->engine = NULL;
    idnp->config = NULL;
}

/* --- handles --- */

static void free_handle(struct idnp *idnp)
{
    xnm_engine_free(idnp->engine);
    free_messages(&idnp->messages);
    free(idnp->config);
    free(idnp);
}

static struct idnp *new_handle(const char *config, const struct idnp_options *options)
{
    struct idnp *idnp = calloc(1, sizeof *idnp);

    if (!idnp || !init_messages(&idnp->messages)) {
        free(idnp);
        return NULL;
    }
    idnp->options = *options;
    idnp->diagnostics = (struct xnm_diagnostics){report, idnp};
    idnp->config = config ? strdup(config) : NULL;
    if (options->flags & IDNP_RELOADS)
        idnp->engine = take_left(config);
    if (!idnp->engine)
        idnp->engine = xnm_engine_new();
    if (idnp->engine && !idnp->config == !config)
        return idnp;
    free_handle(idnp);
    return NULL;
}

static void write_error(char *errors, size_t cap, const char *text)
{
    if (strlen(text) < cap)
        memcpy(errors, text, strlen(text) + 1);
}

/* Returns the error in a program's options, or NULL. */
static const char *read_options(struct idnp_options *options, const struct idnp_options *theirs)
{
    switch (xnm_sized_read(options, sizeof *options, XNM_OPTIONS_SIZE_1_0_0, theirs)) {
    case 0:
        return options->flags & ~(uint32_t)FLAGS
                   ? "options: flags has a flag that this library, " IDNP_VERSION_TEXT
                     ", does not know\n"
                   : NULL;
    case IDNP_TOO_NEW:
        return "options: a member is set that this library, " IDNP_VERSION_TEXT ", does not know\n";
    default:
        return "options: size is not that of a struct idnp_options\n";
    }
}

struct idnp *idnp_open(const char *config, const struct idnp_options *options, char *errors,
                       size_t errors_cap)
{
    struct idnp_options copy = {.size = sizeof copy};

    if (errors_cap > 0)
        errors[0] = '\0';
    const char *fault = options ? read_options(&copy, options) : NULL;
    if (fault) {
        write_error(errors, errors_cap, fault);
        return NULL;
    }
    struct idnp *idnp = new_handle(config, &copy);
    if (!idnp) {
        write_error(errors, errors_cap, "out of memory\n");
        return NULL;
    }
    idnp->errors.at = errors;
    idnp->errors.cap = errors_cap;
    idnp->state = open_state(idnp);
    idnp->errors.cap = idnp->errors.len = 0;
    if (idnp->state)
        return idnp;
    free_handle(idnp);
    return NULL;
}

/* --- shared handles --- */

static struct idnp *shared; /* `next` leads to the others */
static pthread_mutex_t sharing =
    PTHREAD_MUTEX_INITIALIZER; /* locked to open or close one of them */

static struct idnp *share(const char *config, const struct idnp_options *options, char *errors,
                          size_t errors_cap)
{
    struct idnp *idnp = shared;

    while (idnp && !xnm_same(idnp->config, config))
        idnp = idnp->next;
    if (idnp) {
        idnp->owners++;
        return idnp;
    }
    idnp = idnp_open(config, options, errors, errors_cap);
    if (idnp) {
        idnp->owners = 1;
        idnp->next = shared;
        shared = idnp;
    }
    return idnp;
}

struct idnp *idnp_open_shared(const char *config, const struct idnp_options *options, char *errors,
                              size_t errors_cap)
{
    if (errors_cap > 0)
        errors[0] = '\0';
    pthread_mutex_lock(&sharing);
    struct idnp *idnp = share(config, options, errors, errors_cap);
    pthread_mutex_unlock(&sharing);
    return idnp;
}

/* Removes one owner. Returns whether it was the last: the handle is then in no list. */
static bool remove_owner(struct idnp *idnp)
{
    struct idnp **link = &shared;

    if (idnp->owners == 0)
        return true;
    if (--idnp->owners > 0)
        return false;
    while (*link != idnp)
        link = &(*link)->next;
    *link = idnp->next;
    return true;
}

void idnp_close(struct idnp *idnp)
{
    if (!idnp)
        return;
    pthread_mutex_lock(&sharing);
    bool is_last = remove_owner(idnp);
    pthread_mutex_unlock(&sharing);
    if (!is_last)
        return;
    xnm_state_close(idnp->state);
    if (idnp->options.flags & IDNP_RELOADS)
        leave(idnp);
    free_handle(idnp);
}

int32_t idnp_wants_subnet(const struct idnp *idnp)
{
    return idnp && xnm_state_forwarders(idnp->state);
}

uint64_t idnp_generation(struct idnp *idnp)
{
    if (!idnp)
        return 0;
    xnm_handle_ready(idnp);
    return xnm_policyhandle_generation(xnm_state_force(idnp->state));
}

size_t idnp_metrics(struct idnp *idnp, char *dst, size_t cap)
{
    size_t len = 0;

    if (!idnp)
        return 0;
    xnm_handle_ready(idnp);
    char *text = xnm_state_metrics(idnp->state, &len);
    if (text && len < cap)
        memcpy(dst, text, len + 1);
    free(text);
    return text ? len : 0;
}
