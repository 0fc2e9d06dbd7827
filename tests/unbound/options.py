# SPDX-License-Identifier: BSD-3-Clause
"""Reads the options that all programs with daemons share."""

import argparse

KNOWN = {
    "--command": {"required": True, "help": "unbound-idn"},
    "--library": {"required": True, "help": "libidnpolicy.so.1"},
    "--unbound": {"required": True, "help": "folder with sbin/unbound"},
    "--module": {"required": True, "help": "idn.so built for it, with unbound-idn beside it"},
    "--other-module": {"action": "append", "default": [], "metavar": "FILE",
                       "help": "idn.so built for another Unbound, which must be refused (repeatable)"},
    "--peers": {"default": "build/peers", "help": "folder where other programs are unpacked"},
    "--zone": {"default": "build/zone", "help": "folder with example.zone.signed and example.anchor"},
    "--only": {"metavar": "FILE", "help": "only the tests that this file lists, by module or module.function"},
    "-j": {"type": int, "default": 1, "metavar": "N", "help": "so many tests side by side"},
    "-k": {"default": "", "metavar": "PART", "help": "only tests whose name contains it"},
}


def parser(doc, *names):
    """One for a program with this docstring, which takes these of KNOWN."""
    result = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in names:
        result.add_argument(name, **KNOWN[name])
    return result
