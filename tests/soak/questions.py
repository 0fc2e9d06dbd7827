# SPDX-License-Identifier: BSD-3-Clause
"""Makes the soak's questions and knows the allowed answers: hostile names below a wildcard, and names of each rule."""

import random
import struct
from dataclasses import dataclass

import dnsname

WILD = (b"wild", b"example")
TYPES = {"A": 1, "TXT": 16}
RCODES = {2: "SERVFAIL", 3: "NXDOMAIN", 5: "REFUSED"}
TRUNCATED = 0x0200
SILENCE = "no answer"
GREETING = "привет"

# The RDATA that an answer's record may hold, with the length before it.
RDATA = {bytes([0, 4, 192, 0, 2, last]): f"192.0.2.{last}" for last in (77, 80, 81, 200)}
RDATA[bytes([0, len(GREETING.encode()) + 1, len(GREETING.encode())]) + GREETING.encode()] = GREETING

# The first line of the rule file: what is exchanged. All else is the same in each.
STATES = {"A": "nxdomain zone swap.wild.example", "B": "redirect 192.0.2.81 zone swap.wild.example", "C": "# allowed"}

RULES = f"""\
passthru zone ok.nx.wild.example
nxdomain zone nx.wild.example
nxdomain zone казино.wild.example
nodata zone nodata.wild.example
refuse zone refused.wild.example
drop zone dropped.wild.example
redirect 192.0.2.80 zone redirected.wild.example
cname walled.wild.example zone alias.wild.example
answer zone text.wild.example TXT "{GREETING}"
tcp-only zone big.wild.example
log zone watched.wild.example tag=watched
nxdomain name blocked.slow.example
nxdomain zones list.txt
rpz feed.zone
nxdomain lookalike paypal.wild.example tld=any
log lookalikes brands.txt key=strict tld=any tag=brand
log invalid tag=invalid
log mixed-digits tag=digits
log script-level moderate tag=mix
# the last line
"""
LISTED = 20000
BRANDS = "paypal.com\nbücher.example\napple.com\n"
FEED = "$ORIGIN rpz.\n@ 300 SOA ns.rpz. admin.rpz. 1 2 3 4 300\n@ 300 NS ns.rpz.\n" + "".join(
    f"r{number}.feed.wild.example 300 CNAME .\n*.r{number}.feed.wild.example 300 CNAME .\n" for number in range(2000))


def rules(state):
    return f"{STATES[state]}\n{RULES}"


def listed():
    return "".join(f"l{number}.listed.wild.example\n" for number in range(LISTED))


# ---- names ----------------------------------------------------------------------------------------------------------

LDH = b"abcdefghijklmnopqrstuvwxyz0123456789-"
BLOCKS = ((0xE0, 0xFF), (0x3B1, 0x3C9), (0x430, 0x44F), (0x5D0, 0x5EA), (0x621, 0x64A), (0x966, 0x96F), (0x3041, 0x3096),
          (0x4E00, 0x9FFF), (0xAC00, 0xD7A3), (0x300, 0x36F), (0x200B, 0x200F), (0x1F600, 0x1F64F), (0x10400, 0x1044F))


def ldh(rng, length):
    return bytes(rng.choice(LDH) for _ in range(length))


def random_alabel(rng):
    return b"xn--" + ldh(rng, rng.randint(0, 59))


def encoded_alabel(rng):
    blocks = rng.sample(BLOCKS, rng.randint(1, 3))
    text = "".join(chr(rng.randint(*rng.choice(blocks))) for _ in range(rng.randint(1, 20)))
    return dnsname.a_label(text)[:63]


def odd_octets(rng):
    label = rng.randbytes(rng.randint(1, 63))
    return b"+" if label == b"*" else label  # Unbound fails to validate *.x below a wildcard


def filled(rng, octets):
    """Labels that take so many octets in a name."""
    labels = []
    while octets > 1:
        length = min(63, octets - 1)
        if octets - 1 - length == 1:  # what is left must hold a label
            length -= 1
        labels.append(rng.choice((lambda n: rng.randbytes(n).replace(b"*", b"+"), lambda n: ldh(rng, n),
                                  lambda n: (b"xn--" + ldh(rng, n))[:n]))(length))
        octets -= 1 + length
    return tuple(labels)


def below(*suffix):
    """Names of one or two random labels below a serial label of their own."""
    def make(rng, serial):
        labels = [rng.choice((random_alabel, encoded_alabel, odd_octets))(rng) for _ in range(rng.randint(0, 2))]
        return (*labels, serial, *suffix)
    return make


def longest(rng, serial):
    suffix = (serial, *WILD)
    return (*filled(rng, 255 - len(dnsname.wire(suffix))), *suffix)


def each_length(rng, serial):
    return (ldh(rng, rng.randint(1, 63)), serial, *WILD)


def hot(rng, _):
    return (b"hot%d" % rng.randrange(300), *WILD)


def in_list(rng, serial):
    return (serial, b"l%d" % rng.randrange(LISTED), b"listed", *WILD)


def in_feed(rng, serial):
    return (serial, b"r%d" % rng.randrange(2000), b"feed", *WILD)


def lookalike(rng, serial):
    return (serial, rng.choice((b"xn--pypal-4ve", b"xn--pypl-53dc", b"xn--l-7sba6dbr")), *WILD)


def aliased(rng, _):
    return (b"alias-blocked", b"slow", b"example")


@dataclass(frozen=True)
class Kind:
    """`answers` are outcomes that are right; `by_state` those that are right under some of STATES."""
    make: callable
    weight: int
    answers: frozenset = frozenset()
    type: str = "A"
    transports: tuple = ("udp", "tcp")
    upstream: bool = False  # of no use while the upstream is dead
    by_state: tuple = ()

    def right(self, tokens):
        """Outcomes that are right for a question during whose life these were in force."""
        wanted = set(self.answers)
        for state, outcome in self.by_state:
            if state in tokens:
                wanted.add(outcome)
        if self.upstream and "dead" in tokens:
            wanted |= {"SERVFAIL", SILENCE}
        return wanted


def kind(make, weight, *answers, **options):
    return Kind(make, weight, frozenset(answers), **options)


ALLOWED = "192.0.2.77"
KINDS = {
    "hot": kind(hot, 300, ALLOWED, upstream=True),
    "random labels": kind(below(*WILD), 60, ALLOWED, upstream=True),
    "255 octets": kind(longest, 15, ALLOWED, upstream=True),
    "each length": kind(each_length, 15, ALLOWED, upstream=True),
    "log": kind(below(b"watched", *WILD), 10, ALLOWED, upstream=True),
    "passthru": kind(below(b"ok", b"nx", *WILD), 10, ALLOWED, upstream=True),
    "nxdomain": kind(below(b"nx", *WILD), 60, "NXDOMAIN"),
    "nxdomain, IDN": kind(below(dnsname.a_label("казино"), *WILD), 30, "NXDOMAIN"),
    "nodata": kind(below(b"nodata", *WILD), 30, "NODATA"),
    "refuse": kind(below(b"refused", *WILD), 30, "REFUSED"),
    "drop": kind(below(b"dropped", *WILD), 10, SILENCE, transports=("udp",)),
    "redirect": kind(below(b"redirected", *WILD), 30, "192.0.2.80"),
    "cname": kind(below(b"alias", *WILD), 20, ALLOWED, upstream=True),
    "answer": kind(below(b"text", *WILD), 30, GREETING, type="TXT"),
    "tcp-only, UDP": kind(below(b"big", *WILD), 20, "TC", transports=("udp",)),
    "tcp-only, TCP": kind(below(b"big", *WILD), 20, ALLOWED, transports=("tcp",), upstream=True),
    "list": kind(in_list, 60, "NXDOMAIN"),
    "rpz": kind(in_feed, 40, "NXDOMAIN"),
    "lookalike": kind(lookalike, 40, "NXDOMAIN"),
    "alias of a refused name": kind(aliased, 10, "NXDOMAIN", upstream=True),
    "exchanged": kind(below(b"swap", *WILD), 100, upstream=True,
                      by_state=(("A", "NXDOMAIN"), ("B", "192.0.2.81"), ("C", ALLOWED))),
}


def serial_label(serial):
    return b"k%07x" % serial


def packet(labels, qtype):
    """A question without its ID."""
    return struct.pack("!HHHHH", 0x0100, 1, 0, 0, 0) + dnsname.wire(labels) + struct.pack("!HH", TYPES[qtype], 1)


def outcome(message, question):
    """Describes a message in a word; `question` is the packet that it must answer."""
    end = 2 + len(question)
    if len(message) < end or message[12:end] != question[10:]:
        return "another question"
    (flags,) = struct.unpack_from("!H", message, 2)
    rcode = flags & 15
    if rcode:
        return RCODES.get(rcode, f"RCODE{rcode}")
    if flags & TRUNCATED:
        return "TC"
    if message[6:8] == b"\0\0":
        return "NODATA"
    found = [word for rdata, word in RDATA.items() if rdata in message[end:]]
    return " ".join(found) or "NOERROR with something else"


class Asker:
    """Makes questions over one transport, each kind as often as its weight says."""

    def __init__(self, seed, transport):
        self.rng = random.Random(f"{seed}-{transport}")
        self.names = [name for name, each in KINDS.items() if transport in each.transports]
        self.weights = [KINDS[name].weight for name in self.names]

    def question(self, serial):
        """(name of the kind, packet)"""
        name = self.rng.choices(self.names, self.weights)[0]
        each = KINDS[name]
        return name, packet(each.make(self.rng, serial_label(serial)), each.type)
