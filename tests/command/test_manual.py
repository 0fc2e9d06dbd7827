# SPDX-License-Identifier: BSD-3-Clause
"""Every example of unbound-idn(1) runs, one after the other in a folder with the samples of conf/, and gives what stands there."""

import os
import pathlib
import re
import shutil
import signal
import subprocess
import tempfile

USAGE = "; try 'unbound-idn "
LOG = "Nov 20 21:56:03 dnsmasq[7]: query[A] www.xn--bcher-kva.example from 192.0.2.7\n"
FOLLOWED = 2  # seconds that `tail -f` is followed for; it would never end


def examples(manual):
    """(command line, what is shown of its output), as a reader of the rendered page sees them."""
    page = manual.read_text(encoding="utf-8").split("\n.Sh EXAMPLES\n")[1].split("\n.Sh ")[0]
    found, literal = [], False
    for line in page.splitlines():
        if line.startswith("."):
            literal = line == ".Bd -literal" if line[:3] in (".Bd", ".Ed") else literal
            if not line.startswith(".Dl "):
                continue
            line = line[4:]
        elif not literal:
            continue
        line = re.sub(r"\\([e&-])", lambda escape: {"e": "\\", "&": "", "-": "-"}[escape[1]], line)
        if line.startswith("$ "):
            found.append([line[2:], ""])
        else:
            found[-1][1] += line + "\n"
    return found


def run_in(folder, line):
    """What a person sees: (exit status, standard output and error in their order)."""
    shell = subprocess.Popen(["bash", "-c", re.sub(r"/(etc/unbound|var/log)/", f"{folder}/", line)], cwd=folder, stdin=subprocess.DEVNULL,
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True,
                             env={**os.environ, "PATH": f"{folder}/bin:{os.environ['PATH']}", "LC_ALL": "C.UTF-8"})
    try:
        out, _ = shell.communicate(timeout=FOLLOWED if "tail -f" in line else 60)
    except subprocess.TimeoutExpired:
        os.killpg(shell.pid, signal.SIGTERM)
        out, _ = shell.communicate()
    return shell.returncode, out.decode("utf-8", "backslashreplace")


def run(tap, command, manual, samples):
    folder = pathlib.Path(tempfile.mkdtemp(prefix="idn-manual-", dir="/tmp"))
    try:
        for sample in filter(pathlib.Path.is_file, samples.iterdir()):
            shutil.copy(sample, folder)
        (folder / "pihole.log").write_text(LOG)
        (folder / "bin").mkdir()
        (folder / "bin/unbound-idn").symlink_to(command.path)
        found = examples(manual)
        tap.equal(len(found) > 5, True, "unbound-idn(1) has examples")
        for line, shown in found:
            status, out = run_in(folder, line)
            tap.equal((status in (0, 1) or "tail -f" in line, USAGE in out), (True, False), f"unbound-idn(1): it runs: {line}")
            if "tail -f" in line:
                tap.equal("www.bücher.example" in out, True, f"unbound-idn(1): a line at once: {line}")
            elif shown:
                tap.equal(out, shown, f"unbound-idn(1): {line}")
    finally:
        shutil.rmtree(folder)
