# SPDX-License-Identifier: BSD-3-Clause
"""words= of look-alike rules: what `check` says of its file, and what `explain` finds with the one that is installed; and in
which words `explain` says why a name looks like another one."""

import json
import pathlib
import shutil

WORDS = pathlib.Path(__file__).resolve().parents[2] / "conf/fraud-words.txt"


def test_bad_files(tap, command, folder):
    """Files that are missing, empty or bad: errors at their lines, or at the option that names them. Good lines are in force."""
    rules = folder / "rules"
    rules.write_text("refuse lookalike paypal.com ascii=safe words=list\nlog lookalike google.com ascii=safe words=list\n")
    path = folder / "list"
    for text, failed, told in (
            (None, 1, [f"{rules}:1:46: '{path}' cannot be read: No such file or directory: words= finds nothing"]),
            ("# none\n\n", 1, [f"{rules}:1:46: '{path}' has no word: words= finds nothing"]),
            ("login\ntwo words\nwww.login\nx\nlog_in!\n\xad\nВход # good\n", 0, [
                f"{path}:2:5: 'words' is a second word: expected one word a line",
                f"{path}:3:1: this has a dot: expected one word, such as login",
                f"{path}:4:1: this word is too short: expected 2 characters or more",
                f"{path}:5:7: '!' is not allowed in a domain name: remove it, or write '\\033' if that octet is meant",
                f"{path}:6:1: invisible character U+00AD SOFT HYPHEN: remove it"])):
        path.unlink(missing_ok=True)
        if text is not None:
            path.write_text(text, encoding="utf-8")
        status, out, _ = command("check", str(rules))
        tap.equal((status, out.decode().splitlines()[:len(told)]), (failed, told), f"check: a file of words: {text}")
        good = text is not None and "login" in text
        for name in ("paypal-login.com", "google-вход.com"):
            row = json.loads(command("explain", "--json", "--policy", str(rules), name)[1])
            tap.equal(row["decision"] and row["decision"]["key"], "words" if good else None, f"explain: a file of words: {text}: {name}")


def test_too_many(tap, command, folder):
    lines = []
    for number in range(17):
        (folder / f"words{number}").write_text("login\n")
        lines.append(f"log lookalike paypal.com ascii=safe min={number + 1} words=words{number}\n")
    rules = folder / "many"
    rules.write_text("".join(lines))
    status, out, _ = command("check", str(rules))
    told = [line for line in out.decode().splitlines() if "too many" in line]
    tap.equal((status, told), (1, [f"{rules}:17:50: too many files of words: expected 16 different ones at most; here words= finds nothing"]),
              "check: too many files of words")


def test_installed(tap, command, folder):
    shutil.copy(WORDS, folder)
    rules = folder / "installed"
    rules.write_text("log lookalike paypal.com ascii=safe words=fraud-words.txt\n")
    status, out, errors = command("check", str(rules))
    tap.equal((status, errors), (0, ""), f"check: the words that are installed: {out.decode()}")
    words = [line for line in WORDS.read_text(encoding="utf-8").splitlines() if line and not line.startswith("#")]
    tap.equal(len(set(words)), len(words), "… each once")
    names = "".join(f"{word}-paypal.com\n" for word in words)
    rows = [json.loads(line) for line in command("explain", "--json", "--policy", str(rules), stdin=names.encode())[1].splitlines()]
    tap.equal([word for word, row in zip(words, rows) if not row["decision"] or row["decision"]["key"] != "words"], [], "… and each is found")


RULES = """log lookalike paypal.com ascii=safe near=1 tld=any words=fraud-words.txt elsewhere=yes
log lookalike facebook.com key=strict near=1 within=yes
log lookalike www.bücher.example elsewhere=yes
log lookalike münchen.example ascii=safe near=1
"""
REASONS = (
    ("pаypal.com", "exact", "looks like paypal.com"), ("fácebook.com", "strict", "looks like facebook.com"),
    ("paypl.com", "near", "one letter missing from paypal.com"), ("paypaal.com", "near", "one letter added to paypal.com"),
    ("pay-pal.com", "near", "a hyphen added to paypal.com"), ("paypol.com", "near", "one letter replaced in paypal.com"),
    ("paypla.com", "near", "two neighbours swapped in paypal.com"), ("www.pay.pal.com", "near", "a dot inside paypal.com"),
    ("wwwpaypal.com", "near", "www joined to paypal.com"), ("paypalcom.net", "near", "the dots left out of paypal.com"),
    ("fаcebok.com", "near", "one letter missing from facebook.com"), ("ƒacebok.com", "near", "one letter missing from facebook.com"),
    ("münche.example", "near", "one letter missing from münchen.example"),
    ("my-fаcebook-x.com", "within", "facebook.com as a part of a label"),
    ("paypal-login.net", "words", "paypal.com with a word that forgers use: login"),
    ("24securepaypa1-l0gin.com", "words", "paypal.com with a word that forgers use: secure, l0gin"),
    ("paypal-вход.com", "words", "paypal.com with a word that forgers use: вход"),
    ("www.paypal.xyz", "elsewhere", "paypal.com under another suffix"),
    ("paypal.co.uk", "elsewhere", "paypal.com under another suffix"),
    ("paypal.evil.example", "elsewhere", "paypal.com as a label of evil.example"),
    ("paypal.com.evil.co.uk", "elsewhere", "paypal.com as a label of evil.co.uk"),
    ("bücher.net", "elsewhere", "www.bücher.example under another suffix"),
)


def test_reasons(tap, command, folder):
    rules = folder / "reasons"
    rules.write_text(RULES, encoding="utf-8")
    for name, key, why in REASONS:
        row = json.loads(command("explain", "--json", "--policy", str(rules), name)[1])
        tap.equal(row["decision"] and (row["decision"]["key"], row["decision"]["why"]), (key, why), f"explain --json {name}: why")
        said = " ".join(command("explain", "--policy", str(rules), name)[1].decode().split())
        tap.equal(said.startswith(why), True, f"explain {name}: the sentence")
