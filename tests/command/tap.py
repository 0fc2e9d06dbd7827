# SPDX-License-Identifier: BSD-3-Clause
"""Test Anything Protocol, as it comes: a failed point does not end a test."""

import pty


def open_terminal():
    """(our end, the program's) of a terminal; None where none can be had, in a container without them, which is said."""
    try:
        return pty.openpty()
    except OSError as error:
        print(f"# what depends on a terminal is not tried: {error}")
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

    def finish(self):
        print(f"1..{self.count}", flush=True)
        return 1 if self.failed or not self.count else 0
