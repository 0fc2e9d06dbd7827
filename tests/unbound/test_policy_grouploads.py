# SPDX-License-Identifier: BSD-3-Clause
"""Sixteen clients in four groups ask for the same fifty names at the same time, while the policy changes: each answer is
its client's, by a policy that was then in force."""

import collections
import functools

import dns.message
import dns.rcode

from groupload import CLIENTS, GROUPS, GroupLoad, sources, under_swaps
from question import ask
from rulefile import IDN, changed, rules
from test_targets import METRICS

# Each group gets one of these, and the next one by the next policy. "" is the name's own answer.
KINDS = ("redirect 198.51.100.1", "redirect 198.51.100.2", "nxdomain", "")
NAMES = [f"n{i}.wild.example" for i in range(42)]
ALIASES = [f"hop-t{i}.slow.example" for i in range(4)]  # to names of rules
CALM = ["ascii.example", *(f"calm{i}.slow.example" for i in range(3))]  # of no rule
OWN = {"ascii.example": "192.0.2.60"}


def text_of(number):
    lines = [f"group g{group} {sources(group)[0]}/30" for group in range(GROUPS)]
    targets = [f"t{i}.slow.example" for i in range(len(ALIASES))]
    for group in range(GROUPS):
        action = KINDS[(group + number) % len(KINDS)]
        lines += [f"{action} {what} client=g{group}" for what in ("zone wild.example", *(f"name {t}" for t in targets)) if action]
    return "\n".join([*lines, f"nxdomain name number{number}.example", ""])


@functools.lru_cache(maxsize=4096)
def kind_of(octets, name):
    """Returns the entry of KINDS that an answer shows; None if it shows none."""
    message = dns.message.from_wire(octets)
    data = [rdata.to_text() for rrset in message.answer for rdata in rrset]
    alias = name in ALIASES
    if alias and (len(data) == 0 or data.pop(0) != f"{name.removeprefix('hop-')}."):
        return None
    own = OWN.get(name) or ("192.0.2.77" if name in NAMES else "192.0.2.200")
    wanted = [("NOERROR", ["198.51.100.1"]), ("NOERROR", ["198.51.100.2"]), ("NXDOMAIN", []), ("NOERROR", [own])]
    found = (dns.rcode.to_text(message.rcode()), data)
    return wanted.index(found) if found in wanted else None


def judge(answers, names, times):
    """Answers that are another client's, or by a policy that was not in force; and how many there were of each kind. One that
    was withheld (truncated, with AA) has no data, so it belongs to no client."""
    wrong, kinds = [], collections.Counter()
    for group, index, sent, received, octets in answers:
        if octets[2] & 6 == 6 and names[index] not in CALM:
            kinds["withheld"] += 1
            continue
        name, kind = names[index], kind_of(octets, names[index])
        possible = {(group + number) % len(KINDS) for number in times.possible(sent, received)}
        if kind not in ({len(KINDS) - 1} if name in CALM else possible):
            wrong.append((name, f"group {group}", kind, possible, "" if kind is not None else dns.message.from_wire(octets).to_text()))
        kinds[name in CALM, kind] += 1
    return wrong, kinds


def load(world, tap, count, modules, threads):
    names = [*NAMES, *ALIASES, *CALM]
    with world.resolver(tap, f"{IDN}\nlog-to: log/idn.log\n{METRICS}", modules=modules, threads=threads,
                        prepare=rules(text_of(0)), check=False) as resolver:
        asking = GroupLoad(resolver.address(), names, count)
        times, failed = under_swaps(asking, lambda number: changed(resolver, text_of(number)), 4)
        wrong, kinds = judge(asking.answers, names, times)
        tap.ok(len(asking.answers) >= count and not failed, f"{modules}: all questions are answered, all swaps told of", failed)
        tap.equal((len(wrong), wrong[:5]), (0, []), f"{modules}: each answer is its client's")
        tap.ok(kinds["withheld"] < len(asking.answers) / 20, f"{modules}: few are withheld", kinds)
        tap.ok(all(kinds[False, kind] > count / 50 for kind in range(len(KINDS))), "of each kind there were many", kinds)
        for name in (*NAMES, *ALIASES):
            tap.equal(resolver.cached(name), [], f"{name}: not cached")
        for name in CALM:
            resolver.exchange(ask(name))
        tap.note(f"{len(asking.answers)} questions of {CLIENTS} clients, {len(times.begun)} policies, asked again {asking.again}, {dict(kinds)}")


def test_groups(world, tap):
    load(world, tap, 5000, "validator iterator", 2)


def test_all_groups(world, tap):
    load(world, tap, 200000, "validator iterator", 4)
    load(world, tap, 20000, "respip dns64 validator iterator", 2)


test_all_groups.long = True
