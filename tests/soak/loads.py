# SPDX-License-Identifier: BSD-3-Clause
"""Runs the sources of questions: dnsperf and the hostile generator, each a process of its own."""

import json
import re
import signal
import subprocess
import sys
from pathlib import Path

import questions

# Names for dnsperf, with each the outcome's rcode.
CACHED = [f"hot{number}.wild.example" for number in range(300)]
REFUSED = [f"n{number}.{zone}.wild.example" for zone in ("nx", "refused", "redirected", "nodata") for number in range(50)] \
    + [f"l{number}.listed.wild.example" for number in range(0, questions.LISTED, 100)] \
    + ["xn--pypal-4ve.wild.example", "xn--80aswg.xn--80aswg.wild.example"]


class Dnsperf:
    """Cached and refused names, without a question asked twice."""

    def __init__(self, peers, folder, server, seconds, rate):
        self.folder = folder
        (folder / "dnsperf.names").write_text("".join(f"{name} A\n" for name in [*CACHED, *REFUSED]))
        libraries = (peers / "libraries").read_text().strip()
        self.process = subprocess.Popen(
            [peers / "usr/bin/dnsperf", "-s", server[0], "-p", str(server[1]), "-d", folder / "dnsperf.names",
             "-l", str(seconds), "-Q", str(rate), "-c", "20", "-q", "200", "-t", "5"],
            env={"LD_LIBRARY_PATH": libraries}, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

    def finish(self):
        """Ends it. Returns {"sent", "completed", "lost"} and the answers by rcode."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
        output, _ = self.process.communicate(timeout=60)
        (self.folder / "dnsperf.log").write_text(output)
        counts = {word: int(number) for word, number in re.findall(r"Queries (sent|completed|lost): +(\d+)", output)}
        rcodes = re.search(r"Response codes: +(.*)", output)
        if len(counts) != 3:
            raise AssertionError(f"dnsperf said:\n{output[-2000:]}")
        found = re.findall(r"(\w+) (\d+) \(", rcodes.group(1)) if rcodes else []
        return counts, {word: int(number) for word, number in found}


class Hostile:
    def __init__(self, folder, server, seed, tokens, udp, tcp, patience):
        self.folder = folder
        spec = {"server": server, "seed": seed, "tokens": sorted(tokens), "folder": str(folder), "patience": patience,
                "udp": dict(zip(("rate", "clients"), udp)), "tcp": dict(zip(("rate", "clients"), tcp))}
        self.errors = open(folder / "generator.err", "w+", encoding="utf-8")
        self.process = subprocess.Popen([sys.executable, Path(__file__).with_name("generator.py")], text=True,
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.errors)
        self.tell(json.dumps(spec))

    def tell(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def finish(self):
        """Ends it. Returns what it printed, and of each serial number how often it was asked and whether answered."""
        output, _ = self.process.communicate()
        if self.process.returncode != 0:
            self.errors.seek(0)
            raise AssertionError(f"generator.py ended with {self.process.returncode}:\n{self.errors.read()}")
        return json.loads(output), *((self.folder / name).read_bytes() for name in ("asked.bin", "answered.bin"))
