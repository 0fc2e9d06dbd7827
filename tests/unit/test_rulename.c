/* SPDX-License-Identifier: BSD-3-Clause */
/* Written names that are names: what they are in wire format, and where warnings are. */
#include "tests/unit/nameread.h"

static struct written_row names[] = {
    /* --- what everyone expects --- */

    {"upper case and a final dot", OCTETS("Example.COM."), "example.com.", ""},
    {"an ideographic final dot", OCTETS("example。"), "example.", ""},
    {"upper case of Unicode", OCTETS("BÜCHER.example"), "xn--bcher-kva.example.", ""},
    {"a combining mark", OCTETS("bu\u0308cher.example"), "xn--bcher-kva.example.", ""},
    {"fullwidth letters and dot", OCTETS("ｅｘａｍｐｌｅ．ｃｏｍ"), "example.com.", ""},
    {"halfwidth dot", OCTETS("a｡b"), "a.b.", ""},
    {"the Kelvin sign", OCTETS("Kelvin.example"), "kelvin.example.", ""},
    {"a wildcard, and a dot of its own kind", OCTETS("*.例え。jp"), "*.xn--r8jz45g.jp.", ""},
    {"a wildcard with an ideographic dot", OCTETS("*。例え.jp"), "*.xn--r8jz45g.jp.", ""},
    {"a top-level domain of its own script", OCTETS("рф"), "xn--p1ai.", ""},
    {"a label of Han characters without another form", OCTETS("例.jp"), "xn--fsq.jp.", ""},
    {"an A-label beside Unicode", OCTETS("xn--bcher-kva.例え"), "xn--bcher-kva.xn--r8jz45g.", ""},
    {"an A-label in upper case", OCTETS("XN--BCHER-KVA.example"), "xn--bcher-kva.example.", ""},
    {"an underscore beside Unicode", OCTETS("_dmarc.bücher.example"),
     "_dmarc.xn--bcher-kva.example.", ""},
    {"hyphens where IDNA has none", OCTETS("r3---sn-4g5.-a.b-"), "r3---sn-4g5.-a.b-.", ""},
    {"a restricted label", OCTETS("pаypal.example"), "xn--pypal-4ve.example.", ""},
    {"a restricted label as A-label", OCTETS("xn--pypal-4ve.example"), "xn--pypal-4ve.example.",
     ""},
    {"the root", OCTETS("."), ".", ""},
    {"the root, ideographic", OCTETS("。"), ".", ""},
    {"everything below the root", OCTETS("*"), "*..", ""},
    {"everything below the root, with a dot", OCTETS("*."), "*..", ""},
    {"escapes", OCTETS("a\\046b.\\C\\\\\\065.\\000"), "a\\046b.c\\092a.\\000.", ""},
    {"an escaped star", OCTETS("\\042.example"), "*.example.", ""},
    {"an escaped space and slash", OCTETS("a\\032b\\/c"), "a\\032b/c.", ""},
    {"fullwidth letters of an A-label", OCTETS("ｘｎ－－bcher-kva.com"), "xn--bcher-kva.com.", ""},
    {"an emoji and its presentation selector", OCTETS("😀\uFE0F.example"), "xn--e28h.example.", ""},
    {"keycaps and their presentation selectors", OCTETS("1\uFE0F\u20E32\uFE0F\u20E3.example"),
     "xn--12-ykub.example.", ""},
    {"40 Cyrillic letters", OCTETS("жжжжжжжжжжжжжжжжжжжжжжжжжжжжжжжжжжжжжжжж.example"),
     "xn--f1aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.example.", ""},
    {"a middle dot between two l", OCTETS("l·l.cat"), "xn--ll-0ea.cat.", ""},
    {"kana and a Katakana middle dot", OCTETS("ア・イ.jp"), "xn--ccke4x.jp.", ""},
    {"a service before a right-to-left label", OCTETS("_dmarc.שלום.example"),
     "_dmarc.xn--9dbne9b.example.", ""},

    /* --- warnings --- */

    {"sharp s", OCTETS("faß.de"), "xn--fa-hia.de.", "2w"},
    {"sharp s before a final dot", OCTETS("faß.de."), "xn--fa-hia.de.", "2w"},
    {"sharp s in two labels", OCTETS("STRAßE.faß.de"), "xn--strae-oqa.xn--fa-hia.de.", "4w"},
    {"sharp s in a wildcard", OCTETS("*.faß.de"), "*.xn--fa-hia.de.", "4w"},
    {"final sigma", OCTETS("σίσυφος.gr"), "xn--kxa6ajbbmh.gr.", "12w"},
    {"capital sigma at the end", OCTETS("ΣΊΣΥΦΟΣ.gr"), "xn--kxa6akbbkh.gr.", "12w"},
    {"sigma at the end", OCTETS("οδοσ"), "xn--pxavbq.", "6w"},
    {"sigma inside", OCTETS("σία.gr"), "xn--kxae6c.gr.", ""},
    {"I with a dot", OCTETS("İstanbul.tr"), "xn--istanbul-o0e.tr.", "0w"},
    {"dotless i", OCTETS("ılık.tr"), "xn--lk-gpab.tr.", "0w"},
    {"ZWJ", OCTETS("ක\u0DCA\u200Dෂ.lk"), "xn--3zc4fxa418p.lk.", "6w"},
    {"ZWNJ", OCTETS("نامه\u200Cای.example"), "xn--mgba3gch31f060k.example.", "8w"},
    {"simplified characters", OCTETS("中国.cn"), "xn--fiqs8s.cn.", "3w"},
    {"a simplified character first", OCTETS("国.cn"), "xn--vcs.cn.", "0w"},
    {"traditional characters", OCTETS("www.中國.tw"), "www.xn--fiqz9s.tw.", "7w"},
    {"Han characters beside kana", OCTETS("東京タワー.jp"), "xn--5ck2eqb538s34z.jp.", ""},
    {"Han characters beside Hiragana", OCTETS("東の.jp"), "xn--u9j496n.jp.", ""},
    {"Han characters beside Hangul", OCTETS("東한.kr"), "xn--7rvu06v.kr.", ""},
    {"Han characters behind kana", OCTETS("タワー東.jp"), "xn--5ck2eqb4590b.jp.", ""},
    {"Han characters in one label, kana in another", OCTETS("タワー.東京"),
     "xn--5ck2eqb.xn--1lqs71d.", "10w"},
    {"Arabic yeh", OCTETS("يوم.example"), "xn--hhbff.example.", ""},
    {"Persian yeh", OCTETS("ایران.ir"), "xn--mgba3a4f16a.ir.", ""},
    {"Arabic kaf and yeh", OCTETS("كتابي.example"), "xn--mgbce3hqb.example.", ""},
    {"Persian kaf, yeh and heh", OCTETS("کتابخانهی.example"), "xn--mgbacgw9lh19ezj.example.", ""},
    {"Urdu kaf, yeh and heh", OCTETS("کہانی.example"), "xn--mgb6d3ogd9b.example.", ""},
    {"heh", OCTETS("example.ه"), "example.xn--jhb.", ""},
    {"heh goal", OCTETS("example.ہ"), "example.xn--0kb.", ""},
    {"Arabic kaf beside Persian yeh", OCTETS("كتابی.example"), "xn--mgbce3h24a.example.", "8w 0w"},
    {"Arabic yeh beside Persian kaf and yeh", OCTETS("a.یکي"), "a.xn--mhb3qud.", "2w 6w"},
    {"Arabic yeh beside heh goal", OCTETS("ہندي.example"), "xn--ugb9bn78b.example.", "0w 6w"},
    {"two hehs", OCTETS("ہاه.example"), "xn--mgb8dyr.example.", "0w 4w"},
    {"two hehs, the other way round", OCTETS("هاہ.example"), "xn--mgb7dzs.example.", "4w 0w"},
    {"keyboards in labels of their own", OCTETS("كتاب.ایران"), "xn--mgbce3h.xn--mgba3a4f16a.", ""},
    {"… of which one has two", OCTETS("كتاب.ايرانی"), "xn--mgbce3h.xn--mgba3a4fra79e.", "19w 11w"},
    {"another spelling that cannot be copied: its A-label", OCTETS("аßа.example"),
     "xn--zca11oba.example.", "2w"},
    {"another spelling that is no label", OCTETS("ßßßßßßßßßßßßßßßßßßßßßßßßßßßßßü.example"),
     "xn--zcaaaaaaaaaaaaaaaaaaaaaaaaaaaaa48f.example.", ""},
    {"sharp s, and sigma in another label", OCTETS("faß.ας.gr"), "xn--fa-hia.xn--mxa8a.gr.",
     "2w 7w"},
    {"A-labels are taken at their word", OCTETS("xn--fa-hia.de"), "xn--fa-hia.de.", ""},
    {"a middle dot elsewhere", OCTETS("a·b.example"), "xn--ab-0ea.example.", "1w"},
    {"a Katakana middle dot elsewhere", OCTETS("a.b・c"), "a.xn--bc-3n4a.", "3w"},
    {"a Greek keraia elsewhere", OCTETS("a͵b"), "xn--ab-63b.", "1w"},
    {"a Hebrew geresh elsewhere", OCTETS("׳א.example"), "xn--4db3e.example.", "0w"},
    {"Hebrew gershayim elsewhere", OCTETS("a.״א"), "a.xn--4db5e.", "2w"},
    {"no Punycode", OCTETS("xn--a_.com"), "xn--a_.com.", "0w"},
    {"ASCII alone", OCTETS("a.xn--abc-.com"), "a.xn--abc-.com.", "2w"},
    {"a leading hyphen in an A-label", OCTETS("xn----eha.com"), "xn----eha.com.", "0w"},
    {"an A-label of what would be mapped", OCTETS("xn--example-nka"), "xn--example-nka.", "0w"},
    {"two bad A-labels", OCTETS("xn--a_.xn--b_"), "xn--a_.xn--b_.", "0w"},
    {"a bad A-label of escapes", OCTETS("xn--a\\000"), "xn--a\\000.", "0w"},
    {"a digit beside a right-to-left label", OCTETS("שלום.1und1.example"),
     "xn--9dbne9b.1und1.example.", "9w"},
    {"a digit beside a right-to-left A-label", OCTETS("1und1.xn--9dbne9b"), "1und1.xn--9dbne9b.",
     "0w"},
    {"octets beside a right-to-left label", OCTETS("\\0331.שלום"), "!1.xn--9dbne9b.", "0w"},
    {"1024 octets that are one label, decomposed",
     OCTETS("xa\u0301a\u0301a\u0301a\u0301a\u0301a\u0301a\u0301a\u0301a\u0301a\u0301a\u0301a\u0301a"
            "\u0301a\u0301a\u0301a\u0301a\u0301a\u0301a\u0301a\u0301"),
     "xn--x-ufaaaaaaaaaaaaaaaaaaaa.", ""},
    {"63 octets, one of them an escape",
     OCTETS("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\\000.com"),
     "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\\000.com.", ""},
    {"255 octets",
     OCTETS(L63 "." L63 "." L63 ".bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"),
     L63 "." L63 "." L63 ".bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb.", ""},
    {"a wildcard of 255 octets",
     OCTETS("*." L63 "." L63 "." L63
            ".bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"),
     "*." L63 "." L63 "." L63 ".bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb.", ""},
    {"253 octets and a final dot",
     OCTETS(L63 "." L63 "." L63 ".bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb."),
     L63 "." L63 "." L63 ".bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb.", ""},
    {"127 labels", OCTETS(DOTTED_63 DOTTED_63 "a"), DOTTED_127, ""},
    {"an address is a name", OCTETS("192.0.2.1"), "192.0.2.1.", ""},
};

/* UTS 46 maps U+1E9E to ss up to Unicode 15.0, and to ß from 15.1 on. */
static struct written_row capital_sharp_s[] = {
    {"capital sharp s", OCTETS("FAẞ.de"), "fass.de.", "2w"},
    {"capital sharp s", OCTETS("FAẞ.de"), "xn--fa-hia.de.", "2w"},
};

/* Other spellings are tried of a name that is written in 1,024 octets at most: here with labels of
 * fifty syllables, each of three letters, and joined when they are read. */
static void test_long_spelling(void **state)
{
    static char reports[REPORTS_MAX];

    (void)state;
    for (unsigned labels = 2; labels <= 3; labels++) {
        char text[2048] = "straße";
        struct xnm_wirename name;
        bool wildcard;
        for (unsigned i = 0; i < labels * 50; i++)
            strcat(text, i % 50 == 0 ? ".\u1112\u1161\u11AB" : "\u1112\u1161\u11AB");
        assert_true(read_name(text, strlen(text), &name, &wildcard, reports));
        assert_int_equal(strstr(reports, " is another name (ß is not ss)") != NULL, labels == 2);
    }
}

int main(void)
{
    static struct test_group group; /* static: no leak for a sanitizer to report */

    if (xn_unicode_open(&unicode) != XN_OK)
        return 1;
    ADD_TESTS(&group, names, name, test_written);
    add_test(&group, capital_sharp_s[0].name, test_written,
             &capital_sharp_s[is_before_unicode(15.1) ? 0 : 1]);
    add_test(&group, "a name too long for its other spellings", test_long_spelling, NULL);
    int failed = run_group("rulename", &group);
    xn_unicode_close(unicode);
    return failed;
}
