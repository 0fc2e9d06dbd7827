#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""Tests the promises of the shared libraries: symbols.py [--write] BUILD SOVERSION CC [FLAG...]. Prints TAP; run it from the top of the tree.

The libraries export what the headers declare, and whatever tests/library/released.txt says is
still so: a program that was compiled with the last release runs with this one. --write makes that file, at a release."""

import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/command"))
from headers import headers_of  # noqa: E402
from tap import Tap  # noqa: E402

RELEASED = ROOT / "tests/library/released.txt"
PLAIN = ["version", "status", "finding", "punycode"]  # headers whose functions all need no ICU


def output_of(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def exported(library):
    return {line.split()[-1].partition("@")[0] for line in output_of("nm", "-D", "--defined-only", library).splitlines() if " A " not in line}


def dynamic(library, tag):
    return re.findall(rf"\({tag}\).*\[(.*)\]", output_of("readelf", "-dW", library))


def values(build, compiler, headers):
    """The values of the constants: NAME = NUMBER."""
    names = sorted({name for header in headers.values() for name in header.enumerators})
    with tempfile.TemporaryDirectory(prefix="libxn-values-") as folder:
        lines = "".join(f'    printf("%s = %lld\\n", "{name}", (long long){name});\n' for name in names)
        included = "".join(f"#include <libxn/{name[3:]}.h>\n" for name in headers)
        source = pathlib.Path(folder) / "values.c"
        source.write_text(f"{included}#include <stdio.h>\nint main(void)\n{{\n{lines}    return 0;\n}}\n", encoding="utf-8")
        subprocess.run([*compiler, f"-I{build}/include", "-o", f"{folder}/values", source], check=True)
        return output_of(f"{folder}/values").splitlines()


def promises(build, soversion, compiler, headers):
    functions = sorted(prototype for header in headers.values() for prototype in header.functions.values())
    structs = sorted(struct for header in headers.values() for struct in header.structs)
    typedefs = sorted(typedef for header in headers.values() for typedef in header.typedefs)
    return [f"soname {soversion}", *functions, *structs, *typedefs, *values(build, compiler, headers)]


def check_library(tap, library, soversion, wanted):
    tap.equal(dynamic(library, "SONAME"), [f"{library.name}"], f"{library.name}: its soname")
    tap.equal(library.name.endswith(f".so.{soversion}"), True, f"{library.name}: ends with SOVERSION")
    tap.equal(sorted(exported(library) ^ wanted), [], f"{library.name}: exports what it should, and nothing else")


def main():
    arguments = [argument for argument in sys.argv[1:] if argument != "--write"]
    build, soversion, compiler = pathlib.Path(arguments[0]).absolute(), arguments[1], arguments[2:]
    headers = headers_of(build)
    now = promises(build, soversion, compiler, headers)
    if "--write" in sys.argv:
        RELEASED.write_text("\n".join(now) + "\n", encoding="utf-8")
        return 0
    tap = Tap()

    declared = {name for header in headers.values() for name in header.exported}
    check_library(tap, build / f"libxn.so.{soversion}", soversion, declared)
    plain = {name for header in PLAIN for name in headers[f"xn_{header}"].exported}
    check_library(tap, build / f"libxn-punycode.so.{soversion}", soversion, plain)
    tap.equal([name for name in dynamic(build / f"libxn-punycode.so.{soversion}", "NEEDED") if not name.startswith("libc.")], [],
              "libxn-punycode: needs no library but C's")

    before = RELEASED.read_text(encoding="utf-8").splitlines()
    tap.equal(len(before) > 100, True, "released.txt: there is something in it")
    lost = [line for line in before if line not in now]
    tap.equal(lost if before[0] == now[0] else [], [], "all that was released is there as it was, or SOVERSION is another one")
    return tap.finish()


sys.exit(main())
