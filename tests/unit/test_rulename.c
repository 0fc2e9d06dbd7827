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
    {"sigma at the end", OCTETS("οδοσ"), "xn--pxavbq.", ""},
    {"ZWJ", OCTETS("ක\u0DCA\u200Dෂ.lk"), "xn--3zc4fxa418p.lk.", "6w"},
    {"ZWNJ", OCTETS("نامه\u200Cای.example"), "xn--mgba3gch31f060k.example.", "8w"},
    {"sharp s, and sigma in another label", OCTETS("faß.ας.gr"), "xn--fa-hia.xn--mxa8a.gr.", "2w"},
    {"A-labels are taken at their word", OCTETS("xn--fa-hia.de"), "xn--fa-hia.de.", ""},
    {"no Punycode", OCTETS("xn--a_.com"), "xn--a_.com.", "0w"},
    {"ASCII alone", OCTETS("a.xn--abc-.com"), "a.xn--abc-.com.", "2w"},
    {"a leading hyphen in an A-label", OCTETS("xn----eha.com"), "xn----eha.com.", "0w"},
    {"an A-label of what would be mapped", OCTETS("xn--example-nka"), "xn--example-nka.", "0w"},
    {"two bad A-labels", OCTETS("xn--a_.xn--b_"), "xn--a_.xn--b_.", "0w"},
    {"a bad A-label of escapes", OCTETS("xn--a\\000"), "xn--a\\000.", "0w"},
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

int main(void)
{
    static struct test_group group; /* static: no leak for a sanitizer to report */

    if (xn_unicode_open(&unicode) != XN_OK)
        return 1;
    ADD_TESTS(&group, names, name, test_written);
    int failed = run_group("rulename", &group);
    xn_unicode_close(unicode);
    return failed;
}
