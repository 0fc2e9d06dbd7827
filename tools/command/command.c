/* SPDX-License-Identifier: BSD-3-Clause */
#include "tools/command/command.h"

#include "core/idna/unicode.h"
#include "core/text/near.h"
#include "tools/text/buffer.h"
#include "tools/text/color.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int command_usage_error(const char *command, const char *what)
{
    fprintf(stderr, "unbound-idn %s: %s; try 'unbound-idn %s --help'\n", command, what, command);
    return STATUS_USAGE;
}

int command_refuse_value(const char *command, const char *option, const char *value,
                         const char *why)
{
    struct buffer text = {0};

    buffer_format(&text, "%s ", option);
    if (*value)
        buffer_visible(&text, value, strlen(value));
    else
        buffer_text(&text, "''");
    buffer_format(&text, ": %s", why);
    command_usage_error(command, buffer_string(&text));
    buffer_free(&text);
    return STATUS_USAGE;
}

int command_choose_color(const char *command, const char *when)
{
    return color_choose(when)
               ? -1
               : command_refuse_value(command, "--color", when, "expected auto, always or never");
}

void command_file_error(const char *who, const char *file, const char *what)
{
    struct buffer line = {0};

    buffer_format(&line, "%s: ", who);
    buffer_visible(&line, file, strlen(file));
    buffer_format(&line, ": %s\n", what);
    fwrite(line.data, 1, line.len, stderr);
    buffer_free(&line);
}

static bool is_letter(const struct option *option)
{
    return option->name[1] == '\0';
}

/* Lists the letters for getopt: each takes a value. */
static void list_letters(const struct option *known, char letters[16])
{
    size_t len = 0;

    letters[len++] = ':';
    for (; known->name; known++) {
        if (!is_letter(known) || len + 3 > 16)
            continue;
        letters[len++] = known->name[0];
        letters[len++] = ':';
    }
    letters[len] = '\0';
}

/* Returns what the table has for an option of one letter, or the option itself. */
static int value_of(const struct option *known, int option)
{
    for (; known->name; known++)
        if (is_letter(known) && known->name[0] == option)
            return known->val;
    return option;
}

static bool is_short(const char *word)
{
    return word && word[0] == '-' && optopt != 0 && word[1] == (char)optopt;
}

/* Returns the word at which getopt stopped. After a long option, or a letter that ends its word,
 * optind is already the next word. */
static const char *stopped_in(char **argv)
{
    return is_short(argv[optind]) && !is_short(argv[optind - 1]) ? argv[optind] : argv[optind - 1];
}

static bool is_ambiguous(const struct option *known, const char *word)
{
    size_t len = strcspn(word + 2, "="), count = 0;

    for (; known->name; known++)
        count += strncmp(known->name, word + 2, len) == 0;
    return count > 1;
}

/* optopt is the letter of the option, one octet of it, what the table has for it, or 0. */
static const char *why_refused(const struct option *known, const char *word, int option)
{
    bool is_long = strncmp(word, "--", 2) == 0;

    if (option == ':')
        return ": this option needs a value";
    if (is_long && optopt == 0 && is_ambiguous(known, word))
        return ": several options begin like this";
    return is_long && optopt != 0 ? ": this option takes no value" : ": no such option";
}

/* Returns the long option that is nearest to a word that begins with --; NULL: none.
 */
static const char *nearest(const struct option *known, const char *word)
{
    if (strncmp(word, "--", 2) != 0)
        return NULL;
    struct xn_near near = {.text = word + 2, .len = strcspn(word + 2, "="), .edits = XN_NEAR_FAR};
    for (; known->name; known++)
        xn_near_try(&near, known->name);
    return near.word;
}

static int refuse_option(const char *command, const struct option *known, char **argv, int option)
{
    bool has_letter = optopt > ' ' && optopt < 0x7F; /* more may follow the letter */
    const char letter[] = {'-', (char)optopt, '\0'};
    const char *word = stopped_in(argv), *name = has_letter ? letter : word;
    const char *near = nearest(known, name);
    struct buffer text = {0};

    buffer_visible(&text, name, strlen(name));
    buffer_text(&text, why_refused(known, name, option));
    if (option == '?' && optopt == 0 && !is_ambiguous(known, name) && near)
        buffer_format(&text, ": did you mean --%s?", near);
    command_usage_error(command, buffer_string(&text));
    buffer_free(&text);
    return STATUS_USAGE;
}

int command_read_options(const char *command, const char *help, const struct option *known,
                         const char **values, int argc, char **argv)
{
    bool wants_help = false;
    char letters[16];
    int option;

    opterr = 0;
    list_letters(known, letters);
    while ((option = getopt_long(argc, argv, letters, known, NULL)) != -1) {
        option = value_of(known, option);
        if (option == '?' && optopt == 'h')
            option = COMMAND_HELP;
        if (option == '?' || option == ':')
            return refuse_option(command, known, argv, option);
        if (option == COMMAND_HELP)
            wants_help = true;
        else if (option != 0)
            values[option] = optarg;
    }
    if (wants_help)
        fputs(help, stdout);
    return wants_help ? STATUS_FINE : -1;
}

bool command_open_unicode(struct xn_unicode **unicode)
{
    char fault[XN_UNICODE_FAULT_MAX];
    xn_status status = xn_unicode_open(unicode);

    if (status != XN_OK)
        fprintf(stderr, "unbound-idn: %s\n", xn_unicode_fault(status, fault));
    return status == XN_OK;
}

int command_become(const char *script, char **argv)
{
    char path[PATH_MAX];
    ssize_t len = readlink("/proc/self/exe", path, sizeof path - 1);

    path[len > 0 ? len : 0] = '\0';
    char *slash = strrchr(path, '/');
    size_t folder = slash ? (size_t)(slash - path) + 1 : 0, size = strlen(script) + 1;
    if (folder + size <= sizeof path) {
        memcpy(path + folder, script, size);
        execv(path, argv);
    }
    command_file_error("unbound-idn", path, strerror(errno));
    return STATUS_USAGE;
}

int enable_main(int argc, char **argv)
{
    (void)argc;
    return command_become("unbound-idn-enable", argv);
}
