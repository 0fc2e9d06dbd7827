/* SPDX-License-Identifier: BSD-3-Clause */
/* Tests how good rules are read. */

#include "tests/unit/ruletext.h"

/* --- one line, one rule --- */

#define HELLO "0cd0bfd180d0b8d0b2d0b5d182" /* "привет" as a string of RDATA */

static struct rule_line lines[] = {
    /* DESIGN's examples: every action */
    {"passthru name пример.example", "passthru name " IDN_EXAMPLE " ttl=60 ede=-1"},
    {"nxdomain zone пример.example", "nxdomain zone **." IDN_EXAMPLE " ttl=60 ede=15"},
    {"refuse name *.пример.example", "refuse name *." IDN_EXAMPLE " ttl=60 ede=15"},
    {"nodata zone пример.example type=AAAA",
     "nodata zone **." IDN_EXAMPLE " type=28 ttl=60 ede=15"},
    {"drop zone xn--e1afmkfd.example", "drop zone **." IDN_EXAMPLE " ttl=60 ede=-1"},
    {"redirect 192.0.2.80 2001:db8::80 zone пример.example ttl=5",
     "redirect zone **." IDN_EXAMPLE " ttl=5! ede=4 [1 5 192.0.2.80] [28 5 2001:db8::80]"},
    {"cname walled.example.net zone пример.example",
     "cname zone **." IDN_EXAMPLE " ttl=60 ede=4 [5 60 walled.example.net.]"},
    {"answer name пример.example ttl=5 TXT \"привет\"",
     "answer name " IDN_EXAMPLE " ttl=5! ede=4 [16 5 " HELLO "]"},
    {"tcp-only name пример.example", "tcp-only name " IDN_EXAMPLE " ttl=60 ede=-1"},
    {"log zone пример.example tag=watch", "log zone **." IDN_EXAMPLE " ttl=60 ede=-1 tag=watch"},
    {"nxdomain zones /etc/b.txt ede=15:\"Blocked by policy\"",
     "nxdomain zones /etc/b.txt@16 ttl=60 ede=15:\"Blocked by policy\""},
    {"nxdomain name a.b why=\"Gefährlich: \\\"x\\\"\" sub-error=dns-policy",
     "nxdomain name a.b. ttl=60 ede=15 why=\"Gefährlich: \"x\"\" sub-error=dns-policy"},
    {"refuse zone a.b ede=17 sub-error=spyware why=x",
     "refuse zone **.a.b. ttl=60 ede=17 why=\"x\" sub-error=spyware"},
    {"rpz r sub-error=malware", "rpz rpz dir/r@5 ttl=60 ede=-2 sub-error=malware"},
    {"rpz /etc/rpz.zone", "rpz rpz /etc/rpz.zone@5 ttl=60 ede=-2"},

    /* names */
    {"nxdomain zone . suffixes=yes", "nxdomain zone **.. ttl=60 ede=15 suffixes"},
    {"nxdomain name .", "nxdomain name . ttl=60 ede=15"},
    {"nxdomain name a.example.", "nxdomain name a.example. ttl=60 ede=15"},
    {"nxdomain name A.Example", "nxdomain name a.example. ttl=60 ede=15"},
    {"nxdomain name \"пример.example\"", "nxdomain name " IDN_EXAMPLE " ttl=60 ede=15"},

    /* words before the trigger */
    {"redirect \"192.0.2.1\" name a.b", "redirect name a.b. ttl=60 ede=4 [1 60 192.0.2.1]"},
    {"redirect ::ffff:192.0.2.1 192.0.2.1 name a.b",
     "redirect name a.b. ttl=60 ede=4 [28 60 ::ffff:192.0.2.1] [1 60 192.0.2.1]"},
    {"cname zone. zone a.b", "cname zone **.a.b. ttl=60 ede=4 [5 60 zone.]"},
    {"cname Пример.example name a.b", "cname name a.b. ttl=60 ede=4 [5 60 " IDN_EXAMPLE "]"},
    {"cname x.a.b name a.b", "cname name a.b. ttl=60 ede=4 [5 60 x.a.b.]"},
    {"cname a.b name *.a.b", "cname name *.a.b. ttl=60 ede=4 [5 60 a.b.]"},

    /* lists */
    {"passthru names l", "passthru names dir/l@16 ttl=60 ede=-1"},
    {"log zones l tag=t suffixes=yes", "log zones dir/l@11 ttl=60 ede=-1 tag=t suffixes"},
    {"nxdomain zones l shrink=0%", "nxdomain zones dir/l@16 ttl=60 ede=15 shrink=0%"},
    {"log lookalikes l shrink=any",
     "log lookalikes dir/l@16 key=exact any-tld ascii=off min=4 ttl=60 ede=-1 shrink=100%"},
    {"log lookalikes l except=n",
     "log lookalikes dir/l@16 key=exact any-tld ascii=off min=4 except=dir/n@25 ttl=60 ede=-1"},
    {"drop lookalike abcd.b except=\"/n #1\"",
     "drop lookalike **.abcd.b. key=exact ascii=off min=4 except=/n #1@31 ttl=60 ede=-1"},
    {"log lookalikes l words=w",
     "log lookalikes dir/l@16 key=exact any-tld ascii=off min=4 words=dir/w@24 ttl=60 ede=-1"},
    {"nxdomain names ../l suffixes=no", "nxdomain names dir/../l@16 ttl=60 ede=15"},
    {"nxdomain names \"my list\"", "nxdomain names dir/my list@16 ttl=60 ede=15"},
    {"nxdomain names \"a \\\"b\\\" \\\\ c\"", "nxdomain names dir/a \"b\" \\ c@16 ttl=60 ede=15"},
    {"nxdomain names список", "nxdomain names dir/список@16 ttl=60 ede=15"},
    {"nxdomain names a=b", "nxdomain names dir/a=b@16 ttl=60 ede=15"},
    {"nxdomain names \"ttl=5\"", "nxdomain names dir/ttl=5@16 ttl=60 ede=15"},
    {"nxdomain names a#b", "nxdomain names dir/a#b@16 ttl=60 ede=15"},
    {"redirect 192.0.2.1 names l", "redirect names dir/l@26 ttl=60 ede=4 [1 60 192.0.2.1]"},
    {"answer names l ttl=7 A 192.0.2.1", "answer names dir/l@14 ttl=7! ede=4 [1 7 192.0.2.1]"},
    {"rpz r origin=Пример.example suffixes=yes ede=off",
     "rpz rpz dir/r@5 ttl=60 ede=-1 suffixes origin=" IDN_EXAMPLE},
    {"rpz r expire=yes", "rpz rpz dir/r@5 ttl=60 ede=-2 expire=yes"},
    {"rpz r expire=no url=http://192.0.2.1:8080?a=b@c",
     "rpz rpz dir/r@5 ttl=60 ede=-2 expire=no url=http://192.0.2.1:8080?a=b@c"},
    {"rpz r skip=nsip,client-ip", "rpz rpz dir/r@5 ttl=60 ede=-2 skip=client-ip,nsip"},
    {"rpz r action=nodata ede=15", "rpz rpz dir/r@5 ttl=60 ede=15 action=nodata"},
    {"rpz r ede=17:x", "rpz rpz dir/r@5 ttl=60 ede=17:\"x\""},

    /* options */
    {"refuse name a.b type=A,TYPE28,mx", "refuse name a.b. type=1 type=28 type=15 ttl=60 ede=15"},
    {"nxdomain name a.b ttl=0", "nxdomain name a.b. ttl=0! ede=15"},
    {"nxdomain name a.b ede=0", "nxdomain name a.b. ttl=60 ede=0"},
    {"nxdomain name a.b ede=65535:\"\"", "nxdomain name a.b. ttl=60 ede=65535"},
    {"nxdomain name a.b ede=off", "nxdomain name a.b. ttl=60 ede=-1"},
    {"nxdomain name a.b ede=\"15:нет: да\"", "nxdomain name a.b. ttl=60 ede=15:\"нет: да\""},
    {"nxdomain name a.b ede=1:\"a \\\"b\\\" # c\"",
     "nxdomain name a.b. ttl=60 ede=1:\"a \"b\" # c\""},
    {"log name a.b tag=\"A.Z_9-\"", "log name a.b. ttl=60 ede=-1 tag=A.Z_9-"},
    {"log name a.b tag=abcdefghijklmnopqrstuvwxyz012345",
     "log name a.b. ttl=60 ede=-1 tag=abcdefghijklmnopqrstuvwxyz012345"},
    {"log name a.b client=::1,!10.0.0.0/8,2001:DB8::/32,192.0.2.7/32",
     "log name a.b. ttl=60 ede=-1 client=!10.0.0.0/8,192.0.2.7,2001:db8::/32,::1"},
    {"log name a.b client=10.0.0.1,10.0.0.10,10.0.0.2",
     "log name a.b. ttl=60 ede=-1 client=10.0.0.1,10.0.0.10,10.0.0.2"},
    {"log name a.b when=mon-FRI/08:00-16:00,22:00-06:00",
     "log name a.b. ttl=60 ede=-1 when=22:00-06:00,Mon-Fri/08:00-16:00"},
    {"log name a.b when=Fri-Mon/00:00-24:00", "log name a.b. ttl=60 ede=-1 when=Fri-Mon"},
    {"log name a.b when=Sun-Sat/12:00-00:00", "log name a.b. ttl=60 ede=-1 when=12:00-24:00"},
    {"rpz z client=::1 when=00:00-00:01",
     "rpz rpz dir/z@5 ttl=60 ede=-2 client=::1 when=00:00-00:01"},

    /* RDATA */
    {"answer name a.b TXT \"a # b\"", "answer name a.b. ttl=60 ede=4 [16 60 056120232062]"},
    {"answer name a.b TXT \"a\\\" # b\" # c",
     "answer name a.b. ttl=60 ede=4 [16 60 06612220232062]"},
    {"answer name a.b TXT \"ttl=5\"", "answer name a.b. ttl=60 ede=4 [16 60 0574746c3d35]"},
    {"answer name a.b aaaa 2001:db8::1 # c", "answer name a.b. ttl=60 ede=4 [28 60 2001:db8::1]"},
    {"answer name a.b ede=off ttl=1 MX 10 пример.example",
     "answer name a.b. ttl=1! ede=-1 [15 1 000a0c786e2d2d653161666d6b6664076578616d706c6500]"},
};

/* --- files --- */

static void test_good_file(void **state)
{
    static char reports[REPORTS_MAX];
    struct xnm_rules rules = {0};
    size_t len;
    char *text = file_text(*state, &len);
    bool good = read_rules(&rules, *state, text, len, reports);

    free(text);
    if (!good) /* warnings are fine */
        fail_msg("%s", reports);
    assert_true(rules.count > 0);
    xnm_rules_free(&rules);
}

/* The example has each action once, and no list that is not there. */
TEST(test_example, "the example has every action")
{
    static char reports[REPORTS_MAX];
    struct xnm_rules rules = {0};
    unsigned seen[XNM_ACTION_COUNT] = {0};
    size_t len;
    char *text = file_text("conf/idn-policy.conf", &len);

    assert_true(read_rules(&rules, "conf/idn-policy.conf", text, len, reports));
    assert_string_equal(reports, "");
    for (size_t i = 0; i < rules.count; i++) {
        seen[rules.rules[i].action]++;
        if (rules.rules[i].path)
            free(file_text(rules.rules[i].path, &len));
    }
    for (xnm_action action = XNM_PASSTHRU; action < XNM_ACTION_COUNT; action++)
        if (seen[action] == 0)
            fail_msg("%s is missing", xnm_action_word(action));
    free(text);
    xnm_rules_free(&rules);
}

/* Files one after the other; lines with an error leave the others alone. */
TEST(test_several_files, "several files")
{
    static const char first[] = "drop name a\nbad\nnxdomain name b", second[] = "rpz c";
    static char reports[REPORTS_MAX];
    struct xnm_rules rules = {0};
    struct output output;

    assert_false(read_rules(&rules, "x/1", first, sizeof first - 1, reports));
    assert_true(read_rules(&rules, "/y/2", second, sizeof second - 1, reports));
    assert_true(read_rules(&rules, "3", "", 0, reports));
    assert_int_equal(rules.file_count, 3);
    assert_string_equal(rules.files[2], "3");
    assert_int_equal(rules.count, 3);
    assert_string_equal(describe(&output, &rules.rules[1]), "nxdomain name b. ttl=60 ede=15");
    assert_int_equal(rules.rules[1].line, 3);
    assert_ptr_equal(rules.rules[1].file, rules.files[0]);
    assert_string_equal(describe(&output, &rules.rules[2]), "rpz rpz /y/c@5 ttl=60 ede=-2");
    assert_int_equal(rules.rules[2].line, 1);
    assert_string_equal(rules.rules[2].file, "/y/2");
    xnm_rules_free(&rules);
    xnm_rules_free(&rules);
}

TEST(test_many, "many rules")
{
    enum { MANY = 5000, ROOM = 40 };
    static char reports[REPORTS_MAX], text[MANY * ROOM];
    struct xnm_rules rules = {0};
    struct output output;
    size_t len = 0;

    for (unsigned i = 0; i < MANY; i++)
        len += (size_t)snprintf(text + len, ROOM, "redirect 192.0.2.1 name x%u\n", i);
    assert_true(read_rules(&rules, "f", text, len, reports));
    assert_int_equal(rules.count, MANY);
    for (unsigned i = 0; i < MANY; i++) {
        snprintf(text, ROOM, "redirect name x%u. ttl=60", i);
        assert_memory_equal(describe(&output, &rules.rules[i]), text, strlen(text));
        assert_int_equal(rules.rules[i].line, i + 1);
    }
    xnm_rules_free(&rules);
}

ADD_ROWS(test_line, lines, text)

/* --- conditions --- */

static struct rule_line condition_lines[] = {
    /* look-alikes */
    {"nxdomain lookalike paypal.com tld=any",
     "nxdomain lookalike **.paypal.com. key=exact any-tld ascii=off min=4 ttl=60 ede=15"},
    {"nxdomain lookalike PayPal.com.",
     "nxdomain lookalike **.paypal.com. key=exact ascii=off min=4 ttl=60 ede=15"},
    {"log lookalike пример.example key=strict tag=l",
     "log lookalike **." IDN_EXAMPLE " key=strict ascii=off min=4 ttl=60 ede=-1 tag=l"},
    {"log lookalike xn--e1afmkfd.example key=\"exact\" tld=same label=right ascii=off",
     "log lookalike **." IDN_EXAMPLE " key=exact ascii=off min=4 ttl=60 ede=-1"},
    {"drop lookalike abcd.b ascii=safe",
     "drop lookalike **.abcd.b. key=exact ascii=safe min=4 ttl=60 ede=-1"},
    {"drop lookalike abcd.b ascii=wide label=any",
     "drop lookalike **.abcd.b. key=exact any-label ascii=wide min=4 ttl=60 ede=-1"},
    {"drop lookalike abcde.b min=5 key=strict",
     "drop lookalike **.abcde.b. key=strict ascii=off min=5 ttl=60 ede=-1"},
    {"drop lookalike abcde.b key=strict min=1",
     "drop lookalike **.abcde.b. key=strict ascii=off min=1 ttl=60 ede=-1"},
    {"drop lookalike abcde.b key=exact min=05",
     "drop lookalike **.abcde.b. key=exact ascii=off min=5 ttl=60 ede=-1"},
    {"drop lookalike lookalike.invalid key=strict type=A",
     "drop lookalike **.lookalike.invalid. key=strict ascii=off min=4 type=1 ttl=60 ede=-1"},
    {"redirect ::1 lookalike www.bücher.example ttl=5 key=strict ede=off",
     "redirect lookalike **.www.xn--bcher-kva.example. key=strict ascii=off min=4 ttl=5! ede=-1 "
     "[28 5 ::1]"},
    {"cname paypal.com lookalike paypal.com",
     "cname lookalike **.paypal.com. key=exact ascii=off min=4 ttl=60 ede=4 [5 60 paypal.com.]"},
    {"cname x.paypal.com lookalike paypal.com",
     "cname lookalike **.paypal.com. key=exact ascii=off min=4 ttl=60 ede=4 [5 60 "
     "x.paypal.com.]"},
    {"answer lookalike paypal.com min=3 A 192.0.2.1",
     "answer lookalike **.paypal.com. key=exact ascii=off min=3 ttl=60 ede=4 [1 60 192.0.2.1]"},
    {"log lookalikes /etc/p.txt key=strict ascii=safe min=5",
     "log lookalikes /etc/p.txt@16 key=strict any-tld ascii=safe min=5 ttl=60 ede=-1"},
    {"refuse lookalikes l tld=any",
     "refuse lookalikes dir/l@19 key=exact any-tld ascii=off min=4 ttl=60 ede=15"},
    {"refuse lookalikes l tld=same",
     "refuse lookalikes dir/l@19 key=exact ascii=off min=4 ttl=60 ede=15"},
    {"refuse lookalike like.example tld=any",
     "refuse lookalike **.like.example. key=exact any-tld ascii=off min=4 ttl=60 ede=15"},
    {"refuse lookalikes l min=63 label=any",
     "refuse lookalikes dir/l@19 key=exact any-label ascii=off min=63 ttl=60 ede=15"},
    {"tcp-only lookalikes lookalikes",
     "tcp-only lookalikes dir/lookalikes@21 key=exact any-tld ascii=off min=4 ttl=60 ede=-1"},

    /* conditions */
    {"nxdomain invalid", "nxdomain invalid  ttl=60 ede=15"},
    {"passthru invalid", "passthru invalid  ttl=60 ede=-1"},
    {"nodata invalid type=AAAA ttl=5 ede=17:x", "nodata invalid  type=28 ttl=5! ede=17:\"x\""},
    {"redirect 192.0.2.1 emoji", "redirect emoji  ttl=60 ede=4 [1 60 192.0.2.1]"},
    {"cname walled.example bidi", "cname bidi  ttl=60 ede=4 [5 60 walled.example.]"},
    {"answer mixed-digits ttl=5 A 192.0.2.1", "answer mixed-digits  ttl=5! ede=4 [1 5 192.0.2.1]"},
    {"log restricted tag=r", "log restricted  ttl=60 ede=-1 tag=r"},
    {"log script-level moderate", "log script-level moderate level=moderate ttl=60 ede=-1"},
    {"log script-level highly", "log script-level highly level=highly ttl=60 ede=-1"},
    {"drop script-level minimal type=A",
     "drop script-level minimal level=minimal type=1 ttl=60 ede=-1"},
    {"nxdomain script not-in Latn,Cyrl,Hani,Hira,Kana,Hang",
     "nxdomain script not-in Latn,Cyrl,Hani,Hira,Kana,Hang outside ttl=60 ede=15"},
    {"nxdomain script in cYRL ede=off", "nxdomain script in Cyrl ttl=60 ede=-1"},
    {"log script in \"Arab,Hebr\" tag=x", "log script in Arab,Hebr ttl=60 ede=-1 tag=x"},
    {"log script not-in Jpan,LATN", "log script not-in Jpan,Latn outside ttl=60 ede=-1"},
    {"answer script in Grek TXT in", "answer script in Grek ttl=60 ede=4 [16 60 02696e]"},
    {"log wholescript", "log wholescript  ttl=60 ede=-1"},
    {"log wholescript except=ru", "log wholescript  except=ru. ttl=60 ede=-1"},
    {"log wholescript except=ru,РФ,xn--p1acf,am. tag=w",
     "log wholescript  except=ru. except=xn--p1ai. except=xn--p1acf. except=am. ttl=60 ede=-1 "
     "tag=w"},
    {"log wholescript except=\"бг\"", "log wholescript  except=xn--90ae. ttl=60 ede=-1"},
};

ADD_ROWS(test_line, condition_lines, text)

int main(void)
{
    add_files("tests/rules/good-*.conf", test_good_file);
    return run_unit();
}
