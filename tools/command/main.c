/* SPDX-License-Identifier: BSD-3-Clause */
/* The table of subcommands, and main(). */
#include "tools/command/command.h"
#include "tools/command/progress.h"

#include "core/idna/unicode.h"
#include "core/text/near.h"
#include "tools/text/buffer.h"

#include "core/text/version.h"

#include <stdio.h>
#include <string.h>

static const struct {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *summary;
} commands[] = {
    {"check", check_main, "check configuration and rules, and that Unbound loads the module"},
    {"decode", decode_main, "decode A-labels, or Punycode, to Unicode"},
    {"enable", enable_main, "make Unbound load the module at its next start, if the module fits"},
    {"encode", encode_main, "encode Unicode names as A-labels, or any text as Punycode"},
    {"explain", explain_main, "explain what a name really is, and which rule decides it"},
    {"fetch", fetch_main, "fetch the lists whose rules have a URL, and reject bad downloads"},
    {"filter", filter_main, "copy any text, with A-labels in Unicode where that is safe"},
    {"report", report_main, "write an HTML page about query logs"},
    {"rpz", rpz_main, "export rules as a response policy zone, for other resolvers"},
    {"tap", tap_main, "log what any resolver answers, in Unicode, by dnstap"},
};
enum { COMMAND_COUNT = sizeof commands / sizeof *commands };

static void print_help(FILE *out)
{
    fputs("Usage: unbound-idn COMMAND [OPTION]… [ARGUMENT]…\n\n", out);
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        fprintf(out, "  %-8s %s\n", commands[i].name, commands[i].summary);
    fputs("\nRun 'unbound-idn COMMAND --help' for more.\n"
          "Exit status: 0 if all is fine, 1 for a finding, 2 for wrong usage.\n",
          out);
}

/* Flushes the output: a full disk is an error. */
static int finish(int status)
{
    if (fflush(stdout) == 0 && !ferror(stdout))
        return status;
    perror("unbound-idn: standard output");
    return STATUS_USAGE;
}

static const char *nearest(const char *word)
{
    struct xn_near near = {.text = word, .len = strlen(word), .edits = XN_NEAR_FAR};

    for (size_t i = 0; i < COMMAND_COUNT; i++)
        xn_near_try(&near, commands[i].name);
    return near.word;
}

static int refuse(const char *word)
{
    const char *near = nearest(word);
    struct buffer text = {0};

    buffer_text(&text, "unbound-idn: '");
    buffer_visible(&text, word, strlen(word));
    buffer_text(&text, "' is not a command: ");
    if (near)
        buffer_format(&text, "did you mean '%s'?\n", near);
    else
        buffer_text(&text, "expected one of these\n\n");
    fwrite(text.data, 1, text.len, stderr);
    buffer_free(&text);
    if (!near)
        print_help(stderr);
    return STATUS_USAGE;
}

static int run(int argc, char **argv)
{
    if (argc < 2) {
        print_help(stderr);
        return STATUS_USAGE;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 ||
        strcmp(argv[1], "help") == 0) {
        print_help(stdout);
        return STATUS_FINE;
    }
    if (strcmp(argv[1], "--version") == 0 || strcmp(argv[1], "-V") == 0) {
        printf("unbound-idn %s, Unicode %s\n", XN_VERSION, xn_unicode_version());
        return STATUS_FINE;
    }
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        if (strcmp(argv[1], commands[i].name) == 0)
            return commands[i].run(argc - 1, argv + 1);
    return refuse(argv[1]);
}

int main(int argc, char **argv)
{
    progress_open();
    return finish(run(argc, argv));
}
