# SPDX-License-Identifier: BSD-3-Clause
"""JSON lines: what the text tests ask, asked once more, and every line held against its question."""

import threading
import time
from contextlib import contextmanager

import dnsname
import encrypted
import jsonline
import test_answers
import test_names
import test_options
from daemon import eventually
from question import Tcp, Udp, ask, exchange
from test_clients import LOCAL, fence
from test_targets import METRICS

FILE = "log-to: log/idn.log"
SLACK = 1.0  # seconds; Unbound reads its clock once for all it does at a time

TEXT_TESTS = (
    test_answers.test_miss_and_hit, test_answers.test_hit_with_odd_flags, test_answers.test_secure_and_bogus,
    test_answers.test_upstream_servfail, test_answers.test_local_data, test_answers.test_denied,
    test_answers.test_aliases, test_answers.test_rpz, test_answers.test_other_classes, test_answers.test_transports,
    test_answers.test_mixed_case, test_answers.test_no_callback,
    test_names.test_every_octet, test_names.test_limits, test_names.test_raw_text, test_options.test_defaults, test_options.test_keys,
)


class JsonWorld:
    """The world of a text test, whose resolvers write JSON."""

    def __init__(self, world, log_to):
        self.world = world
        self.log_to = log_to

    def __getattr__(self, name):
        return getattr(self.world, name)

    @contextmanager
    def resolver(self, tap, idn="", **options):
        lines = ["log: json", *idn.splitlines(), *([] if "log-to:" in idn else [self.log_to])]
        with self.world.resolver(tap, "\n".join(lines), **options) as resolver:
            wrong = []
            resolver.observe = lambda reply, line: wrong.extend(differences(reply, line.fields, "log-client:" not in idn))
            try:
                yield resolver
            finally:
                tap.equal(wrong, [], "each line has its question's id, port, transport and time")


def differences(reply, fields, has_port=True):
    """Expects the fields of a line that its question and answer do not give. A port would tell clients of a network apart."""
    wanted = {"dns.id": str(reply.ident), "client.port": reply.port if has_port else None, "unbound.transport": reply.transport}
    for key, value in wanted.items():
        if fields.get(key) != value:
            yield f"{key}: {fields.get(key)!r}, not {value!r}"
    stamp = jsonline.moment(fields["@timestamp"]).timestamp()
    if not reply.sent_at - 0.001 <= stamp <= reply.received_at + 0.001:
        yield f"@timestamp {stamp} is not between {reply.sent_at} and {reply.received_at}"
    if fields["event.duration"] > (reply.received_at - reply.sent_at + SLACK) * 1e9:
        yield f"event.duration {fields['event.duration']}, and the client waited {reply.received_at - reply.sent_at} s"


def run_text_tests(world, tap, log_to, functions):
    for function in functions:
        before = len(tap.points)
        function(JsonWorld(world, log_to), tap)
        for number in range(before, len(tap.points)):
            ok, name, *rest = tap.points[number]
            tap.points[number] = (ok, f"{function.__name__}: {name}", *rest)


def test_questions_of_text_tests_in_a_file(world, tap):
    run_text_tests(world, tap, FILE, TEXT_TESTS)


def test_questions_of_text_tests_in_unbounds_log(world, tap):
    run_text_tests(world, tap, "log-to: unbound", (test_answers.test_miss_and_hit, test_answers.test_transports, test_names.test_limits))


def test_hostile_labels(world, tap):
    """Also in Unbound's log, and in ASCII as all JSON lines."""
    for log_to in (FILE, "log-to: unbound"):
        with JsonWorld(world, log_to).resolver(tap) as resolver:
            for row in test_names.vectors(world):
                test_names.one_label(tap, resolver, log_to, row)
        lines = [line for line in resolver.log.target.octets.split(b"\n") if b'"dns.id"' in line]
        tap.ok(all(line.isascii() for line in lines), f"{log_to}: nothing but ASCII")
        tap.equal(len(lines), len(test_names.VECTORS), f"{log_to}: and all of them")


def test_fields_of_an_idn(world, tap):
    """One line, all of it."""
    with JsonWorld(world, FILE).resolver(tap) as resolver:
        reply, line = resolver.logged(ask("www.xn--bcher-kva.xn--g1ah2bza.wild.example", "TXT"))
        varying = {key: line.fields.pop(key) for key in ("@timestamp", "event.duration", "client.port", "dns.id")}
        tap.equal(sorted(varying), ["@timestamp", "client.port", "dns.id", "event.duration"], "what varies is there")
        line.fields.pop("ecs.version")
        tap.equal(line.fields, {
            "event.kind": "event", "event.category": ["network"], "event.type": ["protocol"],
            "event.dataset": "unbound_idn.log", "client.ip": "127.0.0.1", "network.transport": "udp",
            "network.protocol": "dns", "unbound.transport": "udp", "unbound.cached": False, "dns.type": "answer",
            "dns.question.name": "www.xn--bcher-kva.xn--g1ah2bza.wild.example", "dns.question.type": "TXT",
            "dns.question.class": "IN", "dns.response_code": "NOERROR", "dns.header_flags": ["RD", "RA"], "unbound.security": "secure",
            "dns.question.name_unicode": "www.bücher.шлюз.wild.example", "idn.status": "ok",
            "idn.scripts": ["Latn", "Cyrl"],
            "idn.labels": [{"index": 2, "a": "xn--bcher-kva", "u": "bücher", "status": "ok", "reason": []},
                           {"index": 3, "a": "xn--g1ah2bza", "u": "шлюз", "status": "ok", "reason": []}],
        }, "the rest is exactly this")
        _, line = resolver.logged(ask("XN--PYPAL-4VE.xn--31m-dda.xn--bcher-kva.wild.example"))
        got = [(label["index"], label["u"], label["status"], label["reason"]) for label in line.fields["idn.labels"]]
        tap.equal(got, [(1, "p\\u{430}ypal", "restricted", ["script-mix"]),
                        (2, "xn--31m-dda", "invalid", ["disallowed"]), (3, "bücher", "ok", [])],
                  "u is the display form, each label with its own status")
        tap.equal((line.fields["idn.status"], "dns.question.name_unicode" in line.fields), ("invalid", False),
                  "the worst status, and no Unicode name")
        _, line = resolver.logged(ask("ascii.example"))
        tap.equal([key for key in line.fields if key.startswith("idn.") or "unicode" in key], [],
                  "nothing of it for an ASCII name")


def test_waiting_clients(world, tap):
    """Seven clients wait for one answer: each line has the id, port, transport and time of its own client."""
    gate = world.upstream.gate("gate-json")
    name = dnsname.parse("gate-json.xn--bcher-kva.slow.example")
    kinds = [(Udp, "127.0.0.2"), (Udp, "127.0.0.2"), (Tcp, "127.0.0.4"), (Udp, "127.0.0.3"), (Tcp, "127.0.0.4"),
             (Udp, "127.0.0.1"), (Tcp, "127.0.0.1")]
    with world.resolver(tap, f"log: json\n{FILE}", server=LOCAL) as resolver:
        clients = [transport(resolver.address(), source) for transport, source in kinds]
        wanted = {}
        for client, (transport, source) in zip(clients, kinds):
            ident = client.send(ask(name))
            fence(tap, resolver, client)
            port = client.socket.getsockname()[1]
            wanted[source, port, transport.__name__.lower()] = (str(ident), time.monotonic())
        tap.ok(gate.arrived.wait(20), "the upstream was asked")
        opened = time.monotonic()
        gate.open()
        for client in clients:
            tap.equal(client.receive().answers(), ["192.0.2.200"], "each is answered")
            resolver.answered(ask(name))
            client.close()
        tap.equal(gate.questions, 1, "the upstream was asked once")
        for line in resolver.log.wait(dnsname.column(name), len(clients)):
            fields = line.fields
            key = (fields["client.ip"], fields["client.port"], fields["unbound.transport"])
            ident, since = wanted.pop(key, (None, None))
            if tap.ok(ident, f"a line for {key}", fields):
                tap.equal(fields["dns.id"], ident, f"{key}: its id")
                tap.ok(fields["event.duration"] >= (opened - since) * 1e9, f"{key}: as long as it waited",
                       f"{fields['event.duration']} ns, at least {opened - since} s")
        tap.equal(wanted, {}, "and each has one")


def test_pipelined(world, tap):
    """Many questions on one TCP connection and on one UDP socket, from four threads of Unbound."""
    with world.resolver(tap, f"log: json\n{FILE}", threads=4) as resolver:
        threads = [threading.Thread(target=pipeline, args=(tap, resolver, transport, f"127.0.3.{number}"))
                   for number, transport in enumerate((Udp, Tcp, Udp, Tcp), 1)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()


def pipeline(tap, resolver, transport, source):
    client = transport(resolver.address(), source)
    port = client.socket.getsockname()[1]
    questions = [ask(f"p{number}-{port}.xn--bcher-kva.wild.example") for number in range(30)]
    idents = {str(client.send(question)): dnsname.column(question.labels) for question in questions}
    for _ in questions:
        client.receive()
    for question in questions:
        resolver.answered(question)
    client.close()
    lines = [resolver.log.wait(name, 1)[0].fields for name in idents.values()]
    got = {fields["dns.id"]: fields["dns.question.name"] + "." for fields in lines}
    what = f"{source} {transport.__name__}"
    tap.equal(got, idents, f"{what}: each name with its id")
    tap.equal({(fields["client.ip"], fields["client.port"]) for fields in lines}, {(source, port)},
              f"{what}: address and port")


def test_encrypted(world, tap):
    """DNS over TLS and over HTTPS: lines and metrics tell them apart; on the network both are TCP."""
    kinds, server = encrypted.offer(world)
    with world.resolver(tap, f"log: json\nlog-to: log/idn.log\n{METRICS}", server=server) as resolver:
        for transport, port in (*kinds, (Tcp, resolver.port)):
            word = transport.__name__.lower()
            for turn in ("miss", "hit"):
                asked = ask(f"{word}.xn--bcher-kva.wild.example")
                reply = exchange(("127.0.0.1", port), asked, transport)
                number = resolver.answered(asked)
                line = resolver.log.wait(dnsname.column(asked.labels), number)[number - 1]
                tap.equal((reply.rcode, line.cached, line.u), ("NOERROR", number - 1, f"{word}.bücher.wild.example"),
                          f"{word}, {turn}")
                tap.equal(list(differences(reply, line.fields)), [], f"{word}, {turn}: id, port, transport, time")
                tap.equal(line.fields["network.transport"], "tcp", f"{word}, {turn}: TCP on the network")
            counted = eventually(lambda w=word: resolver.metrics().sum("replies_total", transport=w) == 2)
            tap.ok(counted, f"{word}: counted as such", (resolver.folder / "log/idn.prom").read_text())


def test_long_names(world, tap):
    """A name of as many hostile labels as fit keeps the line whole in Unbound's log, if need be without idn.labels."""
    labels = (b"xn--9",) * 40 + (b"wild", b"example")
    emoji = (b"xn--e28h",) * 26 + (b"wild", b"example")
    for log_to in (FILE, "log-to: unbound"):
        with JsonWorld(world, log_to).resolver(tap) as resolver:
            for name in (labels, emoji):
                _, line = resolver.logged(ask(name))
                tap.equal(line.fields["idn.status"], "invalid" if name is labels else "restricted",
                          f"{log_to}: {len(name)} labels")
                tap.ok(log_to != FILE or "idn.labels" in line.fields, f"{log_to}: a file has room for all of them")
