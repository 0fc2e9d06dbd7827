#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""The hostile half of the soak's load, in a process of its own. One line of JSON on standard input says what to do; each
further line is what is in force from then on, as words: a state of the rules, `dead` for the upstream. The end of
standard input ends it; what came of it is one line of JSON on standard output."""

import collections
import itertools
import json
import os
import random
import select
import socket
import struct
import sys
import time
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "unbound"))

import questions  # noqa: E402
from load import whole_messages  # noqa: E402

WINDOW = 16  # questions under way on one socket
EXAMPLES = 10  # of what is wrong
SERIALS = 1 << 24


class Waiting:
    __slots__ = ("kind", "packet", "serial", "sent", "first", "tries", "tokens")

    def __init__(self, kind, packet, serial, now, tokens):
        self.kind, self.packet, self.serial, self.tries = kind, packet, serial, 1
        self.sent = self.first = now
        self.tokens = set(tokens)


class Client:
    """A socket with an address of its own. A connection that is closed is opened again, and repeats its questions."""

    def __init__(self, server, transport, number):
        self.server, self.stream = server, transport == "tcp"
        self.address = f"127.0.{3 + number // 250}.{number % 250 + 1}"
        self.waiting = {}
        self.ids = itertools.cycle(random.Random(number).sample(range(65536), 4096))
        self.socket = None
        self.open()

    def open(self):
        self.data = b""
        self.socket = socket.socket(type=socket.SOCK_STREAM if self.stream else socket.SOCK_DGRAM)
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self.socket.bind((self.address, 0))
        self.socket.settimeout(10)
        self.socket.connect(self.server)

    def new_id(self):
        return next(ident for ident in self.ids if ident not in self.waiting)

    def send(self, ident, packet):
        message = struct.pack("!H", ident) + packet
        self.socket.sendall(struct.pack("!H", len(message)) + message if self.stream else message)

    def receive(self):
        """All messages that are there; None: the connection is closed."""
        part = self.socket.recv(65535)
        if not self.stream:
            return [part]
        if not part:
            return None
        messages, self.data = whole_messages(self.data + part)
        return messages


class Generator:
    def __init__(self, spec):
        self.spec = spec
        self.server = tuple(spec["server"])
        self.tokens = set(spec["tokens"])
        self.askers = {name: questions.Asker(spec["seed"], name) for name in ("udp", "tcp")}
        self.clients = {name: [Client(self.server, name, number + offset) for number in range(spec[name]["clients"])]
                        for name, offset in (("udp", 0), ("tcp", 500))}
        self.poll = select.poll()
        self.by_fd = {}
        for client in itertools.chain(*self.clients.values()):
            self.watch(client)
        self.turns = {name: itertools.cycle(clients) for name, clients in self.clients.items()}
        self.sent = dict.fromkeys(self.clients, 0)
        self.asks, self.answers = bytearray(SERIALS), bytearray(SERIALS)
        self.serial = 0
        self.count = collections.Counter()
        self.outcomes = collections.defaultdict(collections.Counter)
        self.slowest = 0.0
        self.wrong, self.unanswered = [], []
        self.garbage = random.Random(spec["seed"])
        self.garbage_socket = socket.socket(type=socket.SOCK_DGRAM)
        self.half_order = b""
        self.ended = False

    def watch(self, client):
        self.by_fd[client.socket.fileno()] = client
        self.poll.register(client.socket, select.POLLIN)

    def run(self):
        self.poll.register(sys.stdin.fileno(), select.POLLIN | select.POLLHUP)
        started = looked = time.monotonic()
        while not self.ended or any(client.waiting for client in itertools.chain(*self.clients.values())):
            now = time.monotonic()
            for transport in self.clients:
                self.ask(transport, now - started, now)
            if now - looked > 0.1:
                looked = now
                self.ask_again(now)
                self.send_garbage()
            for fd, _ in self.poll.poll(2):
                self.read(fd)
        self.save()
        return {"count": self.count, "outcomes": self.outcomes, "wrong": self.wrong, "unanswered": self.unanswered,
                "slowest": self.slowest, "serials": self.serial}

    def read(self, fd):
        if fd == sys.stdin.fileno():
            self.take_orders()
            return
        client = self.by_fd[fd]
        try:
            messages = client.receive()
        except ConnectionError:
            messages = None
        if messages is None:
            self.connect_again(client)
            return
        if select.select([sys.stdin], [], [], 0)[0] and not self.ended:
            self.take_orders()  # an order that is older than an answer holds for it
        now = time.monotonic()
        for message in messages:
            self.judge(client, message, now)

    def take_orders(self):
        part = os.read(sys.stdin.fileno(), 65536)
        if not part:
            self.ended = True
            self.poll.unregister(sys.stdin.fileno())
        *lines, self.half_order = (self.half_order + part).split(b"\n")
        for line in lines:
            self.tokens = set(line.decode().split())
            for client in itertools.chain(*self.clients.values()):
                for entry in client.waiting.values():
                    entry.tokens |= self.tokens

    # ---- asking -----------------------------------------------------------------------------------------------

    def ask(self, transport, elapsed, now):
        """The clients take turns; one that waits for a whole window of answers is passed over."""
        passed_over, clients = 0, self.clients[transport]
        while not self.ended and passed_over < len(clients):
            if self.sent[transport] >= elapsed * self.spec[transport]["rate"]:
                return
            client = next(self.turns[transport])
            if len(client.waiting) >= WINDOW:
                passed_over += 1
                continue
            self.sent[transport] += 1
            kind, packet = self.askers[transport].question(self.serial)
            entry = Waiting(kind, packet, self.serial, now, self.tokens)
            self.serial += 1
            ident = client.new_id()
            client.waiting[ident] = entry
            self.send(client, ident, entry)

    def send(self, client, ident, entry):
        if questions.serial_label(entry.serial) in entry.packet:  # a name that no other client asks for
            self.asks[entry.serial] += 1
        self.count["asked"] += 1
        try:
            client.send(ident, entry.packet)
        except ConnectionError:
            self.connect_again(client)

    def connect_again(self, client):
        """Asks the question that is waiting once more, now."""
        self.by_fd.pop(client.socket.fileno(), None)
        self.poll.unregister(client.socket)
        client.socket.close()
        client.open()
        self.watch(client)
        self.count["reconnected"] += 1
        now = time.monotonic()
        for ident, entry in list(client.waiting.items()):
            if entry.tries < 4:  # each connection that is closed excuses one
                entry.tries += 1
                entry.sent = now
                self.send(client, ident, entry)

    def ask_again(self, now):
        for client in itertools.chain(*self.clients.values()):
            for ident, entry in list(client.waiting.items()):
                if now - entry.sent < self.spec["patience"]:
                    continue
                right = questions.KINDS[entry.kind].right(entry.tokens)
                if right == {questions.SILENCE}:
                    self.finish(client, ident, questions.SILENCE)
                elif now - entry.first > 2 * self.spec["patience"]:
                    self.finish(client, ident, questions.SILENCE)
                    if questions.SILENCE not in right:
                        self.note(self.unanswered, entry, questions.SILENCE, now)
                        self.count["unanswered"] += 1
                elif entry.tries == 1:
                    entry.tries, entry.sent = 2, now
                    self.count["retried"] += 1
                    self.send(client, ident, entry)

    def send_garbage(self):
        """Sends octets that are no question, or half of one. No answer is expected."""
        whole = struct.pack("!H", self.garbage.randrange(65536)) + questions.packet((b"garbage", b"example"), "A")
        for octets in (self.garbage.randbytes(self.garbage.randint(1, 600)), whole[: self.garbage.randrange(len(whole))]):
            self.garbage_socket.sendto(octets, self.server)
            self.count["garbage"] += 1

    # ---- answers ----------------------------------------------------------------------------------------------

    def finish(self, client, ident, outcome):
        entry = client.waiting.pop(ident)
        self.outcomes[entry.kind][outcome] += 1
        return entry

    def judge(self, client, message, now):
        ident = struct.unpack_from("!H", message)[0] if len(message) >= 12 else None
        if ident not in client.waiting:
            self.count["late"] += 1  # both askings were answered, or it came after all patience
            return
        entry = client.waiting[ident]
        outcome = questions.outcome(message, entry.packet)
        self.finish(client, ident, outcome)
        self.count["answered"] += 1
        self.answers[entry.serial] = self.asks[entry.serial] > 0
        self.slowest = max(self.slowest, now - entry.first)
        if outcome not in questions.KINDS[entry.kind].right(entry.tokens):
            self.count["wrong"] += 1
            self.note(self.wrong, entry, outcome, now)

    def note(self, examples, entry, outcome, now):
        if len(examples) < EXAMPLES:
            examples.append({"kind": entry.kind, "question": entry.packet[10:].hex(), "asked": entry.first, "at": now,
                             "tokens": sorted(entry.tokens), "outcome": outcome, "tries": entry.tries})

    def save(self):
        folder = Path(self.spec["folder"])
        (folder / "asked.bin").write_bytes(self.asks[: self.serial])
        (folder / "answered.bin").write_bytes(self.answers[: self.serial])


def first_line():
    """Read octet by octet: what follows it is polled for."""
    line = b""
    while not line.endswith(b"\n"):
        line += os.read(sys.stdin.fileno(), 1)
    return line


if __name__ == "__main__":
    print(json.dumps(Generator(json.loads(first_line())).run()))
