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
from tap import Tap  # noqa: E402

SECTIONS = ["NAME", "SYNOPSIS", "DESCRIPTION", "RETURN VALUES", "EXAMPLES", "SEE ALSO"]  # and STANDARDS, where there are some
STRICT = ["-std=c11", "-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wshadow", "-Werror"]


def words(text):
    return " ".join(text.split())


class Header:
    def __init__(self, path):
        text = path.read_text(encoding="utf-8")
        code = re.sub(r"^\s*#.*$", "", re.sub(r"/\*.*?\*/", "", text, flags=re.S), flags=re.M)
        declared = re.findall(r"(?:^|[;}{])\s*((?:static inline |XN_MUST_CHECK )*)([\w\s]+?[\s*]+)(xn_\w+)\(([^()]*)\)\s*(?=[;{])", code)
        self.functions = {name: f"{words(result)} {name}({words(arguments)})" for _, result, name, arguments in declared}
        self.called = set(re.findall(r"\b(xn_\w+)\(", code))
        self.structs = [words(struct) for struct in re.findall(r"struct xn_\w+ \{.*?\};", code, re.S) if not self.is_private(text, struct)]
        # What it defines, and the results that its comments name.
        defined = re.findall(r"\b(XN_\w+)\s*(?:=[^,}]*)?(?=[,}])", "".join(re.findall(r"enum \{.*?\}", code, re.S)))
        macros = re.findall(r"^#define (XN_(?!CORE_)\w+)", text, re.M)
        self.constants = {*defined, *macros, *re.findall(r"\bXN_\w+", " ".join(re.findall(r"/\*.*?\*/", text, re.S)))}

    @staticmethod
    def is_private(text, struct):
        return re.search(r"All fields are private[^/]*\*/\s*" + re.escape(struct.split("{")[0]), text) is not None


class Page:
    def __init__(self, path):
        self.text = path.read_text(encoding="utf-8")
        self.titles = re.findall(r"^\.Sh (.*)$", self.text, re.M)
        self.names = re.findall(r"^\.Nm (\w+)", self.section("NAME"), re.M)
        synopsis = self.section("SYNOPSIS")
        self.functions = {name: f"{result} {name}({', '.join(self.arguments(arguments))})"
                          for result, name, arguments in re.findall(r"^\.Ft ([^\n]*)\n\.Fo (\w+)\n(.*?)^\.Fc$", synopsis, re.M | re.S)}
        self.structs = [words(struct) for struct in re.findall(r"struct xn_\w+ \{.*?\};", synopsis, re.S)]
        self.included = re.findall(r"^\.In (.*)$", synopsis, re.M)
        self.prose = "".join(self.section(title) for title in self.titles if title not in ("NAME", "SYNOPSIS", "EXAMPLES"))
        self.described = set(re.findall(r"^\.Fn (xn_\w+)", self.prose, re.M))
        self.mentioned = set(re.findall(r"\bXN_\w+", self.prose))
        self.referred = re.findall(r"^\.Xr (\S+) ([1-9])", self.text, re.M)

    @staticmethod
    def arguments(text):
        return [quoted or bare for quoted, bare in re.findall(r'^\.Fa (?:"(.*)"|([^"]*))$', text, re.M)]

    def section(self, title):
        return (self.text + "\n.Sh ").split(f"\n.Sh {title}\n")[1].split("\n.Sh ")[0] + "\n" if title in re.findall(r"^\.Sh (.*)$", self.text, re.M) else ""

    def literals(self):
        """What a reader of the rendered page sees between .Bd and .Ed in EXAMPLES."""
        blocks = re.findall(r"^\.Bd -literal[^\n]*\n(.*?)^\.Ed$", self.section("EXAMPLES"), re.M | re.S)
        return [re.sub(r"\\([e&-])", lambda escape: {"e": "\\", "&": "", "-": "-"}[escape[1]], block) for block in blocks]


def output_of(program, folder, library, compiler):
    """What a program prints, or why it is none."""
    source = folder / "example.c"
    source.write_text(program, encoding="utf-8")
    icu = subprocess.run(["pkg-config", "--libs", "icu-i18n", "icu-uc"], capture_output=True, check=True, text=True).stdout.split()
    built = subprocess.run([*compiler, *STRICT, f"-I{library.parent / 'include'}", "-o", folder / "example", source, library, *icu],
                           capture_output=True, text=True)
    if built.returncode != 0:
        return built.stderr
    ran = subprocess.run([folder / "example"], capture_output=True)
    return ran.stdout.decode("utf-8", "backslashreplace") if ran.returncode == 0 else f"exit status {ran.returncode}"


def check_page(tap, name, page, header):
    known = {name: words(prototype) for name, prototype in header.functions.items()}
    tap.equal(page.names, [name, *known], f"{name}(3): its names are the header's functions, in their order")
    tap.equal(page.functions, known, f"{name}(3): prototypes")
    tap.equal(page.structs, header.structs, f"{name}(3): structs")
    tap.equal(sorted(set(known) - page.described), [], f"{name}(3): every function is described")
    tap.equal(sorted(header.constants - page.mentioned), [], f"{name}(3): every constant that the header names")
    tap.equal(page.titles[:len(SECTIONS)], SECTIONS, f"{name}(3): sections")


def check_programs(tap, name, page, library, compiler):
    blocks = page.literals()
    tap.equal(len(blocks), 2, f"{name}(3): a program, and what it prints")
    if len(blocks) == 2:
        folder = pathlib.Path(tempfile.mkdtemp(prefix="libxn-manual-"))
        try:
            tap.equal(output_of(blocks[0], folder, library, compiler), blocks[1], f"{name}(3): what the program prints")
        finally:
            shutil.rmtree(folder)


def check_lint(tap, name, path):
    if shutil.which("mandoc") is None:
        tap.count += 1
        print(f"ok {tap.count} - {name}(3): mandoc finds nothing # SKIP no mandoc")
        return
    said = subprocess.run(["mandoc", "-Tlint", path], capture_output=True, text=True, env={**os.environ, "LC_ALL": "C.UTF-8"}).stdout
    tap.equal([line for line in said.splitlines() if "referenced manual not found" not in line], [], f"{name}(3): mandoc finds nothing")


def main():
    library, compiler = pathlib.Path(sys.argv[1]).absolute(), sys.argv[2:]
    headers = {f"xn_{path.stem}": Header(path) for path in sorted((library.parent / "include/libxn").glob("*.h"))}
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
