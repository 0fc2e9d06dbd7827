#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""Asks one server many questions, in a process of its own. What to ask is one line of JSON on standard input (see
class Load); ends when `count` questions are answered or, without a count, when standard input is closed. What came of
it is one line of JSON on standard output."""

import itertools
import json
import select
import socket
import struct
import subprocess
import sys
import time
from pathlib import Path

sys.dont_write_bytecode = True

import dnsname  # noqa: E402

WINDOW = 16  # questions under way on one socket: its buffer, and the server's, hold that many
QUESTION_END = b"\0\x01\0\x01"  # A IN


class Load:
    """A load under way. `names` are asked in turn, as text; `rate` is per second, 0 as fast as answers come; a
    question without an answer after `patience` seconds is asked a second time, and not again; `flags` are the header's."""

    def __init__(self, resolver, names, count=None, rate=0, clients=4, transport="udp", patience=5.0, flags=0x0100):
        self.resolver = resolver
        self.names = names
        spec = {"server": resolver.address(), "names": names, "count": count, "rate": rate, "clients": clients,
                "transport": transport, "patience": patience, "flags": flags}
        self.process = subprocess.Popen([sys.executable, Path(__file__).resolve()], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.process.stdin.write(json.dumps(spec).encode() + b"\n")
        self.process.stdin.flush()

    def finish(self, tap, what):
        """Ends it; counts its answers with those of the resolver. Makes a point of each question being answered, and
        returns what load.py printed."""
        output, errors = self.process.communicate()
        if self.process.returncode != 0:
            raise AssertionError(f"load.py ended with {self.process.returncode}:\n{errors.decode()}")
        result = json.loads(output)
        for name, number in zip(self.names, result["answers"]):
            if number:
                self.resolver.answered_many(dnsname.column(dnsname.parse(name)), number)
        tap.equal((result["unanswered"], result["odd"]), (0, 0), f"{what}: every question has its answer")
        tap.ok(result["asked"] > 0, f"{what}: questions were asked", result)
        return result


def whole_messages(stream):
    """The messages of a TCP stream that are there as a whole, and what follows them."""
    messages = []
    while len(stream) >= 2 and len(stream) >= 2 + struct.unpack_from("!H", stream)[0]:
        end = 2 + struct.unpack_from("!H", stream)[0]
        messages.append(stream[2:end])
        stream = stream[end:]
    return messages, stream


class Client:
    def __init__(self, spec, number):
        host, port = spec["server"]
        self.stream = spec["transport"] == "tcp"
        self.socket = socket.socket(type=socket.SOCK_STREAM if self.stream else socket.SOCK_DGRAM)
        self.socket.bind((f"127.0.2.{number % 250 + 1}", 0))
        self.socket.connect((host, port))
        self.waiting = {}  # id: [index of the name, when it was sent, tries]
        self.ident = 0
        self.data = b""

    def send(self, packets, index, ident=None):
        if ident is None:
            self.ident = (self.ident + 1) & 0xFFFF
            ident = self.ident
            self.waiting[ident] = [index, time.monotonic(), 1]
        packet = struct.pack("!H", ident) + packets[index]
        self.socket.sendall(struct.pack("!H", len(packet)) + packet if self.stream else packet)

    def receive(self):
        """All messages that are there."""
        if not self.stream:
            return [self.socket.recv(65535)]
        part = self.socket.recv(65535)
        if not part:
            raise ConnectionError("the server closed the connection")
        messages, self.data = whole_messages(self.data + part)
        return messages


class Run:
    def __init__(self, spec):
        self.spec = spec
        header = struct.pack("!HHHHH", spec["flags"], 1, 0, 0, 0)  # what follows the ID
        self.packets = [header + dnsname.wire(dnsname.parse(name)) + QUESTION_END for name in spec["names"]]
        self.clients = [Client(spec, number) for number in range(spec["clients"])]
        self.turns = itertools.cycle(self.clients)
        self.answers = [0] * len(spec["names"])
        self.rcodes = {}
        self.asked = self.retried = self.unanswered = self.odd = self.again = 0
        self.slowest = 0.0
        self.ended = False

    def run(self):
        poll = select.poll()
        by_fd = {client.socket.fileno(): client for client in self.clients}
        for fd in by_fd:
            poll.register(fd, select.POLLIN)
        if self.spec["count"] is None:
            poll.register(sys.stdin.fileno(), select.POLLIN | select.POLLHUP)
        started = looked = time.monotonic()
        while not self.ended or any(client.waiting for client in self.clients):
            now = time.monotonic()
            self.ask(now - started)
            if now - looked > 0.1:
                looked = now
                self.ask_again(now)
            for fd, _ in poll.poll(2):
                if fd in by_fd:
                    self.read(by_fd[fd])
                else:
                    self.ended = True
                    poll.unregister(fd)
        return {"asked": self.asked, "answers": self.answers, "rcodes": self.rcodes, "retried": self.retried,
                "again": self.again, "unanswered": self.unanswered, "odd": self.odd, "slowest": self.slowest,
                "seconds": time.monotonic() - started}

    def ask(self, elapsed):
        """The clients take turns; one that waits for a whole window of answers is passed over."""
        passed_over = 0
        while not self.ended and passed_over < len(self.clients):
            if self.spec["rate"] and self.asked >= elapsed * self.spec["rate"]:
                return
            client = next(self.turns)
            if len(client.waiting) >= WINDOW:
                passed_over += 1
                continue
            passed_over = 0
            client.send(self.packets, self.asked % len(self.packets))
            self.asked += 1
            self.ended = self.spec["count"] is not None and self.asked >= self.spec["count"]

    def ask_again(self, now):
        for client in self.clients:
            for ident, entry in list(client.waiting.items()):
                if now - entry[1] < self.spec["patience"]:
                    continue
                if entry[2] == 2:
                    self.unanswered += 1
                    del client.waiting[ident]
                    continue
                entry[1:] = [now, 2]
                self.retried += 1
                client.send(self.packets, entry[0], ident)

    def read(self, client):
        for message in client.receive():
            entry = client.waiting.pop(struct.unpack_from("!H", message)[0], None)
            if entry is None:
                self.again += 1  # both askings were answered
                continue
            question = self.packets[entry[0]][10:]
            self.odd += message[12 : 12 + len(question)] != question
            self.answers[entry[0]] += 1
            rcode = "TC" if message[2] & 2 else message[3] & 15
            self.rcodes[rcode] = self.rcodes.get(rcode, 0) + 1
            self.slowest = max(self.slowest, time.monotonic() - entry[1])


if __name__ == "__main__":
    print(json.dumps(Run(json.loads(sys.stdin.readline())).run()))
