/* SPDX-License-Identifier: BSD-3-Clause */
#include "tools/command.h"

#include "core/unicode.h"

#include <stdio.h>

int command_usage_error(const char *command, const char *what)
{
    fprintf(stderr, "unbound-idn %s: %s; try 'unbound-idn %s --help'\n", command, what, command);
    return STATUS_USAGE;
}

static bool is_letter(const struct option *option)
{
    return option->name[1] == '\0';
}

/* What getopt calls them: each takes a value. */
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

/* Of an option with one hyphen, what the table says. */
static int value_of(const struct option *known, int option)
{
    for (; known->name; known++)
        if (is_letter(known) && known->name[0] == option)
            return known->val;
    return option;
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
        if (option == '?')
            return command_usage_error(command, "an option that it does not have");
        if (option == ':')
            return command_usage_error(command, "an option without its value");
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
    xn_status status = xn_unicode_open(unicode);

    if (status != XN_OK)
        fprintf(stderr, "unbound-idn: %s\n", xn_status_text(status));
    return status == XN_OK;
}
