/* SPDX-License-Identifier: BSD-3-Clause */
#include "tools/enable/fit.h"

#include "module/base/order.h"
#include "module/file/textfile.h"
#include "tools/check/check.h"
#include "tools/check/elffile.h"
#include "tools/enable/snippet.h"
#include "tools/enable/supervised.h"

#include <stdlib.h>
#include <string.h>

/* --- in a process of its own --- */

/* What it leaves for its parent: this, the snippet's text, and the reason. */
struct head {
    fit_verdict verdict;
    bool good;
    size_t text_len;
};

/* The configuration without the snippet. Returns whether all of it was read. */
static bool read_without(const struct fit_question *question, struct unboundconf *conf,
                         bool *is_included)
{
    struct unboundconf_draft draft = {.path = question->snippet};
    bool good = unboundconf_read(question->unbound_conf, conf, question->is_foreign ? NULL : &draft,
                                 &xnm_diagnose_silently);

    *is_included = draft.is_included || !good; /* then check says what is wrong */
    return good;
}

/* The modules that there are without the snippet. Returns why the daemon, which has them where the
 * configuration says nothing, could not be asked; then they are those that every one has. */
static const char *add_text(const struct fit_question *question, const struct unboundconf *conf,
                            struct buffer *text)
{
    const char *order = conf->module_config.text ? conf->module_config.text : "validator iterator";
    struct xnm_textfile program;
    const char *trouble = conf->module_config.text
                              ? NULL
                              : xnm_textfile_read(question->daemon, ELFFILE_SIZE_MAX, &program);

    if (!conf->module_config.text && !trouble) {
        order = elffile_builtin_order(&program);
        xnm_textfile_free(&program);
    }
    snippet_text(text, order, question->module, question->config);
    return trouble;
}

/* The first line of what was written, which is NULL where there was no memory for it. */
static void add_reason(const char *errors, struct buffer *reason)
{
    if (errors)
        buffer_add(reason, errors, strcspn(errors, "\n"));
    else
        buffer_text(reason, "out of memory");
}

static bool try_with(struct xn_unicode *unicode, const struct fit_question *question,
                     struct unboundconf_draft *draft, struct buffer *reason)
{
    char *errors = NULL;
    size_t len;
    FILE *out = open_memstream(&errors, &len);
    bool good = out && check_starts(unicode, question->unbound_conf, draft, question->daemon, out);

    if (out && fclose(out) != 0) {
        free(errors);
        errors = NULL;
    }
    if (!good)
        add_reason(errors, reason);
    free(errors);
    return good;
}

/* Tries the configuration with a draft; NULL: as it is. */
static bool try_it(const struct fit_question *question, struct unboundconf_draft *draft,
                   struct buffer *reason)
{
    struct xn_unicode *unicode = NULL;
    xn_status status = xn_unicode_open(&unicode);
    bool good = status == XN_OK && try_with(unicode, question, draft, reason);

    if (status != XN_OK)
        buffer_text(reason, xn_status_text(status));
    xn_unicode_close(unicode);
    return good;
}

/* What stands behind the snippet may make it void: so the configuration is read with it. */
static bool try_draft(const struct fit_question *question, const char *text, bool is_included,
                      struct buffer *reason)
{
    struct unboundconf_draft draft = {.path = question->snippet, .text = text};

    if (is_included)
        return try_it(question, &draft, reason);
    buffer_visible(reason, question->unbound_conf, strlen(question->unbound_conf));
    buffer_text(reason, " does not include ");
    buffer_visible(reason, question->snippet, strlen(question->snippet));
    return false;
}

static void add_place(const struct unboundconf *conf, const struct fit_question *question,
                      struct buffer *text)
{
    const struct unboundconf_value *order = &conf->module_config;
    const char *file = order->file ? order->file : question->unbound_conf;

    buffer_visible(text, file, strlen(file));
    if (order->file)
        buffer_format(text, ":%u", order->line);
}

/* As check says it. */
static void add_no_daemon(const struct fit_question *question, const char *trouble,
                          struct buffer *reason)
{
    buffer_visible(reason, question->daemon, strlen(question->daemon));
    buffer_format(reason, ": %s: expected the program of Unbound", trouble);
}

static void leave(struct head *head, const struct buffer *text, const struct buffer *reason,
                  FILE *out)
{
    head->text_len = text->len;
    fwrite(head, sizeof *head, 1, out);
    if (text->len > 0)
        fwrite(text->data, 1, text->len, out);
    if (reason->len > 0)
        fwrite(reason->data, 1, reason->len, out);
}

static void look(void *arg, FILE *out)
{
    const struct fit_question *question = arg;
    struct head head = {.verdict = FIT_BAD};
    struct buffer text = {0}, reason = {0};
    struct unboundconf conf;

    bool is_included, was_read = read_without(question, &conf, &is_included);
    const char *order = conf.module_config.text;
    if (question->is_foreign || (order && xnm_order_dynlib_count(order) > 0)) {
        struct unboundconf_draft draft = {.path = question->snippet};
        head.verdict = FIT_LOADED;
        head.good = try_it(question, question->is_foreign ? NULL : &draft, &reason);
        add_place(&conf, question, &text);
    } else {
        const char *trouble = add_text(question, &conf, &text);
        buffer_string(&text);
        if (trouble)
            add_no_daemon(question, trouble, &reason);
        else
            head.good = try_draft(question, text.data, is_included, &reason) && was_read;
        head.verdict = head.good ? FIT_GOOD : FIT_BAD;
        text.len--;
    }
    if (!head.good && reason.len == 0) /* it was the first time */
        buffer_text(&reason, "the configuration of Unbound could not be read");
    leave(&head, &text, &reason, out);
    unboundconf_free(&conf);
    buffer_free(&text);
    buffer_free(&reason);
}

/* --- its parent --- */

static void take(const struct buffer *found, struct fit *fit)
{
    struct head head;

    memcpy(&head, found->data, sizeof head);
    const char *text = found->data + sizeof head;
    fit->verdict = head.verdict;
    fit->good = head.good;
    buffer_add(&fit->text, text, head.text_len);
    buffer_add(&fit->reason, text + head.text_len, found->len - sizeof head - head.text_len);
}

void fit_find(const struct fit_question *question, struct fit *fit)
{
    struct buffer found = {0};
    struct fit_question copy = *question;
    const char *trouble = supervised_run(FIT_SECONDS, look, &copy, &found);

    *fit = (struct fit){.verdict = FIT_BAD};
    if (trouble)
        buffer_format(&fit->reason, "to look whether it fits failed: %s", trouble);
    else if (found.len < sizeof(struct head))
        buffer_text(&fit->reason, "to look whether it fits failed");
    else
        take(&found, fit);
    buffer_free(&found);
}

void fit_free(struct fit *fit)
{
    buffer_free(&fit->text);
    buffer_free(&fit->reason);
}
