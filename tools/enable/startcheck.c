/* SPDX-License-Identifier: BSD-3-Clause */
#include "tools/enable/startcheck.h"

#include "core/idna/unicode.h"
#include "tools/check/check.h"
#include "tools/check/checkconf.h"
#include "tools/check/supervised.h"

#include <stdlib.h>
#include <string.h>

/* --- in a process of its own --- */

/* The child writes this to its parent, then the order of modules, then the reason. */
struct head {
    start_verdict verdict;
    bool good;
    size_t order_len;
};

/* The first line of what was written, which is NULL where there was no memory for it. */
static void add_reason(const char *errors, struct buffer *reason)
{
    if (errors)
        buffer_add(reason, errors, strcspn(errors, "\n"));
    else
        buffer_text(reason, "out of memory");
}

static bool try_with(struct xn_unicode *unicode, const struct start_question *question,
                     struct check_draft *draft, struct buffer *reason)
{
    const struct check_daemon what = {.daemon = question->daemon};
    char *errors = NULL;
    size_t len;
    FILE *out = open_memstream(&errors, &len);
    bool good = out && check_starts(unicode, question->unbound_conf, &what,
                                    question->is_foreign ? NULL : draft, out);

    if (out && fclose(out) != 0) {
        free(errors);
        errors = NULL;
    }
    if (!good)
        add_reason(errors, reason);
    free(errors);
    return good;
}

static bool try_it(const struct start_question *question, struct check_draft *draft,
                   struct buffer *reason)
{
    struct xn_unicode *unicode = NULL;
    char fault[XN_UNICODE_FAULT_MAX];
    xn_status status = xn_unicode_open(&unicode);
    bool good = status == XN_OK && try_with(unicode, question, draft, reason);

    if (status != XN_OK)
        buffer_text(reason, xn_unicode_fault(status, fault));
    xn_unicode_close(unicode);
    return good;
}

static void look(void *arg, FILE *out)
{
    const struct start_question *question = arg;
    struct check_draft draft = {.module = question->module, .config = question->config};
    struct buffer reason = {0};
    struct head head = {.good = try_it(question, &draft, &reason)};

    head.verdict = question->is_foreign || draft.is_loaded ? START_LOADED
                   : head.good                             ? START_GOOD
                                                           : START_BAD;
    head.order_len = draft.order.len;
    fwrite(&head, sizeof head, 1, out);
    if (draft.order.len > 0)
        fwrite(draft.order.data, 1, draft.order.len, out);
    if (reason.len > 0)
        fwrite(reason.data, 1, reason.len, out);
    buffer_free(&draft.order);
    buffer_free(&reason);
}

/* --- its parent --- */

static void take(const struct buffer *found, struct startcheck *result)
{
    struct head head;

    memcpy(&head, found->data, sizeof head);
    const char *order = found->data + sizeof head;
    result->verdict = head.verdict;
    result->good = head.good;
    buffer_add(&result->order, order, head.order_len);
    buffer_add(&result->reason, order + head.order_len, found->len - sizeof head - head.order_len);
}

void startcheck_find(const struct start_question *question, struct startcheck *result)
{
    struct buffer found = {0};
    struct start_question copy = *question;
    const char *trouble = supervised_run(START_SECONDS, look, &copy, &found);

    *result = (struct startcheck){.verdict = START_BAD};
    if (trouble)
        buffer_format(&result->reason, "could not check whether it fits: %s", trouble);
    else if (found.len < sizeof(struct head))
        buffer_text(&result->reason, "could not check whether it fits");
    else
        take(&found, result);
    buffer_free(&found);
}

/* --- with the snippet in its place --- */

/* Keeps the first error, as check says it. */
static void keep_first(void *arg, xnm_severity severity, const struct xnm_place *place,
                       const char *message)
{
    struct buffer *reason = arg;

    if (severity == XNM_ERROR && reason->len == 0)
        buffer_message(reason, place, message);
}

/* Returns the index of the dynlib-file entry of the module that its configuration's entry follows;
 * without such a pair, that of the last entry. */
static size_t find_entries(const struct checkconf *conf, const struct start_question *question)
{
    size_t i = 0;

    while (i + 1 < conf->dynlib_file_count &&
           (strcmp(conf->dynlib_files[i], question->module) != 0 ||
            strcmp(conf->dynlib_files[i + 1], question->config) != 0))
        i++;
    return i;
}

static void compare(const struct checkconf *conf, const struct start_question *question,
                    const char *order, const struct xnm_diagnostics *diagnostics)
{
    const struct xnm_place place = {.file = question->unbound_conf};
    size_t entry = find_entries(conf, question);

    if (entry + 1 >= conf->dynlib_file_count)
        xnm_diagnose(diagnostics, XNM_ERROR, &place, "it does not include %s", question->snippet);
    else if (strcmp(conf->module_config, order) != 0)
        xnm_diagnose(diagnostics, XNM_ERROR, &place,
                     "module-config is set again after %s: expected \"%s\", not \"%s\"",
                     question->snippet, order, conf->module_config);
    else if (entry > 0)
        xnm_diagnose(diagnostics, XNM_ERROR, &place,
                     "%s is not the idn module: expected no dynlib-file before those of %s",
                     conf->dynlib_files[0], question->snippet);
}

void startcheck_confirm(const struct start_question *question, struct startcheck *result)
{
    const struct xnm_place place = {.file = question->unbound_conf};
    struct buffer reason = {0};
    const struct xnm_diagnostics diagnostics = {keep_first, &reason};
    char *program = checkconf_find(NULL, question->daemon);
    struct checkconf conf = {0};

    if (!program)
        xnm_diagnose(&diagnostics, XNM_ERROR, &place, "unbound-checkconf is gone");
    else if (checkconf_accepts(program, &place, &diagnostics) &&
             checkconf_read(program, &place, &diagnostics, &conf))
        compare(&conf, question, result->order.data, &diagnostics);
    if (reason.len > 0) {
        result->verdict = START_BAD;
        result->reason.len = 0;
        buffer_add(&result->reason, reason.data, reason.len);
    }
    buffer_free(&reason);
    checkconf_free(&conf);
    free(program);
}

void startcheck_free(struct startcheck *result)
{
    buffer_free(&result->order);
    buffer_free(&result->reason);
}
