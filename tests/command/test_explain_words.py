# SPDX-License-Identifier: BSD-3-Clause
"""explain: the sentence that it begins with, and what it says when it waits for names."""

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
        on_terminal(tap, explain)
    finally:
        shutil.rmtree(explain.folder)


def sentences(tap, explain):
    """What comes first is what a rule does to the name, in words; without a rule, the name."""
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
