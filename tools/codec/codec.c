/* SPDX-License-Identifier: BSD-3-Clause */
/* `encode` and `decode`: their options, the loop over the input, and output lines. */
#include "core/idna/unicode.h"
#include "core/wire/walk.h"
#include "tools/codec/convert.h"
#include "tools/codec/rawpunycode.h"
#include "tools/command/command.h"

#include <stdio.h>

static const char encode_help[] =
    "Usage: unbound-idn encode [OPTION]... [NAME]...\n"
    "\n"
    "Prints each name as A-labels, one name on a line. Without NAME, reads names from\n"
    "standard input, one on a line. ASCII labels are only changed to lower case. If\n"
    "NAME is a URL, its host is encoded.\n"
    "\n"
    "  --punycode    encode any text as RFC 3492 does: no name, no \"xn--\"\n"
    "  --trace       with --punycode: print the steps in the words of RFC 3492, 7.3\n"
    "  --json        print one JSON object on a line\n"
    "\n"
    "A name that has no A-label form gives an empty line and an error.\n"
    "Exit status: 0 if all is fine, 1 if a label is invalid or could mislead, 2 for\n"
    "wrong usage.\n";

static const char decode_help[] =
    "Usage: unbound-idn decode [OPTION]... [NAME]...\n"
    "\n"
    "Prints each name in Unicode, one name on a line, as the resolver's log shows it:\n"
    "labels that are not A-labels stay as they are, and characters that could mislead\n"
    "are escaped. Without NAME, reads names from standard input, one on a line. If\n"
    "NAME is a URL, its host is decoded.\n"
    "\n"
    "  --punycode    decode any text as RFC 3492 does: no name, no \"xn--\"\n"
    "  --trace       with --punycode: print the steps in the words of RFC 3492, 7.2\n"
    "  --json        print one JSON object on a line: \"unicode\" is exact, \"display\"\n"
    "                is safe to show\n"
    "\n"
    "Exit status: 0 if all is fine, 1 if a label is invalid or could mislead, 2 for\n"
    "wrong usage.\n";

/* Messages report so many findings, one for each label that a name has room for. An input line may
 * have any length. */
enum { FINDINGS_MAX = XN_WIRE_LABELS_MAX };

struct session {
    bool encodes;
    struct xn_unicode *unicode;
    struct input input;
    struct host host;          /* the name in hand */
    int json, punycode, trace; /* options */
    struct conversion conversion;
    struct buffer out;
};

/* --- names --- */

static void say_finding(const struct session *session, const struct buffer *name,
                        const struct conversion_finding *finding)
{
    input_complain(&session->input);
    fprintf(stderr, "%.*s: ", (int)name->len, name->data);
    if (finding->label > 0)
        fprintf(stderr, "label %zu ", finding->label);
    fprintf(stderr, "%s (%s:%s)\n", xn_reason_text(xn_reasons_worst(finding->reasons)),
            xn_label_status_word(xn_reasons_status(finding->reasons)),
            xn_reason_word(xn_reasons_worst(finding->reasons)));
}

/* The last finding, about the name as a whole, is always reported. */
static void complain(const struct session *session)
{
    const struct conversion *conversion = &session->conversion;
    size_t count = conversion->finding_count;
    struct buffer name = {0};

    if (count == 0)
        return;
    host_quote(&name, session->host.name, session->host.len);
    for (size_t i = 0; i < count && i < FINDINGS_MAX; i++)
        say_finding(session, &name, &conversion->findings[i]);
    if (count > FINDINGS_MAX + 1) {
        input_complain(&session->input);
        fprintf(stderr, "%.*s: and %zu more\n", (int)name.len, name.data, count - FINDINGS_MAX - 1);
    }
    if (count > FINDINGS_MAX)
        say_finding(session, &name, &conversion->findings[count - 1]);
    buffer_free(&name);
}

/* Says which host of a text is converted, or why there is none. */
static void say_host(const struct session *session, const char *text, size_t len)
{
    const struct host *host = &session->host;
    const struct name_fault *fault = session->conversion.fault;
    struct buffer line = {0};

    if (!host->within && !fault)
        return;
    if (host->within)
        host_describe(&line, text, len);
    else
        host_quote(&line, text, len);
    buffer_text(&line, fault && host->within ? " " : ": ");
    if (fault)
        buffer_text(&line, fault->text);
    else
        host_quote(&line, host->name, host->len);
    buffer_text(&line, "\n");
    input_complain(&session->input);
    fwrite(line.data, 1, line.len, stderr);
    buffer_free(&line);
}

static void add_json_finding(struct buffer *out, const struct conversion_finding *finding)
{
    buffer_format(out, "{\"label\":%zu,\"status\":\"%s\",\"reason\":", finding->label,
                  xn_label_status_word(xn_reasons_status(finding->reasons)));
    convert_reasons(out, finding->reasons);
    buffer_text(out, "}");
}

static void add_json(struct session *session, const char *text, size_t len)
{
    const struct conversion *conversion = &session->conversion;

    convert_json(&session->out, text, len, &session->host, conversion);
    buffer_format(&session->out, ",\"valid\":%s,\"findings\":[",
                  conversion->valid ? "true" : "false");
    if (conversion->fault)
        buffer_format(&session->out, "{\"label\":0,\"status\":\"invalid\",\"reason\":[\"%s\"]}",
                      conversion->fault->word);
    for (size_t i = 0; i < conversion->finding_count; i++) {
        if (i > 0)
            buffer_text(&session->out, ",");
        add_json_finding(&session->out, &conversion->findings[i]);
    }
    buffer_text(&session->out, "]}");
}

static int run_name(void *arg, const char *text, size_t len)
{
    struct session *session = arg;
    struct conversion *conversion = &session->conversion;

    host_find(text, len, &session->host);
    convert_name(session->unicode, &session->host, conversion);
    if (session->json) {
        add_json(session, text, len);
    } else {
        const struct buffer *result = session->encodes ? &conversion->ascii : &conversion->display;
        buffer_add(&session->out, result->data, result->len);
    }
    buffer_text(&session->out, "\n");
    fwrite(session->out.data, 1, session->out.len, stdout);
    session->out.len = 0;
    say_host(session, text, len);
    complain(session);
    return conversion->finding_count > 0 || conversion->fault ? STATUS_FINDING : STATUS_FINE;
}

/* --- the command --- */

static const char *wrong_together(const struct session *session)
{
    if (session->trace && !session->punycode)
        return "--trace needs --punycode";
    if (session->punycode && session->json)
        return "--json does not go with --punycode";
    return NULL;
}

/* Returns the exit status if the options end the command, else -1. */
static int read_options(struct session *session, int argc, char **argv)
{
    const struct option known[] = {{"punycode", no_argument, &session->punycode, 1},
                                   {"trace", no_argument, &session->trace, 1},
                                   {"json", no_argument, &session->json, 1},
                                   {"help", no_argument, NULL, COMMAND_HELP},
                                   {0}};
    const char *help = session->encodes ? encode_help : decode_help;
    int status = command_read_options(argv[0], help, known, NULL, argc, argv);

    if (status >= 0)
        return status;
    const char *wrong = wrong_together(session);
    if (wrong)
        return command_usage_error(argv[0], wrong);
    session->input.arguments = argv + optind;
    session->input.argument_count = argc - optind;
    return -1;
}

static int run(bool encodes, int argc, char **argv)
{
    struct session session = {.encodes = encodes};
    int status = read_options(&session, argc, argv);

    if (status >= 0)
        return status;
    if (!command_open_unicode(&session.unicode))
        return STATUS_USAGE;
    status = session.punycode ? rawpunycode_run(encodes, session.trace != 0, &session.input)
                              : input_each(&session.input, run_name, &session);
    xn_unicode_close(session.unicode);
    conversion_free(&session.conversion);
    host_free(&session.host);
    buffer_free(&session.out);
    input_free(&session.input);
    return status;
}

int encode_main(int argc, char **argv)
{
    return run(true, argc, argv);
}

int decode_main(int argc, char **argv)
{
    return run(false, argc, argv);
}
