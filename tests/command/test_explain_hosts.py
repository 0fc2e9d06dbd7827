# SPDX-License-Identifier: BSD-3-Clause
"""explain --host: what each host gives a client, and the rules that it leaves out."""

import json
import os
import shutil

from test_explain import Explain

HOSTS = {"module": "/etc/unbound/idn.conf", "python": "/etc/unbound/idn.conf", "kresd": "/etc/knot-resolver/idn.conf", "recursor": "/etc/powerdns/idn.conf",
         "dnsdist": "/etc/dnsdist/idn.conf"}
RULES = """tcp-only zone t.example
drop zone d.example
nxdomain zone a.example
nodata zone n.example
refuse zone f.example
passthru name x.a.example client=192.0.2.0/24
cname y.example zone c.example
redirect 192.0.2.1 zone r.example
log zone t.example
"""
GETS = {"d.example": "nothing over UDP, otherwise REFUSED", "a.example": "NXDOMAIN", "n.example": "NOERROR without records", "f.example": "REFUSED",
        "c.example": "the alias and its target's records", "r.example": "the rule's records", "t.example": "a truncated answer over UDP, otherwise the answer as it is",
        "other.example": "the answer as it is"}
ALONE = {"c.example": "the alias alone, without its target's records"}
PYTHON = {**ALONE, "d.example": "REFUSED: this host cannot drop a query", "t.example": "the answer as it is"}
INSTEAD = {"python": {"d.example": "refused", "c.example": "alias"}, "dnsdist": {"c.example": "alias"}}


def run(tap, command):
    explain = Explain(command)
    try:
        each_host(tap, explain)
        left_out(tap, explain)
        usage(tap, explain)
    finally:
        shutil.rmtree(explain.folder)


def flat(text):
    return " ".join(text.split())


def each_host(tap, explain):
    rules = explain.file("hosts.rules", RULES)
    log_only = explain.file("hosts.conf", "idn:\n    policy: hosts.rules\n    policy-mode: log-only\n")
    for host in HOSTS:
        for name, words in (GETS | {"python": PYTHON, "dnsdist": ALONE}.get(host, {})).items():
            text = flat(explain("--host", host, "--policy", rules, name)[1])
            tap.equal(f"with {host} the client gets {words} " in text + " ", True, f"explain --host {host} {name}: {text}")
            object = json.loads(explain("--host", host, "--policy", rules, "--json", name)[1])["with"]
            tap.equal((object["host"], object["instead"]), (host, INSTEAD.get(host, {}).get(name)), f"explain --host {host} --json {name}")
        text = flat(explain("--host", host, "--policy", log_only, "d.example")[1])
        tap.equal(text.endswith(f"with {host} the client gets the answer as it is"), True, f"explain --host {host}: policy-mode: log-only: {text}")
    tap.equal("the client gets" in explain("--policy", rules, "d.example")[1], False, "explain without --host")
    tap.equal(json.loads(explain("--policy", rules, "--json", "d.example")[1])["with"], None, "explain --json without --host")


def left_out(tap, explain):
    """Unbound's Python module leaves out tcp-only, and without subnetcache rules with client=; other hosts hold them."""
    rules = explain.file("hosts.rules", RULES)
    expected = {"t.example": ("log", 9, "tcp-only", 1), "x.a.example": ("nxdomain", 3, "passthru", 6)}
    if os.path.exists("/etc/unbound/unbound.conf"):
        del expected["x.a.example"]  # it may have subnetcache
    for name, (action, line, left, left_line) in expected.items():
        arguments = "--client", "192.0.2.1", "--policy", rules
        object = json.loads(explain("--host", "python", *arguments, "--json", name)[1])
        tap.equal(((object["decision"]["action"], object["decision"]["line"]), object["with"]["left_out"]), ((action, line), {"action": left, "file": rules, "line": left_line}),
                  f"explain --host python: {name}: the rule that decides, and the one that is left out")
        status, text, errors = explain("--host", "python", *arguments, name)
        tap.equal((f"python leaves out a rule that would decide: {left}, {rules}:{left_line}" in flat(text), f"{rules}:{left_line}:1: left out: " in errors), (True, True),
                  f"explain --host python: {name}: {text} {errors}")
        for host in set(HOSTS) - {"python"}:
            object = json.loads(explain("--host", host, *arguments, "--json", name)[1])
            tap.equal((object["decision"]["action"], object["with"]["left_out"]), (left, None), f"explain --host {host}: {name}")
    tap.equal(json.loads(explain("--host", "python", "--policy", rules, "--json", "a.example")[1])["with"]["left_out"], None, "explain --host python: nothing left out")


def usage(tap, explain):
    tap.equal(explain("--host", "bind", "a"), (2, "", "unbound-idn explain: --host bind: expected module, python, kresd, recursor or dnsdist; try 'unbound-idn explain --help'\n"),
              "explain --host of no such host")
    for host, path in HOSTS.items():
        if os.path.exists(path):
            continue  # of a machine that has this host
        status, text, errors = explain("--host", host, "a")
        tap.equal((status, text, errors.startswith(f"{path}: ")), (2, "", True), f"explain --host {host}: reads its own configuration: {errors}")
