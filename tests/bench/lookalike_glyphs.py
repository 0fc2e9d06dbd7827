# SPDX-License-Identifier: BSD-3-Clause
"""Characters that take a letter's place in homographs: from properties of characters, and by eye. Nothing here is known to the
keys, and no key may be made from it."""

import re
from collections import defaultdict

LETTERS = "abcdefghijklmnopqrstuvwxyz"
LDH = LETTERS + "0123456789-"
WINDOW_MAX = 3  # letters that one character takes the place of


class Character:
    """A line of bench_characters."""

    def __init__(self, line):
        code, self.category, self.name, self.decomposed = line.split("\t")
        self.text = chr(int(code, 16))


def by_letter(pairs):
    """From pairs of letters and what stands for them: lists without duplicates, in order of code points."""
    glyphs = defaultdict(set)
    for letters, glyph in pairs:
        glyphs[letters].add(glyph)
    return {letters: sorted(found) for letters, found in sorted(glyphs.items())}


# ---- from properties ------------------------------------------------------------------------------------------------

def named(characters, pattern):
    """Characters whose name fits the pattern, for the letter that its first group names."""
    found = ((re.fullmatch(pattern, character.name), character.text) for character in characters)
    return by_letter((match.group(1).lower(), text) for match, text in found if match)


# ---- what registries let people register ----------------------------------------------------------------------------

REGISTRIES = {
    "de": "áàăâåäãąāæćĉčċçďđéèĕêěëėęēğĝġģĥħíìĭîïĩįīıĵķĺľļłńňñņŋóòŏôöőõøōœŕřŗśŝšşßťţŧúùŭûůüűũųūŵýŷÿźžżðþ",
    "fr": "àáâãäåæçèéêëìíîïñòóôõöœùúûüýÿß",
    "pl": "ąćęłńóśźż",
    "tr": "çğıöşü",
    "vn": "àáảãạăằắẳẵặâầấẩẫậđèéẻẽẹêềếểễệìíỉĩịòóỏõọôồốổỗộơờớởỡợùúủũụưừứửữựỳýỷỹỵ",
    "se": "åäöéüáàãâæçèêëíìîïñóòôõøðþúùûýß",
    "no": "áàäčçđéèêŋńñóòôöšŧüžæøå",
    "is": "áæéíðóöúýþ",
    "hu": "áéíóöőúüű",
    "cz sk": "áäčďéěíĺľňóôŕřšťúůýž",
    "ro": "ăâîșşțţ",
    "lv lt ee": "āčēģīķļņōŗšūžąęėįųõäöü",
    "es pt it": "áàâãéèêíìîïóòôõúùûüñç",
    "ch at li": "àáâãäåæçèéêëìíîïðñòóôõöøùúûüýþÿœ",
    "ie gb": "áéíóúŵŷâêîôû",
    "eo mt": "ĉĝĥĵŝŭċġħż",
    "hr rs si": "čćžšđ",
    "az": "əğıöşüç",
    "hausa yoruba ewe": "ɓɗƙƴọẹṣɛɔŋɖƒɣʋ",
}
PLACE = dict(zip("đħłøŧıŋðþßæœəɓɗƙƴɛɔɖƒɣʋ", (*"dhlotin", "d", "p", "b", "ae", "oe", *"ebdkyeodfyv")))


def registry(letters, characters):
    decomposed = {character.text: character.decomposed for character in characters}
    return by_letter((PLACE.get(glyph) or decomposed[glyph][0], glyph) for glyph in letters)


# ---- by eye: which letter of another script a forger takes ----------------------------------------------------------

def pairs(text):
    """`a:αά b:β` as lists of glyphs by letter."""
    return {entry[0]: list(entry[2:]) for entry in text.split()}


CYRILLIC = pairs("""a:а b:ьв c:с d:ԁ e:е f:ғ g:ԍ h:һн i:і j:ј k:к l:ӏ m:м n:п o:о p:р q:ԛ r:г s:ѕ t:т u:цџ v:ѵ
    w:ԝш x:х y:у z:з 0:о 1:ӏ 3:з 4:ч 6:б""")
GREEK = pairs("a:α b:β d:δ e:ε f:ϝ i:ι j:ϳ k:κ l:ι n:ηπ o:οσ p:ρ q:ϙ s:ς t:τ u:υμ v:ν w:ω x:χ y:γ z:ζ 0:ο 1:ι")
ARMENIAN = pairs("b:բ d:ժ f:ֆ g:ցգ h:հ j:յ l:լ n:ոռ o:օ p:քբ q:զգ r:ր u:ս w:ա 0:օ")
OTHERS = pairs("""a:ⲁ b:ხ c:ငⲥ d:ძ e:ⲉҽ i:ꭵⲓ j:ʝ k:ⲕ l:ㅣ丨ꓲⵏⲓ m:ოጠⲙന n:ทกበ
    o:ဝዐ০੦૦୦౦೦൦๐໐၀០ⲟ〇ㅇഠଠංⵔ p:ⲣ q:৭ r:ⲅᴦ s:รડടꓢ
    t:ⲧꓔ u:นሀບ v:ⴸᴠ w:พධധพຟ x:乂ⲭꭓⵝ y:ყ丫ⲩ z:乙ⲍꓜ -:‐一ーㅡ 3:३ვӡȝ 8:৪ 9:৭ 0:০〇 1:ㅣ丨""")


# ---- homographs -----------------------------------------------------------------------------------------------------

def windows(label, glyphs):
    """Every place where a glyph fits, as start, end and glyph."""
    return [(start, start + length, glyph) for start in range(len(label))
            for length in range(1, WINDOW_MAX + 1) if start + length <= len(label)
            for glyph in glyphs.get(label[start:start + length], ())]


def many(label, glyphs, rng, counts):
    """Homographs, each with so many exchanges, or as many as there is room for."""
    places = windows(label, glyphs)
    for count in counts if places else ():
        taken = []
        for start, end, glyph in (rng.choice(places) for _ in range(4 * len(label))):
            if len(taken) < count and all(end <= low or high <= start for low, high, _ in taken):
                taken.append((start, end, glyph))
        text = label
        for start, end, glyph in sorted(taken, reverse=True):
            text = text[:start] + glyph + text[end:]
        yield text


def whole(label, glyphs, rng):
    """One where no letter or digit of the label is left; None where that cannot be."""
    if all(letter in glyphs or letter == "-" for letter in label):
        return "".join(rng.choice(glyphs[letter]) if letter in glyphs else letter for letter in label)
    return None
