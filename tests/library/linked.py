#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""The example programs of the manuals as users build them: linked.py BUILD CC. Prints TAP; run it from the top of the tree.

In a folder of their own, with what was installed and what pkg-config says of that: against the shared library and the static
one, by GCC and clang, as C11 and as C++17. A program that needs no ICU gets none."""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/command"))
from pages import Page  # noqa: E402
from tap import Tap  # noqa: E402

PROGRAMS = [0, 1, 2]  # which of libxn(3)'s; PLAIN needs no ICU
PLAIN = 3
COMPILERS = {"gcc, C11": ["gcc", "-std=c11", "-x", "c"], "clang, C11": ["clang", "-std=c11", "-x", "c"],
             "g++, C++17": ["g++", "-std=c++17", "-x", "c++"], "clang++, C++17": ["clang++", "-std=c++17", "-x", "c++"]}
WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Werror"]


class Installed:
    """Runs `make install` into a folder that is removed again."""

    def __init__(self, folder, build, compiler):
        self.folder = folder
        clean = {name: value for name, value in os.environ.items() if name not in ("MAKEFLAGS", "MAKELEVEL", "MFLAGS", "DESTDIR")}
        subprocess.run(["make", "-s", f"BUILD={build}", f"CC={compiler}", f"PREFIX={folder}/prefix", f"FOLDERS={folder}/folders", "install"],
                       cwd=ROOT, env=clean, check=True, stdout=subprocess.DEVNULL)
        self.environment = {**clean, "PKG_CONFIG_PATH": f"{folder}/prefix/lib/pkgconfig", "LD_LIBRARY_PATH": f"{folder}/prefix/lib"}

    def flags(self, *asked):
        return subprocess.run(["pkg-config", *asked], env=self.environment, check=True, capture_output=True, text=True).stdout.split()

    def output_of(self, program, compiler, package, static):
        """A program's output, or why it cannot run."""
        (self.folder / "example").write_text(program, encoding="utf-8")
        libraries = [*self.flags("--static", "--libs", package), "-static"] if static else self.flags("--libs", package)
        command = [*compiler, *WARNINGS, *self.flags("--cflags", package), "example", "-x", "none", *libraries, "-o", "program"]
        built = subprocess.run(command, cwd=self.folder, env=self.environment, capture_output=True, text=True, check=False)
        if built.returncode != 0:
            return f"{command}: {built.stderr[:1000]}"
        ran = subprocess.run(["./program"], cwd=self.folder, env=self.environment, capture_output=True, check=False)
        return ran.stdout.decode("utf-8", "backslashreplace") + (f"exit status {ran.returncode}" if ran.returncode else "")

    def needed(self):
        """The libraries that the program names itself."""
        return re.findall(r"\(NEEDED\).*\[(.*)\]", subprocess.run(["readelf", "-dW", "program"], cwd=self.folder, check=False,
                                                                  capture_output=True, text=True).stdout)

    def loaded(self):
        return subprocess.run(["ldd", "program"], cwd=self.folder, env=self.environment, check=True, capture_output=True, text=True).stdout


def check_linked(tap, installed, name, compiler):
    literals = Page(ROOT / "doc/libxn.3").literals()
    for number in PROGRAMS:
        for static in (False, True):
            what = f"libxn(3), program {number + 1}, {name}, {'static' if static else 'shared'}"
            tap.equal(installed.output_of(literals[2 * number], compiler, "libxn", static), literals[2 * number + 1], what)
            tap.equal("libxn.so.1" in installed.needed(), not static, f"{what}: needs the library")


def check_plain(tap, installed, name, compiler):
    program, printed = Page(ROOT / "doc/libxn.3").literals()[2 * PLAIN:2 * PLAIN + 2]
    for static in (True, False):
        what = f"libxn-punycode, {name}, {'static' if static else 'shared'}"
        tap.equal(installed.output_of(program, compiler, "libxn-punycode", static), printed, what)
    tap.equal(installed.needed(), ["libxn-punycode.so.1", "libc.so.6"], f"libxn-punycode, {name}: what it needs")
    tap.equal(re.findall("icu|stdc", installed.loaded()), [], f"libxn-punycode, {name}: nothing of ICU is loaded")


def main():
    build, compiler = sys.argv[1:3]
    tap = Tap()
    with tempfile.TemporaryDirectory(prefix="libxn-linked-") as folder:
        installed = Installed(pathlib.Path(folder), build, compiler)
        for name, command in COMPILERS.items():
            if shutil.which(command[0]) is None:
                tap.count += 1
                print(f"ok {tap.count} - {name} # SKIP no {command[0]}")
                continue
            check_linked(tap, installed, name, command)
        check_plain(tap, installed, "C11", [*compiler.split(), "-std=c11", "-x", "c"])
    return tap.finish()


sys.exit(main())
