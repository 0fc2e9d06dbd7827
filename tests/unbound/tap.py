# SPDX-License-Identifier: BSD-3-Clause
"""Test Anything Protocol: one point per question asked of the daemon, diagnostics as comments, the plan at the end."""

import sys
import threading
import traceback
from contextlib import contextmanager

from logline import visible

RAISED_MAX = 200  # characters of an exception in the name of a point


class Tap:
    """Collects the points of one test. Never raises on a failed point: a test goes on and shows all it found."""

    def __init__(self, title):
        self.title = title
        self.points = []  # (ok, name, skip reason or None, diagnostics)
        self.notes = []

    @property
    def failed(self):
        return sum(1 for ok, _, skip, _ in self.points if not ok and skip is None)

    def ok(self, condition, name, diagnostic=""):
        self.points.append((bool(condition), name, None, "" if condition else str(diagnostic)))
        return bool(condition)

    def equal(self, got, want, name):
        return self.ok(got == want, name, f"got:  {got!r}\nwant: {want!r}")

    def raised(self, name, error=None):
        """A failed point for an exception, by default the one being handled. Its first line is part of the name: where only the
        names of failed points are shown, that says what happened."""
        error = error or sys.exc_info()[1]
        said = "".join(traceback.format_exception_only(error)).strip().partition("\n")[0]
        return self.ok(False, f"{name}, but {said[:RAISED_MAX]}", "".join(traceback.format_exception(error)))

    def skip(self, name, reason):
        self.points.append((True, name, reason, ""))

    def note(self, text):
        """Context for a failure: printed after the points of this test, if one of them failed."""
        self.notes.append(text)


class Report:
    """Prints finished tests, in any order, from any thread, with one numbering. What ends a thread of a test, which that
    test need not notice, is a failed point by itself."""

    def __init__(self, out, no_skip):
        self.out = out
        self.no_skip = no_skip
        self.count = self.failed = self.skipped = 0
        self.lock = threading.Lock()
        threading.excepthook = self._thread_raised

    def _thread_raised(self, raised):
        tap = Tap(raised.thread.name)
        tap.raised("no exception", raised.exc_value)
        self.add(tap)

    @contextmanager
    def test(self, title):
        """The Tap of one test, printed when that has ended; an exception is a failed point."""
        tap = Tap(title)
        try:
            yield tap
        except Exception:
            tap.raised("no exception")
        self.add(tap)

    def add(self, tap):
        if not tap.points and not tap.notes:  # a note says why
            tap.ok(False, "makes a point")
        with self.lock:
            failed_before = self.failed
            for ok, name, skip, diagnostic in tap.points:
                self._point(ok, f"{tap.title}: {name}", skip, diagnostic)
            if self.failed > failed_before:
                for note in tap.notes:
                    self._comment(note)
            self.out.flush()

    def _point(self, ok, name, skip, diagnostic):
        self.count += 1
        name = visible(name).replace("#", "\\#")
        if skip is not None and self.no_skip:
            ok, skip, diagnostic = False, None, f"skipped, and XN_NO_SKIP is set: {skip}"
        self.failed += not ok
        self.skipped += skip is not None
        self.out.write(f"{'ok' if ok else 'not ok'} {self.count} - {name}" + (f" # SKIP {skip}" if skip else "") + "\n")
        self._comment(diagnostic)

    def _comment(self, text):
        for line in text.splitlines():
            self.out.write(f"#   {visible(line)}\n")

    def finish(self):
        self.out.write(f"1..{self.count}\n")
        self.out.flush()
        return self.failed == 0 and self.count > 0
