#!/usr/bin/python3 -IS
# SPDX-License-Identifier: BSD-3-Clause
"""Stands in for unbound-checkconf where there is no Unbound: reads what these tests write, no more. The file `built` beside
it has lines "option value" for what the daemon was built with."""

import glob
import os
import re
import sys

ORDERS = {f"{before}dynlib {after}iterator" for before in ("", "python ", "dns64 ", "validator ", "subnetcache ", "dynlib ")
          for after in ("", "validator ", "respip validator ", "dns64 validator ", "subnetcache validator ")}
WORD = re.compile(r'''#.*|"([^"\n]*)"|'([^'\n]*)'|(["'])|([^\s"']+)''')
KEYS = {"module-config", "chroot", "username", "directory", "dynlib-file", "python-script"}

values = {"python-script": "", "module-config": "validator iterator", "chroot": "", "username": "unbound", "directory": "/etc/unbound"}
files, errors = [], []


def words(path):
    for number, line in enumerate(open(path, encoding="utf-8"), 1):
        for found in WORD.finditer(line):
            if found[3]:
                errors.append(f"{path}:{number}: error: stray '{found[3]}'")
            elif not found[0].startswith("#"):
                yield number, next(text for text in (found[1], found[2], found[4]) if text is not None)


def read(path):
    found = words(path)
    for number, key in found:
        key = key.removesuffix(":")
        if key in ("include", "include-toplevel"):
            pattern = next(found)[1]
            paths = sorted(glob.glob(pattern))
            if not paths and "*" not in os.path.dirname(pattern) and not os.path.isdir(os.path.dirname(pattern)):
                errors.append(f"{path}:{number}: error: cannot open include file '{pattern}': No such file or directory")
            for included in paths:
                read(included)
        elif key == "dynlib-file":
            files.append(next(found)[1])
        elif key in KEYS:
            values[key] = next(found)[1]


def fatal(text):
    sys.exit(f"[1795431646] unbound-checkconf[8581:0] {text}")


def main(arguments):
    option = arguments[1] if arguments[0] == "-o" else None
    path = arguments[-1]
    built = os.path.join(os.path.dirname(sys.argv[0]), "built")
    if os.path.exists(built):
        values.update(line.rstrip("\n").split(" ", 1) for line in open(built, encoding="utf-8"))
    try:
        read(path)
    except OSError as error:
        fatal(f"error: Could not open {path}: {error.strerror}")
    if errors:
        sys.exit("\n".join([*errors, f"read {path} failed: {len(errors)} errors in configuration file"]))
    if option:
        print(*([values[option]] if option in values else files), sep="\n", end="\n" if option in values or files else "")
    elif "dynlib" in values["module-config"] and values["module-config"] not in ORDERS:
        fatal(f"fatal error: module conf '{values['module-config']}' is not known to work")
    else:
        print(f"unbound-checkconf: no errors in {path}")


main(sys.argv[1:])
