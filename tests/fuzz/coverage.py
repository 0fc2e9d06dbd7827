#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""coverage.py BUILD CORPUS...: gives the fuzz targets in BUILD/replay, compiled with --coverage, every
input of each CORPUS (a folder of packs or of folders, named like the targets), and says which lines of core/ and of
what reads or writes text and octets of others that runs. --missed: which lines it does not. Exit 0 only
if --least percent (95) of all lines were run."""
import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections import defaultdict
from pathlib import Path

import pack

# Sources that targets are for, beside core/: they read what others write, or write what others read.
READERS = """module/config/config.c module/file/textline.c module/base/number.c module/rule/rulefile.c module/rule/ruleline.c
    module/rule/ruletable.c module/rule/option.c module/rule/rulelookalike.c module/rule/rulecondition.c module/rule/record.c module/rule/why.c
    module/config/whykeys.c module/answer/structured.c
    module/name/rulename.c module/name/namefault.c module/list/list.c module/list/rpzfile.c
    module/list/reader.c module/list/listfilter.c module/rule/limit.c module/rule/group.c module/base/address.c
    module/list/listtally.c module/name/suffix.c module/base/hashset.c module/zone/zonefile.c module/zone/zoneread.c
    module/zone/token.c module/zone/zonetext.c module/zone/zonerdata.c module/zone/form.c
    tools/rules/rpzexport.c module/zone/zonewrite.c module/log/logline.c module/log/logjson.c module/base/format.c tools/rules/rpzprint.c
    tools/filter/labelscan.c tools/filter/labeledge.c tools/logs/line.c tools/logs/query.c tools/logs/time.c
    tools/logs/logname.c module/engine/packet.c module/engine/idnpmessage.c tools/text/shown.c module/base/buildid.c tools/command/host.c
    tools/tap/frames.c tools/tap/dnstap.c tools/tap/reply.c""".split()


# In tools/report/ all that writes the page and the JSON, without options, running logs and given rules.
NOT_WRITERS = "tools/report/report.c", "tools/report/rules.c"


def is_counted(source):
    return source.startswith(("core/", "tools/report/")) and source not in NOT_WRITERS or source in READERS


def packs_of(name, corpora, made):
    """The packs of a target: those that there are, and those made of folders, in the folder `made`."""
    for number, corpus in enumerate(corpora):
        files = [file for file in (corpus / name).iterdir() if file.is_file()] if (corpus / name).is_dir() else []
        if (corpus / f"{name}.pack").exists():
            yield corpus / f"{name}.pack"
        if files:
            pack.add(made / f"{name}-{number}.pack", files)
            yield made / f"{name}-{number}.pack"


def replay(build, corpora):
    with tempfile.TemporaryDirectory(prefix="fuzz-coverage-") as made:
        for program in sorted((build / "replay").iterdir()):
            for packed in packs_of(program.name, corpora, Path(made)):
                for processor in ({}, {"XN_CPU": "generic"}):
                    subprocess.run([program, packed], stdout=subprocess.DEVNULL, check=True,
                                   env=os.environ | processor)


def runs_of_lines(build):
    """Returns how often each line ran, by file and number; lines that no target has are included."""
    runs = defaultdict(lambda: defaultdict(int))
    for notes in sorted(build.rglob("*.gcno")):
        told = subprocess.run(["gcov", "--json-format", "--stdout", notes], check=True, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
        for file in (file for text in told.splitlines() for file in json.loads(text)["files"]):
            for line in file["lines"] if is_counted(file["file"]) else ():
                runs[file["file"]][line["line_number"]] += line["count"]
    return runs


def print_missed(source, missed):
    text = Path(source).read_text(encoding="utf-8").splitlines()
    for number in missed:
        print(f"    {number:4} {text[number - 1]}")


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("build", type=Path)
    arguments.add_argument("corpora", type=Path, nargs="+")
    arguments.add_argument("--missed", action="store_true")
    arguments.add_argument("--least", type=float, default=95)
    options = arguments.parse_args()

    for stale in options.build.rglob("*.gcda"):
        stale.unlink()
    replay(options.build, options.corpora)
    lines, reached = 0, 0
    for source, runs in sorted(runs_of_lines(options.build).items()):
        missed = sorted(number for number, count in runs.items() if count == 0)
        print(f"{source:24} {len(runs) - len(missed):4} of {len(runs):4} lines"
              f"  {100 - 100 * len(missed) / len(runs):5.1f} %")
        if options.missed:
            print_missed(source, missed)
        lines, reached = lines + len(runs), reached + len(runs) - len(missed)
    print(f"{'all':24} {reached:4} of {lines:4} lines  {100 * reached / lines:5.1f} %")
    return 100 * reached < options.least * lines


if __name__ == "__main__":
    sys.exit(main())
