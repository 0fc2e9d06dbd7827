/* SPDX-License-Identifier: BSD-3-Clause */
/* `rpz`: its options, the warnings about what RPZ cannot express, and the zone. */
#include "core/idna/unicode.h"
#include "core/wire/walk.h"
#include "module/base/number.h"
#include "module/config/config.h"
#include "module/name/rulename.h"
#include "module/policy/policy.h"
#include "module/rule/limit.h"
#include "module/rule/rule.h"
#include "tools/check/check.h"
#include "tools/check/policyread.h"
#include "tools/command/command.h"
#include "tools/command/progress.h"
#include "tools/rules/rpzprint.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const char help[] =
    "Usage: unbound-idn rpz --origin ZONE [OPTION]... [FILE]...\n"
    "\n"
    "Writes the rules as a response policy zone (RPZ), for resolvers without the\n"
    "module: BIND, Knot Resolver, PowerDNS Recursor, stock Unbound. FILE is one\n"
    "configuration, or one or more rule files, which are read in order. Without FILE:\n"
    "the configuration that the module would read, $UNBOUND_IDN_CONF or\n"
    "" XNM_CONFIG_DEFAULT_PATH ".\n"
    "\n"
    "  --origin ZONE         the name of the zone, such as rpz.example\n"
    "  --serial N            the SOA's serial [seconds since 1970]\n"
    "  --group NAME          write the zone for the clients of this group: also the\n"
    "                        rules with client=NAME or client=!OTHER\n"
    "  --ignore-unsupported  exit with 0 even if RPZ cannot express some rules\n"
    "\n"
    "RPZ has no look-alikes, conditions, refuse, type=, client= or when=: rules with\n"
    "these are left out, and listed on standard error. Rules that only log are not\n"
    "listed, since they change no answer.\n"
    "Exit status: 0 if the zone has every rule; 1 if it was written without the rules\n"
    "that are listed; 2 if no complete zone was written: wrong usage, rules that\n"
    "the module would reject, or a list without any entry.\n";

enum { ORIGIN = 1, SERIAL, GROUP, VALUES };

enum { REPORTED_MAX = 20 }; /* names of lists; the others are only counted */

struct session {
    struct xn_unicode *unicode;
    struct xnm_wirename origin;
    uint32_t serial;
    const char *group;  /* the zone is for the clients of this group; NULL: for all clients */
    int ignores;        /* RPZ's limits do not change the exit status */
    size_t unsupported; /* rules that were left out */
    size_t names;       /* of lists, that were left out */
    size_t written;     /* names */
    size_t to_write;    /* about how many names will be written; 0: no progress is shown, because
                           the zone goes to a terminal */
    char **files;       /* rule files, or a configuration */
    size_t file_count;
    struct policyread read;
    struct rpzprint print;
};

/* --- RPZ's limits --- */

static void say(const struct xnm_place *place, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static void say(const struct xnm_place *place, const char *format, ...)
{
    char message[XN_WIRE_TEXT_MAX + 256];
    va_list args;

    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    policyread_say(place, message);
}

static bool has_own_ede(const struct xnm_rule *rule)
{
    return rule->why || rule->sub_error ||
           (rule->ede >= 0 && (rule->ede_text || rule->ede != xnm_action_ede(rule->action)));
}

/* Returns whether client= has the group as a part, after `before`, which is "" or "!". */
static bool names_group(const struct session *session, const struct xnm_rule *rule,
                        const char *before)
{
    size_t before_len = strlen(before), group_len = strlen(session->group), len;
    const char *at = rule->client, *part;

    while (xnm_limit_next(&at, &part, &len))
        if (len == before_len + group_len && memcmp(part, before, before_len) == 0 &&
            memcmp(part + before_len, session->group, group_len) == 0)
            return true;
    return false;
}

/* Returns whether client= only excludes other groups. An address that it excludes may be one of the
 * group's. */
static bool is_for_all_but_groups(const struct xnm_rule *rule)
{
    const char *at = rule->client, *part;
    size_t len;

    while (xnm_limit_next(&at, &part, &len))
        if (part[0] != '!' || !xnm_group_is_name(part + 1, len - 1))
            return false;
    return true;
}

/* Returns whether client= excludes the whole group: it names only other groups, or excludes this
 * one. The zone lacks nothing without such a rule. say_overlaps reports clients of two groups. */
static bool is_for_others(const struct session *session, const struct xnm_rule *rule)
{
    const char *at = rule->client, *part;
    bool others = false, only_others = true;
    size_t len;

    if (!session->group || !at || names_group(session, rule, ""))
        return false;
    while (xnm_limit_next(&at, &part, &len)) {
        if (part[0] == '!')
            continue;
        others = true;
        only_others &= xnm_group_is_name(part, len);
    }
    return (others && only_others) || names_group(session, rule, "!");
}

/* Returns why client= or when= keeps a rule out of the zone; NULL: they do not. */
static const char *limit_refusal(const struct session *session, const struct xnm_rule *rule)
{
    if (rule->when)
        return "RPZ has no times (when=)";
    if (!rule->client)
        return NULL;
    if (!session->group)
        return "RPZ has no clients (client=): --group writes a zone for one group";
    if (is_for_all_but_groups(rule) || (names_group(session, rule, "") && rule->client[0] != '!'))
        return NULL;
    return "it may not be for every client of the group";
}

static bool takes(void *arg, const struct xnm_rule *rule)
{
    struct session *session = arg;
    const struct xnm_place place = {rule->file, rule->line, rule->column};
    const char *why;

    if (rule->action == XNM_LOG || rule->log_only)
        return false; /* it changes no answer: the zone lacks nothing */
    why = rpzexport_refusal(rule, session->origin.len);
    if (!why && is_for_others(session, rule))
        return false;
    if (!why)
        why = limit_refusal(session, rule);
    if (why) {
        session->unsupported++;
        say(&place, "left out: %s", why);
        return false;
    }
    if (has_own_ede(rule))
        say(&place, "RPZ has no extended errors: the zone has this rule without its ede=, why= or "
                    "sub-error=");
    if (rule->name.len == 1 && rule->scope == XNM_SCOPE_ZONE && !rule->path)
        say(&place, "the root itself has no owner in an RPZ zone: the zone has all names below it");
    return true;
}

/* Reports entries for some query types. rpzexport writes none of them, since it asks for no type.
 */
static void say_typed(struct session *session, const struct xnm_policy *policy)
{
    for (size_t i = 0; i < xnm_policy_rule_count(policy); i++) {
        const struct xnm_policy_rule *rule = xnm_policy_rule(policy, i);
        const struct xnm_place place = {rule->file, rule->line, 1};
        if (rule->typed_count == 0)
            continue;
        session->unsupported++;
        say(&place,
            "left out: RPZ entries are for every query type: %zu of this list have $dnstype",
            rule->typed_count);
    }
}

static void note_left_out(void *arg, const struct rpzowner *owner, const char *why)
{
    struct session *session = arg;
    const struct xnm_policy_rule *rule = owner->answer->rule;
    const struct xnm_place place = {rule->file, rule->line, 1};
    char name[XN_WIRE_TEXT_MAX + 1];

    if (session->names++ >= REPORTED_MAX)
        return;
    name[xn_wire_to_text(owner->name, name) - 1] =
        '\0'; /* overwrites the final dot; never the root's */
    say(&place, "left out: '%s%s' of a list: %s", owner->wildcard ? "*." : "", name, why);
}

static void say_rest(const struct session *session)
{
    const struct xnm_place place = {.file = "lists"};

    if (session->names > REPORTED_MAX)
        say(&place, "%zu more names are left out", session->names - REPORTED_MAX);
    if (session->print.left_out > 0)
        say(&place,
            "left out: records for which resolvers would refuse the zone (their type or form, more "
            "than %d octets, more than %d at a name), %zu in all",
            RPZEXPORT_RDATA_MAX, RPZEXPORT_RECORDS_MAX, session->print.left_out);
}

/* --- the policy --- */

static bool read_config(struct session *session, const char *file)
{
    const struct xnm_place place = {.file = file};

    if (session->file_count > 1) {
        say(&place, "no zone is written: a configuration must be the only file");
        return false;
    }
    if (!policyread_config(&session->read, file))
        return false;
    if (!session->read.files.policy)
        say(&place, "no zone is written: this configuration names no rule file");
    return session->read.files.policy != NULL;
}

/* Reads rule files, or one configuration, as the first word of each says. */
static bool read_files(struct session *session)
{
    for (size_t i = 0; i < session->file_count; i++) {
        check_kind kind = check_kind_of(session->files[i]);
        if (kind == CHECK_CONFIG || (kind == CHECK_SILENT && session->file_count == 1))
            return read_config(session, session->files[i]);
    }
    return policyread_rules(&session->read, session->files, session->file_count);
}

/* In log-only mode the policy only logs; the zone would be in force. */
static bool read_policy(struct session *session)
{
    const struct xnm_place place = {.file = session->files[0]};

    session->read = (struct policyread){.how = {.unicode = session->unicode,
                                                .diagnostics = &policyread_errors,
                                                .takes = takes,
                                                .takes_arg = session,
                                                .for_everybody = true}};
    if (!read_files(session))
        return false;
    if (session->read.log_only)
        say(&place, "RPZ has no policy-mode: log-only: a resolver that loads the zone applies it, "
                    "unless its configuration says otherwise (policy disabled, "
                    "rpz-action-override: disabled)");
    return true;
}

/* Returns whether each list gives a name; reports each that gives none. The module keeps what a
 * lost list held; a zone has nothing to keep, and would stop blocking wherever it goes. */
static bool has_every_list(const struct xnm_policy *policy)
{
    bool all = true;

    for (size_t i = 0; i < xnm_policy_rule_count(policy); i++) {
        const struct xnm_policy_rule *rule = xnm_policy_rule(policy, i);
        const struct xnm_place place = {rule->file, rule->line, 1};
        if (!xnm_trigger_has_path(rule->trigger) || rule->entry_count > 0)
            continue;
        all = false;
        say(&place, "no zone is written: this list has no names: if it is meant to be empty, "
                    "remove the rule");
    }
    for (size_t i = 0; i < xnm_policy_client_set_count(policy); i++) {
        const struct xnm_client_set *set = xnm_policy_client_set(policy, i);
        const struct xnm_place place = {.file = set->path};
        if (!set->path || set->ranges.count[XNM_IPV4] + set->ranges.count[XNM_IPV6] > 0)
            continue;
        all = false;
        say(&place,
            "no zone is written: group %s has no address of this file: if it is meant to be "
            "empty, remove the file= from the group",
            set->group);
    }
    return all;
}

static void say_overlap(void *arg, const char *group, const char *other, const char *client)
{
    const struct session *session = arg;
    const struct xnm_place place = {.file = session->files[0]};
    bool first = strcmp(group, session->group) == 0;

    if (first || strcmp(other, session->group) == 0)
        say(&place,
            "group %s has clients of %s, too, such as %s: the zone has only the rules of %s",
            first ? other : group, session->group, client, session->group);
}

/* Reports other groups that have clients of this one. Returns false, with a report, if there is no
 * such group. */
static bool say_overlaps(struct session *session)
{
    const struct xnm_policy *policy = session->read.files.policy;
    const struct xnm_place place = {.file = session->files[0]};
    bool known = !session->group;

    for (size_t i = 0; i < xnm_policy_client_set_count(policy) && !known; i++)
        known = strcmp(xnm_policy_client_set(policy, i)->group, session->group) == 0;
    if (!known)
        say(&place, "there is no group '%s'; no zone is written", session->group);
    else if (session->group)
        policyread_overlaps(policy, say_overlap, session);
    return known;
}

/* --- the zone --- */

/* Returns about how many names the zone will have. */
static size_t names_of(const struct xnm_policy *policy)
{
    size_t names = 0;

    for (size_t i = 0; i < xnm_policy_rule_count(policy); i++)
        names += 1 + xnm_policy_rule(policy, i)->entry_count;
    return names;
}

static bool print_owner(void *arg, const struct rpzowner *owner)
{
    struct session *session = arg;

    rpzprint_owner(&session->print, owner);
    session->written += !owner->wildcard;
    if (session->to_write > 0)
        progress_share("the zone", session->written, session->to_write);
    return !session->print.failed && !ferror(stdout);
}

static void print_comments(struct session *session)
{
    struct rpzprint *print = &session->print;
    char text[128];

    rpzprint_comment(print, "made by unbound-idn of:");
    for (size_t i = 0; i < session->file_count; i++)
        rpzprint_comment(print, session->files[i]);
    if (session->unsupported == 0)
        return;
    snprintf(text, sizeof text, "rules left out, because RPZ cannot express them: %zu",
             session->unsupported);
    rpzprint_comment(print, text);
}

static int print_zone(struct session *session)
{
    const struct xnm_policy *policy = session->read.files.policy;
    const struct rpzexport export = {.policy = policy,
                                     .origin_len = session->origin.len,
                                     .owner = print_owner,
                                     .left_out = note_left_out,
                                     .arg = session};

    session->print.unicode = session->unicode;
    say_typed(session, policy);
    print_comments(session);
    rpzprint_head(&session->print, xnm_policy_settings(policy), &session->origin, session->serial);
    session->to_write = isatty(STDOUT_FILENO) == 1 ? 0 : names_of(policy);
    bool good = rpzexport(&export);
    rpzprint_finish(&session->print);
    progress_clear();
    if (!good)
        fprintf(stderr, "unbound-idn rpz: the zone is not complete: %s\n",
                session->print.failed ? "a name cannot be written"
                : ferror(stdout)      ? "it cannot be written"
                                      : "out of memory");
    say_rest(session);
    if (!good)
        return STATUS_USAGE;
    bool lacks = session->unsupported > 0 || session->read.log_only || session->print.lacks;
    return lacks && !session->ignores ? STATUS_FINDING : STATUS_FINE;
}

/* --- the command --- */

static bool read_serial(const char *text, uint32_t *serial)
{
    *serial = (uint32_t)time(NULL);
    return !text || xnm_number_read(text, strlen(text), UINT32_MAX, serial);
}

/* Reads a name that can be a zone's origin, with the name server localhost. */
static bool read_origin(const struct xn_unicode *unicode, const char *text,
                        struct xnm_wirename *origin)
{
    static const char localhost[] = "\011localhost";

    return text && xnm_rulename_read(unicode, text, strlen(text), origin, NULL, NULL, NULL) &&
           origin->len > 1 && memcmp(origin->octets, "\001*", 2) != 0 &&
           (origin->len != sizeof localhost ||
            memcmp(origin->octets, localhost, sizeof localhost) != 0);
}

static int run(struct session *session, const char *const values[VALUES])
{
    const char *origin = values[ORIGIN], *serial = values[SERIAL];

    if (!origin)
        return command_usage_error("rpz", "expected --origin with the zone's name, such as "
                                          "rpz.example");
    if (!read_origin(session->unicode, origin, &session->origin))
        return command_refuse_value("rpz", "--origin", origin,
                                    "expected the zone's name, such as rpz.example");
    if (!read_serial(serial, &session->serial))
        return command_refuse_value("rpz", "--serial", serial,
                                    "expected a number up to 4294967295");
    session->group = values[GROUP];
    if (session->group && !xnm_group_is_name(session->group, strlen(session->group)))
        return command_refuse_value("rpz", "--group", session->group, "expected a group's name");
    if (!read_policy(session) || !has_every_list(session->read.files.policy) ||
        !say_overlaps(session))
        return STATUS_USAGE;
    return print_zone(session);
}

int rpz_main(int argc, char **argv)
{
    struct session session = {0};
    const char *values[VALUES] = {0};
    const struct option known[] = {{"origin", required_argument, NULL, ORIGIN},
                                   {"serial", required_argument, NULL, SERIAL},
                                   {"group", required_argument, NULL, GROUP},
                                   {"ignore-unsupported", no_argument, &session.ignores, 1},
                                   {"help", no_argument, NULL, COMMAND_HELP},
                                   {0}};
    bool is_default;
    char *found[] = {(char *)check_default_config(&is_default)};
    int status = command_read_options("rpz", help, known, values, argc, argv);

    if (status >= 0)
        return status;
    if (!command_open_unicode(&session.unicode))
        return STATUS_USAGE;
    session.files = optind < argc ? argv + optind : found;
    session.file_count = optind < argc ? (size_t)(argc - optind) : 1;
    status = run(&session, values);
    xnm_policy_free(session.read.files.policy);
    xn_unicode_close(session.unicode);
    return status;
}
