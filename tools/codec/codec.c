/* SPDX-License-Identifier: BSD-3-Clause */
#include "tools/codec/codec.h"

#include "core/text/utf8.h"
#include "core/wire/wire.h"
#include "module/file/textline.h"
#include "tools/command/command.h"
#include "tools/command/input.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    /* The time of RFC 3492's procedures grows with the square of the length. No label, and no word,
     * is longer than this. */
    PUNYCODE_INPUT_MAX = 10000,
    /* Messages quote so many octets of an input, more than any name has, and report so many
     * findings, one for each label that a name has room for. An input line may have any length. */
    QUOTED_MAX = 1024,
    FINDINGS_MAX = XN_WIRE_LABELS_MAX
};

struct session {
    const struct codec *codec;
    struct xn_unicode *unicode;
    struct input input;
    int punycode, trace, strict, codepoints, json; /* options */
    struct conversion conversion;
    struct buffer out;
};

static void write_line(struct session *session)
{
    buffer_text(&session->out, "\n");
    fwrite(session->out.data, 1, session->out.len, stdout);
    session->out.len = 0;
}

static void add_result(struct session *session, const struct buffer *result)
{
    if (session->codepoints)
        buffer_code_points(&session->out, result->data, result->len);
    else
        buffer_visible(&session->out, result->data, result->len);
}

/* --- names --- */

static const char *finding_text(const struct conversion_finding *finding)
{
    xn_reason worst = xn_reasons_worst(finding->reasons);

    return finding->label == 0 && worst == XN_EMPTY ? "has an empty label, which a final dot makes"
                                                    : xn_reason_text(worst);
}

static void quote(struct buffer *out, const char *text, size_t len)
{
    buffer_shown(out, text, buffer_fitting(text, len, QUOTED_MAX));
    buffer_text(out, len > QUOTED_MAX ? "…" : "");
}

static void say_finding(const struct session *session, const struct buffer *name,
                        const struct conversion_finding *finding)
{
    input_complain(&session->input);
    fprintf(stderr, "%.*s: ", (int)name->len, name->data);
    if (finding->label > 0)
        fprintf(stderr, "label %zu ", finding->label);
    fprintf(stderr, "%s (%s:%s)\n", finding_text(finding),
            xn_label_status_word(xn_reasons_status(finding->reasons)),
            xn_reason_word(xn_reasons_worst(finding->reasons)));
}

/* The last finding, about the name as a whole, is always reported. */
static void complain(const struct session *session, const char *text, size_t len)
{
    const struct conversion *conversion = &session->conversion;
    size_t count = conversion->finding_count;
    struct buffer name = {0};

    quote(&name, text, len);
    if (conversion->bad_utf8) {
        input_complain(&session->input);
        fprintf(stderr, "%.*s: is not UTF-8\n", (int)name.len, name.data);
    }
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

static void add_json_member(struct session *session, const char *key, const struct buffer *value)
{
    buffer_format(&session->out, ",\"%s\":", key);
    buffer_json(&session->out, value->data, value->len);
}

static void add_json_finding(struct buffer *out, const struct conversion_finding *finding)
{
    buffer_format(out, "{\"label\":%zu,\"status\":\"%s\",\"reason\":", finding->label,
                  xn_label_status_word(xn_reasons_status(finding->reasons)));
    buffer_reasons(out, finding->reasons);
    buffer_text(out, "}");
}

static void add_json(struct session *session, const char *text, size_t len)
{
    const struct conversion *conversion = &session->conversion;

    buffer_text(&session->out, "{\"input\":");
    buffer_json(&session->out, text, len);
    add_json_member(session, "ascii", &conversion->ascii);
    add_json_member(session, "unicode", &conversion->unicode);
    add_json_member(session, "display", &conversion->display);
    buffer_format(&session->out, ",\"valid\":%s,\"findings\":[",
                  conversion->valid ? "true" : "false");
    if (conversion->bad_utf8)
        buffer_text(&session->out, "{\"label\":0,\"status\":\"invalid\",\"reason\":[\"utf-8\"]}");
    for (size_t i = 0; i < conversion->finding_count; i++) {
        if (i > 0)
            buffer_text(&session->out, ",");
        add_json_finding(&session->out, &conversion->findings[i]);
    }
    buffer_text(&session->out, "]}");
}

static int run_name(struct session *session, const char *text, size_t len)
{
    struct conversion *conversion = &session->conversion;

    if (session->strict)
        convert_name_strictly(session->unicode, session->codec->strict, text, len, conversion);
    else
        convert_name(session->unicode, text, len, conversion);
    if (session->json)
        add_json(session, text, len);
    else
        add_result(session, session->codec->result(conversion, session->codepoints != 0));
    write_line(session);
    complain(session, text, len);
    return conversion->finding_count > 0 || conversion->bad_utf8 ? STATUS_FINDING : STATUS_FINE;
}

/* --- Punycode --- */

/* Reads text that consists of code points only, such as "U+0062 u+00FC". Returns their number, or 0
 * for any other text. */
static size_t read_code_points(const char *text, size_t len, uint32_t *cps)
{
    const char *end = text + len;
    char word[9 + 1];
    size_t count = 0;

    for (const char *at = xnm_textline_skip_blanks(text, end), *next; at < end; at = next) {
        size_t word_len = 0, digits;

        while (at < end && !xnm_textline_is_blank(*at) && word_len < sizeof word - 1)
            word[word_len++] = *at++;
        word[word_len] = '\0';
        digits = word_len < 2 ? 0 : strspn(word + 2, "0123456789ABCDEFabcdef");
        next = xnm_textline_skip_blanks(at, end);
        if (digits < 4 || digits + 2 != word_len || (word[0] | 0x20) != 'u' || word[1] != '+' ||
            (at < end && next == at))
            return 0;
        cps[count++] = (uint32_t)strtoul(word + 2, NULL, 16);
    }
    return count;
}

static xn_status read_input(const char *text, size_t len, uint32_t *cps, size_t *count)
{
    *count = read_code_points(text, len, cps);
    return *count > 0 ? XN_OK : xn_utf8_decode((const uint8_t *)text, len, cps, len, count, NULL);
}

static xn_status convert_text(struct session *session, const char *text, size_t len,
                              struct buffer *result)
{
    uint32_t *cps = malloc((len + 1) * sizeof *cps);
    struct xn_punycode_step *steps = malloc((len + 1) * sizeof *steps);
    size_t count, step_count = 0;
    xn_status status = cps && steps ? read_input(text, len, cps, &count) : XN_NO_MEMORY;

    if (status == XN_OK) {
        status = session->codec->convert(cps, count, result, steps, &step_count);
        if (session->trace)
            session->codec->trace(cps, count, steps, step_count, status == XN_OK ? result : NULL,
                                  &session->out);
    }
    free(steps);
    free(cps);
    return status;
}

static void refuse(const struct session *session, const char *text, size_t len, xn_status status)
{
    struct buffer shown = {0};

    buffer_visible(&shown, text, buffer_fitting(text, len, 64));
    input_complain(&session->input);
    fprintf(stderr, "%.*s: %s\n", (int)shown.len, shown.data,
            status == XN_NO_SPACE ? "is longer than 10,000 octets" : xn_status_text(status));
    buffer_free(&shown);
}

static int run_punycode(struct session *session, const char *text, size_t len)
{
    struct buffer result = {0};
    xn_status status =
        len > PUNYCODE_INPUT_MAX ? XN_NO_SPACE : convert_text(session, text, len, &result);

    if (status == XN_OK && !session->trace)
        add_result(session, &result);
    write_line(session);
    if (status != XN_OK)
        refuse(session, text, len, status);
    buffer_free(&result);
    return status == XN_OK ? STATUS_FINE : STATUS_FINDING;
}

/* --- the command --- */

static int run_all(struct session *session)
{
    const char *text;
    size_t len;
    int worst = STATUS_FINE;

    while (!ferror(stdout) && input_next(&session->input, &text, &len)) {
        int status =
            session->punycode ? run_punycode(session, text, len) : run_name(session, text, len);
        worst = status > worst ? status : worst;
    }
    return input_is_whole(&session->input) ? worst : STATUS_USAGE;
}

/* Returns the exit status if the options end the command, else -1. */
static int read_options(struct session *session, int argc, char **argv)
{
    const char *name = session->codec->name;
    const struct option known[] = {{"punycode", no_argument, &session->punycode, 1},
                                   {"trace", no_argument, &session->trace, 1},
                                   {"strict", no_argument, &session->strict, 1},
                                   {"codepoints", no_argument, &session->codepoints, 1},
                                   {"json", no_argument, &session->json, 1},
                                   {"help", no_argument, NULL, COMMAND_HELP},
                                   {0}};
    int status = command_read_options(name, session->codec->help, known, NULL, argc, argv);

    if (status >= 0)
        return status;
    if (session->trace && !session->punycode)
        return command_usage_error(name, "--trace needs --punycode");
    if (session->punycode && (session->strict || session->json))
        return command_usage_error(name, "--strict and --json do not go with --punycode");
    if (session->json && session->codepoints)
        return command_usage_error(name, "--json and --codepoints do not go together");
    session->input.arguments = argv + optind;
    session->input.argument_count = argc - optind;
    return -1;
}

int codec_main(const struct codec *codec, int argc, char **argv)
{
    struct session session = {.codec = codec};
    int status = read_options(&session, argc, argv);

    if (status >= 0)
        return status;
    if (!command_open_unicode(&session.unicode))
        return STATUS_USAGE;
    status = run_all(&session);
    xn_unicode_close(session.unicode);
    conversion_free(&session.conversion);
    buffer_free(&session.out);
    input_free(&session.input);
    return status;
}
