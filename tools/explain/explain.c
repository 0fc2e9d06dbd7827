/* SPDX-License-Identifier: BSD-3-Clause */
#include "tools/explain/explain.h"

#include "module/config/config.h"
#include "module/zone/zonefile.h"
#include "tools/command/command.h"
#include "tools/command/input.h"

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

struct session {
    struct xn_unicode *unicode;
    struct explain_policy policy;
    struct input input;
    int json;
    bool any; /* a name was explained */
    struct explained_name name;
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
    const struct conversion *conversion = &name->conversion;
    uint8_t wire[XN_WIRE_NAME_MAX];

    convert_name(session->unicode, &name->host, &name->conversion);
    name->status = XN_LABEL_OK;
    name->reasons = conversion->text.len == 0 ? xn_reason_bit(XN_EMPTY) : 0;
    name->raw = name->asked = false;
    name->ask.len = 0;
    xn_toplevel_find(session->unicode, (const uint8_t *)conversion->text.data, conversion->text.len,
                     &name->tld);
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

static int run_name(void *arg, const char *text, size_t len)
{
    struct session *session = arg;
    struct explained_name *name = &session->name;

    name->input = text;
    name->input_len = len;
    host_find(text, len, &name->host);
    read_name(session);
    if (session->any && !session->json)
        buffer_text(&session->out, "\n");
    session->any = true;
    (session->json ? explain_as_json : explain_as_text)(&session->policy, name, &session->out);
    fwrite(session->out.data, 1, session->out.len, stdout);
    session->out.len = 0;
    bool changed =
        name->asked && name->decision.any && xnm_decision_changes_answer(&name->decision.decision);
    return name->status != XN_LABEL_OK || changed ? STATUS_FINDING : STATUS_FINE;
}

/* --- the command --- */

/* Reads an address, IPv4-mapped or not, or a network. */
static bool read_client(const char *text, struct xnm_prefix *client)
{
    struct xnm_client address;

    if (!xnm_client_read(text, strlen(text), &address))
        return !xnm_prefix_read(text, strlen(text), client);
    *client = xnm_prefix_whole(&address);
    return true;
}

/* These return the exit status if a value ends the command, else -1. */
static int read_asker(struct explain_policy *policy, const char *client, const char *time)
{
    struct tm local = {.tm_isdst = -1}, written;

    if (client && !read_client(client, &policy->client))
        return command_refuse_value("explain", "--client", client,
                                    "expected an address or a network, such as 192.0.2.1 or "
                                    "2001:db8::/64");
    if (!time)
        return -1;
    const char *end = strptime(time, "%Y-%m-%dT%H:%M", &local);
    written = local;
    /* mktime makes another time of 30 February, and of the hour that is missing in spring. */
    if (!end || *end != '\0' || (policy->time = mktime(&local)) <= 0 ||
        written.tm_mday != local.tm_mday || written.tm_hour != local.tm_hour)
        return command_refuse_value("explain", "--time", time,
                                    "expected a local time, such as 2026-11-23T08:00");
    return -1;
}

static int open_policy(struct explain_policy *policy, const char *const values[VALUES])
{
    const char *host = values[HOST];

    policy->type_given = values[TYPE] != NULL;
    policy->type_word = values[TYPE] ? values[TYPE] : "A";
    policy->type = xnm_zonefile_type(policy->type_word, strlen(policy->type_word));
    if (policy->type == 0)
        return command_refuse_value("explain", "--type", policy->type_word,
                                    "expected a query type, such as AAAA or TYPE65280");
    int status = read_asker(policy, values[CLIENT], values[TIME]);
    if (status >= 0)
        return status;
    if (host && !check_find_host(host, &policy->host))
        return command_refuse_value("explain", "--host", host, check_no_host);
    if (host)
        check_find_lacks(&policy->host);
    return explain_policy_open(policy, values[POLICY]) ? -1 : STATUS_USAGE;
}

int explain_main(int argc, char **argv)
{
    struct session session = {0};
    const char *values[VALUES] = {0};
    const struct option known[] = {{"policy", required_argument, NULL, POLICY},
                                   {"type", required_argument, NULL, TYPE},
                                   {"client", required_argument, NULL, CLIENT},
                                   {"time", required_argument, NULL, TIME},
                                   {"color", required_argument, NULL, COLOR},
                                   {"json", no_argument, &session.json, 1},
                                   {"host", required_argument, NULL, HOST},
                                   {"help", no_argument, NULL, COMMAND_HELP},
                                   {0}};
    int status = command_read_options("explain", help, known, values, argc, argv);

    if (status < 0)
        status = command_choose_color("explain", values[COLOR]);
    if (status >= 0)
        return status;
    if (!command_open_unicode(&session.unicode))
        return STATUS_USAGE;
    session.input.arguments = argv + optind;
    session.input.argument_count = argc - optind;
    session.policy.unicode = session.unicode;
    status = open_policy(&session.policy, values);
    if (status < 0)
        status = input_each(&session.input, run_name, &session);
    explain_policy_close(&session.policy);
    xn_unicode_close(session.unicode);
    conversion_free(&session.name.conversion);
    buffer_free(&session.name.ask);
    host_free(&session.name.host);
    buffer_free(&session.out);
    input_free(&session.input);
    return status;
}
