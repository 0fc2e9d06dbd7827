#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""libidnpolicy exports the functions of idnpolicy.h, and the programs in libidnpolicy(3) run: idnpolicy.py [--write] LIBRARY CC
[FLAG...]. Prints TAP. The header is in the folder include beside LIBRARY, as it is installed.

What tests/library/released-idnpolicy.txt says is still so, or LIBRARY has another soname. --write makes that file, at a release."""

import ctypes
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/command"))
from tap import Tap  # noqa: E402

STRICT = ["-std=c11", "-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wshadow", "-Werror"]
RELEASED = ROOT / "tests/library/released-idnpolicy.txt"
CONF = "idn:\n  log: none\n  policy: rules\n"


def words(text):
    return " ".join(text.split())


def read_header(path):
    text = path.read_text(encoding="utf-8")
    code = re.sub(r"^\s*#.*$", "", re.sub(r"/\*.*?\*/", "", text, flags=re.S), flags=re.M)
    functions = {name: f"{words(result)} {name}({words(arguments)})"
                 for result, name, arguments in re.findall(r"IDNP_API ([\w\s]+?[\s*]+)(idnp_\w+)\(([^()]*)\);", code)}
    structs = [words(struct) for struct in re.findall(r"struct idnp_\w+ \{.*?\};", code, re.S)]
    constants = set(re.findall(r"\bIDNP_\w+", "".join(re.findall(r"enum \{.*?\}", code, re.S)))) | set(re.findall(r"^#define (IDNP_V\w+)", text, re.M))
    return functions, structs, constants


def promises(library, header, folder, compiler):
    """The soname, the prototypes, the structs, and the constants with their values."""
    functions, structs, constants = header
    numbers = sorted(constants - {"IDNP_VERSION", "IDNP_VERSION_TEXT"})
    lines = "".join(f'    printf("%s = %d\\n", "{name}", {name});\n' for name in numbers)
    values = run_c(f"#include <idnpolicy.h>\n#include <stdio.h>\nint main(void)\n{{\n{lines}    return 0;\n}}\n", folder, library, compiler)
    return [library.name, *sorted(functions.values()), *sorted(structs), *values.splitlines()]


def check_released(tap, now):
    """A struct that begins with its size may have grown."""
    before = RELEASED.read_text(encoding="utf-8").splitlines()
    tap.equal(len(before) > 30, True, f"{RELEASED.name}: there is something in it")
    grown = tuple(line for line in now if re.match(r"struct \w+ \{ uint32_t size;", line))
    lost = [line for line in before if line not in now and not any(struct.startswith(line.removesuffix("};")) for struct in grown)]
    tap.equal(lost if before[0] == now[0] else [], [], "all that was released is there as it was, or the soname is another one")


def section(page, title):
    return (page + "\n.Sh ").split(f"\n.Sh {title}\n")[1].split("\n.Sh ")[0] + "\n"


def unescaped(block):
    return re.sub(r"\\([e&-])", lambda escape: {"e": "\\", "&": "", "-": "-"}[escape[1]], block)


def run_c(program, folder, library, compiler):
    (folder / "example.c").write_text(program, encoding="utf-8")
    built = subprocess.run([*compiler, *STRICT, f"-I{library.parent / 'include'}", "-o", folder / "example", folder / "example.c", library],
                           capture_output=True, text=True)
    if built.returncode != 0:
        return built.stderr
    ran = subprocess.run([folder / "example"], cwd=folder, capture_output=True, text=True, env={**os.environ, "LD_LIBRARY_PATH": str(library.parent)})
    return ran.stdout if ran.returncode == 0 else f"exit status {ran.returncode}: {ran.stderr}"


def run_python(program, folder, library):
    ran = subprocess.run([sys.executable, "-c", program], cwd=folder, capture_output=True, text=True,
                         env={**os.environ, "LD_LIBRARY_PATH": str(library.parent)})
    return ran.stdout if ran.returncode == 0 else f"exit status {ran.returncode}: {ran.stderr}"


def check_library(tap, library, functions):
    exported = subprocess.run(["nm", "-D", "--defined-only", library], capture_output=True, check=True, text=True).stdout
    symbols = {line.split()[2].partition("@")[0] for line in exported.splitlines() if line.split()[1] == "T"}
    others = [line for line in exported.splitlines() if line.split()[1] not in "TA"]
    tap.equal(symbols, set(functions), "the library exports the header's functions")
    tap.equal(others, [], "… and nothing else")
    dynamic = subprocess.run(["readelf", "-d", library], capture_output=True, check=True, text=True).stdout
    tap.equal(re.findall(r"SONAME.*\[(.*)\]", dynamic), [library.name], "its name for loaders")
    tap.equal("NODELETE" in dynamic, True, "it stays loaded, for its threads")
    loaded = ctypes.CDLL(library)
    loaded.idnp_version_text.restype = ctypes.c_char_p
    version = re.search(r'^#define XN_VERSION "(.*)"$', (ROOT / "core/text/version.h").read_text(encoding="utf-8"), re.M)[1]
    tap.equal(loaded.idnp_version_text().decode(), version, "its version is libxn's")
    major, minor, patch = map(int, version.split("."))
    tap.equal(loaded.idnp_version(), 10000 * major + 100 * minor + patch, "… as a number, too")


def check_programs(tap, page, library, compiler):
    program, rules, printed, python, printed_too = (unescaped(block) for block in re.findall(r"^\.Bd -literal[^\n]*\n(.*?)^\.Ed$", section(page, "EXAMPLES"), re.M | re.S))
    folder = pathlib.Path(tempfile.mkdtemp(prefix="libidnpolicy-"))
    try:
        (folder / "idn.conf").write_text(CONF, encoding="utf-8")
        (folder / "rules").write_text(rules, encoding="utf-8")
        tap.equal(run_c(program, folder, library, compiler), printed, "what the program in C prints")
        tap.equal(run_python(python, folder, library), printed_too, "what the program in Python prints")
    finally:
        shutil.rmtree(folder)


OTHER_UNICODE = """
#include <unicode/uchar.h>
void u_getUnicodeVersion(UVersionInfo version)
{
    version[0] = 99;
    version[1] = version[2] = version[3] = 0;
}
"""
OPENING = """
import ctypes
errors = ctypes.create_string_buffer(1000)
print(ctypes.CDLL("libidnpolicy.so.1").idnp_open(b"idn.conf", None, errors, len(errors)), errors.value.decode())
"""


def check_other_unicode(tap, library, compiler):
    """With an ICU of another Unicode version neither the library nor the command opens, and both say what to do."""
    with tempfile.TemporaryDirectory(prefix="libidnpolicy-") as folder:
        folder = pathlib.Path(folder)
        (folder / "other.c").write_text(OTHER_UNICODE, encoding="utf-8")
        (folder / "idn.conf").write_text("idn:\n  log: none\n", encoding="utf-8")
        subprocess.run([*compiler, "-shared", "-fPIC", "-o", folder / "other.so", folder / "other.c"], check=True)
        environment = {**os.environ, "LD_PRELOAD": str(folder / "other.so"), "LD_LIBRARY_PATH": str(library.parent)}
        for name, command in {"idnp_open": [sys.executable, "-c", OPENING], "the command": [library.parent / "unbound-idn", "explain", "a.example"]}.items():
            ran = subprocess.run(command, cwd=folder, capture_output=True, text=True, env=environment)
            said = re.sub(r"tables of Unicode [0-9.]+:", "tables of Unicode N:", ran.stdout + ran.stderr)
            tap.equal("ICU has Unicode 99.0, but unbound-idn was built with the tables of Unicode N: rebuild it with the headers of this ICU" in said
                      and (ran.returncode != 0 or said.startswith("0 ")), True, f"{name}: an ICU of another Unicode version: {said.strip()}")


def main():
    arguments = [argument for argument in sys.argv[1:] if argument != "--write"]
    library, compiler = pathlib.Path(arguments[0]).absolute(), arguments[1:]
    path = ROOT / "doc/libidnpolicy.3"
    page = path.read_text(encoding="utf-8")
    header = read_header(library.parent / "include/idnpolicy.h")
    with tempfile.TemporaryDirectory(prefix="libidnpolicy-") as folder:
        now = promises(library, header, pathlib.Path(folder), compiler)
    if "--write" in sys.argv:
        RELEASED.write_text("\n".join(now) + "\n", encoding="utf-8")
        return 0
    tap = Tap()
    check_released(tap, now)
    check_library(tap, library, header[0])
    check_programs(tap, page, library, compiler)
    check_other_unicode(tap, library, compiler)
    if shutil.which("mandoc"):
        said = subprocess.run(["mandoc", "-Tlint", path], capture_output=True, text=True, env={**os.environ, "LC_ALL": "C.UTF-8"}).stdout
        tap.equal([line for line in said.splitlines() if "referenced manual not found" not in line], [], "mandoc finds nothing")
    return tap.finish()


sys.exit(main())
