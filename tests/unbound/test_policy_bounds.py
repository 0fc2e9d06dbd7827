# SPDX-License-Identifier: BSD-3-Clause
"""Hostile lists and zones: the daemon starts, says so in a bounded number of lines, shows nothing of
other files, and answers; what was in force stays so where they come later."""

import os
import re

from daemon import eventually
from question import ask
from rulefile import changed, rules

GOOD = "refuse name good.example\n"


def folder_(path):
    path.mkdir()


def device(path):
    path.symlink_to("/dev/zero")


def sparse(path):
    with open(path, "wb") as file:
        file.truncate((1 << 30) + 1)


def of_octets(octets):
    return lambda path: path.write_bytes(octets)


ZONE = b"$TTL 60\nrpz. SOA ns. admin. 1 2 3 4 5\n"
# A kind of list, its generator, whether a name of it may be in force, and the message.
HARM = {
    "a folder": (folder_, "Is a directory"),
    "a FIFO": (os.mkfifo, "not a regular file"),
    "a device": (device, "not a regular file"),
    "a gibibyte": (sparse, "larger than 1024 MiB"),
    "a line of ten megabytes": (of_octets(b"a" * 10_000_000), ""),
    "many bad lines": (of_octets(b"-bad-.-\x1b[31m\n" * 200_000), ""),
    "nothing but NULs": (of_octets(bytes(5_000_000)), ""),
    "a zone that includes": (of_octets(ZONE + b"$INCLUDE /etc/passwd\n$INCLUDE harm\n"), ""),
    "a zone with odd TTLs": (of_octets(ZONE + b"a.rpz. 4294967295 CNAME .\nb.rpz. 99999999999999 CNAME .\nc.rpz. -1 CNAME .\n$TTL 1w9999999w\nd.rpz. CNAME .\n"), ""),
    "a zone with a record of a megabyte": (of_octets(ZONE + b'a.rpz. TXT ' + b'"' + b"x" * 1_000_000 + b'"\n'), ""),
    "a zone that opens a bracket": (of_octets(ZONE + b"a.rpz. TXT (\n" + b"x\n" * 500_000), ""),
    "generated names": (of_octets(ZONE + b"$GENERATE 1-4294967295 $.rpz. CNAME .\n"), ""),
}
SAID_MAX = 60  # lines of one reading, of all kinds


def said(resolver):
    return re.findall(r" (?:error|warning): idn: .*", resolver.daemon.log())


def test_harmful_lists(world, tap):
    for line in "nxdomain names", "rpz":
        with world.resolver(tap, "policy: rules.conf", prepare=rules(GOOD), check=False) as resolver:
            for number, (kind, (make, wanted)) in enumerate(HARM.items()):
                what = f"{line}: {kind}"
                make(resolver.folder / f"harm{number}")
                before = len(said(resolver))

                def lines(r=resolver, b=before):
                    return said(r)[b:]

                told = changed(resolver, f"{GOOD}{line} harm{number}\nrefuse name later{number}.example\n")
                tap.ok(told and resolver.exchange(ask(f"later{number}.example")).rcode == "REFUSED",
                       f"{what}: the rules beside it come into force", lines())
                tap.equal(resolver.exchange(ask("good.example")).rcode, "REFUSED", f"{what}: and the first stays")
                eventually(lambda w=wanted, f=lines: f() and w in "".join(f()))  # it comes by a pipe
                tap.ok(0 < len(lines()) <= SAID_MAX, f"{what}: it is reported, in bounds", f"{len(lines())}: {lines()[:5]}")
                tap.ok(all(len(text) < 2000 for text in lines()), f"{what}: in short lines", max(map(len, lines()), default=0))
                tap.ok(wanted in "".join(lines()) and "root:" not in resolver.daemon.log(), f"{what}: what is reported", lines()[:5])


test_harmful_lists.slow = True
