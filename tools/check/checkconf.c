/* SPDX-License-Identifier: BSD-3-Clause */
#include "tools/check/checkconf.h"

#include "module/base/diagnostics.h"
#include "tools/text/program.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define NAME "unbound-checkconf"

enum { SAID_MAX = 600 /* octets of its output */ };

char *checkconf_find(const char *given, const char *daemon)
{
    const char *slash = daemon ? strrchr(daemon, '/') : NULL;
    const char *const folders[] = {daemon, "/usr/sbin/", "/usr/local/sbin/"};
    const int lens[] = {slash ? (int)(slash + 1 - daemon) : 0, INT_MAX, INT_MAX};
    struct buffer path = {0};

    buffer_text(&path, given ? given : "");
    if (given)
        return buffer_string(&path);
    for (size_t i = daemon ? 0 : 1; i < sizeof folders / sizeof *folders; i++) {
        buffer_format(&path, "%.*s" NAME, lens[i], folders[i]);
        if (access(buffer_string(&path), X_OK) == 0)
            return path.data;
        path.len = 0;
    }
    buffer_free(&path);
    return NULL;
}

/* --- questions --- */

/* Without an option, unbound-checkconf writes its errors to standard error. folder NULL: the
 * caller's. */
static const char *ask(const char *program, const char *file, const char *option,
                       const char *folder, struct buffer *output, struct buffer *errors,
                       int *status)
{
    const char *answer[] = {program, "--", file, NULL};
    const char *value[] = {program, "-o", option, "--", file, NULL};
    struct stat found;

    if (stat(file, &found) == 0 && !S_ISREG(found.st_mode))
        return "not a regular file";
    return program_run(CHECKCONF_SECONDS, (char **)(option ? value : answer), folder, output,
                       errors, status);
}

static const char *ask_option(const char *program, const char *file, const char *option,
                              struct buffer *answer)
{
    struct buffer errors = {0};
    int status = 0;
    const char *trouble = ask(program, file, option, NULL, answer, &errors, &status);

    buffer_string(answer);
    answer->len--;
    buffer_free(&errors);
    return !trouble && status != 0 ? "it does not print this option" : trouble;
}

/* Cuts an answer behind its first line, and returns whether there is one. */
static bool keep_line(struct buffer *answer)
{
    char *newline = answer->len > 0 ? memchr(answer->data, '\n', answer->len) : NULL;

    if (newline)
        *newline = '\0';
    return newline != NULL;
}

/* Skips the "[time] unbound-checkconf[process:thread]" that some lines begin with. */
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
    struct buffer folder = {0}, output = {0}, errors = {0};
    int status = 0;
    bool good = asked && read && !ask_option(program, file, "directory", &folder) &&
                keep_line(&folder) && folder.data[0] &&
                !ask(asked, read, NULL, folder.data, &output, &errors, &status) && status == 0;

    free(asked);
    free(read);
    buffer_free(&folder);
    buffer_free(&output);
    buffer_free(&errors);
    return good;
}

bool checkconf_accepts(const char *program, const struct xnm_place *place,
                       const struct xnm_diagnostics *diagnostics)
{
    struct buffer output = {0}, errors = {0}, line = {0};
    int status = 0;
    const char *trouble = ask(program, place->file, NULL, NULL, &output, &errors, &status);
    bool good = !trouble && (status == 0 || accepts_in_directory(program, place->file));

    join_lines(&errors, &line);
    if (trouble)
        xnm_diagnostics_add(diagnostics, XNM_ERROR, place, "%s: %s", program, trouble);
    else if (!good)
        xnm_diagnostics_add(diagnostics, XNM_ERROR, place, "%s: exit status %d: %s", program,
                            status, line.data);
    buffer_free(&output);
    buffer_free(&errors);
    buffer_free(&line);
    return good;
}

/* --- the settings --- */

/* Turns lines into texts. Returns false if there is a NUL between them. */
static bool split_lines(struct checkconf *conf)
{
    struct buffer *files = &conf->dynlib_files;

    if (strlen(files->data) != files->len)
        return false;
    for (char *newline = files->data; (newline = strchr(newline, '\n')); newline++) {
        *newline = '\0';
        conf->dynlib_file_count++;
    }
    return true;
}

const char *checkconf_dynlib_file(const struct checkconf *conf, size_t n)
{
    const char *file = conf->dynlib_files.data;

    if (n >= conf->dynlib_file_count)
        return NULL;
    while (n-- > 0)
        file += strlen(file) + 1;
    return file;
}

bool checkconf_read(const char *program, const struct xnm_place *place,
                    const struct xnm_diagnostics *diagnostics, struct checkconf *conf)
{
    const struct {
        const char *option;
        struct buffer *answer;
    } options[] = {{"module-config", &conf->module_config},
                   {"chroot", &conf->chroot},
                   {"username", &conf->username},
                   {"directory", &conf->directory},
                   {"dynlib-file", &conf->dynlib_files}};

    *conf = (struct checkconf){0};
    ask_option(program, place->file, "python-script", &conf->python_script);
    keep_line(&conf->python_script);
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        struct buffer *answer = options[i].answer;
        const char *trouble = ask_option(program, place->file, options[i].option, answer);
        bool good =
            !trouble && (answer == &conf->dynlib_files ? split_lines(conf) : keep_line(answer));
        if (good)
            continue;
        xnm_diagnostics_add(diagnostics, XNM_ERROR, place, "%s -o %s: %s", program,
                            options[i].option, trouble ? trouble : "expected a line of text");
        return false;
    }
    return true;
}

void checkconf_free(struct checkconf *conf)
{
    buffer_free(&conf->module_config);
    buffer_free(&conf->chroot);
    buffer_free(&conf->username);
    buffer_free(&conf->directory);
    buffer_free(&conf->python_script);
    buffer_free(&conf->dynlib_files);
}
