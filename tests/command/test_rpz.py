# SPDX-License-Identifier: BSD-3-Clause
"""rpz: the zone that is written, what is said of rules it cannot have, exit statuses, and that our own rule `rpz` reads
the zone as what it was made of."""

import json
import os
import random
import re
import subprocess
import sys
import time
import unicodedata

PLAIN = ["rpz", "--origin", "rpz.example", "--serial", "7"]


def test_golden(tap, command, root):
    for rules in sorted((root / "tests/rpz").glob("*.conf")):
        done = subprocess.run([command.path, *PLAIN, rules.name], cwd=rules.parent, capture_output=True, timeout=60, check=False)
        left_out = b" left out: " in done.stderr and rules.stem == "left-out"
        tap.equal((done.stdout + done.stderr).decode(), rules.with_suffix(".expected").read_text(), f"{rules.name}: the zone, and the messages")
        tap.equal(done.returncode, int(left_out), f"{rules.name}: exit status")
        ignoring = subprocess.run([command.path, *PLAIN, "--ignore-unsupported", rules.name], cwd=rules.parent, capture_output=True,
                                  timeout=60, check=False)
        tap.equal((ignoring.returncode, ignoring.stderr, ignoring.stdout), (0, done.stderr, done.stdout), f"{rules.name}: --ignore-unsupported")


def write(folder, name, text):
    (folder / name).write_text(text)
    return str(folder / name)


def soa(zone):
    return re.search(rb"^@ \d+ IN SOA (\S+ \S+) (\d+) ", zone, re.MULTILINE).groups()


def test_options(tap, command, folder):
    rules = write(folder, "rules", "nxdomain zone x.example\n")
    for wrong in ([], ["--origin", "."], ["--origin", "localhost"], ["--origin", "LocalHost."], ["--origin", "*.x"],
                  ["--origin", "a..b"], ["--origin", "a" * 64], ["--origin", ""], ["--origin", "a⿰b.de"],
                  ["--origin", "x", "--serial", "4294967296"], ["--origin", "x", "--serial", "-1"],
                  ["--origin", "x", "--serial", ""], ["--origin", "x", "--serial", "epoch"], ["--origin", "x", "--other"]):
        status, out, errors = command("rpz", *wrong, rules)
        tap.equal((status, out, errors.count("\n")), (2, b"", 1), f"rpz {' '.join(wrong)}: usage")
    before = int(time.time())
    _, zone, _ = command("rpz", "--origin", "x", rules)
    tap.equal(before <= int(soa(zone)[1]) <= time.time(), True, "the serial is the time")
    for number in "0", "4294967295":
        _, zone, _ = command("rpz", "--origin", "x", "--serial", number, rules)
        tap.equal(soa(zone)[1].decode(), number, f"--serial {number}")
    status, zone, errors = command("rpz", "--serial", "1", "--origin", "ПРАВИЛА.example.", rules)
    tap.equal((status, zone.splitlines()[2], errors), (0, b"$ORIGIN xn--80aafypuh.example.", ""), "an origin in Unicode")
    with open("/dev/full", "wb") as full:
        done = subprocess.run([command.path, *PLAIN, rules], stdout=full, stderr=subprocess.PIPE, check=False)
    tap.equal(done.returncode, 2, "a full disk is an error")
    many = write(folder, "many", "".join(f"drop zone n{i}.example\n" for i in range(10000)))
    with open("/dev/full", "wb") as full:
        done = subprocess.run([command.path, *PLAIN, many], stdout=full, stderr=subprocess.PIPE, check=False)
    tap.equal((done.returncode, done.stderr.decode().splitlines()), (2, ["unbound-idn rpz: the zone is not complete: it cannot be written",
                                                                        "unbound-idn: standard output: No space left on device"]), "… that ends a large zone")


def test_files(tap, command, folder):
    first = write(folder, "first", "nxdomain zone x.example\n")
    second = write(folder, "second", "nodata zone x.example\npassthru name y.example\n")
    bad = write(folder, "bad", "nxdomain zone x.example\nnxdomain zone a..b\n")
    conf = write(folder, "conf", "idn:\n    policy: first\n")
    status, zone, _ = command(*PLAIN, first, second)
    tap.equal((status, [line for line in zone.decode().splitlines() if "example" in line and "CNAME" in line]),
              (0, ["x.example 60 IN CNAME .", "*.x.example 60 IN CNAME .", "y.example 60 IN CNAME rpz-passthru."]),
              "two rule files are one policy, in order")
    tap.equal([line for line in zone.decode().splitlines()[:3] if line.startswith("; ")][1:], [f"; {first}", f"; {second}"], "both are named")
    status, zone, errors = command(*PLAIN, bad)
    tap.equal((status, zone, errors.startswith(f"{bad}:2:17: ")), (2, b"", True), "a rule file with an error")
    status, zone, errors = command(*PLAIN, str(folder / "missing"))
    tap.equal((status, zone, bool(errors)), (2, b"", True), "a file that is not there")
    status, zone, errors = command(*PLAIN, first, conf)
    tap.equal((status, zone, errors), (2, b"", f"{conf}: no zone is written: a configuration must be the only file\n"), "a configuration beside rules")
    status, zone, errors = command(*PLAIN, first, str(folder / "missing"))
    tap.equal((status, zone, errors), (2, b"", f"{folder}/missing: No such file or directory\n"), "a file that is not there beside rules")
    silent = write(folder, "silent", "# nothing yet\n")
    tap.equal(command(*PLAIN, first, silent)[::2], (0, ""), "a file without rules beside rules")
    odd = write(folder, "a\nexample. CNAME .", "nxdomain zone x.example\n")
    status, zone, errors = command(*PLAIN, odd)
    tap.equal((status, zone.splitlines()[1], errors), (0, f"; {folder}/a\\u{{A}}example. CNAME .".encode(), ""), "a file's name stays in its comment")


def test_lost_lists(tap, command, folder):
    write(folder, "good.list", "a.example\n")
    write(folder, "empty.list", "# nothing\n")
    write(folder, "page.list", "<!DOCTYPE html><html><body>Not found</body></html>\n")
    write(folder, "half.list", "b.example\n-- no name --\n")
    write(folder, "broken.zone", "$ORIGIN x.example.\n@ 60 SOA a. b. 1 2 3 86400 5\nc.example 60 CNAME .\nd 60 A 1.2.3\n")
    for name, rule in {"missing": "nxdomain zones missing.list", "empty": "nxdomain zones empty.list", "none at all": "nxdomain zones page.list",
                       "a zone refused": "rpz broken.zone", "an empty passthru list": "passthru names empty.list"}.items():
        rules = write(folder, "rules", f"nxdomain zones good.list\n{rule}\n")
        for ignore in [], ["--ignore-unsupported"]:
            status, zone, errors = command(*PLAIN, *ignore, rules)
            tap.equal((status, zone, f"{rules}:2:1: no zone is written" in errors), (2, b"", True), f"a list that is lost: {name} {' '.join(ignore)}")
    status, zone, errors = command(*PLAIN, write(folder, "rules", "nxdomain names half.list\n"))
    tap.equal((status, b"\nb.example 60 IN CNAME .\n" in zone, "half.list:2:" in errors), (0, True, True), "a bad line in a list is said, and stops nothing")
    status, zone, _ = command(*PLAIN, write(folder, "rules", "log names missing.list\nrefuse zones empty.list\nnxdomain zones good.list\n"))
    tap.equal((status, b"\na.example 60 IN CNAME .\n" in zone), (1, True), "a list that RPZ has no use for is not read")


def test_configurations(tap, command, folder):
    write(folder, "rules", "nxdomain zone x.example\n")
    conf = write(folder, "conf", "idn:\n    policy: rules\n    policy-ttl: 5\n    policy-soa: ns.x.example. admin.x.example.\n")
    status, zone, errors = command(*PLAIN, conf)
    tap.equal((status, soa(zone)[0], b"\nx.example 5 IN CNAME .\n" in zone, errors), (0, b"ns.x.example. admin.x.example.", True, ""), "a configuration")
    done = subprocess.run([command.path, *PLAIN], env={**os.environ, "UNBOUND_IDN_CONF": conf}, capture_output=True, check=False)
    tap.equal((done.returncode, done.stdout == zone), (0, True), "the one that the module finds")
    conf = write(folder, "conf", "idn:\n    policy: rules\n    policy-mode: log-only\n")
    status, zone, errors = command(*PLAIN, conf)
    tap.equal((status, b"x.example 60 IN CNAME ." in zone, errors.startswith(f"{conf}: RPZ has no policy-mode: log-only")), (1, True, True), "log-only")
    status, zone, errors = command(*PLAIN, write(folder, "conf", "idn:\n    log: text\n"))
    tap.equal((status, zone, "names no rule file" in errors), (2, b"", True), "a configuration without rules")


def test_records(tap, command, folder):
    """Lines that stock Unbound would not read, and what stands for them."""
    long = " ".join('"' + "x" * 255 + '"' for _ in range(17))
    rules = write(folder, "rules", f"answer name a.example TXT {long}\nanswer name b.example TXT fine\n")
    status, zone, errors = command(*PLAIN, rules)
    tap.equal((status, b"a.example" in zone, b'\nb.example 60 IN TXT "fine"\n' in zone, f"{rules}:1:1: left out: this record is longer" in errors),
              (1, False, True, True), "a record that is too long, of a rule")
    write(folder, "feed.zone", f"$ORIGIN feed.\n@ 60 SOA a. b. 1 2 3 86400 5\na.example 60 TXT {long}\nb.example 60 TXT {long}\nb.example 60 TXT fine\n")
    status, zone, errors = command(*PLAIN, write(folder, "rules", "rpz feed.zone\n"))
    tap.equal((status, b"\na.example 60 IN CNAME *.\n" in zone, b'\nb.example 60 IN TXT "fine"\n' in zone, ", 2 in all" in errors),
              (0, True, True, True), "… and of a zone")
    write(folder, "feed.zone", "$ORIGIN feed.\n@ 60 SOA a. b. 1 2 3 86400 5\n" + "".join(f"a.example 60 A 10.0.0.{n}\n" for n in range(101)) +
          "b.example 60 TYPE42 \\# 2 0001\nc.example 60 NAPTR 0 0 S \"\" \"!(!b!\" .\n")
    status, zone, errors = command(*PLAIN, write(folder, "rules", "rpz feed.zone\n"))
    tap.equal((status, zone.count(b"\na.example 60 IN A "), b"\nb.example 60 IN CNAME *.\n" in zone, b"\nc.example 60 IN CNAME *.\n" in zone,
               ", 3 in all" in errors), (0, 100, True, True, True), "records for which BIND would refuse the zone, of a zone")
    status, zone, errors = command(*PLAIN, write(folder, "rules", "".join(f"answer name a.example A 10.0.0.{n}\n" for n in range(101))))
    tap.equal((status, zone.count(b"\na.example 60 IN A "), ", 1 in all" in errors), (1, 100, True), "… and of rules")
    octets = "".join(f"\\{n:03}" for n in range(255))
    status, zone, _ = command(*PLAIN, write(folder, "rules", f'answer name a.example TXT "{octets}"\n'))
    line = zone.splitlines()[-1]
    tap.equal((status, line.isascii() and len(line) < 1100), (0, True), "every octet in a text")
    tap.equal(max(map(len, zone.splitlines())) < 10240, True, "no line is too long for stock Unbound")


def test_hostile(tap, command, folder, root):
    """A-labels that decode to what no terminal may see: each has its line, and no comment shows it."""
    rows = json.loads((root / "tests/vectors/hostile-alabels.json").read_text(encoding="utf-8"))
    labels = sorted({row["a_label"].lower() for row in rows if len(row["a_label"]) < 64 and re.fullmatch("[A-Za-z0-9-]+", row["a_label"])})
    write(folder, "hostile.list", "".join(f"{label}.hostile.example\n" for label in labels))
    status, zone, _ = command(*PLAIN, write(folder, "rules", "nodata zones hostile.list\n"))
    text = zone.decode()
    odd = {c for c in text if unicodedata.category(c) in ("Cc", "Cf", "Zl", "Zp", "Cn", "Co", "Cs") and c != "\n"}
    tap.equal((status, odd, text.splitlines(), len(labels) > 20), (0, set(), text.split("\n")[:-1], True), "hostile A-labels: what is shown")
    missing = [label for label in labels if f"\n{label}.hostile.example 60 IN CNAME *.\n*.{label}.hostile.example 60 IN CNAME *.\n" not in text]
    tap.equal(missing, [], "hostile A-labels: each has its lines")


def test_round_trip(tap, command, folder, root):
    """The decisions of the rules, and those of the zone when it is read as a list."""
    sys.path.append(str(root / "tests/peers"))
    from rpz_policy import Policy

    policy = Policy(folder, random.Random(7), 600)
    status, zone, errors = command(*PLAIN, str(policy.path))
    tap.equal((status, errors), (0, ""), "random rules: the zone says all of them")
    (folder / "zone.rpz").write_bytes(zone)
    again = write(folder, "again", "rpz zone.rpz suffixes=yes\n")
    names = policy.random_names(100000)
    before, after = decisions(command, str(policy.path), names), decisions(command, again, names)
    # Where a wildcard of a zone that was read does not cover a name, and nothing else decides it, PASSTHRU is written.
    different = [name for name in names if before[name] != after[name] and (before[name], after[name]) != (None, "passthru")]
    tap.equal((len(names), [(name, before[name], after[name]) for name in different[:10]]), (100000, []), "100000 names: what the rules decide, the zone decides")
    kinds = {action for action in before.values()}
    tap.equal(kinds, {None, "passthru", "nxdomain", "nodata", "drop", "tcp-only", "cname", "answer"}, "every action was among them")


def decisions(command, policy, names):
    _, out, _ = command("explain", "--json", "--policy", policy, stdin="".join(f"{name}\n" for name in names))
    actions = [json.loads(line)["decision"] for line in out.splitlines()]
    return {name: decision and decision["action"].replace("redirect", "answer") for name, decision in zip(names, actions)}
