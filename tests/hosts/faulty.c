/* SPDX-License-Identifier: BSD-3-Clause */
/* A libidnpolicy for tests. The functions named in the file `failing` beside it fail; all others
 * call the library `real.so` beside it. */
#include "module/engine/idnpolicy.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *beside(const char *name)
{
    static _Thread_local char path[PATH_MAX];
    Dl_info info;

    if (!dladdr((void *)(uintptr_t)&beside, &info))
        abort();
    const char *slash = strrchr(info.dli_fname, '/');
    snprintf(path, sizeof path, "%.*s/%s", (int)(slash - info.dli_fname), info.dli_fname, name);
    return path;
}

static bool fails(const char *function)
{
    char words[256] = "";
    FILE *file = fopen(beside("failing"), "r");

    if (!file)
        return false;
    bool found = false;
    while (!found && fscanf(file, "%255s", words) == 1)
        found = strcmp(words, function) == 0;
    fclose(file);
    return found;
}

static void *real(const char *function)
{
    void *library = dlopen(beside("real.so"), RTLD_NOW | RTLD_LOCAL);
    void *found = library ? dlsym(library, function) : NULL;

    if (!found)
        abort();
    return found;
}

#define REAL(name) ((__typeof__(&(name)))real(#name))

/* "Fails" by returning the next minor version. */
uint32_t idnp_version(void)
{
    return REAL(idnp_version)() + (fails("idnp_version") ? 100 : 0);
}

const char *idnp_version_text(void)
{
    return REAL(idnp_version_text)();
}

struct idnp *idnp_open(const char *config, const struct idnp_options *options, char *errors,
                       size_t errors_cap)
{
    return fails(__func__) ? NULL : REAL(idnp_open)(config, options, errors, errors_cap);
}

struct idnp *idnp_open_shared(const char *config, const struct idnp_options *options, char *errors,
                              size_t errors_cap)
{
    return fails(__func__) ? NULL : REAL(idnp_open_shared)(config, options, errors, errors_cap);
}

void idnp_close(struct idnp *idnp)
{
    REAL(idnp_close)(idnp);
}

int32_t idnp_wants_subnet(const struct idnp *idnp)
{
    return REAL(idnp_wants_subnet)(idnp);
}

int32_t idnp_message(struct idnp *idnp, char *dst, size_t cap)
{
    return fails(__func__) ? IDNP_NO_MESSAGE : REAL(idnp_message)(idnp, dst, cap);
}

uint64_t idnp_generation(struct idnp *idnp)
{
    return REAL(idnp_generation)(idnp);
}

struct idnp_decision *idnp_decision_new(void)
{
    return fails(__func__) ? NULL : REAL(idnp_decision_new)();
}

void idnp_decision_free(struct idnp_decision *decision)
{
    REAL(idnp_decision_free)(decision);
}

/* Without a handle, the library clears the decision and decides nothing. */
static struct idnp *handle(const char *function, struct idnp *idnp)
{
    return fails(function) ? NULL : idnp;
}

static int32_t end(struct idnp_decision *decision, int32_t result)
{
    return decision ? (decision->result = result == IDNP_BAD_ARGUMENT ? IDNP_NO_MEMORY : result)
                    : result;
}

int32_t idnp_decide(struct idnp *idnp, const struct idnp_question *question,
                    struct idnp_decision *decision)
{
    return end(decision, REAL(idnp_decide)(handle(__func__, idnp), question, decision));
}

int32_t idnp_decide_answer(struct idnp *idnp, const struct idnp_question *question,
                           const struct idnp_record *chain, uint32_t chain_count,
                           struct idnp_decision *decision)
{
    return end(decision, REAL(idnp_decide_answer)(handle(__func__, idnp), question, chain,
                                                  chain_count, decision));
}

int32_t idnp_decide_message(struct idnp *idnp, struct idnp_exchange *exchange,
                            struct idnp_decision *decision)
{
    exchange->reply_len = 0;
    return end(decision, REAL(idnp_decide_message)(handle(__func__, idnp), exchange, decision));
}

int32_t idnp_report(struct idnp *idnp, const struct idnp_reply *reply,
                    const struct idnp_decision *decision)
{
    return fails(__func__) ? IDNP_NO_MEMORY : REAL(idnp_report)(idnp, reply, decision);
}

size_t idnp_metrics(struct idnp *idnp, char *dst, size_t cap)
{
    return fails(__func__) ? 0 : REAL(idnp_metrics)(idnp, dst, cap);
}
