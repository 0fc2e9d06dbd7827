#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""The programs in libxn(3) print what it says: manuals.py LIBXN CC [FLAG...]. Prints TAP.

The headers are those in the folder beside LIBXN, as they are installed."""

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

MANUAL = ROOT / "doc/libxn.3"
WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wshadow", "-Werror"]


def is_python(program):
    return re.search(r"^import ", program, re.M) is not None


def ran(command, **options):
    done = subprocess.run(command, capture_output=True, check=False, **options)
    return done.stdout.decode("utf-8", "backslashreplace") if done.returncode == 0 else f"exit status {done.returncode}"


def output_of(program, folder, library, compiler):
    """A program's output, or why it cannot run."""
    if is_python(program):
        (folder / "example.py").write_text(program, encoding="utf-8")
        return ran([sys.executable, folder / "example.py"], env={**os.environ, "LD_LIBRARY_PATH": str(library.parent), "PYTHONUTF8": "1"})
    source = folder / "example.c"
    source.write_text(program, encoding="utf-8")
    icu = subprocess.run(["pkg-config", "--libs", "icu-i18n", "icu-uc"], capture_output=True, check=True, text=True).stdout.split()
    built = subprocess.run([*compiler, "-std=c11", *WARNINGS, f"-I{library.parent / 'include'}", "-o", folder / "example", source, library, *icu],
                           capture_output=True, text=True)
    return ran([folder / "example"]) if built.returncode == 0 else built.stderr


def check_programs(tap, page, library, compiler):
    blocks = page.literals()
    tap.equal((len(blocks) > 0, len(blocks) % 2), (True, 0), "libxn(3): programs, and what each prints")
    for number, (program, printed) in enumerate(zip(blocks[::2], blocks[1::2]), 1):
        if is_python(program) and not list(library.parent.glob("libxn.so.*")):  # as with a sanitizer
            continue
        with tempfile.TemporaryDirectory(prefix="libxn-manual-") as folder:
            tap.equal(output_of(program, pathlib.Path(folder), library, compiler), printed, f"libxn(3): what program {number} prints")


def check_lint(tap):
    if shutil.which("mandoc") is None:
        tap.count += 1
        print(f"ok {tap.count} - libxn(3): mandoc finds nothing # SKIP no mandoc")
        return
    said = subprocess.run(["mandoc", "-Tlint", MANUAL], capture_output=True, text=True, env={**os.environ, "LC_ALL": "C.UTF-8"}).stdout
    tap.equal([line for line in said.splitlines() if "referenced manual not found" not in line], [], "libxn(3): mandoc finds nothing")


def main():
    library, compiler = pathlib.Path(sys.argv[1]).absolute(), sys.argv[2:]
    page, tap = Page(MANUAL), Tap()
    check_lint(tap)
    check_programs(tap, page, library, compiler)
    return tap.finish()


sys.exit(main())
