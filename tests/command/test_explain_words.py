# SPDX-License-Identifier: BSD-3-Clause
"""explain: the sentence that it begins with, and what it says when it waits for names."""

import json
import os
import select
import shutil
import subprocess

from tap import open_terminal
from test_explain import RULES, Explain


def run(tap, command):
    explain = Explain(command)
    try:
        sentences(tap, explain)
        raw(tap, explain)
        on_terminal(tap, explain)
    finally:
        shutil.rmtree(explain.folder)


def sentences(tap, explain):
    """The first sentence is the rule's effect on the name; without a rule, it is about the name."""
    rules = explain.file("sentence.rules", RULES)
    short = lambda text: " ".join(text.replace(str(explain.folder) + "/", "").split())
    for name, sentence in (("pаypal.com", "looks like paypal.com (it has CYRILLIC SMALL LETTER A); sentence.rules:7 refuses it (nxdomain)"),
                           ("rnaii.com", "looks like mall.com; sentence.rules:12 refuses it (drop)"), ("шлюз.example", "matches name шлюз.example; sentence.rules:1 lets it pass (passthru)"),
                           ("a.例え.jp", "matches name *.例え.jp; sentence.rules:6 answers it (redirect)"), ("beobachten.example", "matches zone beobachten.example; sentence.rules:4 only logs it (log)"),
                           ("example.com", None)):
        first = explain("--policy", rules, name)[1].partition("  1 ")[0]
        tap.equal(short(first).startswith(sentence or "example.com"), True, f"explain {name}: the first sentence: {short(first)}")
    conf = explain.file("sentence.conf", "idn:\n    policy: sentence.rules\n    policy-mode: log-only\n")
    tap.equal("sentence.rules:7 would refuse it (nxdomain)" in short(explain("--policy", conf, "pаypal.com")[1]), True, "explain: what a rule would do")


def escaped(text):
    """Octets as a log's column has them."""
    return "".join(chr(o) if 0x21 <= o < 0x7F and chr(o) not in '"\\\\' else f"\\{o:03d}" for o in text.encode())


def raw(tap, explain):
    """Raw UTF-8, as a log's column has it: what to ask instead, in words and in JSON."""
    says = "asked as raw UTF-8: no resolver finds it; "
    for text, ask in (("www.казино.example", "www.xn--80aodfsg.example"), ("КАЗИНО.xn--p1ai", "xn--80aodfsg.xn--p1ai"), ("bücher.例え.example", "xn--bcher-kva.xn--r8jz45g.example"),
                      ("a\u200bü.example", None), ("ü\x1b.example", None), ("\u202e.example", None), ("ü" * 31 + "a", "xn--" + ("ü" * 31 + "a").encode("punycode").decode()),
                      ("u\u0308" * 21, "xn--" + ("ü" * 21).encode("punycode").decode())):
        name = escaped(text)
        status, out, errors = explain(name)
        words = says + (f"ask {ask}" if ask else "it has no name in A-labels")
        tap.equal((status, " ".join(out.split()).startswith(f"{words} {name} "), errors), (1, True, ""), f"explain raw {text!r}: {out}")
        object = json.loads(explain("--json", name)[1])
        tap.equal((object["ask"], object["status"], [label["reason"][0] for label in object["labels"] if label["reason"]][:1]), (ask, "invalid", ["raw-utf8"]), f"explain --json raw {text!r}")
    for name in "казино.example", escaped("a") + "\\255.example", "\\195.example", "xn--\\195\\188.example", "a.example":
        tap.equal((says in explain(name)[1], json.loads(explain("--json", name)[1])["ask"]), (False, None), f"explain {name}: not raw UTF-8")
    rules = explain.file("raw.rules", "nxdomain zone example suffixes=yes\n")
    tap.equal(explain("--policy", rules, escaped("ü.example"))[1].splitlines()[1].startswith("matches zone example; "), True, "explain raw: and the rule")


def on_terminal(tap, explain):
    """Without arguments on a terminal it says what it waits for; elsewhere it does not."""
    ends = open_terminal(tap)
    if not ends:
        return
    with subprocess.Popen([explain.command.path, "explain", "--color=never"], stdin=ends[1], stdout=subprocess.DEVNULL, stderr=ends[1],
                          env={"UNBOUND_IDN_CONF": explain.empty, "PATH": "/usr/bin:/bin"}) as process:
        os.close(ends[1])
        seen = b""
        while b"\n" not in seen and select.select([ends[0]], [], [], 60)[0]:
            seen += os.read(ends[0], 1000)
        process.kill()
    os.close(ends[0])
    tap.equal(seen, b"Reading names from this terminal, one on a line; Ctrl-D ends them.\r\n", "explain: no arguments, on a terminal")
    tap.equal(explain(stdin=b"a.example\n")[2], "", "explain: nothing of that elsewhere")
