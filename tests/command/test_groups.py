# SPDX-License-Identifier: BSD-3-Clause
"""Rules with client= and when=: which of them `explain` says decide, the zone that `rpz` writes for a group, and what
`check` says of the groups."""

import json
import os
import subprocess

RULES = """group kids 192.0.2.0/24 2001:db8:1::/64
group staff 198.51.100.0/24 file=staff.txt
refuse zone games.example client=kids when=Mon-Fri/08:00-16:00,22:00-06:00
passthru zone games.example client=staff
nxdomain zone games.example client=!kids
log zone games.example client=192.0.2.7 tag=seven
nodata name night.example when=22:00-06:00
"""
MONDAY, SUNDAY = "2026-11-23T", "2026-11-22T"

# Client, time, name; the decision, and what of it others may have.
DECISIONS = [
    (None, f"{MONDAY}10:00", "games.example", None, "answer"),
    ("192.0.2.7", f"{MONDAY}10:00", "www.games.example", ("refuse", 3, "kids"), "answer"),
    ("::ffff:192.0.2.7", f"{MONDAY}10:00", "www.games.example", ("refuse", 3, "kids"), "answer"),
    ("192.0.2.7", f"{MONDAY}07:59", "games.example", ("log", 6, None), "answer"),
    ("192.0.2.7", f"{MONDAY}08:00", "games.example", ("refuse", 3, "kids"), "answer"),
    ("192.0.2.7", f"{MONDAY}15:59", "games.example", ("refuse", 3, "kids"), "answer"),
    ("192.0.2.7", f"{MONDAY}16:00", "games.example", ("log", 6, None), "answer"),
    ("192.0.2.8", f"{SUNDAY}12:00", "games.example", None, "answer"),
    ("2001:db8:1::1", f"{SUNDAY}23:00", "games.example", ("refuse", 3, "kids"), "answer"),
    ("2001:db8:1:1::1", f"{SUNDAY}23:00", "games.example", ("nxdomain", 5, None), "answer"),
    ("198.51.100.1", f"{MONDAY}10:00", "games.example", ("passthru", 4, "staff"), "answer"),
    ("203.0.113.9", f"{MONDAY}10:00", "games.example", ("passthru", 4, "staff"), "answer"),
    ("203.0.113.10", f"{MONDAY}10:00", "games.example", ("nxdomain", 5, None), "answer"),
    ("192.0.2.7", f"{MONDAY}10:00", "other.example", None, None),
    ("192.0.2.7", "2026-03-29T01:59", "night.example", ("nodata", 7, None), "answer"),
    ("192.0.2.7", "2026-03-29T06:00", "night.example", None, "answer"),
    (None, "2026-03-29T05:59", "night.example", ("nodata", 7, None), "answer"),
]


def write(folder, name, text):
    (folder / name).write_text(text)
    return str(folder / name)


def explained(command, *arguments, zone="Europe/Berlin"):
    done = subprocess.run([command.path, "explain", *arguments], capture_output=True, text=True, timeout=60,
                          env={**os.environ, "TZ": zone}, check=False)
    return done.returncode, done.stdout, done.stderr


def test_explain(tap, command, folder):
    write(folder, "staff.txt", "# whoever works here\n203.0.113.9\n")
    rules = write(folder, "rules", RULES)
    for client, time, name, wanted, varies in DECISIONS:
        asker = (["--client", client] if client else []) + ["--time", time]
        row = json.loads(explained(command, "--json", "--policy", rules, *asker, name)[1])
        decision = row["decision"] and (row["decision"]["action"], row["decision"]["line"], row["decision"].get("group"))
        tap.equal((decision, row["varies"]), (wanted, varies), f"{name} for {client} at {time}")
    rows = [json.loads(explained(command, "--json", "--policy", rules, "--time", f"{SUNDAY}22:30", "night.example", zone=zone)[1])
            for zone in ("UTC", "Pacific/Auckland")]
    tap.equal([row["decision"]["action"] for row in rows], ["nodata"] * 2, "the time is local, whatever the zone")


def test_said_by_explain(tap, command, folder):
    rules = str(folder / "rules")
    for arguments, lines in (
            (["--client", "192.0.2.7", "--time", f"{MONDAY}10:00", "games.example"],
             ["=> refuse: zone games.example", f"   {rules}:3 client=kids when=22:00-06:00,Mon-Fri/08:00-16:00",
              "   also log: zone games.example", f"   {rules}:6", "   tags seven",
              "   another client, or another time, may have another answer"]),
            (["games.example"], ["=> no rule matches a query for A",
                                 "   rules with client= or when= also match: give the client with --client, the time\n      with --time"])):
        out = explained(command, "--policy", rules, *arguments)[1].splitlines()
        said = out[next(i for i, line in enumerate(out) if line.startswith("=> ")):]
        joined = [line for line in " ".join(line.strip() for line in said).split()]
        tap.equal(joined, " ".join(lines).split(), f"explain {' '.join(arguments)}: what is said")
        tap.equal(all(line.startswith("   ") for line in said[1:]), True, "… below the decision")
    network = write(folder, "network", "group kids 192.0.2.0/24\nrefuse zone x.example client=kids\n")
    for client, wanted in ("192.0.2.0/25", "=> refuse"), ("192.0.2.0/24", "=> refuse"), ("192.0.2.0/23", "=> no rule matches"), \
            ("::ffff:192.0.2.1", "=> refuse"):
        out = explained(command, "--policy", network, "--client", client, "x.example")[1]
        tap.equal(wanted in out, True, f"explain --client {client}: {wanted}")
    logs = write(folder, "logs", "group kids 192.0.2.0/24\nlog zone x.example client=kids\n")
    status, out, _ = explained(command, "--policy", logs, "--client", "192.0.2.1", "x.example")
    tap.equal((status, "another client, or another time, may have another log line" in out), (0, True), "a log rule changes no answer")


def test_usage(tap, command, folder):
    for option, values in ("--client", ("", "kids", "192.0.2.7/24", "192.0.2.0/33", "192.0.2", "fe80::1%lo", "1.2.3.4 ")), \
            ("--time", ("", "10:00", "2026-11-23", "2026-11-23T25:00", "2026-11-23T10:00x", "1969-01-01T00:00",
                        "2026-02-30T10:00", "2026-03-29T02:30")):
        for value in values:
            status, out, errors = explained(command, "--policy", str(folder / "rules"), option, value, "a.example")
            tap.equal((status, out, errors.startswith(f"unbound-idn explain: {option} " + (value or "''") + ": expected a"), errors.count("\n")),
                      (2, "", True, 1), f"explain {option} '{value}'")
    for value in "", "9a", "a b", "é", "a" * 33:
        status, out, errors = command("rpz", "--origin", "x", "--group", value, str(folder / "rules"))
        tap.equal((status, out, errors.startswith("unbound-idn rpz: --group " + (value or "''") + ": expected a group's name")), (2, b"", True), f"rpz --group '{value}'")


ZONES = """group kids 192.0.2.0/24
group staff 198.51.100.0/24
group guests 203.0.113.0/24
nxdomain name everybody.example
nodata name kids.example client=kids
nodata name kids-or-staff.example client=staff,kids
nodata name not-staff.example client=!staff
passthru name staff.example client=staff
redirect 192.0.2.1 name one-of-kids.example client=192.0.2.7
drop name most-kids.example client=kids,!192.0.2.7
tcp-only name timed.example client=kids when=08:00-16:00
nodata name all-but-one.example client=!203.0.113.1,!staff
"""
KEPT = {"everybody", "kids", "kids-or-staff", "not-staff", "staff", "one-of-kids", "most-kids", "timed", "all-but-one"}


def owners(zone):
    return {line.split(".")[0] for line in zone.decode().splitlines() if ".example " in line and not line.startswith("@")}


def test_zones(tap, command, folder):
    """One zone a group: what is for none of it is not there, and what RPZ cannot say is said."""
    rules = write(folder, "zones", ZONES)
    for group, wanted, unsaid in (
            (None, {"everybody"}, KEPT - {"everybody"}),
            ("kids", {"everybody", "kids", "kids-or-staff", "not-staff"}, {"one-of-kids", "most-kids", "timed", "all-but-one"}),
            ("staff", {"everybody", "kids-or-staff", "staff"}, {"one-of-kids"}),
            ("guests", {"everybody", "not-staff"}, {"one-of-kids", "all-but-one"})):
        status, zone, errors = command("rpz", "--origin", "rpz.x", *(["--group", group] if group else []), rules)
        tap.equal((status, owners(zone)), (1, wanted), f"rpz --group {group}: the zone")
        lines = ZONES.splitlines()
        said = {lines[int(line.split(":")[1]) - 1].split(".example")[0].split()[-1] for line in errors.splitlines() if " left out: " in line}
        tap.equal(said, unsaid, f"rpz --group {group}: what is left out")
        head = [line for line in zone.decode().splitlines() if line.startswith("; rules left out")]
        tap.equal(head[0].rpartition(" ")[2], str(len(unsaid)), f"rpz --group {group}: its head")
    status, zone, errors = command("rpz", "--origin", "x", "--group", "nobody", rules)
    tap.equal((status, zone, errors.splitlines(True)[-1]), (2, b"", f"{rules}: there is no group 'nobody'; no zone is written\n"), "a group that is not there")


def test_overlapping_zones(tap, command, folder):
    write(folder, "more.txt", "192.0.2.64/26\n")
    rules = write(folder, "overlap", "group kids 192.0.2.0/24\ngroup staff 198.51.100.0/24 192.0.2.0/28 file=more.txt\n"
                                     "group guests 203.0.113.0/24\nnodata name a.example client=kids\nnodata name b.example client=staff\n"
                                     "nodata name c.example client=guests\n")
    for group, other in ("kids", "staff"), ("staff", "kids"), ("guests", None):
        status, _, errors = command("rpz", "--origin", "x", "--group", group, rules)
        said = f"{rules}: group {other} has clients of {group}, too, such as 192.0.2.0: the zone has only the rules of {group}\n"
        tap.equal((status, errors), (0, said if other else ""), f"rpz --group {group}: who is also in another one, once")


def test_check(tap, command, folder):
    """Unused groups, groups that share clients, and prefixes of a rule file that have no effect."""
    write(folder, "inner.txt", "10.0.0.0/8\n10.1.0.0/16  # inside\n192.0.2.0/24\n")
    rules = write(folder, "groups", """group kids 192.0.2.0/24 192.0.2.128/25 file=inner.txt
group unused 203.0.113.0/24
group kids 192.0.0.0/16
group guests 10.9.0.0/16 192.0.2.9
group apart 198.51.100.0/24
nxdomain zone a.example client=kids,guests,!apart
""")
    status, out, errors = command("check", rules)
    wanted = ["1:25: '192.0.2.128/25' is in '192.0.2.0/24', which group kids already has [warning]",
              "3:12: '192.0.0.0/16' holds '192.0.2.0/24', which group kids already has [warning]",
              "2:1: no client= names the group 'unused' [warning]"]
    lines = [line.removeprefix(f"{rules}:") for line in out.decode().splitlines()]
    tap.equal((status, errors), (0, ""), "check: groups: no error")
    tap.equal(lines[:3], wanted, "check: groups: the rule file")
    tap.equal(lines[3:-2], [" groups kids and guests have clients in common, such as 192.0.2.9 [note]"], "check: groups: overlap, once")
    write(folder, "own.zone", "$TTL 60\nz.example. SOA a. b. 1 2 3 4 50000000\na.example.z.example. CNAME .\n")
    own = write(folder, "own", "rpz own.zone action=cname:a.example\n")
    tap.equal("this alias leads to a name that the rule itself matches" in command("check", own)[1].decode(), True, "check: action=cname: and the zone has its target")
    many = write(folder, "many", "group kids 192.0.2.1\n" * 3000 + "nxdomain zone a.example client=kids\n")
    tap.equal(command("check", many)[1].decode().count("already has"), 999, "check: each of the first 1000 in rule files is compared with those before")


def test_group_files(tap, command, folder):
    """Files that are missing, empty or bad: errors at the line that names them."""
    rules = write(folder, "filed", "group kids file=addresses\nnxdomain zone a.example client=kids\n")
    path = folder / "addresses"
    for text, told in ((None, [f"{rules}:1:17: '{path}' cannot be read: No such file or directory: group kids has 0 addresses and prefixes of it"]),
                       ("# nobody\n\n", [f"{rules}:1:17: '{path}' has no address: group kids has 0 addresses and prefixes of it"]),
                       ("10.0.0.1\nx\n10.0.0.2 10.0.0.3\n", [
                           f"{path}:2:1: 'x' is not an address or a prefix: expected one such as 192.0.2.0/24 or 2001:db8::1",
                           f"{path}:3:10: '10.0.0.3' is a second word: expected one address or prefix a line",
                           f"{rules}:1:17: '{path}' has lines that are not addresses or prefixes: group kids has 1 addresses and prefixes of it"])):
        path.unlink(missing_ok=True)
        if text is not None:
            path.write_text(text)
        status, out, _ = command("check", rules)
        tap.equal((status, out.decode().splitlines()[:len(told)]), (1, told), f"check: a group's file: {text}")
        status, _, errors = explained(command, "--policy", rules, "--client", "10.0.0.1", "a.example")
        tap.equal((status, errors.splitlines()), (1 if text and "10" in text else 0, told), f"explain: a group's file: {text}")
