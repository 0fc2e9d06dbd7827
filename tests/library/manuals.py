#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""libxn(3) and one page a header say what the headers say, and their programs run: manuals.py LIBXN CC [FLAG...]. Prints TAP.

The headers are those in the folder beside LIBXN, as they are installed. A function, a struct or a constant that its page
does not have, or has otherwise, is a failure, and so is one on the page that the header does not have."""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/command"))
from headers import headers_of, words  # noqa: E402
from pages import Page  # noqa: E402
from tap import Tap  # noqa: E402

SECTIONS = ["NAME", "SYNOPSIS", "DESCRIPTION", "RETURN VALUES", "EXAMPLES", "SEE ALSO"]  # and STANDARDS, where there are some
WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wshadow", "-Werror"]


def is_python(program):
    return re.search(r"^import ", program, re.M) is not None


def compiler_of(program, compiler):
    """The command, and the suffix that a source has, for a program in C or C++."""
    if not re.search(r"^#include <string_view>$", program, re.M):
        return [*compiler, "-std=c11"], ".c"
    cxx = {"gcc": "g++", "clang": "clang++"}.get(compiler[0])
    return cxx and shutil.which(cxx) and [cxx, *compiler[1:], "-std=c++17"], ".cc"


def ran(command, **options):
    done = subprocess.run(command, capture_output=True, check=False, **options)
    return done.stdout.decode("utf-8", "backslashreplace") if done.returncode == 0 else f"exit status {done.returncode}"


def output_of(program, folder, library, compiler):
    """A program's output, or why it cannot run; None if there is no compiler for it."""
    if is_python(program):
        (folder / "example.py").write_text(program, encoding="utf-8")
        return ran([sys.executable, folder / "example.py"], env={**os.environ, "LD_LIBRARY_PATH": str(library.parent), "PYTHONUTF8": "1"})
    command, suffix = compiler_of(program, compiler)
    if not command:
        return None
    source = (folder / "example").with_suffix(suffix)
    source.write_text(program, encoding="utf-8")
    icu = subprocess.run(["pkg-config", "--libs", "icu-i18n", "icu-uc"], capture_output=True, check=True, text=True).stdout.split()
    built = subprocess.run([*command, *WARNINGS, "-pthread", f"-I{library.parent / 'include'}", "-o", folder / "example", source, library, *icu],
                           capture_output=True, text=True)
    return ran([folder / "example"]) if built.returncode == 0 else built.stderr


def check_page(tap, name, page, header):
    known = {name: words(prototype) for name, prototype in header.functions.items()}
    tap.equal(page.names, list(dict.fromkeys([name, *known])), f"{name}(3): its names are the header's functions, in their order")
    tap.equal(page.functions, known, f"{name}(3): prototypes")
    tap.equal(page.structs, header.structs, f"{name}(3): structs")
    tap.equal(sorted(set(known) - page.described), [], f"{name}(3): every function is described")
    tap.equal(sorted(header.constants - page.mentioned), [], f"{name}(3): every constant that the header names")
    tap.equal(page.titles[:len(SECTIONS)], SECTIONS, f"{name}(3): sections")


def check_programs(tap, name, page, library, compiler):
    blocks = page.literals()
    tap.equal((len(blocks) > 0, len(blocks) % 2), (True, 0), f"{name}(3): programs, and what each prints")
    for number, (program, printed) in enumerate(zip(blocks[::2], blocks[1::2]), 1):
        if is_python(program) and not list(library.parent.glob("libxn.so.*")):  # as with a sanitizer
            continue
        with tempfile.TemporaryDirectory(prefix="libxn-manual-") as folder:
            output = output_of(program, pathlib.Path(folder), library, compiler)
            if output is None:
                tap.count += 1
                print(f"ok {tap.count} - {name}(3): what program {number} prints # SKIP no compiler")
            else:
                tap.equal(output, printed, f"{name}(3): what program {number} prints")


def check_lint(tap, name, path):
    if shutil.which("mandoc") is None:
        tap.count += 1
        print(f"ok {tap.count} - {name}(3): mandoc finds nothing # SKIP no mandoc")
        return
    said = subprocess.run(["mandoc", "-Tlint", path], capture_output=True, text=True, env={**os.environ, "LC_ALL": "C.UTF-8"}).stdout
    tap.equal([line for line in said.splitlines() if "referenced manual not found" not in line], [], f"{name}(3): mandoc finds nothing")


def main():
    library, compiler = pathlib.Path(sys.argv[1]).absolute(), sys.argv[2:]
    headers = headers_of(library.parent)
    paths = {path.stem: path for path in sorted((ROOT / "doc").glob("*.3")) if path.stem != "libidnpolicy"}
    pages = {name: Page(path) for name, path in paths.items()}
    tap = Tap()

    tap.equal(sorted(pages), sorted([*headers, "libxn"]), "a page for each header, and libxn(3)")
    tap.equal(sorted(pages["libxn"].included), [f"libxn/{name[3:]}.h" for name in headers], "libxn(3): every header")
    declared = {name for header in headers.values() for name in header.functions}
    tap.equal(sorted({name for header in headers.values() for name in header.called} - declared), [], "every declaration was read")
    known = {(name, "3") for page in pages.values() for name in page.names} | {(path.stem, path.suffix[1:]) for path in (ROOT / "doc").glob("*.[1-8]")}
    for name, page in pages.items():
        if name in headers:
            tap.equal(page.included, [f"libxn/{name[3:]}.h"], f"{name}(3): its header")
            check_page(tap, name, page, headers[name])
        tap.equal([reference for reference in page.referred if reference not in known], [], f"{name}(3): what it refers to is there")
        check_lint(tap, name, paths[name])
        check_programs(tap, name, page, library, compiler)
    return tap.finish()


sys.exit(main())
