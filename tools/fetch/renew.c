/* SPDX-License-Identifier: BSD-3-Clause */
#include "tools/fetch/renew.h"

#include "module/base/diagnostics.h"
#include "module/file/folder.h"
#include "module/file/textfile.h"
#include "module/list/list.h"
#include "module/rule/rules.h"
#include "tools/check/policyread.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

struct renewal {
    const struct transfer_options *options;
    const struct xn_unicode *unicode;
    const struct xnm_rule *rule;
    struct note *note;
    int folder; /* O_PATH */
    int lock;   /* the same folder, locked; -1: not */
    const char *name;
    bool is_there;
    struct stat there; /* the list's file, if it is */
    char trouble[512];
};

__attribute__((format(printf, 2, 3))) static bool fail(struct renewal *renewal, const char *format,
                                                       ...)
{
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(renewal->trouble, sizeof renewal->trouble, format, arguments);
    va_end(arguments);
    return false;
}

/* --- what a text holds --- */

struct reading {
    struct xnm_list_counts counts;
    char first[256]; /* the first error; "": there is none */
};

static bool pass_over(void *arg, const struct xnm_list_entry *entry)
{
    (void)arg, (void)entry;
    return true;
}

static void keep_first_error(void *arg, xnm_severity severity, const struct xnm_place *place,
                             const char *message)
{
    struct reading *reading = arg;
    struct buffer text = {0};

    if (severity != XNM_ERROR || reading->first[0])
        return;
    if (place->line)
        buffer_format(&text, "line %u: ", place->line);
    buffer_visible(&text, message, strlen(message));
    snprintf(reading->first, sizeof reading->first, "%.*s",
             (int)buffer_fitting(text.data, text.len, sizeof reading->first - 1), text.data);
    buffer_free(&text);
}

/* Returns whether the engine would take the text. */
static bool read_text(const struct renewal *renewal, const char *text, size_t len,
                      struct reading *reading)
{
    const struct xnm_diagnostics diagnostics = {keep_first_error, reading};
    const struct xnm_list_options how = {.unicode = renewal->unicode,
                                         .diagnostics = &diagnostics,
                                         .stop = renewal->options->stop,
                                         .entry = pass_over};

    *reading = (struct reading){0};
    return xnm_list_read(&how, renewal->rule, renewal->rule->path, text, len, &reading->counts);
}

/* Returns the line of the first control character that no text has; 0: there is none. */
static size_t binary_line(const char *text, size_t len)
{
    size_t line = 1;

    for (size_t i = 0; i < len; i++) {
        line += text[i] == '\n';
        if ((unsigned char)text[i] < ' ' && !memchr("\t\n\v\f\r\x1A", text[i], 6))
            return line;
    }
    return 0;
}

/* Counts the entries of the present file: a new one must not have lost too many of them. */
static size_t held_entries(const struct renewal *renewal)
{
    const struct xnm_rule *rule = renewal->rule;
    struct xnm_textfile file;
    struct reading reading;

    if (!renewal->is_there)
        return 0;
    if (note_is_of(renewal->note, rule->url, &renewal->there))
        return renewal->note->entries;
    if (xnm_textfile_read(rule->path, XNM_LIST_SIZE_MAX, &file))
        return 0;
    bool good = read_text(renewal, file.text, file.len, &reading);
    xnm_textfile_free(&file);
    return good ? reading.counts.entries : 0;
}

static bool is_good(struct renewal *renewal, const struct buffer *body, size_t *entries)
{
    const struct xnm_rule *rule = renewal->rule;
    struct reading reading;
    size_t binary = binary_line(body->data, body->len), held = held_entries(renewal);
    bool whole = read_text(renewal, body->data, body->len, &reading);
    size_t bad = reading.counts.bad + reading.counts.suffixes;

    *entries = reading.counts.entries;
    if (atomic_load(renewal->options->stop))
        return fail(renewal, "stopped by a signal");
    if (!whole)
        return fail(renewal, "what came is refused: %s", reading.first);
    if (binary)
        return fail(renewal, "what came has a control character in line %zu: expected text",
                    binary);
    if (*entries == 0 && bad > 0)
        return fail(renewal, "what came has no valid line: %s", reading.first);
    if (bad > *entries)
        return fail(renewal, "what came has more bad lines (%zu) than entries (%zu): %s", bad,
                    *entries, reading.first);
    if (*entries == 0 && rule->shrink < XNM_RULE_SHRINK_ANY)
        return fail(renewal, "what came is empty");
    if (xnm_list_has_shrunk(rule, held, *entries))
        return fail(renewal,
                    "what came has %zu %s, but the file has %zu: a loss of more than shrink=%d%%",
                    *entries, *entries == 1 ? "entry" : "entries", held, rule->shrink);
    return true;
}

/* --- the folder --- */

static bool open_folder(struct renewal *renewal)
{
    const char *path = renewal->rule->path;

    renewal->folder = xnm_folder_open(path, &renewal->name);
    if (renewal->folder < 0)
        return fail(renewal, "its folder cannot be opened: %s", xnm_folder_error(errno));
    renewal->lock = openat(renewal->folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (renewal->lock < 0 || flock(renewal->lock, LOCK_EX | LOCK_NB) != 0) {
        fail(renewal, "its folder cannot be locked: %s",
             errno == EWOULDBLOCK ? "another fetch is at work there" : strerror(errno));
        if (renewal->lock >= 0)
            close(renewal->lock);
        renewal->lock = -1;
        return false;
    }
    note_read(renewal->folder, renewal->name, renewal->note);
    renewal->is_there =
        fstatat(renewal->folder, renewal->name, &renewal->there, AT_SYMLINK_NOFOLLOW) == 0;
    if (renewal->is_there && !S_ISREG(renewal->there.st_mode))
        return fail(renewal, "it is not a regular file: expected one, or none");
    return true;
}

static bool put_in_place(struct renewal *renewal, const struct transfer_answer *answer,
                         size_t entries)
{
    struct note *note = renewal->note;
    struct stat written;
    int error = note_replace(renewal->folder, renewal->name, &answer->body, &written);

    if (error)
        return fail(renewal, "it cannot be written: %s", strerror(error));
    free(note->url);
    note->url = strdup(renewal->rule->url);
    note->version = answer->version;
    note->entries = entries;
    note_take(note, &written);
    renewal->is_there = true;
    renewal->there = written;
    return true;
}

/* --- one list --- */

static bool renew(struct renewal *renewal, bool *is_new)
{
    const char *url = renewal->rule->url;
    struct note *note = renewal->note;
    struct transfer_answer answer;
    size_t entries = note->entries;
    bool is_known = renewal->is_there && note_is_of(note, url, &renewal->there) &&
                    (note->version.etag[0] || note->version.modified[0]);
    bool good = transfer_get(renewal->options, url, is_known ? &note->version : NULL, &answer);

    *is_new = good && !answer.is_unchanged;
    if (!good)
        fail(renewal, "%s", answer.trouble);
    if (*is_new)
        good = is_good(renewal, &answer.body, &entries) && put_in_place(renewal, &answer, entries);
    buffer_free(&answer.body);
    return good;
}

static void say_good(const struct renewal *renewal, bool is_new)
{
    size_t entries = renewal->note->entries;
    struct buffer line = {0};

    buffer_visible(&line, renewal->rule->path, strlen(renewal->rule->path));
    buffer_format(&line, ": %s, %zu %s\n", is_new ? "new" : "unchanged", entries,
                  entries == 1 ? "entry" : "entries");
    fwrite(line.data, 1, line.len, stdout);
    fflush(stdout);
    buffer_free(&line);
}

static void say_bad(const struct renewal *renewal)
{
    const struct xnm_rule *rule = renewal->rule;
    const struct xnm_place place = {rule->file, rule->line, rule->path_column};
    char path[512], state[64] = "there is none", message[1200];
    struct tm time = {0};

    if (renewal->is_there) {
        gmtime_r(&renewal->there.st_mtim.tv_sec, &time);
        strftime(state, sizeof state, "that of %Y-%m-%d %H:%M:%S UTC stays", &time);
    }
    snprintf(message, sizeof message, "'%s' was not fetched, and %s: %s",
             xnm_quote(rule->path, strlen(rule->path), path, sizeof path), state, renewal->trouble);
    policyread_say(&place, message);
}

static void remember(struct renewal *renewal, bool good)
{
    struct note *note = renewal->note;
    const struct xnm_rule *rule = renewal->rule;
    const struct xnm_place place = {rule->file, rule->line, rule->path_column};

    if (good)
        note->good = (long long)time(NULL);
    else
        note->bad = (long long)time(NULL);
    snprintf(note->trouble, sizeof note->trouble, "%s", good ? "" : renewal->trouble);
    if (renewal->lock < 0) /* the note is another's */
        return;
    int error = note_write(renewal->folder, renewal->name, note);
    if (error && good) {
        char message[128];
        snprintf(message, sizeof message, "the list's note, beside it, cannot be written: %s",
                 strerror(error));
        policyread_say(&place, message);
    }
}

bool renew_list(const struct transfer_options *options, const struct xn_unicode *unicode,
                const struct xnm_rule *rule, struct note *note)
{
    struct renewal renewal = {.options = options,
                              .unicode = unicode,
                              .rule = rule,
                              .note = note,
                              .folder = -1,
                              .lock = -1};
    bool is_new = false;

    *note = (struct note){0};
    bool good = open_folder(&renewal) && renew(&renewal, &is_new);
    if (good)
        say_good(&renewal, is_new);
    else
        say_bad(&renewal);
    remember(&renewal, good);
    if (renewal.lock >= 0)
        close(renewal.lock);
    if (renewal.folder >= 0)
        close(renewal.folder);
    return good;
}
