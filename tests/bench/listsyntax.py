# SPDX-License-Identifier: BSD-3-Clause
"""Lists of every syntax, made with a seed after what their authors document, read by our reader and by a second one here: the
entries and the numbers of those left out are the same. `--lines 1000000` is the size of the largest public lists."""

import argparse
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import time

TYPES = {"A": 1, "AAAA": 28, "TXT": 16, "HTTPS": 65}
PLAIN = re.compile(r"[a-z0-9_-]+(?:\.[a-z0-9_-]+)+\.?$", re.I)


class Maker:
    """Names, no two of them alike, and the lines about them."""

    def __init__(self, seed):
        self.random, self.number = random.Random(seed), 0

    def name(self):
        self.number += 1
        label = "".join(self.random.choices("abcdefghijklmnopqrstuvwxyz0123456789", k=self.random.randint(1, 12)))
        return f"{self.random.choice(['', 'www.', 'ads.track.'])}{label}-{self.number:x}.{self.random.choice(['example', 'test.example', 'co.uk', 'com'])}"

    def pick(self, *weighted):
        """One of the lines after their weights."""
        return self.random.choices(weighted[1::2], weighted[::2])[0](self.name())


def domains(m):
    return m.pick(90, lambda n: n, 5, lambda n: f"*.{n}", 2, lambda n: f".{n}", 2, lambda n: f"{n} # why", 1, lambda n: f"# {n}", 1, lambda n: n.upper())


def hosts(m):
    return m.pick(80, lambda n: f"0.0.0.0 {n}", 10, lambda n: f"127.0.0.1\t{n}  x.{n}", 3, lambda n: f"::1 {n} # x", 3, lambda n: f"# {n}",
                  2, lambda n: "127.0.0.1 localhost", 2, lambda n: "255.255.255.255 broadcasthost", 1, lambda n: "0.0.0.0 0.0.0.0")


def adguard(m):
    kind = m.random.choice
    return m.pick(70, lambda n: f"||{n}^", 3, lambda n: f"||{n}", 5, lambda n: f"@@||{n}^", 2, lambda n: f"||{n}^$important",
                  1, lambda n: f"@@||{n}^$important", 2, lambda n: f"||{n}^$dnstype={kind(['A', 'AAAA|HTTPS', '~TXT', '~A|~AAAA'])}",
                  1, lambda n: f"||{n}^$denyallow={kind(['a', 'b'])}.example|c.example", 2, lambda n: f"||*.{n}^", 1, lambda n: f"|{n}^",
                  2, lambda n: f"! {n}", 1, lambda n: f"{n}##.ad", 1, lambda n: f"/{n}/", 1, lambda n: f"||{n}^$client=192.0.2.1",
                  1, lambda n: f"||{n}^$third-party", 1, lambda n: f"||{n}^$dnsrewrite=192.0.2.1", 1, lambda n: f"||{n}^$badfilter",
                  1, lambda n: f"||{n}/x^", 1, lambda n: f"*{n}*^")


ACTIONS = {".": "nxdomain", "*.": "nodata", "rpz-passthru.": "passthru", "rpz-drop.": "drop", "rpz-tcp-only.": "tcp-only"}


def rpz(m):
    """The first line is the zone's SOA record."""
    if m.number == 0:
        m.number = 1
        return "$ORIGIN rpz.feed.\n$TTL 60\n@ SOA ns hostmaster 1 2 3 4 5"
    return m.pick(60, lambda n: f"{n} CNAME .", 15, lambda n: f"*.{n} IN CNAME .", 5, lambda n: f"{n} 300 IN CNAME *.", 3, lambda n: f"{n}.rpz.feed. CNAME rpz-passthru.",
                  2, lambda n: f"{n} CNAME rpz-drop.", 1, lambda n: f"*.{n} CNAME rpz-tcp-only.", 3, lambda n: f"{n} A 192.0.2.1", 1, lambda n: f"{n} ( ; why\n A 192.0.2.1 )",
                  2, lambda n: f"{n} CNAME ( . ) ; why", 2, lambda n: f"; {n}", 1, lambda n: f"32.{m.number % 256}.{m.number // 256 % 256}.{m.number // 65536}.10.rpz-ip CNAME .")


def entry(name, scope, strength=0, exempts=0, types="-", denied=0):
    plain = (strength, exempts, types, denied) == (0, 0, "-", 0)
    return f"{scope} {name.lower().rstrip('.')}." + ("" if plain else f" {strength} {exempts} {types} {denied}")


def read_domains(text, scope):
    for line in text.splitlines():
        word = line.split("#")[0].strip()
        if word.startswith("*."):
            yield entry(word[2:], "zone" if scope == "zone" else "below")
        elif word:
            yield entry(word.lstrip("."), "zone" if word[0] == "." else scope)


def read_hosts(text, scope):
    for line in text.splitlines():
        for name in line.split("#")[0].split()[1:]:
            yield entry(name, scope) if name not in ("localhost", "broadcasthost", "0.0.0.0") else None


def read_adguard(text, scope):
    rule = re.compile(r"(@@)?(\|\|\*\.|\|\||\|)([a-z0-9._-]+)(\^?)(?:\$(.*))?$")
    for line in text.splitlines():
        found = rule.match(line)
        if line.startswith("!"):
            continue
        if not found:
            yield None
            continue
        exception, mark, name, _, modifiers = found.groups()
        strength, types, denied, bare, known = int(bool(exception)), "-", 0, [], True
        for modifier in modifiers.split(",") if modifiers else []:
            key, _, value = modifier.partition("=")
            if key == "important":
                strength |= 2
            elif key == "dnstype":
                types = ("~" if value[0] == "~" else "") + ",".join(str(TYPES[t.lstrip("~")]) for t in value.split("|"))
            elif key == "denyallow":
                bare = value.split("|")
                denied = sum(len(n) + 2 for n in bare)
            else:
                known = False
        if not known:
            yield None
            continue
        yield entry(name, {"||": "zone", "|": "exact"}.get(mark, "below"), strength, int(bool(exception)), types, denied)
        yield from (entry(n, "none") for n in bare)


def read_rpz(text, scope):
    for line in re.sub(r" ;.*", "", re.sub(r"\( ; why\n", "", text)).splitlines()[3:]:
        if line[0] == ";":
            continue
        owner, *_, kind, target = line.replace("(", "").replace(")", "").split()
        owner = owner.removesuffix(".rpz.feed.")
        if owner.endswith(".rpz-ip"):
            yield None
        else:
            name = owner.removeprefix("*.")
            yield f"{'below' if name != owner else 'exact'} {name.rstrip('.').lower()}. {ACTIONS[target] if kind == 'CNAME' else 'answer'}"


SYNTAXES = {"domains": (domains, read_domains), "hosts": (hosts, read_hosts), "filter": (adguard, read_adguard), "rpz": (rpz, read_rpz)}


def compare(program, syntax, lines, seed, folder):
    """The first difference between the readers; None if there is none."""
    make, read = SYNTAXES[syntax]
    maker, path = Maker(seed), pathlib.Path(folder, syntax)
    text = "\n".join(make(maker) for _ in range(lines)) + "\n"
    path.write_text(text)
    for trigger, scope in (("rpz", None),) if syntax == "rpz" else (("names", "exact"), ("zones", "zone")):
        theirs = list(read(text, scope))
        skipped, theirs = theirs.count(None), [e for e in theirs if e]
        begin = time.process_time()
        run = subprocess.run([program, trigger, path], capture_output=True, text=True, check=True)
        ours = run.stdout.splitlines()
        found, entries, left_out, bad = run.stderr.split()
        count = sum(not e.startswith("none") for e in theirs)
        for number, (a, b) in enumerate(zip(ours, theirs)):
            if a != b:
                return f"{trigger}: entry {number} is '{a}', and '{b}' for the second reader"
        found = "rpz" if trigger == "rpz" else found  # a zone is what its line says
        if (found, int(entries), int(left_out), int(bad), len(ours)) != (syntax, count, skipped, 0, len(theirs)):
            return f"{trigger}: {run.stderr.strip()}, expected {syntax} {count} {skipped} 0"
        print(f"# {syntax} {trigger}: {entries} entries, {left_out} left out")
    return None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", required=True)
    parser.add_argument("--lines", type=int, default=5000)
    parser.add_argument("--seed", type=int, default=27)
    options = parser.parse_args()
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for number, syntax in enumerate(SYNTAXES, 1):
            why = compare(options.program, syntax, options.lines, options.seed, folder)
            print(f"{'not ok' if why else 'ok'} {number} - {syntax}" + (f"\n# {why}" if why else ""), flush=True)
            failed += bool(why)
    print(f"1..{len(SYNTAXES)}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
