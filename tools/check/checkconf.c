/* SPDX-License-Identifier: BSD-3-Clause */
#include "tools/check/checkconf.h"

#include "module/base/diagnostics.h"
#include "tools/check/supervised.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define NAME "unbound-checkconf"

enum { SAID_MAX = 600 /* octets of what it says */ };

static const char *const usual_places[] = {"/usr/sbin/" NAME, "/usr/local/sbin/" NAME};
enum { PLACE_COUNT = sizeof usual_places / sizeof *usual_places };

static char *copy_text(const char *text, size_t len)
{
    struct buffer copy = {0};

    buffer_add(&copy, text, len);
    return buffer_string(&copy);
}

char *checkconf_find(const char *given, const char *daemon)
{
    const char *slash = daemon ? strrchr(daemon, '/') : NULL;
    struct buffer beside = {0};

    if (given)
        return copy_text(given, strlen(given));
    buffer_add(&beside, daemon, slash ? (size_t)(slash + 1 - daemon) : 0);
    buffer_text(&beside, NAME);
    buffer_string(&beside);
    if (daemon && access(beside.data, X_OK) == 0)
        return beside.data;
    buffer_free(&beside);
    for (size_t i = 0; i < PLACE_COUNT; i++)
        if (access(usual_places[i], X_OK) == 0)
            return copy_text(usual_places[i], strlen(usual_places[i]));
    return NULL;
}

/* --- a question --- */

/* Without an option: what it has against the file, from its standard error. folder NULL: as it is
 * here. */
static const char *ask(const char *program, const char *file, const char *option,
                       const char *folder, struct buffer *answer, int *status)
{
    const char *verdict[] = {program, "--", file, NULL};
    const char *value[] = {program, "-o", option, "--", file, NULL};
    struct stat found;

    if (stat(file, &found) == 0 && !S_ISREG(found.st_mode))
        return "not a regular file";
    return supervised_exec(CHECKCONF_SECONDS, (char **)(option ? value : verdict), folder,
                           option ? answer : NULL, option ? NULL : answer, status);
}

/* The first line of an answer, or NULL. */
static const char *only_line(struct buffer *answer)
{
    char *newline = answer->len > 0 ? memchr(answer->data, '\n', answer->len) : NULL;

    if (!newline)
        return NULL;
    *newline = '\0';
    return answer->data;
}

static const char *ask_option(const char *program, const char *file, const char *option,
                              struct buffer *answer)
{
    int status = 0;
    const char *trouble = ask(program, file, option, NULL, answer, &status);

    buffer_string(answer);
    answer->len--;
    return !trouble && status != 0 ? "it does not tell" : trouble;
}

/* Less the "[time] unbound-checkconf[process:thread]" that some lines begin with. */
static const char *without_prefix(const char *line, const char *end)
{
    const char *behind = line[0] == '[' ? memmem(line, (size_t)(end - line), ":0] ", 4) : NULL;

    return behind ? behind + 4 : line;
}

/* Joins all lines except warnings to one. */
static void join_lines(const struct buffer *said, struct buffer *line)
{
    const char *end = said->data + said->len;

    for (const char *at = said->data; at < end;) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        const char *stop = newline ? newline : end, *text = without_prefix(at, stop);
        size_t len = (size_t)(stop - text);

        if (len > 0 && !memmem(text, len, "warning: ", strlen("warning: "))) {
            buffer_text(line, line->len > 0 ? "; " : "");
            buffer_add(line, text, len);
        }
        at = stop + 1;
    }
    line->len = buffer_fitting(line->data, line->len, SAID_MAX);
    buffer_string(line);
}

/* Unbound opens the files of its zones from `directory`, which unbound-checkconf leaves again
 * before it looks for them. */
static bool accepts_in_directory(const char *program, const char *file)
{
    char *asked = realpath(program, NULL), *read = realpath(file, NULL);
    struct buffer answer = {0}, said = {0};
    int status = 0;
    const char *trouble = ask_option(program, file, "directory", &answer);
    const char *folder = trouble ? NULL : only_line(&answer);
    bool good = asked && read && folder && folder[0] &&
                !ask(asked, read, NULL, folder, &said, &status) && status == 0;

    free(asked);
    free(read);
    buffer_free(&answer);
    buffer_free(&said);
    return good;
}

bool checkconf_accepts(const char *program, const struct xnm_place *place,
                       const struct xnm_diagnostics *diagnostics)
{
    struct buffer said = {0}, line = {0};
    int status = 0;
    const char *trouble = ask(program, place->file, NULL, NULL, &said, &status);

    buffer_string(&said);
    said.len--;
    join_lines(&said, &line);
    bool good = !trouble && (status == 0 || accepts_in_directory(program, place->file));
    if (trouble)
        xnm_diagnose(diagnostics, XNM_ERROR, place, "%s: %s", program, trouble);
    else if (!good)
        xnm_diagnose(diagnostics, XNM_ERROR, place, "%s: exit status %d: %s", program, status,
                     line.data);
    buffer_free(&said);
    buffer_free(&line);
    return good;
}

/* --- the settings --- */

/* Takes a file name from each line of an answer. */
static bool take_files(struct checkconf *conf, struct buffer *answer)
{
    size_t count = 0;

    for (size_t i = 0; i < answer->len; i++)
        count += answer->data[i] == '\n';
    conf->dynlib_files = buffer_zeros(count + 1, sizeof *conf->dynlib_files);
    for (char *at = answer->data; conf->dynlib_file_count < count; at = strchr(at, '\0') + 1) {
        char *newline = strchr(at, '\n');
        if (!newline)
            return false; /* there is a NUL in it */
        *newline = '\0';
        conf->dynlib_files[conf->dynlib_file_count++] = at;
    }
    return true;
}

bool checkconf_read(const char *program, const struct xnm_place *place,
                    const struct xnm_diagnostics *diagnostics, struct checkconf *conf)
{
    const struct {
        const char *option, **value;
    } options[] = {{"module-config", &conf->module_config},
                   {"chroot", &conf->chroot},
                   {"username", &conf->username},
                   {"directory", &conf->directory},
                   {"dynlib-file", NULL}};

    *conf = (struct checkconf){0};
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        struct buffer *answer = &conf->answers[i];
        const char *trouble = ask_option(program, place->file, options[i].option, answer);
        bool good = !trouble && (options[i].value ? (*options[i].value = only_line(answer)) != NULL
                                                  : take_files(conf, answer));
        if (good)
            continue;
        xnm_diagnose(diagnostics, XNM_ERROR, place, "%s -o %s: %s", program, options[i].option,
                     trouble ? trouble : "expected a line of text");
        return false;
    }
    return true;
}

void checkconf_put_first(struct checkconf *conf, const char *module, const char *config)
{
    size_t count = conf->dynlib_file_count;
    const char **files = buffer_zeros(count + 2, sizeof *files);

    files[0] = module;
    files[1] = config;
    if (count > 0)
        memcpy(files + 2, conf->dynlib_files, count * sizeof *files);
    free(conf->dynlib_files);
    conf->dynlib_files = files;
    conf->dynlib_file_count = count + 2;
}

void checkconf_free(struct checkconf *conf)
{
    for (size_t i = 0; i < sizeof conf->answers / sizeof *conf->answers; i++)
        buffer_free(&conf->answers[i]);
    free(conf->dynlib_files);
}
