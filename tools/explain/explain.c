/* SPDX-License-Identifier: BSD-3-Clause */
#include "tools/explain/explain.h"

#include "module/config/config.h"
#include "module/zone/zonefile.h"
#include "tools/command/command.h"
#include "tools/command/input.h"
#include "tools/text/shown.h"

#include <stdio.h>
#include <string.h>

static const char help[] =
    "Usage: unbound-idn explain [OPTION]... [NAME]...\n"
    "\n"
    "Explains each name: for every label its A-label, its characters and their names,\n"
    "its scripts, why it is invalid or could mislead, and its look-alike keys; then\n"
    "the rule that decides the name, as the resolver's log shows it. Without NAME,\n"
    "reads names from standard input, one on a line. If NAME is a URL, its host is\n"
    "explained.\n"
    "\n"
    "  --policy FILE  the rules: a rule file, or a configuration that names rule\n"
    "                 files [$UNBOUND_IDN_CONF or " XNM_CONFIG_DEFAULT_PATH "]\n"
    "  --type TYPE    the query type [A]\n"
    "  --client ADDR  the client that asks, for rules with client= [unknown]\n"
    "  --time TIME    when it asks, for rules with when=: YYYY-MM-DDTHH:MM [now]\n"
    "  --host module|python|kresd|recursor|dnsdist  read the rules as this host does,\n"
    "                 by default its own, and say what it gives the client\n"
    "  --color auto|always|never  use colors [auto: on a terminal]\n"
    "  --json         print one JSON object on a line\n"
    "\n"
    "After a character's name, '= a' is its ASCII in the exact key, '~ a' in the\n"
    "strict key.\n"
    "Exit status: 0 if all is fine; 1 if a label is invalid or could mislead, or a\n"
    "rule changes the answer; 2 for wrong usage, or if the module would refuse the\n"
    "rules.\n";

enum { POLICY = 1, TYPE, CLIENT, TIME, COLOR, HOST, VALUES };

struct options {
    int json;
    const char *values[VALUES];
};

struct session {
    struct xn_unicode *unicode;
    struct explain_policy policy;
    struct input input;
    bool json;
    struct explained_name name;
    struct buffer text; /* of the name */
    struct buffer out;
};

/* --- one name --- */

/* Finds the worst status of all labels, and the name in wire format. Returns its length in octets;
 * 0: it has no wire format. */
static size_t read_labels(const struct xn_unicode *unicode, struct explained_name *name,
                          uint8_t wire[XN_WIRE_NAME_MAX])
{
    struct explained_label label = {0};
    size_t wire_len = 0;
    bool complete = true;

    while (explain_next_label(unicode, name, &label)) {
        xn_label_status status = xn_reasons_status(label.reasons);
        name->status = status > name->status ? status : name->status;
        name->raw |= label.raw;
        complete =
            complete && label.wire[0] > 0 && wire_len + label.wire[0] + 2 <= XN_WIRE_NAME_MAX;
        if (!complete)
            continue;
        memcpy(wire + wire_len, label.wire, 1u + label.wire[0]);
        wire_len += 1u + label.wire[0];
    }
    name->label_count = label.number;
    wire[complete ? wire_len : 0] = 0;
    return complete ? wire_len + 1 : 0;
}

static void read_name(struct session *session)
{
    struct explained_name *name = &session->name;
    const char *text = session->text.len > 0 ? session->text.data : "";
    size_t len = session->text.len;
    const struct conversion *conversion = &name->conversion;
    uint8_t wire[XN_WIRE_NAME_MAX];

    name->text = text;
    name->len = len;
    name->status = XN_LABEL_OK;
    name->reasons = len == 0 ? xn_reason_bit(XN_EMPTY) : 0;
    name->raw = name->asked = false;
    name->ask.len = 0;
    if (name->host.fault)
        convert_nothing(name->host.fault, &name->conversion);
    else
        convert_name(session->unicode, text, len, &name->conversion);
    xn_toplevel_find(session->unicode, (const uint8_t *)text, len, &name->tld);
    for (size_t i = 0; i < conversion->finding_count; i++)
        if (conversion->findings[i].label == 0)
            name->reasons |= conversion->findings[i].reasons;
    size_t wire_len = read_labels(session->unicode, name, wire);
    if (name->raw)
        explain_find_ask(&session->policy, name);
    if (conversion->fault || name->reasons)
        name->status = XN_LABEL_INVALID;
    else if (wire_len > 0 && session->policy.policy)
        name->asked = true;
    if (name->asked)
        explain_decide(&session->policy, wire, wire_len, &name->decision);
}

static int run_name(struct session *session, const char *text, size_t len)
{
    struct explained_name *name = &session->name;

    name->input = text;
    name->input_len = len;
    host_find(text, len, &name->host);
    session->text.len = 0;
    session->text.len =
        shown_read(name->host.name, name->host.len, buffer_reserve(&session->text, name->host.len));
    read_name(session);
    (session->json ? explain_as_json : explain_as_text)(&session->policy, name, &session->out);
    fwrite(session->out.data, 1, session->out.len, stdout);
    session->out.len = 0;
    bool changed =
        name->asked && name->decision.any && xnm_decision_changes_answer(&name->decision.decision);
    return name->status != XN_LABEL_OK || changed ? STATUS_FINDING : STATUS_FINE;
}

/* --- the command --- */

static int run_all(struct session *session)
{
    const char *text;
    size_t len;
    int worst = STATUS_FINE;

    for (bool first = true; !ferror(stdout) && input_next(&session->input, &text, &len);
         first = false) {
        if (!first && !session->json)
            fputs("\n", stdout);
        int status = run_name(session, text, len);
        worst = status > worst ? status : worst;
    }
    return input_is_whole(&session->input) ? worst : STATUS_USAGE;
}

/* Returns the exit status if the options end the command, else -1. */
static int read_options(struct options *options, int argc, char **argv)
{
    const struct option known[] = {{"policy", required_argument, NULL, POLICY},
                                   {"type", required_argument, NULL, TYPE},
                                   {"client", required_argument, NULL, CLIENT},
                                   {"time", required_argument, NULL, TIME},
                                   {"color", required_argument, NULL, COLOR},
                                   {"json", no_argument, &options->json, 1},
                                   {"host", required_argument, NULL, HOST},
                                   {"help", no_argument, NULL, COMMAND_HELP},
                                   {0}};

    int status = command_read_options("explain", help, known, options->values, argc, argv);

    return status >= 0 ? status : command_choose_color("explain", options->values[COLOR]);
}

/* Reads an address, IPv4-mapped or not, or a network. */
static bool read_client(const char *text, struct xnm_prefix *client)
{
    struct xnm_client address;

    if (!xnm_client_read(text, strlen(text), &address))
        return !xnm_prefix_read(text, strlen(text), client);
    *client = xnm_prefix_whole(&address);
    return true;
}

/* Reads who asks, and when. */
static bool read_asker(struct explain_policy *policy, const struct options *options)
{
    const char *client = options->values[CLIENT], *time = options->values[TIME], *end;
    struct tm local = {.tm_isdst = -1}, written;

    if (client && !read_client(client, &policy->client)) {
        command_refuse_value("explain", "--client", client,
                             "expected an address or a network, such as 192.0.2.1 or "
                             "2001:db8::/64");
        return false;
    }
    if (!time)
        return true;
    end = strptime(time, "%Y-%m-%dT%H:%M", &local);
    written = local;
    /* mktime makes another time of 30 February, and of the hour that is missing in spring. */
    if (!end || *end != '\0' || (policy->time = mktime(&local)) <= 0 ||
        written.tm_mday != local.tm_mday || written.tm_hour != local.tm_hour) {
        command_refuse_value("explain", "--time", time,
                             "expected a local time, such as 2026-11-23T08:00");
        return false;
    }
    return true;
}

static bool read_host(struct explain_policy *policy, const char *word)
{
    if (!word)
        return true;
    if (!check_find_host(word, &policy->host)) {
        command_refuse_value("explain", "--host", word, check_no_host);
        return false;
    }
    check_find_lacks(&policy->host);
    return true;
}

static bool open_policy(struct session *session, const struct options *options)
{
    const char *given = options->values[TYPE], *type = given ? given : "A";

    session->policy = (struct explain_policy){.unicode = session->unicode,
                                              .type = xnm_zonefile_type(type, strlen(type)),
                                              .type_word = type,
                                              .type_given = given != NULL};
    if (session->policy.type == 0) {
        command_refuse_value("explain", "--type", type,
                             "expected a query type, such as AAAA or TYPE65280");
        return false;
    }
    return read_asker(&session->policy, options) &&
           read_host(&session->policy, options->values[HOST]) &&
           explain_policy_open(&session->policy, options->values[POLICY]);
}

int explain_main(int argc, char **argv)
{
    struct options options = {0};
    struct session session = {0};
    int status = read_options(&options, argc, argv);

    if (status >= 0)
        return status;
    if (!command_open_unicode(&session.unicode))
        return STATUS_USAGE;
    session.json = options.json != 0;
    session.input.arguments = argv + optind;
    session.input.argument_count = argc - optind;
    status = open_policy(&session, &options) ? run_all(&session) : STATUS_USAGE;
    explain_policy_close(&session.policy);
    xn_unicode_close(session.unicode);
    conversion_free(&session.name.conversion);
    buffer_free(&session.name.ask);
    host_free(&session.name.host);
    buffer_free(&session.text);
    buffer_free(&session.out);
    input_free(&session.input);
    return status;
}
