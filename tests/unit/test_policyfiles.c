/* SPDX-License-Identifier: BSD-3-Clause */
#include "module/rule/rule.h"
#include "tests/unit/policyfilesread.h"

#define CYRILLIC_A "xn--80a"
#define CYRILLIC_O "xn--n1a"

TEST(reads_no_file, "no file is named")
{
    struct xnm_policyfiles read;

    assert_true(read_all("", NULL, &read));
    expect_reports("");
    assert_null(read.policy);
    assert_int_equal(read.sources.count, 0);
    free_policyfiles(&read);
}

TEST(reads_files, "rule files and lists")
{
    struct xnm_policyfiles read;

    write_in("rules", "nxdomain name a.example\nnxdomain names list\nrefuse zones list2\n");
    write_in("more", "nodata zone c.example\n");
    write_in("list", "d.example\ne.example\n");
    write_in("list2", "f.example\n");
    assert_true(read_all(TWO, NULL, &read));
    expect_reports("");
    assert_int_equal(read.sources.count, 4);
    assert_string_equal(read.sources.files[3].path, path_in("list2"));
    for (int i = 0; i <= XNM_SOURCES_SAME_LOOKS; i++)
        assert_false(xnm_sources_look(&read.sources));
    assert_int_equal(read.bad_lists, 0);
    assert_int_equal(xnm_policy_rule_count(read.policy), 4);
    assert_true(decides(read.policy, "a.example"));
    assert_true(decides(read.policy, "x.c.example"));
    assert_true(decides(read.policy, "e.example"));
    assert_false(decides(read.policy, "x.e.example"));
    assert_true(decides(read.policy, "x.f.example"));
    free_policyfiles(&read);
    empty_folder();
}

/* Errors of all rule files are reported, and the lists are not even opened. */
TEST(reports_errors, "errors of all rule files")
{
    struct xnm_policyfiles read;

    write_in("rules", "nxdomain names missing\nnxdomain nom a.example\n");
    assert_false(read_all(TWO "policy: @/third\n", NULL, &read));
    assert_null(read.policy);
    assert_int_equal(read.sources.count, 3);
    assert_non_null(strstr(read_reports(), "/rules:2:"));
    assert_non_null(strstr(read_reports(), "/more: No such file or directory\n"));
    assert_non_null(strstr(read_reports(), "/third: No such file or directory\n"));
    assert_null(strstr(read_reports(), "missing"));
    free_policyfiles(&read);
    empty_folder();
}

/* --- the first reading of a list --- */

#define ZONE "example.org. 60 IN SOA ns.invalid. nobody.invalid. 1 2 3 4 5\n"
#define WILDCARD "*.a.example CNAME .\n"

static void expect_decided(const struct xnm_policy *policy, const char *names, bool expected)
{
    char name[64];

    for (int len; sscanf(names, "%63s%n", name, &len) == 1; names += len)
        if (decides(policy, name) != expected)
            fail_msg("%s is%s decided", name, expected ? " not" : "");
}

static struct first {
    const char *name, *rules, *list; /* NULL: no list */
    const char *told;                /* a part of what is reported; "": nothing is */
    size_t bad_lists, bad_lines;
    const char *decided, *undecided; /* names */
} firsts[] = {
    {"a list is missing",
     "nxdomain name a.example\n  nxdomain names list\nnxdomain name b.example\n", NULL,
     "/list' cannot be read: No such file or directory: none of its entries is in force\n", 1, 0,
     "a.example b.example", ""},
    {"a list was not downloaded yet", "nxdomain names list url=https://lists.example/list\n", NULL,
     "/list' is not there: run 'unbound-idn fetch', and enable unbound-idn-fetch.timer: none of "
     "its entries is in force\n",
     1, 0, "", ""},
    {"a list is empty", "nxdomain names list\nnxdomain name b.example\n", "# nothing\n", "", 0, 0,
     "b.example", ""},
    {"a list has a bad line", "nxdomain names list\n", "a.example\nno name\nb.example\n",
     "/list:2:", 1, 1, "a.example b.example", ""},
    {"a list has no good line", "nxdomain name a.example\nnxdomain names list\n", "com\nno name\n",
     "/list' has no valid line: none of its entries is in force\n", 1, 2, "a.example", ""},
    {"protected names", "nxdomain lookalikes list key=strict min=1\nnxdomain lookalike e.example\n",
     ".a.example\n*.b.example\nco.uk\n0.0.0.0 o.example\n",
     "/list:2:1: '*.' does not go with protected names", 1, 2,
     CYRILLIC_A ".example x." CYRILLIC_O ".example", "a.example"},
    {"a file of words has a bad line", "nxdomain lookalike paypal.example words=list\n",
     "login\na.b\n", "/list:2:1: this has a dot", 1, 1, "xn--pypal-4ve.example", ""},
    {"a zone has an error", "rpz list\nnxdomain name b.example\n",
     ZONE "a.example CNAME .\n$INCLUDE /etc/passwd\n",
     "list' is refused as a whole: none of its entries is in force\n", 1, 0, "b.example",
     "a.example"},
    /* The action is left out, but the zone still has the name. */
    {"a public suffix below a wildcard of a zone", "rpz list\n",
     ZONE "*.hedmark.no CNAME .\nos.hedmark.no CNAME rpz-passthru.\n",
     "/list:3:1: os.hedmark.no. is a public suffix", 1, 1, "x.hedmark.no",
     "os.hedmark.no x.os.hedmark.no"},
};

static void expect_told(const char *told)
{
    if (told[0] == '\0')
        expect_reports("");
    else if (!strstr(read_reports(), told))
        fail_msg("%s", read_reports());
}

TEST_ROWS(reads_list, firsts, name)
{
    const struct first *row = *state;
    struct xnm_policyfiles read;

    write_in("rules", row->rules);
    if (row->list)
        write_in("list", row->list);
    assert_true(read_all(ONE, NULL, &read));
    expect_told(row->told);
    assert_int_equal(read.bad_lists, row->bad_lists);
    assert_int_equal(read.bad_lines, row->bad_lines);
    assert_int_equal(read.sources.count, 2);
    assert_int_equal(read.sources.files[1].read.present, row->list != NULL);
    expect_decided(read.policy, row->decided, true);
    expect_decided(read.policy, row->undecided, false);
    free_policyfiles(&read);
    empty_folder();
}

/* In a list, which changes, an alias to itself is an error that stops nothing. */
TEST(reports_aliases_in_lists, "aliases for a name of their own list")
{
    struct xnm_policyfiles read;

    write_in("rules", "cname p.example names list\n"
                      "cname www.p.example zones list  type=TXT\n"
                      "cname www.p.example names list\n"
                      "cname " CYRILLIC_A ".example lookalikes list min=1\n"
                      "cname a.example lookalikes list min=1\n"
                      "cname ok.example zones list\n"
                      "nxdomain lookalikes list min=1\n"
                      "passthru name ok.example\n");
    write_in("list", "a.example\np.example\nok.example\n");
    assert_true(read_all(ONE, NULL, &read));
#define SAYS                                                                                       \
    "this alias leads to a name that the rule itself matches: expected a target that it does not " \
    "match\n"
    expect_reports("@/rules:1:23: " SAYS "@/rules:2:27: " SAYS "@/rules:4:34: " SAYS);
#undef SAYS
    assert_int_equal(read.bad_lists, 0);
    assert_true(decides(read.policy, "p.example"));
    free_policyfiles(&read);
    empty_folder();
}

static bool takes_no_refusal(void *arg, const struct xnm_rule *rule)
{
    ++*(unsigned *)arg;
    return rule->action != XNM_REFUSE;
}

/* Rules that are not wanted are not read; all messages about the others are as always. */
TEST(leaves_rules_out, "rules that are not taken")
{
    unsigned asked = 0;
    struct xnm_policyfiles read;

    write_in("rules", "refuse zones missing\nrefuse name a.example\nnxdomain name a.example\n"
                      "cname p.example names list\n");
    write_in("list", "p.example\n");
    struct xnm_config config = config_of(ONE);
    const struct xnm_policyfiles_options options = {.config = &config,
                                                    .unicode = unicode,
                                                    .diagnostics = &diagnostics,
                                                    .takes = takes_no_refusal,
                                                    .takes_arg = &asked};
    assert_true(xnm_policyfiles_read(&options, &read));
    expect_reports("@/rules:4:23: this alias leads to a name that the rule itself matches: "
                   "expected a target that it does not match\n");
    assert_int_equal(asked, 4);
    assert_int_equal(xnm_policy_rule_count(read.policy), 2);
    assert_int_equal(xnm_policy_rule(read.policy, 0)->line, 3);
    assert_int_equal(read.sources.count, 2);
    assert_true(decides(read.policy, "a.example"));
    xnm_config_free(&config);
    free_policyfiles(&read);
    empty_folder();
}

/* --- long files --- */

enum { LINES = 300000 };

static struct long_file {
    const char *name;
    const char *rules;
    const char *first, *line, *last; /* of the file */
    const char *told;
    size_t bad_lines;
    bool whole;
} long_files[] = {
    {"a long list with a bad last line", "nxdomain names file\n", "", "n%06d.example\n",
     "n.example\nno name", "/file:300002:4: text follows the name", 1, true},
    {"a long hosts file", "nxdomain names file\n", "\xEF\xBB\xBF# hosts\n",
     "0.0.0.0 n%06d.example\tw.n%06d.example # twice\r\n", "0.0.0.0 n.example\n", "", 0, true},
    {"a long RPZ zone", "rpz file\n", ZONE, "n%06d.example CNAME .\n", "n.example CNAME .\n", "", 0,
     true},
    {"a long RPZ zone with a bad last line", "rpz file\n", ZONE, "n%06d.example CNAME .\n",
     "n.example CNAME .\n\tAAAA ( ::1 ::2", "/file:300003:7: this parenthesis", 0, false},
};

static void write_long(const struct long_file *row)
{
    FILE *stream = fopen(path_in("file"), "w");

    assert_non_null(stream);
    fputs(row->first, stream);
    for (int i = 0; i < LINES; i++)
        fprintf(stream, row->line, i, i);
    fputs(row->last, stream);
    assert_int_equal(fclose(stream), 0);
}

TEST_ROWS(reads_long_file, long_files, name)
{
    const struct long_file *row = *state;
    struct xnm_policyfiles read;
    char name[64];

    write_in("rules", row->rules);
    write_long(row);
    assert_true(read_all(ONE, NULL, &read));
    assert_non_null(strstr(read_reports(), row->told));
    assert_int_equal(read.bad_lines, row->bad_lines);
    for (int i = 0; i < LINES; i += 7) {
        snprintf(name, sizeof name, "n%06d.example", i);
        assert_int_equal(decides(read.policy, name), row->whole);
    }
    free_policyfiles(&read);
    empty_folder();
}

/* --- a list that is lost --- */

#define LOST                                                                                       \
    "list' cannot be read: No such file or directory: what it held before stays in force (2 "      \
    "entries; remove this rule to drop them)\n"

static struct loss {
    const char *name, *rule;
    const char *before, *after; /* after NULL: the list is missing */
    const char *told;
    const char *decided, *undecided;
} losses[] = {
    {"a list is gone", "nxdomain names", "a.example\nb.example\n", NULL, LOST,
     "a.example b.example", ""},
    {"a list has become empty", "nxdomain names", "a.example\nb.example\n", "# no more\n",
     "list' has become empty: what it held before stays in force (2 entries; remove this rule to "
     "drop them)\n",
     "a.example b.example", ""},
    {"a list has no good line", "nxdomain names", "a.example\nb.example\n", "no name\nno name\n",
     "list' has no valid line: what it held before stays in force (2 entries; ",
     "a.example b.example", ""},
    {"a list has one good line", "nxdomain names", "a.example\nb.example\n", "no name\nz.example\n",
     "/list:1:", "z.example", "a.example b.example"},
    {"a list is shorter", "nxdomain names", "a.example\nb.example\n", "zzzz.example\n", "",
     "zzzz.example", "a.example"},
    {"protected names are gone", "nxdomain lookalikes", "a.example min=1\no.example min=1\n", NULL,
     LOST, CYRILLIC_A ".example " CYRILLIC_O ".example", ""},
    {"protected names, and a public suffix", "nxdomain lookalikes", "com\nads.example\n", NULL,
     "what it held before stays in force (1 entry; ", "", ""},
    {"a zone has an error", "rpz", ZONE "a.example CNAME .\n",
     ZONE "b.example CNAME .\n$INCLUDE /etc/passwd\n",
     "list' is refused as a whole: what it held before stays in force (1 entry; ", "a.example",
     "b.example"},
    {"a zone is the same", "rpz", ZONE WILDCARD "c.a.example NS ns.\n",
     ZONE WILDCARD "c.a.example NS ns.\n", "/list:3:1: skipped: NS", "b.a.example",
     "c.a.example x.c.a.example"},
    {"a zone has only names without an action", "rpz", ZONE WILDCARD, ZONE "b.example NS ns.\n",
     "list' has become empty: what it held before stays in force (1 entry; ",
     "b.a.example c.a.example", ""},
    {"a zone has no good line", "rpz", ZONE WILDCARD, ZONE "b.example NS ns.\ncom CNAME .\n",
     "list' has no valid line: what it held before stays in force (1 entry; ",
     "b.a.example c.a.example", ""},
    {"a zone of public suffixes is gone", "rpz",
     ZONE "*.hedmark.no CNAME .\nos.hedmark.no NS ns.\n", NULL,
     "list' cannot be read: No such file or directory: what it held before stays in force (1 "
     "entry; ",
     "x.hedmark.no", "os.hedmark.no x.os.hedmark.no"},
};

/* The entries that are kept are a copy, and are kept again however often the file is read. */
TEST_ROWS(keeps_lost_list, losses, name)
{
    const struct loss *row = *state;
    struct xnm_policyfiles first, second;
    char rules[256];

    snprintf(rules, sizeof rules, "%s list\nnxdomain name c.example\n", row->rule);
    write_in("rules", rules);
    write_in("list", row->before);
    assert_true(read_all(ONE, NULL, &first));
    if (row->after)
        write_in("list", row->after);
    else
        remove_in("list");
    /* The rule is another line now, and the list still its own. */
    snprintf(rules, sizeof rules, "# a comment\nrefuse name c.example\n%s list\n", row->rule);
    write_in("rules", rules);
    for (unsigned i = 0; i < 3; i++) {
        assert_true(read_all(ONE, first.policy, &second));
        free_policyfiles(&first);
        if (i == 0 || strstr(row->told, "stays in force")) /* else it may not be read again */
            expect_told(row->told);
        assert_int_equal(second.bad_lists, row->told[0] != '\0' && !strstr(row->told, "skipped"));
        expect_decided(second.policy, row->decided, true);
        expect_decided(second.policy, row->undecided, false);
        assert_true(decides(second.policy, "c.example"));
        first = second;
    }
    free_policyfiles(&first);
    empty_folder();
}

/* Returns how many names the rule of a lost list holds, by the report; 0 without a report. */
static long kept_by(const char *rule)
{
    char part[64];
    const char *said;

    snprintf(part, sizeof part, "/rules:%s:", rule);
    said = strstr(read_reports(), part);
    said = said ? strstr(said, "stays in force (") : NULL;
    return said ? strtol(said + strlen("stays in force ("), NULL, 10) : 0;
}

/* The same file under rules that may have public suffixes and rules that may not: whatever a lost
 * list leaves to either, "com" is never in force by a rule without suffixes=yes. */
static struct suffix_loss {
    const char *name, *before, *after;
    long first, second; /* entries kept */
    bool com;           /* is refused */
} suffix_losses[] = {
    {"a list with suffixes=yes", "nxdomain zones list suffixes=yes\n",
     "nxdomain zones list suffixes=yes\n", 2, 0, true},
    {"suffixes=yes taken away", "nxdomain zones list suffixes=yes\n", "nxdomain zones list\n", 0, 0,
     false},
    {"a log rule with suffixes=yes before", "log zones list suffixes=yes\nnxdomain zones list\n",
     "log zones list suffixes=yes\nnxdomain zones list\n", 2, 1, false},
    {"a rule without suffixes=yes before", "log zones list\nnxdomain zones list suffixes=yes\n",
     "log zones list\nnxdomain zones list suffixes=yes\n", 1, 2, true},
    {"suffixes=yes on another rule now", "nxdomain zones list suffixes=yes\nlog zones list\n",
     "nxdomain zones list\nlog zones list suffixes=yes\n", 1, 2, false},
};

TEST_ROWS(keeps_lost_suffixes, suffix_losses, name)
{
    const struct suffix_loss *row = *state;
    struct xnm_policyfiles first, second;

    write_in("rules", row->before);
    write_in("list", "com\nads.example\n");
    assert_true(read_all(ONE, NULL, &first));
    write_in("rules", row->after);
    remove_in("list");
    assert_true(read_all(ONE, first.policy, &second));
    assert_int_equal(kept_by("1"), row->first);
    assert_int_equal(kept_by("2"), row->second);
    assert_int_equal(changes_answer(second.policy, "www.com"), row->com);
    assert_int_equal(decides(second.policy, "www.ads.example"), row->first + row->second > 0);
    free_policyfiles(&first);
    free_policyfiles(&second);
    empty_folder();
}

/* --- stopped --- */

TEST(stops_at_once, "stopped before the first line")
{
    static const atomic_bool stop = true;
    struct xnm_policyfiles read;

    write_in("rules", "nxdomain names list\n");
    write_in("list", "no name\na.example\n");
    struct xnm_config config = config_of(ONE);
    assert_false(xnm_policyfiles_read(
        &(struct xnm_policyfiles_options){
            .config = &config, .unicode = unicode, .diagnostics = &diagnostics, .stop = &stop},
        &read));
    expect_reports("");
    assert_null(read.policy);
    free_policyfiles(&read);
    xnm_config_free(&config);
    empty_folder();
}

TEST_MAIN_OF_POLICYFILES
