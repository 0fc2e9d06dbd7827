# SPDX-License-Identifier: BSD-3-Clause
"""The logs of three resolvers, made of lines that the module has written: with other times, clients and names."""

import datetime
import json
import random
import re
import socket

from daemon import eventually
from question import ask
from rulefile import write

START = 1795651200  # 2026-11-26 00:00:00 UTC
SECONDS = 2 * 86400
CLIENT = re.compile(rb'"client\.ip":"127\.0\.0\.1","client\.port":\d+,')
TIME = re.compile(rb'"@timestamp":"[^"]*"')
HOST = b"host0000."  # stands for many
RULES = """\
log lookalike apple.wild.example key=strict tag=brand
nxdomain lookalike paypal.wild.example tag=money
nxdomain lookalike paypal.slow.example
nxdomain zone казино.example tag=gambling
redirect 192.0.2.80 zone лотерея.example
refuse name refused.wild.example ede=15
passthru name шлюз.example
drop name dropped.wild.example
log invalid tag=invalid
log restricted tag=mixed
"""
# (name, type, weight)
QUESTIONS = [("host0000.wild.example", "A", 5000), ("host0000.wild.example", "AAAA", 2000), (".", "NS", 40), ("xn--bcher-kva.example", "A", 90), ("www.xn--bcher-kva.example", "MX", 30),
             ("xn--e28h.example", "A", 20), ("xn--i-7iq.example", "A", 7), ("xn--31m-dda.example", "A", 9), ("xn--80ak6aa92e.wild.example", "A", 11),
             ("xn--pypal-4ve.wild.example", "A", 25), ("a.xn--pypal-4ve.wild.example", "A", 8), ("xn--pypl-53dc.wild.example", "A", 6),
             ("xn--ppal-8ve2a.wild.example", "A", 3), ("alias-xn--pypal-4ve.slow.example", "A", 5), ("xn--80aodfsg.example", "A", 50), ("xn--80aodfsg.example", "AAAA", 21),
             ("www.xn--80aodfsg.example", "A", 17), ("xn--e1aebjbr7g.example", "A", 13), ("refused.wild.example", "A", 12), ("xn--g1ah2bza.example", "A", 14),
             ("dropped.wild.example", "A", 10), ("mangled.example", "A", 15), ("xn--flschung-0za.example", "A", 4), ("missing.example", "A", 31),
             ("xn--a.xn--pypal-4ve.xn--e28h.wild.example", "A", 2), ("notxn--e28h.wild.example", "A", 19), ("b\\195\\188cher.wild.example", "A", 6),
             ("b\\195\\188cher.xn--31m-dda.wild.example", "A", 3), ('\\"client\\.ip\\":\\"203\\.0\\.113\\.66\\",.wild.example', "A", 2),
             ('\\"tags\\":["x"],\\"policy\\.action\\":\\"drop\\".wild.example', "A", 2), ("a\\\\.b\\}.\\000\\}.wild.example", "A", 2), ("x\\.xn--e28h.wild.example", "A", 2)]


def lines_of(resolver, questions):
    """The lines that the module writes for (name, type), some of which may have no reply: one each."""
    log, lines = resolver.folder / "log/idn.log", []
    for name, qtype in questions:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as client:
            client.sendto(ask(name, qtype).wire(7), resolver.address())
            assert eventually(lambda: log.exists() and log.read_bytes().count(b"\n") > len(lines)), f"no line for {name}"
            lines = log.read_bytes().splitlines()
    return lines


def written(operations, tap, mode):
    idn = f"log: json\nlog-to: log/idn.log\npolicy: rules\npolicy-mode: {mode}"
    with operations.world.resolver(tap, idn, prepare=lambda folder: write(folder, RULES, "rules"), check=False) as resolver:
        lines = lines_of(resolver, [question[:2] for question in QUESTIONS])
    assert len(lines) == len(QUESTIONS), shown(lines)
    return lines


def parts(line):
    """Returns the text before the time, between time and client, and after the client; and whether the name is one of many."""
    time, client = TIME.search(line), CLIENT.search(line)
    host = line.find(HOST)
    cut = (host, host + len(HOST)) if host >= 0 else (len(line), len(line))
    return line[:time.start()], line[time.end():client.start()], line[client.end():cut[0]], line[cut[1]:]


def members():
    """Returns the client of a line: an address, a network, or nothing."""
    for number in range(1, 400):
        address = f"192.0.2.{number}" if number < 240 else f"2001:db8:{number:x}::1"
        yield f'"client.ip":"{address}","client.port":{40000 + number},'.encode()
    for number in range(20):
        yield f'"client.address":"198.51.{number}.0/24",'.encode()
    yield b""


def write_log(path, lines, count, seed, seconds=SECONDS):
    """Writes `count` lines like these, in the order of their times."""
    rng = random.Random(seed)
    clients = list(members())
    kinds = [parts(line) for line in lines]
    weights = [weight for _, _, weight in QUESTIONS]
    moments = min(count, SECONDS)
    times = [datetime.datetime.fromtimestamp(START + number * seconds // moments, datetime.timezone.utc).strftime('"@timestamp":"%Y-%m-%dT%H:%M:%S.').encode()
             for number in range(moments)]
    fractions = [b'000000Z"', b'000214Z"', b'999999Z"']
    hosts = [f"host{number}.".encode() for number in range(3000)]
    with path.open("wb") as file:
        for start in range(0, count, 20000):
            some = min(20000, count - start)
            chunk = []
            for number, kind in enumerate(rng.choices(kinds, weights, k=some), start):
                before, between, after, end = kind
                host = hosts[int(rng.paretovariate(0.8)) % 3000] if end else b""
                chunk.append(b"".join((before, times[number * moments // count], fractions[number % 3], between,
                                       clients[int(3 * rng.paretovariate(0.7)) % len(clients)], after, host, end, b"\n")))
            file.write(b"".join(chunk))


def shown(lines):
    """For a failure: what the module wrote of each name."""
    return "\n".join(f"{line['dns.question.name']}: {line.get('policy.action')} {line.get('policy.match')}" for line in map(json.loads, lines))
