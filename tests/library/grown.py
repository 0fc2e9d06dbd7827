#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""Structs of libidnpolicy that begin with their size may grow at their ends: grown.py LIBRARY 'LIBS' CC [FLAG...]. Prints TAP; run it
from the top of the tree.

Builds the library with one more member in each of these structs, and programs with the released structs, with LIBRARY's own and with the
longer ones. Programs and libraries of different ages work together. Only a member that the library does not know, and that is not
0, is an error."""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/command"))
from tap import Tap  # noqa: E402

HEADER = ROOT / "module/engine/idnpolicy.h"
SIZED = r"struct (idnp_\w+) \{\s+uint32_t size;.*?\};"

# Each struct ends where memory ends, so that reading beyond it is a crash. MORE: the value of the last member, if there is one more.
PROGRAM = """\
#include <idnpolicy.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#ifdef MORE
#define SET(of) (of)->more = MORE
#else
#define SET(of) (void)0
#endif

static void *at_the_end(const void *octets, size_t len)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    char *pages = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (pages == MAP_FAILED || mprotect(pages + page, page, PROT_NONE) != 0)
        return NULL;
    return memcpy(pages + page - len, octets, len);
}

static const uint8_t name[] = "\\3www\\14xn--80aodfsg\\7example";
static const uint8_t query[] = "\\0\\7\\1\\0\\0\\1\\0\\0\\0\\0\\0\\0\\3www\\14xn--80aodfsg\\7example\\0\\0\\1\\0\\1";

int main(void)
{
    char errors[1024];
    static uint8_t written[512];
    struct idnp_options options = {.size = sizeof options}, *given = at_the_end(&options, sizeof options);
    SET(given);
    struct idnp *idnp = idnp_open("idn.conf", given, errors, sizeof errors);
    printf("open: %s\\n", idnp ? "good" : errors);
    if (!idnp)
        idnp = idnp_open("idn.conf", NULL, errors, sizeof errors);
    struct idnp_decision *decision = idnp_decision_new();
    struct idnp_question question = {.size = sizeof question, .flags = IDNP_UDP, .qname = name, .qname_len = sizeof name, .qtype = 1, .qclass = 1};
    struct idnp_question *asked = at_the_end(&question, sizeof question);
    SET(asked);
    int32_t result = idnp_decide(idnp, asked, decision);
    printf("decide: %d, %u\\n", (int)result, result < 0 ? 0 : (unsigned)decision->line);
    result = idnp_decide_answer(idnp, asked, NULL, 0, decision);
    printf("decide_answer: %d, %s\\n", (int)result, result < 0 ? "" : decision->action);
    struct idnp_exchange exchange = {.size = sizeof exchange, .query = query, .query_len = sizeof query - 1, .reply = written, .reply_cap = sizeof written};
    struct idnp_exchange *message = at_the_end(&exchange, sizeof exchange);
    SET(message);
    result = idnp_decide_message(idnp, message, decision);
    printf("decide_message: %d, rcode %d, %u octets\\n", (int)result, written[3] & 15, (unsigned)message->reply_len);
    struct idnp_reply reply = {.size = sizeof reply, .qname = name, .qname_len = sizeof name, .qtype = 1, .qclass = 1};
    struct idnp_reply *sent = at_the_end(&reply, sizeof reply);
    SET(sent);
    printf("report: %d\\n", (int)idnp_report(idnp, sent, NULL));
    printf("decision: %s\\n", decision->size < sizeof *decision ? "shorter" : "whole");
    idnp_decision_free(decision);
    idnp_close(idnp);
    return 0;
}
"""

WORKS = """\
open: good
decide: 1, 1
decide_answer: 1, nxdomain
decide_message: 1, rcode 3, 111 octets
report: 0
decision: whole
"""
TOO_NEW = """\
open: options: a member is set that this library, 1.0.0, does not know

decide: -5, 0
decide_answer: -5, 
decide_message: -5, rcode 0, 0 octets
report: -5
decision: shorter
"""


def released(header):
    """The header with the structs as they were released."""
    lines = (ROOT / "tests/library/released-idnpolicy.txt").read_text(encoding="utf-8").splitlines()
    for struct in (line for line in lines if re.match(SIZED, line)):
        header = re.sub(rf"struct {struct.split()[1]} \{{.*?\}};", lambda _, struct=struct: struct, header, flags=re.S)
    return header


def grown(header):
    return re.sub(SIZED, lambda struct: f"{struct[0][:-2]}    int64_t more;\n}};", header, flags=re.S)


def main():
    library, libs, compiler = pathlib.Path(sys.argv[1]).absolute(), sys.argv[2].split(), sys.argv[3:]
    tap = Tap()
    text = HEADER.read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory(prefix="libidnpolicy-") as name:
        folder = pathlib.Path(name)

        def make(*command):
            subprocess.run(command, cwd=ROOT, check=True)

        headers = {"released": released(text), "own": text, "longer": grown(text)}
        tap.equal((headers["longer"].count("int64_t more;"), headers["released"].count("int64_t more;")), (5, 0), "five structs begin with their size")
        for kind, header in headers.items():
            (folder / kind / "module/engine").mkdir(parents=True)
            (folder / kind / "idnpolicy.h").write_text(header, encoding="utf-8")
        (folder / "longer/module/engine/idnpolicy.h").write_text(headers["longer"], encoding="utf-8")
        (folder / "longer/lib").mkdir()
        libraries = {"own": library, "longer": folder / "longer/lib" / library.name}
        # The sources include this header by its path from the top.
        make(*compiler, "-std=gnu11", "-fPIC", "-shared", "-pthread", f"-Wl,-soname,{library.name}", f"-I{folder}/longer", f"-I{ROOT}",
             "-o", libraries["longer"], *sorted((ROOT / "module/engine").glob("*.c")), library.parent / "libxnm.a", library.parent / "libxn.a", *libs)
        (folder / "idn.conf").write_text("idn:\n  log: none\n  policy: rules\n", encoding="utf-8")
        (folder / "rules").write_text("nxdomain zone казино.example\n", encoding="utf-8")
        (folder / "program.c").write_text(PROGRAM, encoding="utf-8")
        for kind, more, to, wanted in (("released", None, "own", WORKS), ("released", None, "longer", WORKS), ("own", None, "own", WORKS),
                                       ("own", None, "longer", WORKS), ("longer", 0, "own", WORKS.replace("whole", "shorter")),
                                       ("longer", 1, "own", TOO_NEW), ("longer", 1, "longer", WORKS)):
            make(*compiler, "-std=gnu11", "-Wall", "-Wextra", "-Werror", *([] if more is None else [f"-DMORE={more}"]), f"-I{folder / kind}",
                 "-o", folder / "program", folder / "program.c", libraries[to])
            ran = subprocess.run([folder / "program"], cwd=folder, capture_output=True, text=True, check=False,
                                 env={**os.environ, "LD_LIBRARY_PATH": str(libraries[to].parent)})
            tap.equal(ran.stdout + (f"exit status {ran.returncode}: {ran.stderr}" if ran.returncode else ""), wanted,
                      f"a program with the {kind} structs{'' if more is None else f', the last member {more}'}, and the library with {'longer' if to == 'longer' else 'its own'} ones")
    return tap.finish()


sys.exit(main())
