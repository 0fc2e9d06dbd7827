# SPDX-License-Identifier: BSD-3-Clause
"""A policy that is exchanged while the resolver works: under load, and with questions under way. Once the daemon has reported the
new policy, no old answer leaves."""

from daemon import eventually
from harness import write_idn
from load import Load
from question import ask
from rulefile import IDN, changed, rules, swaps
from test_policy_answers import waiting
from test_targets import METRICS

HARMLESS = "nxdomain zone nothing.wild.example\n"
QUIET = f"{IDN}\nlog-to: log/idn.log\n{METRICS}"


def swap_under_load(tap, resolver, exchange):
    """5,000 questions a second while names are blocked and let go again, ten times: exchange(TEXT) has other rules in force
    and returns whether the daemon has reported them."""
    names = [f"n{number}.wild.example" for number in range(50)]
    for name in ("victim.wild.example", *names):
        resolver.exchange(ask(name))
    load = Load(resolver, names, None, 5000, 20)
    for turn in range(10):
        block = turn % 2 == 0
        tap.ok(exchange(HARMLESS + "nxdomain name victim.wild.example\n" * block), f"turn {turn}: the swap is told")
        asked = Load(resolver, ["victim.wild.example"], 500, 0, 4).finish(tap, f"turn {turn}")
        withheld = asked["rcodes"].pop("TC", 0)
        # Each of the two threads may have found the cached message before one of them disowned it.
        tap.ok(withheld <= 2 * block, f"turn {turn}: the first answer of a thread that a rule refuses is withheld, and no other", withheld)
        tap.equal(asked["rcodes"], {"3" if block else "0": 500 - withheld}, f"turn {turn}: every answer is of the new policy")
    result = load.finish(tap, "the load")
    tap.equal(set(result["rcodes"]), {"0"}, "names that no rule is about are answered all the time")
    tap.note(f"the load: {result}")


def test_under_load(world, tap):
    with world.resolver(tap, QUIET, threads=2, prepare=rules(HARMLESS), check=False) as resolver:
        swap_under_load(tap, resolver, lambda text: changed(resolver, text))
        tap.ok(eventually(lambda: resolver.metrics().sum("policy_withheld_total") >= 4), "withheld answers are counted")


def rules_come(resolver):
    """idn.conf, which named no rules, names them."""
    write_idn(resolver.folder, IDN)
    return eventually(lambda: len(swaps(resolver)) == 1)


def test_first_rules_under_way(world, tap):
    """idn.conf names its first rules while questions wait: their answers are decided by them, and so is what is cached."""
    for refused, asked in ("gate-first1.slow.example", "gate-first1.slow.example"), \
            ("first2.slow.example", "gate-hop-first2.slow.example"), ("cached.slow.example", "gate-first3.slow.example"):
        text = f"nxdomain name {refused}\nnxdomain name {asked}\n" if "cached" in refused else f"nxdomain name {refused}\n"
        with world.resolver(tap, "log: none", prepare=rules(text), check=False) as resolver:
            tap.equal(resolver.exchange(ask("cached.slow.example")).rcode, "NOERROR", "no rules at the start")
            gate = world.upstream.gate(asked.split(".")[0])
            client = waiting(tap, resolver, gate, ask(asked))
            tap.ok(rules_come(resolver), f"{asked}: rules come")
            gate.open()
            tap.equal(client.receive().rcode, "NXDOMAIN", f"{asked}: refused when it arrives")
            client.close()
            tap.equal(resolver.exchange(ask("cached.slow.example")).rcode, "NXDOMAIN" if "cached" in refused else "NOERROR",
                      f"{asked}: what was cached before")


def test_alias_costs_one_question(world, tap):
    """A thousand questions for an alias of a refused name: the upstream gets one, or, behind subnetcache, where Unbound
    looks up each client's question by itself, those of four clients at once."""
    name = "alias-costly.slow.example"
    for modules, most in ("validator iterator", 1), ("subnetcache validator iterator", 4):
        if world.lacks(tap, modules):
            continue
        with world.resolver(tap, QUIET, modules=modules, prepare=rules("nxdomain zone costly.slow.example\n"),
                            check=False) as resolver:
            before = world.upstream.asked[f"{name}.", "A"]
            result = Load(resolver, [name], 1000, 0, 4).finish(tap, "the alias")
            tap.equal(result["rcodes"], {"3": 1000}, "every answer is refused")
            asked = world.upstream.asked[f"{name}.", "A"] - before
            tap.ok(1 <= asked <= most, f"{modules}: questions to the upstream", asked)
            reply = resolver.exchange(ask(name))
            tap.equal([rrset.to_text().split()[3:] for rrset in reply.message.answer],
                      [["CNAME", "costly.slow.example."]], "the alias itself stands in the answer")


def test_hits_without_a_match(world, tap):
    """The module remembers that no rule matches a hit, by its name and type alone, until the next swap."""
    name, other = "log.wild.example", "log name other.example tag=other\n"
    with world.resolver(tap, IDN, prepare=rules(other)) as resolver:
        hits = {"A": 0, "AAAA": 0}
        for text, tags in ((other, {}), (f"log name {name} type=A tag=seen\n", {"A": "seen"}), (other, {}),
                           (f"passthru name {name}\nlog zone wild.example type=AAAA tag=all\n", {"A": None, "AAAA": "all"})):
            assert not any(hits.values()) or changed(resolver, text)
            for _ in range(3):
                for qtype in hits:
                    for asked in name, name.upper():
                        reply, line = resolver.logged(ask(asked, qtype))
                        tap.equal((line.cached, line.policy and line.policy[3]), (hits[qtype], tags.get(qtype)),
                                  f"{text}: {asked} {qtype}")
                        tap.equal(bool(line.policy), qtype in tags, f"{text}: {asked} {qtype}, a rule is named")
                        hits[qtype] = 1


def test_fast_reload(world, tap):
    """fast_reload (Unbound 1.23 and later) does not ask the modules: the files are watched all the same."""
    with world.resolver(tap, QUIET, threads=2, prepare=rules(HARMLESS), check=False) as resolver:
        if resolver.control("fast_reload")[0] != 0:
            return  # this Unbound has none
        resolver.exchange(ask("victim.wild.example"))
        for turn in range(6):
            block = turn % 2 == 0
            text = HARMLESS + "nxdomain name victim.wild.example\n" * block
            tap.ok(changed(resolver, text), f"turn {turn}: the swap is told")
            tap.equal(resolver.control("fast_reload")[0], 0, f"turn {turn}: fast_reload")
            tap.equal(resolver.exchange(ask("victim.wild.example")).rcode, "NXDOMAIN" if block else "NOERROR",
                      f"turn {turn}: the new policy")
