# SPDX-License-Identifier: BSD-3-Clause
"""Words of many languages, from the word lists of Debian's packages where tools/build/debian-data.sh has unpacked
them. `--packages` prints the names of these."""

import csv
import gzip
import re
import subprocess
import sys
from pathlib import Path

# Language, as the rows of our tables call it; package without its prefix; file without its ending.
HUNSPELL = """
    af af af_ZA | an an an_ES | ar ar ar | be be be_BY | bg bg bg_BG | bn bn bn_BD | bo bo bo | br br br_FR |
    bs bs bs_BA | ca ca ca | cs cs cs_CZ | da da da_DK | de de-de de_DE | dz dz dz | el el el_GR | en en-gb en_GB |
    es es es_ES | eu eu eu | fr fr-comprehensive fr | gd gd gd_GB | gl gl gl_ES | gn gug gug_PY | gu gu gu_IN |
    he he he_IL | hi hi hi_IN | hr hr hr_HR | hu hu hu_HU | is is is_IS | it it it_IT | ko ko ko |
    ku kmr kmr_Latn | lo lo lo_LA | lt lt lt_LT | lv lv lv_LV | ml ml ml_IN | mn mn mn_MN | nb no nb_NO |
    ne ne ne_NP | nl nl nl | nn no nn_NO | oc oc oc_FR | pl pl pl_PL | pt pt-pt pt_PT | pt-BR pt-br pt_BR |
    ro ro ro_RO | ru ru ru_RU | si si si_LK | sk sk sk_SK | sl sl sl_SI | sr sr sr_RS | sr-Latn sr sr_Latn_RS |
    sv sv sv_SE | sw sw sw_KE | te te te_IN | th th th_TH | tr tr tr_TR | uk uk uk_UA | uz uz uz_UZ | vi vi vi_VN
"""
MYSPELL = "eo eo eo | et et et_EE | fa fa fa | fo fo fo | gv gv gv_GB | hy hy hy | sq sq sq_AL"
ASPELL = """
    am am am | cy cy cy | ga ga ga | hsb hsb hsb | kk kk kk | kn kn kn | mr mr mr | or or or | pa pa pa | ta ta ta |
    tl tl tl
"""
OTHERS = {"ja": "mecab-ipadic", "zh": "python3-jieba", "suffixes": "publicsuffix", "words": "wamerican"}
TOOLS = ("aspell",)  # its prezip-bin reads its lists

SUFFIXES = "usr/share/publicsuffix/public_suffix_list.dat"


def table(text):
    return [row.split() for row in text.split("|")]


def packages():
    """The packages that are needed, in a fixed order."""
    tables = (("hunspell", HUNSPELL), ("myspell", MYSPELL), ("aspell", ASPELL))
    names = {f"{prefix}-{package}" for prefix, text in tables for _, package, _ in table(text)}
    return sorted(names.union(OTHERS.values(), TOOLS))


# ---- readers: each yields words as they stand -----------------------------------------------------------------------

def hunspell(path):
    """The stems of a hunspell or myspell dictionary: flags behind a slash and fields behind white space dropped."""
    octets = path.with_suffix(".aff").read_bytes()
    named = re.search(rb"^(?:\xef\xbb\xbf)?SET\s+(\S+)", octets, re.MULTILINE)
    text = path.read_bytes().decode(named.group(1).decode() if named else "iso8859-1", "replace")
    for line in text.lstrip("\ufeff").splitlines()[1:]:  # the first has their number
        yield re.split(r"(?<!\\)/|\t| (?=\w\w:)", line)[0]


def aspell(root, language, name=None):
    """A compressed list: words, with affix flags behind a slash, in the data encoding of the language."""
    data = (root / f"usr/lib/aspell/{language}.dat").read_text("iso8859-1")
    fields = dict(re.findall(r"^(charset|data-encoding)\s+(\S+)", data, re.MULTILINE))
    octets = gzip.decompress((root / f"usr/share/aspell/{name or language}.cwl.gz").read_bytes())
    words = subprocess.run([root / "usr/bin/prezip-bin", "-d"], input=octets, stdout=subprocess.PIPE, check=True).stdout
    encoding = fields.get("data-encoding", fields["charset"]).replace("koi8-u-nl", "koi8-u").replace("-nl", "")
    for line in words.decode(encoding, "replace").splitlines():
        yield line.split("/")[0]


def ipadic(root):
    for path in sorted((root / "usr/share/mecab/dic/ipadic").glob("*.csv")):
        with open(path, encoding="euc_jp", errors="replace", newline="") as file:
            for row in csv.reader(file):
                yield row[0]


def jieba(root):
    with open(root / "usr/lib/python3/dist-packages/jieba/dict.txt", encoding="utf-8") as file:
        for line in file:
            yield line.split(" ")[0]


def suffixes(root):
    """The labels of every public suffix that are not ASCII, of both sections of the list."""
    for line in (root / SUFFIXES).read_text("utf-8").splitlines():
        if line and not line.startswith("//"):
            yield from line.lstrip("!").split(".")


def american(root):
    return (root / "usr/share/dict/american-english").read_text("utf-8").split("\n")


def lists(root):
    """Pairs of language and words, in the order of languages; what this release has not is left out."""
    readers = {"ja": lambda: ipadic(root), "zh": lambda: jieba(root), "suffixes": lambda: suffixes(root)}
    for language, _, name in table(HUNSPELL) + table(MYSPELL):
        path = root / f"usr/share/hunspell/{name}.dic"
        if path.exists():
            readers[language] = lambda path=path: hunspell(path)
    for language, _, name in table(ASPELL):
        if (root / f"usr/share/aspell/{name}.cwl.gz").exists():
            readers[language] = lambda name=name: aspell(root, name)
    for language in sorted(readers):
        yield language, readers[language]()


if __name__ == "__main__":
    if sys.argv[1:] != ["--packages"]:
        sys.exit("usage: word_lists.py --packages")
    print(*packages())
