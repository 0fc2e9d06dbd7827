# SPDX-License-Identifier: BSD-3-Clause
"""Counts the lines of a log that is moved away from under the daemon again and again. A file is counted when another one
has replaced it, so that it is whole; the last few are kept, to find the cause of a failure."""

import os
import re
from pathlib import Path

import jsonline
import logline
from daemon import eventually

TEXT = re.compile(rb"\S+Z \S+ (?:\S*\.)?k([0-9a-f]{7})\.")
JSON = re.compile(rb'\{.*?"dns\.question\.name":"(?:[^"]*\.)?k([0-9a-f]{7})\.')
PARSED = 97  # one line of so many is read by the strict parser
KEPT = 12  # files


class LineCount:
    """`folder` is where the log stands, by a path that leads there from outside of the daemon's mounts."""

    def __init__(self, folder, is_json, kept):
        self.folder, self.is_json = Path(folder), is_json
        self.kept = Path(kept)
        self.kept.mkdir()
        self.lines = self.octets = self.files = 0
        self.serials = bytearray(1 << 24)
        self.malformed = []
        self.current = None  # descriptor of the file that the daemon writes to

    @property
    def path(self):
        return self.folder / "idn.log"

    def open_current(self):
        """Before it is moved: what is removed can still be read then."""
        self.current = os.open(self.path, os.O_RDONLY)

    def is_new(self):
        try:
            there = os.lstat(self.path)
        except FileNotFoundError:
            return False
        return there.st_ino != os.fstat(self.current).st_ino and os.path.isfile(self.path)

    def moved_by(self, move):
        """Moves the log by move(PATH), waits for the next one, and counts the one before. False: there is none."""
        self.open_current()
        move(self.path)
        return self.replaced()

    def replaced(self, timeout=30):
        """Waits for a new log in the place of that of open_current(), and counts the old one."""
        if not eventually(self.is_new, timeout):
            os.close(self.current)
            return False
        self.count_current()
        return True

    def rotate(self):
        aside = self.folder / "idn.log.aside"
        good = self.moved_by(lambda path: path.rename(aside))
        aside.unlink(missing_ok=True)
        return good

    def count_last(self):
        """After the daemon has stopped."""
        self.open_current()
        self.count_current()

    def count_current(self):
        with open(self.current, "rb") as file:
            octets = file.read()
        self.files += 1
        self.octets += len(octets)
        (self.kept / f"idn.{self.files}.log").write_bytes(octets)
        (self.kept / f"idn.{self.files - KEPT}.log").unlink(missing_ok=True)
        if octets and not octets.endswith(b"\n"):
            self.malformed.append(f"file {self.files} ends with {octets[-100:]!r}")
        for line in octets.split(b"\n")[:-1]:
            self.count_line(line)

    def count_line(self, line):
        self.lines += 1
        match = (JSON if self.is_json else TEXT).match(line)
        if match:
            serial = int(match.group(1), 16)
            self.serials[serial] = min(255, self.serials[serial] + 1)
        if self.lines % PARSED == 0 or not line.startswith(b"{" if self.is_json else b"20"):
            self.parse(line)

    def parse(self, line):
        try:
            text = line.decode("utf-8", "strict")
            if self.is_json:
                jsonline.parse(text)
            else:
                logline.parse(text[logline.FILE_PREFIX.match(text).end():])
        except (logline.GrammarError, UnicodeDecodeError, AttributeError, ValueError, KeyError) as error:
            if len(self.malformed) < 10:
                self.malformed.append(f"file {self.files}: {line!r}: {error}")

    def judged(self, asked, answered):
        """(serials with more lines than questions, answered ones without a line)"""
        more = [f"k{serial:07x}" for serial, number in enumerate(asked) if self.serials[serial] > number]
        missing = sum(1 for serial, number in enumerate(answered) if number and not self.serials[serial])
        return more, missing
