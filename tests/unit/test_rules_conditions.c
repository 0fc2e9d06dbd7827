/* SPDX-License-Identifier: BSD-3-Clause */
/* Tests how good rules about look-alikes, scripts and the validity of labels are read. */
#include "tests/unit/ruletext.h"

static struct rule_line lines[] = {
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
    {"refuse lookalikes l tld=private",
     "refuse lookalikes dir/l@19 key=exact private ascii=off min=4 ttl=60 ede=15"},
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

int main(void)
{
    struct test_group group = {0};

    add_lines(&group, lines, COUNT(lines));
    return run_group("rules: look-alikes and conditions", &group);
}
