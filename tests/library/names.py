# SPDX-License-Identifier: BSD-3-Clause
"""Names as people write them, good and bad, of many scripts: the same in each run."""

import random

SCRIPTS = {
    "Latin": "abcdefghijklmnopqrstuvwxyz0123456789äöüßéèêàçñøåæœčšžřıİÄÖÜÉÇÑØÅ",
    "Cyrillic": "абвгдежзийклмнопрстуфхцчшщъыьэюяАБВЖ",
    "Greek": "αβγδεζηθικλμνξοπρστυφχψωςάέΣΩ",
    "Arabic": "ابتثجحخدذرزسشصضطظعغفقكلمنهوي",
    "Hebrew": "אבגדהוזחטיכלמנסעפצקרשת",
    "Han": "中文网络公司一二三日本語漢字",
    "Kana": "あいうえおかきアイウエオーガギﾊﾞ",
    "Hangul": "한국어가나다라각",
    "Devanagari": "कखगघचछजनमयरलवसहािीुू",
    "Thai": "กขคงจฉชซดตถทนบปพมยรลวสห",
}
ASCII = "abcdefghijklmnopqrstuvwxyzABC0123456789"
ODD = ["-", "--", "_", "\u00ad", "\u200d", "\u200c", "\u0301", "☃", "😀", "·", "'", " ", "٠", "\u3002", "x\u0323\u0307",
       "\u1102", "\u0489", "\u2010", "\u0640", "\u20ac", "⑴", "\U00030000", "\U00020000--", "9\u0665", "-\u0301"]


class Names:
    def __init__(self, seed):
        self.random = random.Random(seed)

    def some(self, characters, most=12):
        return "".join(self.random.choice(characters) for _ in range(self.random.randint(1, most)))

    def word(self):
        return self.some(self.random.choice(list(SCRIPTS.values())))

    def ascii(self):
        return self.some(ASCII)

    def alabel(self):
        return "xn--" + self.word().lower().encode("punycode").decode()

    def broken(self):
        return self.random.choice(["xn--", "xn--9", "xn--99999999", "xn--abc-", self.alabel().upper(), self.alabel() + "-",
                                   "ab--" + self.ascii(), "-" + self.ascii(), self.ascii() + "-", self.ascii() * 9])

    def odd(self):
        word = list(self.word())
        word.insert(self.random.randint(0, len(word)), self.random.choice(ODD))
        return "".join(word)

    def label(self):
        return self.random.choice([self.word] * 6 + [self.ascii] * 3 + [self.alabel] * 3 + [self.broken, self.odd])()

    def name(self):
        name = ".".join(self.label() for _ in range(self.random.randint(1, 4)))
        if self.random.random() < 0.1:
            name = "_dmarc." + name
        if self.random.random() < 0.01:
            name = ".".join([name] + [self.label() * 3 for _ in range(12)])
        return name + ("." if self.random.random() < 0.1 else "")

    def disguised(self, label):
        """A label with some letters exchanged for others that look like them."""
        like = {"a": "а", "e": "е", "o": "ο", "p": "р", "c": "с", "i": "і", "x": "х", "s": "ѕ", "l": "I"}
        return "".join(like[c] if c in like and self.random.random() < 0.5 else c for c in label)
