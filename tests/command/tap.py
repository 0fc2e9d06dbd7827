# SPDX-License-Identifier: BSD-3-Clause
"""Test Anything Protocol, as it comes: a failed point does not end a test."""

import os
import pty


def open_terminal(tap):
    """(our end, the program's) of a terminal; None where none can be had, in a container without them, which is a skip."""
    try:
        return pty.openpty()
    except OSError as error:
        tap.skip("what depends on a terminal", error)
        return None


def visible(text):
    """One line that a terminal shows and does nothing else with."""
    return "".join(c if c.isprintable() else f"\\x{{{ord(c):X}}}" for c in str(text))


class Tap:
    def __init__(self):
        self.count = 0
        self.failed = 0

    def equal(self, got, want, name):
        self.count += 1
        good = got == want
        self.failed += not good
        print("ok" if good else "not ok", self.count, "-", visible(name).replace("#", "\\#"))
        if not good:
            print("#   got: ", visible(repr(got)))
            print("#   want:", visible(repr(want)))

    def skip(self, name, reason):
        """Skips a test for which this machine lacks something; a failure if XN_NO_SKIP=1."""
        if os.environ.get("XN_NO_SKIP") == "1":
            self.equal("skipped", str(reason), name)
            return
        self.count += 1
        print("ok", self.count, "-", name, "# SKIP", reason)

    def finish(self):
        print(f"1..{self.count}", flush=True)
        return 1 if self.failed or not self.count else 0
