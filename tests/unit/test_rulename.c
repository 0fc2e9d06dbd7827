/* SPDX-License-Identifier: BSD-3-Clause */
/* Written names that are names: what they are in wire format, and what is said of them. */
#include "tests/unit/nameread.h"

#define OTHER(at, other, why)                                                                      \
    WARNING(at, other " is another name (" why "): write both if both are meant")
#define HAN "simplified and traditional characters are not the same"
#define TWO_HEHS "U+0647 is heh, U+06C1 is heh goal"
#define TWO_KEYBOARDS "U+064A and U+0643 are on Arabic keyboards, U+06CC, U+06A9 and U+06C1 are not"
#define NO_ALABEL(at, label, why)                                                                  \
    WARNING(at, "'" label "' is not a valid A-label (it " why "): it matches these octets only")
#define BESIDE_RTL(at, label)                                                                      \
    WARNING(at, "'" label                                                                          \
                "' may not stand beside a right-to-left label (RFC 5893): many programs refuse "   \
                "this name")

static struct written_row names[] = {
    /* --- what everyone expects --- */

    {"upper case and a final dot", OCTETS("Example.COM."), "example.com.", NOTHING},
    {"an ideographic final dot", OCTETS("example。"), "example.", NOTHING},
    {"upper case of Unicode", OCTETS("BÜCHER.example"), "xn--bcher-kva.example.", NOTHING},
    {"a combining mark", OCTETS("bu\u0308cher.example"), "xn--bcher-kva.example.", NOTHING},
    {"fullwidth letters and dot", OCTETS("ｅｘａｍｐｌｅ．ｃｏｍ"), "example.com.", NOTHING},
    {"halfwidth dot", OCTETS("a｡b"), "a.b.", NOTHING},
    {"the Kelvin sign", OCTETS("Kelvin.example"), "kelvin.example.", NOTHING},
    {"a wildcard, and a dot of its own kind", OCTETS("*.例え。jp"), "*.xn--r8jz45g.jp.", NOTHING},
    {"a wildcard with an ideographic dot", OCTETS("*。例え.jp"), "*.xn--r8jz45g.jp.", NOTHING},
    {"a top-level domain of its own script", OCTETS("рф"), "xn--p1ai.", NOTHING},
    {"a label of Han characters without another form", OCTETS("例.jp"), "xn--fsq.jp.", NOTHING},
    {"an A-label beside Unicode", OCTETS("xn--bcher-kva.例え"), "xn--bcher-kva.xn--r8jz45g.",
     NOTHING},
    {"an A-label in upper case", OCTETS("XN--BCHER-KVA.example"), "xn--bcher-kva.example.",
     NOTHING},
    {"an underscore beside Unicode", OCTETS("_dmarc.bücher.example"),
     "_dmarc.xn--bcher-kva.example.", NOTHING},
    {"hyphens where IDNA has none", OCTETS("r3---sn-4g5.-a.b-"), "r3---sn-4g5.-a.b-.", NOTHING},
    {"a restricted label", OCTETS("pаypal.example"), "xn--pypal-4ve.example.", NOTHING},
    {"a restricted label as A-label", OCTETS("xn--pypal-4ve.example"), "xn--pypal-4ve.example.",
     NOTHING},
    {"the root", OCTETS("."), ".", NOTHING},
    {"the root, ideographic", OCTETS("。"), ".", NOTHING},
    {"everything below the root", OCTETS("*"), "*..", NOTHING},
    {"everything below the root, with a dot", OCTETS("*."), "*..", NOTHING},
    {"escapes", OCTETS("a\\046b.\\C\\\\\\065.\\000"), "a\\046b.c\\092a.\\000.", NOTHING},
    {"an escaped star", OCTETS("\\042.example"), "*.example.", NOTHING},
    {"an escaped space and slash", OCTETS("a\\032b\\/c"), "a\\032b/c.", NOTHING},
    {"fullwidth letters of an A-label", OCTETS("ｘｎ－－bcher-kva.com"), "xn--bcher-kva.com.",
     NOTHING},
    {"an emoji and its presentation selector", OCTETS("😀\uFE0F.example"), "xn--e28h.example.",
     NOTHING},
    {"keycaps and their presentation selectors", OCTETS("1\uFE0F\u20E32\uFE0F\u20E3.example"),
     "xn--12-ykub.example.", NOTHING},
    {"40 Cyrillic letters", OCTETS("жжжжжжжжжжжжжжжжжжжжжжжжжжжжжжжжжжжжжжжж.example"),
     "xn--f1aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.example.", NOTHING},
    {"a middle dot between two l", OCTETS("l·l.cat"), "xn--ll-0ea.cat.", NOTHING},
    {"kana and a Katakana middle dot", OCTETS("ア・イ.jp"), "xn--ccke4x.jp.", NOTHING},
    {"a service before a right-to-left label", OCTETS("_dmarc.שלום.example"),
     "_dmarc.xn--9dbne9b.example.", NOTHING},

    /* --- warnings --- */

    {"sharp s", OCTETS("faß.de"), "xn--fa-hia.de.", OTHER(2, "fass.de", "ß is not ss")},
    {"sharp s before a final dot", OCTETS("faß.de."), "xn--fa-hia.de.",
     OTHER(2, "fass.de", "ß is not ss")},
    {"sharp s in two labels", OCTETS("STRAßE.faß.de"), "xn--strae-oqa.xn--fa-hia.de.",
     OTHER(4, "strasse.fass.de", "ß is not ss")},
    {"sharp s in a wildcard", OCTETS("*.faß.de"), "*.xn--fa-hia.de.",
     OTHER(4, "fass.de", "ß is not ss")},
    {"final sigma", OCTETS("σίσυφος.gr"), "xn--kxa6ajbbmh.gr.",
     OTHER(12, "σίσυφοσ.gr", "ς is not σ")},
    {"capital sigma at the end", OCTETS("ΣΊΣΥΦΟΣ.gr"), "xn--kxa6akbbkh.gr.",
     OTHER(12, "σίσυφος.gr", "Σ is read as σ, not as ς")},
    {"sigma at the end", OCTETS("οδοσ"), "xn--pxavbq.", OTHER(6, "οδος", "σ is not ς")},
    {"sigma inside", OCTETS("σία.gr"), "xn--kxae6c.gr.", NOTHING},
    {"I with a dot", OCTETS("İstanbul.tr"), "xn--istanbul-o0e.tr.",
     OTHER(0, "istanbul.tr", "İ is read as i with a second dot, not as i")},
    {"dotless i", OCTETS("ılık.tr"), "xn--lk-gpab.tr.", OTHER(0, "ilik.tr", "ı is not i")},
    {"ZWJ", OCTETS("ක\u0DCA\u200Dෂ.lk"), "xn--3zc4fxa418p.lk.",
     OTHER(6, "ක\u0DCAෂ.lk", "the invisible joiner in it makes the difference")},
    {"ZWNJ", OCTETS("نامه\u200Cای.example"), "xn--mgba3gch31f060k.example.",
     OTHER(8, "نامهای.example", "the invisible joiner in it makes the difference")},
    {"simplified characters", OCTETS("中国.cn"), "xn--fiqs8s.cn.", OTHER(3, "中國.cn", HAN)},
    {"a simplified character first", OCTETS("国.cn"), "xn--vcs.cn.", OTHER(0, "國.cn", HAN)},
    {"traditional characters", OCTETS("www.中國.tw"), "www.xn--fiqz9s.tw.",
     OTHER(7, "www.中国.tw", HAN)},
    {"Han characters beside kana", OCTETS("東京タワー.jp"), "xn--5ck2eqb538s34z.jp.", NOTHING},
    {"Han characters beside Hiragana", OCTETS("東の.jp"), "xn--u9j496n.jp.", NOTHING},
    {"Han characters beside Hangul", OCTETS("東한.kr"), "xn--7rvu06v.kr.", NOTHING},
    {"Han characters behind kana", OCTETS("タワー東.jp"), "xn--5ck2eqb4590b.jp.", NOTHING},
    {"Han characters in one label, kana in another", OCTETS("タワー.東京"),
     "xn--5ck2eqb.xn--1lqs71d.", OTHER(10, "タワー.东京", HAN)},
    {"Arabic yeh", OCTETS("يوم.example"), "xn--hhbff.example.", NOTHING},
    {"Persian yeh", OCTETS("ایران.ir"), "xn--mgba3a4f16a.ir.", NOTHING},
    {"Arabic kaf and yeh", OCTETS("كتابي.example"), "xn--mgbce3hqb.example.", NOTHING},
    {"Persian kaf, yeh and heh", OCTETS("کتابخانهی.example"), "xn--mgbacgw9lh19ezj.example.",
     NOTHING},
    {"Urdu kaf, yeh and heh", OCTETS("کہانی.example"), "xn--mgb6d3ogd9b.example.", NOTHING},
    {"heh", OCTETS("example.ه"), "example.xn--jhb.", NOTHING},
    {"heh goal", OCTETS("example.ہ"), "example.xn--0kb.", NOTHING},
    {"Arabic kaf beside Persian yeh", OCTETS("كتابی.example"), "xn--mgbce3h24a.example.",
     OTHER(8, "كتابي.example", TWO_KEYBOARDS) OTHER(0, "کتابی.example", TWO_KEYBOARDS)},
    {"Arabic yeh beside Persian kaf and yeh", OCTETS("a.یکي"), "a.xn--mhb3qud.",
     OTHER(2, "a.يكي", TWO_KEYBOARDS) OTHER(6, "a.یکی", TWO_KEYBOARDS)},
    {"Arabic yeh beside heh goal", OCTETS("ہندي.example"), "xn--ugb9bn78b.example.",
     OTHER(0, "هندي.example", TWO_KEYBOARDS) OTHER(6, "ہندی.example", TWO_KEYBOARDS)},
    {"two hehs", OCTETS("ہاه.example"), "xn--mgb8dyr.example.",
     OTHER(0, "هاه.example", TWO_HEHS) OTHER(4, "ہاہ.example", TWO_HEHS)},
    {"two hehs, the other way round", OCTETS("هاہ.example"), "xn--mgb7dzs.example.",
     OTHER(4, "هاه.example", TWO_HEHS) OTHER(0, "ہاہ.example", TWO_HEHS)},
    {"keyboards in labels of their own", OCTETS("كتاب.ایران"), "xn--mgbce3h.xn--mgba3a4f16a.",
     NOTHING},
    {"… of which one has two", OCTETS("كتاب.ايرانی"), "xn--mgbce3h.xn--mgba3a4fra79e.",
     OTHER(19, "كتاب.ايراني", TWO_KEYBOARDS) OTHER(11, "كتاب.ایرانی", TWO_KEYBOARDS)},
    {"another spelling that cannot be copied: its A-label", OCTETS("аßа.example"),
     "xn--zca11oba.example.", OTHER(2, "xn--ss-6kcc.example", "ß is not ss")},
    {"another spelling that is no label", OCTETS("ßßßßßßßßßßßßßßßßßßßßßßßßßßßßßü.example"),
     "xn--zcaaaaaaaaaaaaaaaaaaaaaaaaaaaaa48f.example.", NOTHING},
    {"sharp s, and sigma in another label", OCTETS("faß.ας.gr"), "xn--fa-hia.xn--mxa8a.gr.",
     OTHER(2, "fass.ας.gr", "ß is not ss") OTHER(7, "faß.ασ.gr", "ς is not σ")},
    {"A-labels are taken at their word", OCTETS("xn--fa-hia.de"), "xn--fa-hia.de.", NOTHING},
    {"a middle dot elsewhere", OCTETS("a·b.example"), "xn--ab-0ea.example.",
     WARNING(
         1, "U+00B7 MIDDLE DOT '·' stands where registries do not allow it (RFC 5892, appendix A): "
            "is the name right?")},
    {"a Katakana middle dot elsewhere", OCTETS("a.b・c"), "a.xn--bc-3n4a.",
     WARNING(3, "U+30FB KATAKANA MIDDLE DOT '・' stands where registries do not allow it (RFC "
                "5892, appendix A): is the name right?")},
    {"a Greek keraia elsewhere", OCTETS("a͵b"), "xn--ab-63b.",
     WARNING(1, "U+0375 GREEK LOWER NUMERAL SIGN '͵' stands where registries do not allow it (RFC "
                "5892, appendix A): is the name right?")},
    {"a Hebrew geresh elsewhere", OCTETS("׳א.example"), "xn--4db3e.example.",
     WARNING(0, "U+05F3 HEBREW PUNCTUATION GERESH '׳' stands where registries do not allow it (RFC "
                "5892, appendix A): is the name right?")},
    {"Hebrew gershayim elsewhere", OCTETS("a.״א"), "a.xn--4db5e.",
     WARNING(2, "U+05F4 HEBREW PUNCTUATION GERSHAYIM '״' stands where registries do not allow it "
                "(RFC 5892, appendix A): is the name right?")},
    {"no Punycode", OCTETS("xn--a_.com"), "xn--a_.com.",
     NO_ALABEL(0, "xn--a_", "is not Punycode after \"xn--\"")},
    {"ASCII alone", OCTETS("a.xn--abc-.com"), "a.xn--abc-.com.",
     NO_ALABEL(2, "xn--abc-", "decodes to ASCII alone, or to nothing")},
    {"a leading hyphen in an A-label", OCTETS("xn----eha.com"), "xn----eha.com.",
     NO_ALABEL(0, "xn----eha", "begins or ends with a hyphen, or has two in places 3 and 4")},
    {"an A-label of what would be mapped", OCTETS("xn--example-nka"), "xn--example-nka.",
     NO_ALABEL(0, "xn--example-nka", "decodes to text that has a different A-label")},
    {"two bad A-labels", OCTETS("xn--a_.xn--b_"), "xn--a_.xn--b_.",
     NO_ALABEL(0, "xn--a_", "is not Punycode after \"xn--\"")},
    {"a bad A-label of escapes", OCTETS("xn--a\\000"), "xn--a\\000.",
     NO_ALABEL(0, "xn--a\\000", "is not Punycode after \"xn--\"")},
    {"a digit beside a right-to-left label", OCTETS("שלום.1und1.example"),
     "xn--9dbne9b.1und1.example.", BESIDE_RTL(9, "1und1")},
    {"a digit beside a right-to-left A-label", OCTETS("1und1.xn--9dbne9b"), "1und1.xn--9dbne9b.",
     BESIDE_RTL(0, "1und1")},
    {"octets beside a right-to-left label", OCTETS("\\0331.שלום"), "!1.xn--9dbne9b.",
     BESIDE_RTL(0, "!1")},
    {"1024 octets that are one label, decomposed",
     OCTETS("xa\u0301a\u0301a\u0301a\u0301a\u0301a\u0301a\u0301a\u0301a\u0301a\u0301a\u0301a\u0301a"
            "\u0301a\u0301a\u0301a\u0301a\u0301a\u0301a\u0301a\u0301"),
     "xn--x-ufaaaaaaaaaaaaaaaaaaaa.", NOTHING},
    {"63 octets, one of them an escape",
     OCTETS("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\\000.com"),
     "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\\000.com.", NOTHING},
    {"255 octets",
     OCTETS(L63 "." L63 "." L63 ".bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"),
     L63 "." L63 "." L63 ".bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb.",
     NOTHING},
    {"a wildcard of 255 octets",
     OCTETS("*." L63 "." L63 "." L63
            ".bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"),
     "*." L63 "." L63 "." L63 ".bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb.",
     NOTHING},
    {"253 octets and a final dot",
     OCTETS(L63 "." L63 "." L63 ".bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb."),
     L63 "." L63 "." L63 ".bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb.",
     NOTHING},
    {"127 labels", OCTETS(DOTTED_63 DOTTED_63 "a"), DOTTED_127, NOTHING},
    {"an address is a name", OCTETS("192.0.2.1"), "192.0.2.1.", NOTHING},
};

/* UTS 46 maps U+1E9E to ss up to Unicode 15.0, and to ß from 15.1 on. */
static struct written_row capital_sharp_s[] = {
    {"capital sharp s", OCTETS("FAẞ.de"), "fass.de.", OTHER(2, "faß.de", "ẞ is read as ss")},
    {"capital sharp s", OCTETS("FAẞ.de"), "xn--fa-hia.de.", OTHER(2, "fass.de", "ẞ is read as ß")},
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
