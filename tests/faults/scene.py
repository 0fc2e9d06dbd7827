# SPDX-License-Identifier: BSD-3-Clause
"""A daemon with everything the module has, and questions about all of it."""

import collections
import itertools
import re
import shutil
import time

import dns.flags

from daemon import DaemonError, eventually, free_port
from metrics import Metrics
from question import Udp, ask
from resolver import Resolver, log_target, tail
from rulefile import write

PATIENCE = 20  # seconds for what should come at once; the machine may be busy
CHAINS = 4000  # aliases for refused names, each good for one question
CASINO = "казино".encode("idna").decode()

RULES = """\
group kids 127.0.3.0/24 file=kids.txt
group staff 127.0.4.0/24
redirect 192.0.2.82 zone kids.wild.example client=kids
refuse zone kids.wild.example client=staff when=00:00-24:00
nodata names personal.txt client=kids
nxdomain zone nx.wild.example
refuse zone казино.wild.example
nodata zone nodata.wild.example
drop zone drop.wild.example
redirect 192.0.2.80 2001:db8::80 zone redirect.wild.example ttl=30
cname walled.example zone alias.wild.example
answer name txt.wild.example TXT "привет"
answer name txt.wild.example MX 10 почта.example
tcp-only zone tcp.wild.example
log zone log.wild.example tag=seen
passthru names allow.txt
nxdomain zones list.txt ede=15:"listed"
rpz rpz.zone
nxdomain lookalike paypal.example
refuse lookalikes protected.txt key=strict ascii=safe tld=any except=neighbours.txt
log invalid
log script not-in Latn,Cyrl
log script-level moderate
log mixed-digits
log restricted
log wholescript except=ru,рф
log emoji
log bidi
"""
LISTS = {
    "allow.txt": "allowed.wild.example\n",
    "list.txt": "listed.wild.example\n0.0.0.0 hosts.wild.example\n||adblock.wild.example^\n"
                + "".join(f"b{number}.slow.example\n" for number in range(CHAINS)),
    "rpz.zone": "$TTL 60\n$ORIGIN feed.invalid.\n@ IN SOA ns.invalid. nobody.invalid. 1 3600 600 86400 60\n@ NS ns.invalid.\n"
                "bücher.rpz.wild.example CNAME .\n*.rpz.wild.example CNAME .\naddress.wild.example A 192.0.2.81\n"
                "address.wild.example TXT \"rpz\"\n",
    "kids.txt": "127.0.0.1  # who asks\n2001:db8::/32\n",
    "personal.txt": "".join(f"k{number}.slow.example\n" for number in range(CHAINS)),
    "protected.txt": "example-bank.example\nbücherei.example\n",
    "neighbours.txt": "examp1e-bank.example\n",
}
IDN = {
    "text": "log: text\nlog-to: log/idn.log\nmetrics-file: log/idn.prom\nmetrics-interval: 1\npolicy: rules.conf",
    "json": "log: json\nlog-to: log/idn.log\nmetrics-file: log/idn.prom\nmetrics-interval: 1\npolicy: rules.conf",
}

# A question, with a number that makes its name a new one each time; the expected rcode and answer
# section (None: whatever it is), or nothing at all; and the list without which it is not known.
QUESTIONS = (
    ("d{}.drop.wild.example", "A", None, None),
    ("p{}.wild.example", "A", ("NOERROR", ["192.0.2.77"]), None),
    ("p{}.xn--bcher-kva.wild.example", "A", ("NOERROR", ["192.0.2.77"]), None),
    ("p{}.xn--a-ecp.xn--31m-dda.log.wild.example", "A", ("NOERROR", ["192.0.2.77"]), None),
    ("p{}.nx.wild.example", "A", ("NXDOMAIN", []), None),
    (f"p{{}}.{CASINO}.wild.example", "A", ("REFUSED", []), None),
    ("p{}.nodata.wild.example", "A", ("NOERROR", []), None),
    ("p{}.redirect.wild.example", "AAAA", ("NOERROR", ["2001:db8::80"]), None),
    ("p{}.alias.wild.example", "A", ("NOERROR", ["walled.example.", "192.0.2.90"]), None),
    ("txt.wild.example", "TXT", ("NOERROR", ['"\\208\\191\\209\\128\\208\\184\\208\\178\\208\\181\\209\\130"']), None),
    ("p{}.tcp.wild.example", "A", ("truncated", []), None),
    ("alias-b{chain}.slow.example", "A", ("NXDOMAIN", None), "list.txt"),
    ("p{}.listed.wild.example", "A", ("NXDOMAIN", []), "list.txt"),
    ("p{}.rpz.wild.example", "A", ("NXDOMAIN", []), "rpz.zone"),
    ("p{}.kids.wild.example", "A", ("NOERROR", ["192.0.2.82"]), "kids.txt"),
    ("address.wild.example", "A", ("NOERROR", ["192.0.2.81"]), "rpz.zone"),
    ("xn--pypal-4ve.example", "A", ("NXDOMAIN", []), None),
)
PLAIN = QUESTIONS[1]
UPSTREAMS = ["192.0.2.77"]  # what a name that is refused would have

# Times, ports, and the numbers in names.
VARIES = re.compile(r'^\S+Z |"@timestamp":"[^"]*",|"event.duration":\d+,|"client.port":\d+,|"dns.id":"\d+",'
                    r"|(?<= )\d+\.\d{6}(?= )|(?<=[pdb])\d+(?=\.)")
numbers = itertools.count(1)


def write_policy(folder, text=RULES, **lists):
    for name, content in (LISTS | lists).items():
        write(folder, content, name)
    write(folder, text)


def fresh(name):
    number = next(numbers)
    return name.format(number, chain=number % CHAINS)


def outcome(reply):
    if reply.has(dns.flags.TC):
        return "truncated", []
    return reply.rcode, reply.answers()


def is_right(got, wanted):
    if got is None or wanted is None:
        return got is wanted
    return got[0] == wanted[0] and wanted[1] in (None, got[1])


class Scene:
    """One daemon with the shim in it, from before it starts."""

    def __init__(self, world, shim, idn, prepare, number):
        self.world, self.shim = world, shim
        self.folder = world.new_folder(f"faults-{number}")
        self.port = free_port()
        world.configure(self.folder, self.port, idn, world.module, 1, "validator iterator", "", "")
        prepare(self.folder)
        self.idn = idn
        self.asked = 0
        self.daemon = None

    def start(self):
        """Whether it did; if not, it has ended."""
        self.daemon = self.world.start(self.folder, environment=self.shim.environment)
        self.resolver = Resolver(self.daemon, self.folder, self.port, log_target(self.idn, self.folder, self.daemon),
                                 "log: json" in self.idn, self.world.unbound / "sbin/unbound-control")
        return bool(self.daemon.stderr.wait(lambda octets: b"start of service" in octets))

    def ask(self, questions=QUESTIONS):
        """[(name, what came of it, what should have, list)]; a question without an answer has waited for it."""
        client = Udp(("127.0.0.1", self.port))
        waiting, results = {}, []
        for name, qtype, wanted, lost in questions:
            name = fresh(name)
            waiting[client.send(ask(name, qtype))] = (name, wanted, lost)
        self.asked += len(waiting)
        deadline = time.monotonic() + PATIENCE
        try:
            while any(wanted for _, wanted, _ in waiting.values()):
                reply = client.receive(max(0.001, deadline - time.monotonic()))
                name, wanted, lost = waiting.pop(reply.ident)
                results.append((name, outcome(reply), wanted, lost))
        except OSError:  # nothing more comes
            pass
        finally:
            client.close()
        return results + [(name, None, wanted, lost) for name, wanted, lost in waiting.values()]

    def lines(self):
        """Whole lines in the module's log, renamed ones too."""
        return sum(path.read_bytes().count(b"\n") for path in (self.folder / "log").glob("idn.log*"))

    def told(self):
        """The text of the log's lines, without the parts that differ each time."""
        octets = b"".join(path.read_bytes() for path in sorted((self.folder / "log").glob("idn.log*")))
        return collections.Counter(VARIES.sub("", line) for line in octets.decode().splitlines())

    def lost(self):
        """Log lines that the metrics say are lost."""
        path = self.folder / "log/idn.prom"
        return Metrics(path.read_text()).lost if path.exists() else 0

    def all_accounted(self):
        """Whether each answer has a line, or was counted as lost."""
        return eventually(lambda: self.lines() + self.lost() == self.asked, PATIENCE)

    def tail(self):
        return tail(self.daemon.log(), 30) if self.daemon else ""

    def errors(self):
        return self.resolver.errors()

    def descriptors(self):
        return [file for file in self.resolver.open_files() if not re.match(r"socket:|anon_inode:", file)]

    def stop(self):
        return self.daemon.stop() if self.daemon else 0

    def close(self):
        """Always runs."""
        try:
            self.stop()
        except DaemonError:
            pass
        shutil.rmtree(self.folder, ignore_errors=True)
