# SPDX-License-Identifier: BSD-3-Clause
"""Every example of the manual pages is tried: commands run, one after the other in a folder with the samples of conf/, and
print what the page shows; configurations and rules are taken by `check`; the pages have nothing that mandoc complains of."""

import json
import os
import pathlib
import re
import select
import shutil
import signal
import subprocess
import tempfile

import dnstap
import manpage

USAGE = "; try 'unbound-idn "
PATIENCE = 60  # seconds for a command, and for a line of one that does not end
LOG = "Nov 20 21:56:03 dnsmasq[7]: query[A] www.xn--bcher-kva.example from 192.0.2.7\n"
SHOWN = "www.bücher.example"  # what becomes of its name
REPLY = "192.0.2.7 xn--bcher-kva.example. A IN NOERROR 0.1 0 60\n"
ZONE = "$TTL 60\nrpz. SOA ns. admin. 1 2 3 86400 5\nx.example.rpz. CNAME .\n"

# Examples that are tried elsewhere, by the section they are in and what they begin with.
ELSEWHERE = {
    ("unbound-module-idn(8)", "SYNOPSIS", "server:"): "tests/unbound/test_manual.py:test_unbound_conf",
    ("unbound-module-idn(8)", "DESCRIPTION", "192.0.2.7 "): "tests/unbound/test_manual.py:test_text_lines",
    ("unbound-module-idn(8)", "LOADING/The order of modules", "validator "): "tests/unbound/test_manual.py:test_orders",
    ("unbound-module-idn(8)", "THE LINE", "192.0.2.7 "): "tests/unbound/test_manual.py:test_text_lines",
    ("unbound-module-idn(8)", "THE LINE/JSON", "{"): "tests/unbound/test_manual.py:test_json_line",
    ("idn-policy(5)", "LISTS", "# idn-policy.conf"): "tests/unbound/test_beside.py:test_own_rpz",
    ("idn-policy(5)", "LISTS", "# unbound.conf"): "tests/unbound/test_beside.py:test_own_rpz",
    ("idn-policy(5)", "FILES AND ERRORS", "idn-policy.conf:"): "tests/unit/test_ruletable.c:test_manual_examples",
}
# The mistakes in the file whose messages idn.conf(5) shows.
MISTAKEN = "idn:\n    log: xml\n    lgo-to: unbound\n"


def pages(folder):
    return [manpage.Page(path) for path in sorted(folder.glob("*.[158]"))]


# ---- commands ----------------------------------------------------------------------------------------------------------


def commands(block):
    """(command line, what is shown of its output). Without a prompt each line is a command."""
    found = []
    for line in block.text.splitlines():
        if line.startswith("$ ") or not block.text.startswith("$ ") and is_command(block):
            found.append([line.removeprefix("$ "), ""])
        else:
            found[-1][1] += line + "\n"
    return found


def is_command(block):
    return block.text.startswith("$ ") or "unbound-idn " in block.text.splitlines()[0]


def joined(blocks):
    """The output of a command may be a block of its own, of one line."""
    whole = []
    for block in blocks:
        if whole and is_command(whole[-1]) and block.title == whole[-1].title == "EXAMPLES" and not is_command(block):
            whole[-1].text += block.text
        else:
            whole.append(block)
    return whole


def here(text, folder):
    return re.sub(r"/(etc/unbound|var/log|var/lib/unbound)/", f"{folder}/", text)


def begin(folder, line):
    """The output of a shell in a session of its own, as a person sees it: standard output and error in their order."""
    return subprocess.Popen(["bash", "-c", here(line, folder)], cwd=folder, stdin=subprocess.DEVNULL,
                            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True, bufsize=0,
                            env={**os.environ, "PATH": f"{folder}/bin:{os.environ['PATH']}", "LC_ALL": "C.UTF-8"})


def end(shell):
    os.killpg(shell.pid, signal.SIGTERM)
    shell.communicate()


def run_in(folder, line):
    """(exit status, what is seen)"""
    shell = begin(folder, line)
    try:
        out, _ = shell.communicate(timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        end(shell)
        raise
    return shell.returncode, out.decode("utf-8", "backslashreplace")


def follow(folder, line):
    """The output of a `tail -f`, which would never end, until it is the expected text."""
    shell, out = begin(folder, line), b""
    try:
        while SHOWN.encode() not in out and select.select([shell.stdout], [], [], PATIENCE)[0]:
            part = shell.stdout.read(65536)
            if not part:
                break
            out += part
    finally:
        end(shell)
    return out.decode("utf-8", "backslashreplace")


def run_commands(tap, block, folder):
    for line, shown in commands(block):
        if "tail -f" in line:
            tap.equal(SHOWN in follow(folder, line), True, f"{block.page}: a line at once: {line}")
            continue
        status, out = run_in(folder, line)
        tap.equal((status in (0, 1), USAGE in out), (True, False), f"{block.page}: it runs: {line}")
        if shown:
            tap.equal(out, shown, f"{block.page}: {line}")


# ---- files -------------------------------------------------------------------------------------------------------------


def check_text(tap, command, block, folder, name, *how):
    path = folder / name
    path.write_text(here(block.text, folder))
    status, out, errors = command("check", *how, str(path))
    problems = [line for line in out.decode().splitlines() if not line.endswith("[note]")]
    tap.equal((status, problems, errors), (0, [f"{path}: fine"], ""), f"{block.name}: check")


def check_mistakes(tap, command, block, folder):
    path = folder / "idn.conf"
    path.write_text(MISTAKEN)
    _, out, _ = command("check", str(path))
    tap.equal(out.decode().replace(f"{folder}/", "").splitlines()[:-1], block.text.splitlines(), f"{block.name}: as it is said")


def try_block(tap, command, block, folder):
    key = next((key for key in ELSEWHERE if key[:2] == (block.page, block.title) and block.text.startswith(key[2])), None)
    if key:
        return key
    if is_command(block):
        run_commands(tap, block, folder)
    elif block.text.startswith("idn:\n"):
        check_text(tap, command, block, folder, "idn.conf")
    elif block.title == "LISTS":
        kind = "--rpz" if block.text.startswith("$TTL") else "--protected" if "min=" in block.text else "--zones"
        check_text(tap, command, block, folder, "list", kind)
    elif block.page == "idn-policy(5)":
        check_text(tap, command, block, folder, "rules.conf")
    elif block.page == "idn.conf(5)":
        check_mistakes(tap, command, block, folder)
    else:
        tap.equal(block.text, "", f"{block.name}: nothing tries it")
    return None


def prepared(folder, command, samples):
    for sample in filter(pathlib.Path.is_file, samples.iterdir()):
        shutil.copy(sample, folder)
    (folder / "own.conf").write_text("nxdomain zone own.example\n")
    (folder / "rpz.zone").write_text(ZONE)
    (folder / "staff.txt").write_text("203.0.113.9\n")
    for name in "other.zone", "transferred.zone", "feed.zone":
        (folder / name).write_text("$TTL 60\n$ORIGIN rpz.example.\n@ SOA ns. admin. 1 2 3 3600 5\ny.example CNAME .\n")
    for name, entry in ("candidate.txt", "a.example"), ("fetched.txt", "d.example"), ("tried.txt", "e.example"), ("allowlist.txt", "b.example"), ("tlds.txt", "zip"), \
            ("phishing.txt", "p.example"), ("ads.txt", "f.example"):
        (folder / name).write_text(f"{entry}\n")
    (folder / "pihole").mkdir()
    (folder / "pihole/pihole.log").write_text(LOG)
    (folder / "query.log.1").write_text(REPLY)
    (folder / "dnstap.fstrm").write_bytes(dnstap.stream(dnstap.reply("xn--80aodfsg.example")))
    subprocess.run(["gzip", folder / "query.log.1"], check=True)
    (folder / "bin").mkdir()
    (folder / "bin/unbound-idn").symlink_to(command.path)


# ---- the pages as such -------------------------------------------------------------------------------------------------


def lint(tap, page):
    """mandoc's findings, except those about other pages that the machine lacks."""
    if not shutil.which("mandoc"):
        tap.skip(f"{page.name}: mandoc -Tlint", "mandoc is not installed")
        return
    told = subprocess.run(["mandoc", "-Tlint", page.path], capture_output=True, text=True, check=False).stdout.splitlines()
    tap.equal([line for line in told if "referenced manual not found" not in line], [], f"{page.name}: mandoc -Tlint")


def rules_in_text(tap, command, page, folder):
    """Whole rules in the text."""
    path = folder / "rules.conf"
    for rule in re.findall(r"^\.Ql ((?:passthru|nxdomain|nodata|refuse|drop|tcp-only|log) [a-z].*)", page.path.read_text(), re.M):
        path.write_text(f"{manpage.plain(rule)}\n")
        tap.equal(command("check", str(path))[0], 0, f"{page.name}: {rule}")


def rules_without_letters(tap, command, page, folder):
    """A terminal that cannot show a page's letters drops them. What is left of an example is an error, or a rule about a name with as
    many labels: not about a whole top-level domain, nor about every name."""
    path, tried = folder / "lost.conf", 0
    triggers = "|".join(("name", "zone", "lookalike"))
    for block in page.blocks():
        for line in block.text.splitlines():
            rule = re.match(rf"(?:passthru|nxdomain|nodata|refuse|drop|tcp-only|log|redirect|cname|answer) .*?\b(?:{triggers}) +(\S+)", line)
            if not rule or line.isascii():
                continue
            left, name = ("".join(filter(str.isascii, text)) for text in (line, rule[1]))
            path.write_text(f"{left}\n")
            tried += 1
            good = command("check", str(path))[0] == 0
            tap.equal(good and len([label for label in name.split(".") if label]) < len(rule[1].split(".")), False, f"{page.name}: {left}")
    return tried


DAYS = {"Mon": "2026-11-23", "Sat": "2026-11-28", "Sun": "2026-11-22"}


def clients_table(tap, command, page, folder):
    """The table under CLIENTS AND TIMES says what `explain` says of the rules above it."""
    lines = page.section("CLIENTS AND TIMES")
    (folder / "rules.conf").write_text(next(block.text for block in page.blocks() if block.title == "CLIENTS AND TIMES"))
    (folder / "staff.txt").write_text("")
    rows = [line[4:].split(" Ta ") for line in lines if line.startswith(".It ") and " Ta " in line]
    tap.equal(rows[0], ["Em client", "Em time", "Em name", "Em decision"], f"{page.name}: the table of clients")
    tap.equal({row[3] for row in rows[1:]} >= {"refuse", "passthru", "nxdomain", "log", "none"}, True, f"{page.name}: … has each decision")
    for client, time, name, wanted in rows[1:]:
        day, minute = time.split()
        out = command("explain", "--json", "--policy", str(folder / "rules.conf"), "--time", f"{DAYS[day]}T{minute}",
                      *([] if client == "unknown" else ["--client", client]), name)[1]
        decision = json.loads(out)["decision"]
        tap.equal(decision["action"] if decision else "none", wanted, f"{page.name}: {client}, {time}, {name}")


def test_pages(tap, command, doc, conf):
    every, elsewhere = pages(doc), set()
    tap.equal([page.name for page in every], ["idn-policy(5)", "idn.conf(5)", "unbound-idn(1)", "unbound-module-idn(8)"], "the pages")
    for page in every:
        folder = pathlib.Path(tempfile.mkdtemp(prefix="idn-manual-"))
        try:
            prepared(folder, command, conf)
            blocks = joined(page.blocks())
            tap.equal(len(blocks) > 2, True, f"{page.name} has examples")
            elsewhere |= {try_block(tap, command, block, folder) for block in blocks}
            rules_in_text(tap, command, page, folder)
            tried = rules_without_letters(tap, command, page, folder)
            if page.name == "idn-policy(5)":
                tap.equal(tried > 8, True, f"{page.name}: examples that lose letters")
                clients_table(tap, command, page, folder)
        finally:
            shutil.rmtree(folder)
        lint(tap, page)
    tap.equal(set(ELSEWHERE) - elsewhere, set(), "examples that are tried elsewhere are there")
