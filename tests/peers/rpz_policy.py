# SPDX-License-Identifier: BSD-3-Clause
"""Random rules with nested and equal names, and the answer that each decision gives to a client."""

import json
import subprocess

UPSTREAM = "198.51.100.1"  # the address of every name without a policy's answer
TARGET = "walled.target."  # no rule matches it
LABELS = ("a", "a", "a", "b", "b", "b", "c", "xn--e1afmkfd", "_s", "\\255\\000", "1-1", "\\036\\064\\046", "\\034\\059x\\040")
ACTIONS = ("passthru", "passthru", "nxdomain", "nxdomain", "nodata", "drop", "tcp-only", "redirect", "cname")
RPZ_TARGETS = {"passthru": "rpz-passthru.", "nxdomain": ".", "nodata": "*.", "drop": "rpz-drop.", "tcp-only": "rpz-tcp-only."}


def random_name(random, end, most):
    return ".".join([random.choice(LABELS) for _ in range(random.randint(0, most))] + [end])


class Policy:
    """A rule file in a folder with many policies, each for the names below one name of `ends`."""

    def __init__(self, folder, random, ends):
        self.folder = folder
        self.random = random
        self.lines = []
        self.values = {}  # {number of a line: {action: address or target}}
        self.names = []  # names in rules
        self.ends = [f"p{number}" for number in range(ends)]
        for end in self.ends:
            for _ in range(random.randint(1, 6)):
                self._add(end)
        self.path = folder / "rules.conf"
        self.path.write_text("".join(f"{line}\n" for line in self.lines))

    def _name(self, end, most=4):
        self.names.append(random_name(self.random, end, most))
        return self.names[-1]

    def _add(self, end):
        number = len(self.lines) + 1
        address, target = f"192.0.2.{number % 250 + 1}", f"line{number}.{TARGET}"
        kind = self.random.choice(("name", "zone", "zone", "below", "names", "zones", "rpz"))
        if kind == "rpz":
            prefix = self.random.choice(("", "*."))
            self.values[number] = {"answer": address, "cname": prefix + target}
            self.lines.append(f"rpz {self._write_zone(end, number, address, prefix + target)} suffixes=yes")
            return
        action = self.random.choice(ACTIONS)
        argument = {"redirect": address, "cname": target}.get(action, "")
        self.values[number] = {"redirect": address, "cname": target}
        if kind in ("name", "zone"):
            subject = f"{kind} {self._name(end)}"
        elif kind == "below":
            subject = f"name *.{self._name(end)}"
        else:
            subject = f"{kind} {self._write_list(end, number)} suffixes=yes"
        self.lines.append(f"{action} {argument} {subject}")

    def _write_list(self, end, number):
        path = self.folder / f"{number}.list"
        path.write_text("".join(f"{self._name(end)}\n" for _ in range(self.random.randint(1, 8))))
        return path.name

    def _owners(self, end):
        return {self.random.choice(("", "*.")) + self._name(end) for _ in range(self.random.randint(1, 8))}

    def _write_zone(self, end, number, address, target):
        path = self.folder / f"{number}.zone"
        path.write_text(self._zone("feed.example", self._owners(end), address, target))
        return path.name

    def _zone(self, origin, owners, address, target):
        lines = [f"$ORIGIN {origin}.", "@ 60 SOA ns.invalid. nobody.invalid. 1 3600 600 86400 60", "@ 60 NS ns.invalid."]
        for owner in sorted(owners):
            action = self.random.choice((*RPZ_TARGETS, "answer", "cname"))
            data = f"A {address}" if action == "answer" else f"CNAME {RPZ_TARGETS.get(action, target)}"
            lines.append(f"{owner} 60 {data}")
        return "".join(f"{line}\n" for line in lines)

    def random_names(self, count):
        """Returns distinct names equal to those of the rules, or below or near them."""
        names = set()
        while len(names) < count:
            if self.random.random() < 0.7:
                names.add(random_name(self.random, self.random.choice(self.names), 2))
            else:
                names.add(random_name(self.random, self.random.choice(self.ends), 5))
        return sorted(names)

    def expected(self, command, names):
        """Returns a client's view of each name by the policy itself, from unbound-idn explain."""
        done = subprocess.run([command, "explain", "--json", "--policy", self.path], text=True, check=False,
                              input="".join(f"{name}\n" for name in names), capture_output=True)
        results = [json.loads(line)["decision"] for line in done.stdout.splitlines()]
        assert len(results) == len(names), done.stderr
        return {name: self._seen(name, decision) for name, decision in zip(names, results)}

    def _seen(self, name, decision):
        action = decision["action"] if decision else "passthru"
        if action == "passthru":
            return "data", UPSTREAM
        value = self.values[decision["line"]].get(action)
        if action == "cname":
            return "alias", value.replace("*.", f"{name}.") if value.startswith("*.") else value
        return ("data", value) if value else (action,)


class Imported(Policy):
    """A policy whose one rule is a response policy zone, which a resolver can load, too."""

    def __init__(self, folder, random, ends, origin):
        self.folder = folder
        self.random = random
        self.names = []
        self.ends = [f"p{number}" for number in range(ends)]
        self.values = {1: {"answer": "192.0.2.1", "cname": TARGET}}
        self.zone = folder / "imported.zone"
        self.zone.write_text(self._zone(origin, set().union(*map(self._owners, self.ends)), "192.0.2.1", TARGET))
        self.path = folder / "imported.conf"
        self.path.write_text(f"rpz {self.zone.name} suffixes=yes\n")
