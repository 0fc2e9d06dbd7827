# SPDX-License-Identifier: BSD-3-Clause
"""Clients of several groups that ask for the same names while the policy changes: whose answer is it, and of which policy?"""

import itertools
import selectors
import socket
import struct
import threading
import time

import dnsname
from question import masked

CLIENTS, GROUPS, WINDOW = 16, 4, 8  # WINDOW: questions of one client that are under way
PATIENCE = 5.0  # seconds until a question is asked again: UDP may lose it


def sources(group):
    """The addresses of a group, which are those of a prefix of 30 bits."""
    return [f"127.0.3.{16 + 4 * group + n}" for n in range(CLIENTS // GROUPS)]


class Times:
    """The longest time that each policy was in force: from just before its file was written until its successor was reported."""

    def __init__(self):
        self.begun, self.ended = [time.monotonic()], []

    def swap(self, exchange):
        self.begun.append(time.monotonic())
        done = exchange(len(self.begun) - 1)
        self.ended.append(time.monotonic())
        return done

    def possible(self, sent, received):
        """The policies by which a question asked and answered then may have been decided."""
        ended = [*self.ended, float("inf")]
        return {n for n, (begun, end) in enumerate(zip(self.begun, ended)) if begun <= received and sent <= end}


class Client:
    def __init__(self, server, source, group):
        self.group = group
        self.socket = socket.socket(type=socket.SOCK_DGRAM)
        self.socket.bind((source, 0))
        self.socket.connect(server)
        self.socket.setblocking(False)
        self.waiting = {}  # id: [index of the name, when it was first sent, when last]
        self.ids = itertools.cycle(range(1, 65536))


class GroupLoad:
    """Asks `count` questions for the names in turn, or more until is_enough() is true, each client for all of them. `answers`
    has, of each: the group, the name's index, when it was sent and received, and the message without its ID and TTLs."""

    def __init__(self, server, names, count):
        self.packets = [struct.pack("!HHHHH", 0x0100, 1, 0, 0, 0) + dnsname.wire(dnsname.parse(name)) + b"\0\1\0\1"
                        for name in names]
        self.clients = [Client(server, source, group) for group in range(GROUPS) for source in sources(group)]
        self.left, self.is_enough = count, lambda: True
        self.answers = []
        self.again = 0
        self.turn = itertools.count()

    def send(self, client, index, ident):
        client.socket.send(struct.pack("!H", ident) + self.packets[index])

    def fill(self, client):
        while (self.left > 0 or not self.is_enough()) and len(client.waiting) < WINDOW:
            ident = next(i for i in client.ids if i not in client.waiting)
            index = next(self.turn) // CLIENTS % len(self.packets)  # neighbours ask the same
            now = time.monotonic()
            client.waiting[ident] = [index, now, now]
            self.send(client, index, ident)
            self.left -= 1

    def receive(self, client):
        while True:
            try:
                message = client.socket.recv(4096)
            except BlockingIOError:
                return
            entry = client.waiting.pop(struct.unpack_from("!H", message)[0], None)
            if entry:
                self.answers.append((client.group, entry[0], entry[1], time.monotonic(), masked(message)[0]))

    def run(self):
        selector = selectors.DefaultSelector()
        for client in self.clients:
            selector.register(client.socket, selectors.EVENT_READ, client)
            self.fill(client)
        looked = time.monotonic()
        while any(client.waiting for client in self.clients):
            for key, _ in selector.select(0.1):
                self.receive(key.data)
                self.fill(key.data)
            if time.monotonic() - looked > 0.5:
                looked = time.monotonic()
                self.ask_again(looked)
        for client in self.clients:
            client.socket.close()

    def ask_again(self, now):
        for client in self.clients:
            for ident, entry in client.waiting.items():
                if now - entry[2] > PATIENCE:
                    entry[2] = now
                    self.again += 1
                    self.send(client, entry[0], ident)


def under_swaps(load, exchange, swaps):
    """Runs the load while exchange(N) puts policy number N in force, again and again, `swaps` times at least. Returns the Times
    and the numbers of the policies that were not reported."""
    times, failed, over = Times(), [], threading.Event()
    load.is_enough = lambda: len(times.ended) >= swaps or failed

    def swap():
        while not over.wait(0.1):
            if not times.swap(exchange):
                failed.append(len(times.begun) - 1)

    swapping = threading.Thread(target=swap)
    swapping.start()
    try:
        load.run()
    finally:
        over.set()
        swapping.join()
    return times, failed
