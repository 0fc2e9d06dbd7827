/* SPDX-License-Identifier: BSD-3-Clause */
#include "tools/check/check.h"

#include "core/idna/unicode.h"
#include "module/config/config.h"
#include "module/file/textfile.h"
#include "module/file/textline.h"
#include "module/load/policyfiles.h"
#include "module/rule/rulefile.h"
#include "module/rule/ruletable.h"
#include "tools/command/command.h"
#include "tools/command/progress.h"
#include "tools/text/color.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char help[] =
    "Usage: unbound-idn check [OPTION]... [FILE]...\n"
    "\n"
    "Checks configurations, or rule files, with the lists that they name. Without\n"
    "FILE: $UNBOUND_IDN_CONF, or the configuration of each installed host, read as\n"
    "its user, or " XNM_CONFIG_DEFAULT_PATH ".\n"
    "\n"
    "  --names, --zones, --protected, --rpz\n"
    "                       each FILE is a list or zone, read as by such a rule\n"
    "  --urls, --download, --for  for fetch: see unbound-idn(1)\n"
    "  --unbound-conf FILE  also check that Unbound with this configuration would\n"
    "                       load the module: order, paths, build id, permissions\n"
    "  --daemon FILE        Unbound's program [/usr/sbin, /usr/local/sbin]\n"
    "  --checkconf FILE     the unbound-checkconf to run [the one beside the daemon]\n"
    "  --user USER          the user that Unbound runs as [its username:]\n"
    "  --host module|python|kresd|recursor|dnsdist  read FILE as this host does\n"
    "  --start              only what keeps Unbound from starting; read no lists\n"
    "  --color auto|always|never  use colors [auto: on a terminal]\n"
    "  --json               print each message as one JSON object on a line\n"
    "\n"
    "Exit status: 0 if all is fine, apart from warnings and bad lines in lists that a\n"
    "rule names; 1 if Unbound or the module would refuse something, no entry of a\n"
    "list is in force, triggers of a zone do nothing, or a list given as FILE has bad\n"
    "lines; 2 for wrong usage.\n";

/* --- messages --- */

static void write_line(struct checker *checker)
{
    progress_clear();
    buffer_text(&checker->line, "\n");
    fwrite(checker->line.data, 1, checker->line.len, checker->out);
    checker->line.len = 0;
}

static void add_text(struct checker *checker, const struct xnm_place *place, color which,
                     const char *message)
{
    color_begin(&checker->line, which);
    buffer_visible(&checker->line, checker->root, strlen(checker->root));
    buffer_message(&checker->line, place, "");
    color_end(&checker->line, which);
    buffer_visible(&checker->line, message, strlen(message));
}

static void add_object(struct checker *checker, const struct xnm_place *place, const char *severity,
                       const char *message)
{
    struct buffer *line = &checker->line, path = {0};

    buffer_text(&path, checker->root);
    buffer_text(&path, place->file);
    buffer_text(line, "{\"file\":");
    buffer_json(line, path.data, path.len);
    buffer_format(line, ",\"line\":%u,\"column\":%u,\"severity\":\"%s\",\"message\":", place->line,
                  place->column, severity);
    buffer_json(line, message, strlen(message));
    buffer_free(&path);
}

typedef enum { KIND_ERROR, KIND_WARNING, KIND_NOTE } message_kind;

/* `members` are of the JSON object, after a comma; "": none. */
static void write_message(struct checker *checker, const struct xnm_place *place, message_kind kind,
                          const char *message, const char *members)
{
    static const struct {
        const char *word;
        color color;
    } kinds[] = {{"error", COLOR_ERROR}, {"warning", COLOR_WARNING}, {"note", COLOR_NONE}};

    if (checker->brief && kind != KIND_ERROR)
        return;
    if (checker->json) {
        add_object(checker, place, kinds[kind].word, message);
        buffer_format(&checker->line, "%s}", members);
    } else {
        add_text(checker, place, kinds[kind].color, message);
        if (kind != KIND_ERROR)
            buffer_format(&checker->line, " [%s]", kinds[kind].word);
    }
    write_line(checker);
}

/* Returns whether an error is inside a list: it only costs an entry. A list that cannot be used at
 * all gets another error, at the rule that names it. */
static bool is_in_list(const struct checker *checker, const char *file)
{
    const struct xnm_config *policy = checker->policy;

    for (size_t i = 0; policy && i < policy->policy.file_count; i++)
        if (strcmp(policy->policy.files[i], file) == 0)
            return false;
    return policy != NULL;
}

static void report(void *arg, xnm_severity severity, const struct xnm_place *place,
                   const char *message)
{
    struct checker *checker = arg;

    if (severity == XNM_WARNING) {
        checker->counts.warnings++;
    } else if (is_in_list(checker, place->file)) {
        checker->counts.in_lists++;
    } else {
        checker->counts.errors++;
        checker->counts.failed = true;
    }
    write_message(checker, place, severity == XNM_WARNING ? KIND_WARNING : KIND_ERROR, message, "");
}

void check_note(struct checker *checker, const struct xnm_place *place, const char *format, ...)
{
    char message[1024];
    va_list args;

    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    write_message(checker, place, KIND_NOTE, message, "");
}

void check_summary(struct checker *checker, const char *file, struct buffer *text,
                   struct buffer *members)
{
    write_message(checker, &(struct xnm_place){.file = file}, KIND_NOTE, buffer_string(text),
                  buffer_string(members));
    buffer_free(text);
    buffer_free(members);
}

static void add_count(struct buffer *line, unsigned count, const char *one, const char *many)
{
    if (count > 0)
        buffer_format(line, "%s%u %s", line->data[line->len - 1] == ' ' ? "" : ", ", count,
                      count == 1 ? one : many);
}

void check_finish_file(struct checker *checker, const char *file)
{
    const struct check_counts *counts = &checker->counts;
    struct buffer *line = &checker->line;

    if (!checker->json && !checker->brief) {
        buffer_visible(line, file, strlen(file));
        buffer_text(line, ": ");
        add_count(line, counts->errors, "error", "errors");
        add_count(line, counts->warnings, "warning", "warnings");
        add_count(line, counts->in_lists, "error inside lists", "errors inside lists");
        if (counts->errors + counts->warnings + counts->in_lists == 0)
            buffer_text(line, "fine");
        write_line(checker);
    }
    checker->counts = (struct check_counts){.failed = counts->failed};
}

/* --- configuration files --- */

void check_config(struct checker *checker, const char *file, bool is_default,
                  struct xnm_config *config)
{
    struct xnm_place place = {.file = file};

    xnm_config_init(config);
    if (is_default && access(file, F_OK) != 0) {
        check_note(checker, &place, "does not exist, so every key has its default");
        return;
    }
    if (!xnm_config_load(config, file, &checker->diagnostics)) {
        xnm_config_free(config);
        xnm_config_init(config);
    }
}

const char *check_default_config(bool *is_default)
{
    const char *from_environment = getenv("UNBOUND_IDN_CONF");

    *is_default = !from_environment || !from_environment[0];
    return *is_default ? XNM_CONFIG_DEFAULT_PATH : from_environment;
}

/* Moves to the next line that is neither empty nor a comment. Returns its first word, of *len
 * octets, or NULL if there is no such line. */
static const char *next_first_word(struct xnm_textline *line, size_t *len)
{
    while (xnm_textline_next(line)) {
        const char *at = xnm_textline_skip_blanks(line->at, line->end);
        if (at < line->end && *at != '#') {
            *len = strcspn(at, " \t\r\n");
            return at;
        }
    }
    *len = 0;
    return NULL;
}

/* Returns how many characters at the start of a word may be in a key or an action. */
static size_t plain_letters(const char *word)
{
    return strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-_");
}

/* A value may follow a key's colon without a blank. A file that is too large for rules is too large
 * for a configuration: as rules, its error names the larger limit. */
check_kind check_kind_of(const char *file)
{
    struct xnm_textfile text;
    struct xnm_textline line;
    size_t len;
    check_kind result = CHECK_CONFIG;

    if (xnm_textfile_read(file, XNM_RULES_SIZE_MAX, &text))
        return text.stamp.size > XNM_RULES_SIZE_MAX ? CHECK_RULES : CHECK_SILENT;
    xnm_textline_open(&line, file, text.text, text.len, &xnm_diagnostics_ignored);
    const char *word = next_first_word(&line, &len);
    size_t letters = len > 0 ? plain_letters(word) : 0;
    if (len == 0)
        result = CHECK_SILENT;
    else if (letters == len)
        result = CHECK_RULES;
    else if (letters == 0 || word[letters] != ':')
        result = CHECK_DOUBTFUL;
    xnm_textfile_free(&text);
    return result;
}

static bool begins_like_rule(const char *at, size_t len)
{
    const struct xnm_word word = {.at = at, .text = at, .len = len, .unquoted_len = len};
    xnm_action action;

    return xnm_ruletable_find_action(&word, &action) || xnm_ruletable_is_group(&word) ||
           xnm_ruletable_near_action(&word);
}

/* Returns whether a file is no rule file, and reports that with one error, since each line would be
 * an error. True if it has many lines, and three of four begin with no action, not even a
 * misspelled one. */
static bool is_another_text(struct checker *checker, const char *file)
{
    enum { MANY = 12 };
    const struct xnm_place place = {.file = file};
    size_t lines = 0, strange = 0, len;
    struct xnm_textfile text;
    struct xnm_textline line;

    if (xnm_textfile_read(file, XNM_RULES_SIZE_MAX, &text))
        return false;
    xnm_textline_open(&line, file, text.text, text.len, &xnm_diagnostics_ignored);
    for (const char *word; (word = next_first_word(&line, &len)) != NULL; lines++)
        strange += !begins_like_rule(word, len);
    xnm_textfile_free(&text);
    if (lines < MANY || strange * 4 < lines * 3)
        return false;
    xnm_diagnostics_add(
        &checker->diagnostics, XNM_ERROR, &place,
        "this is not a rule file: %zu of its %zu lines begin with no action; use "
        "--names, --zones or --protected for a list, --rpz for a response policy zone",
        strange, lines);
    return true;
}

static void check_as_config(struct checker *checker, const char *file, bool is_default)
{
    struct xnm_config config;

    check_config(checker, file, is_default, &config);
    check_policy(checker, &config, file, false);
    xnm_config_free(&config);
    check_finish_file(checker, file);
}

static void check_file(struct checker *checker, char *file)
{
    const struct xnm_place place = {.file = file};
    check_kind found = check_kind_of(file);

    if (found == CHECK_CONFIG || found == CHECK_SILENT) {
        check_as_config(checker, file, false);
        return;
    }
    if (!is_another_text(checker, file)) {
        check_rules(checker, file);
        check_note_unnamed(checker, file);
        if (found == CHECK_DOUBTFUL)
            check_note(
                checker, &place,
                "read as a rule file, because it does not begin with a key of a configuration; use "
                "--names, --zones or --protected for a list, --rpz for a response policy zone");
    }
    check_finish_file(checker, file);
}

/* --- the command --- */

enum { UNBOUND_CONF = 1, DAEMON, CHECKCONF, USER, COLOR, DOWNLOAD, FOR, HOST, VALUES };

/* The triggers as which a FILE can be read, in the order of struct options. */
static const xnm_trigger list_triggers[] = {XNM_TRIGGER_NAMES, XNM_TRIGGER_ZONES,
                                            XNM_TRIGGER_LOOKALIKES, XNM_TRIGGER_RPZ};
enum { LIST_KINDS = sizeof list_triggers / sizeof *list_triggers };

/* The arguments of --opened, with which check_unbound runs this command again: the members of
 * struct check_opened. */
enum { ROOT, USER_NAME, MODULE, CONFIG, LACKS, OPENED_COUNT };

struct options {
    int json, urls, start, opened, lists[LIST_KINDS];
    const char *values[VALUES];
};

/* Returns how many of these options were given; *trigger is the last of them. */
static int count_lists(const struct options *options, xnm_trigger *trigger)
{
    int count = 0;

    for (size_t i = 0; i < LIST_KINDS; i++) {
        if (options->lists[i])
            *trigger = list_triggers[i];
        count += options->lists[i];
    }
    return count;
}

/* Returns which options do not go together; NULL: none. */
static const char *contradiction(const struct options *options, int files)
{
    xnm_trigger trigger = XNM_TRIGGER_COUNT;
    int lists = count_lists(options, &trigger);
    bool is_for_fetch = options->urls || options->values[DOWNLOAD];

    if (!options->values[DOWNLOAD] != !options->values[FOR])
        return "--download and --for must be given together";
    if (is_for_fetch && (lists > 0 || options->values[UNBOUND_CONF] || options->json || files > 1 ||
                         (options->urls && options->values[DOWNLOAD])))
        return "--urls, and --download with --for, take one configuration and no other option";
    if (options->values[HOST] &&
        (lists > 0 || is_for_fetch || files > 1 || options->values[UNBOUND_CONF]))
        return "--host takes one configuration, and only --user, --color and --json beside it";
    if ((options->values[DAEMON] || options->values[CHECKCONF] ||
         (options->values[USER] && !options->values[HOST]) ||
         (options->start && !options->opened)) &&
        !options->values[UNBOUND_CONF])
        return "--daemon, --checkconf, --user and --start need --unbound-conf";
    if (lists > 1)
        return "--names, --zones, --protected and --rpz cannot be combined";
    if (lists > 0 && (options->values[UNBOUND_CONF] || files == 0))
        return "--names, --zones, --protected and --rpz need FILE, and cannot be combined with "
               "--unbound-conf";
    return NULL;
}

/* Returns the exit status if the options end the command, else -1. */
static int read_options(struct options *options, int argc, char **argv)
{
    const struct option known[] = {{"unbound-conf", required_argument, NULL, UNBOUND_CONF},
                                   {"daemon", required_argument, NULL, DAEMON},
                                   {"checkconf", required_argument, NULL, CHECKCONF},
                                   {"user", required_argument, NULL, USER},
                                   {"color", required_argument, NULL, COLOR},
                                   {"download", required_argument, NULL, DOWNLOAD},
                                   {"for", required_argument, NULL, FOR},
                                   {"host", required_argument, NULL, HOST},
                                   {"urls", no_argument, &options->urls, 1},
                                   {"json", no_argument, &options->json, 1},
                                   {"start", no_argument, &options->start, 1},
                                   {"opened", no_argument, &options->opened, 1},
                                   {"help", no_argument, NULL, COMMAND_HELP},
                                   {"names", no_argument, &options->lists[0], 1},
                                   {"zones", no_argument, &options->lists[1], 1},
                                   {"protected", no_argument, &options->lists[2], 1},
                                   {"rpz", no_argument, &options->lists[3], 1},
                                   {0}};
    struct check_host host;
    int status = command_read_options("check", help, known, options->values, argc, argv);

    if (status >= 0)
        return status;
    const char *wrong = contradiction(options, argc - optind);
    if (options->opened && argc - optind != OPENED_COUNT)
        wrong = "--opened is for this command itself";
    if (!wrong && options->values[HOST] && !check_find_host(options->values[HOST], &host))
        return command_refuse_value("check", "--host", options->values[HOST], check_no_host);
    return wrong ? command_usage_error("check", wrong)
                 : command_choose_color("check", options->values[COLOR]);
}

static void check_lists(struct checker *checker, xnm_trigger trigger, char **files)
{
    for (; *files; files++) {
        check_list(checker, *files, trigger);
        check_finish_file(checker, *files);
    }
}

static void check_files(struct checker *checker, const struct options *options, char **files)
{
    const char *const *values = options->values;
    bool is_default, any = *files != NULL;
    const char *file = check_default_config(&is_default);
    const struct check_daemon what = {values[DAEMON], values[CHECKCONF], values[USER]};

    if (values[HOST] || (!any && is_default && !values[UNBOUND_CONF])) {
        if (check_hosts(checker, values[HOST], *files, values[USER]))
            return;
    }
    for (; *files; files++)
        check_file(checker, *files);
    if (values[UNBOUND_CONF])
        check_unbound(checker, values[UNBOUND_CONF], &what);
    else if (!any)
        check_as_config(checker, file, is_default);
}

/* Answers a question of `fetch`, or checks files. Returns the exit status. */
static int run(struct checker *checker, const struct options *options, char **files)
{
    const char *const *values = options->values;
    bool is_default;
    const char *config = *files ? *files : check_default_config(&is_default);
    xnm_trigger trigger = XNM_TRIGGER_COUNT;

    if (options->urls)
        return check_urls(checker->unicode, config);
    if (values[DOWNLOAD])
        return check_download(checker->unicode, config, values[DOWNLOAD], values[FOR]);
    if (options->opened)
        check_opened(checker, &(struct check_opened){files[ROOT], files[USER_NAME], files[MODULE],
                                                     files[CONFIG],
                                                     (unsigned)strtoul(files[LACKS], NULL, 10)});
    else if (count_lists(options, &trigger) > 0)
        check_lists(checker, trigger, files);
    else
        check_files(checker, options, files);
    return checker->counts.failed ? STATUS_FINDING : STATUS_FINE;
}

int check_main(int argc, char **argv)
{
    struct options options = {0};
    struct checker checker = {0};
    int status = read_options(&options, argc, argv);

    if (status >= 0)
        return status;
    if (!command_open_unicode(&checker.unicode))
        return STATUS_USAGE;
    checker.diagnostics = (struct xnm_diagnostics){report, &checker};
    checker.out = stdout;
    checker.root = "";
    checker.color = options.values[COLOR];
    checker.json = options.json != 0;
    checker.brief = options.start != 0;
    status = run(&checker, &options, argv + optind);
    xn_unicode_close(checker.unicode);
    buffer_free(&checker.line);
    return status;
}
