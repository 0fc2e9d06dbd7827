#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""tap_cost.py COMMAND: what a frame of dnstap costs `unbound-idn tap` in instructions, by callgrind: a capture of 25,000
frames less one of 5,000, so that the start does not count. The frames are replies with one record and EDNS, of 1,000 names."""

import argparse
import re
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.append(str(HERE.parent / "command"))

import dnstap  # noqa: E402

NAMES = {"ordinary name": "www{}.example.com", "name with an A-label": "www{}.bücher.example"}
SETTINGS = {"text": "log: text", "JSON": "log: json", "text, 600 protected names": "log: text\n  policy: rules"}


def frame(name, number):
    asked = dnstap.query(name, ident=number, use_edns=0)
    wire = dnstap.response(asked, records=[f"{name}. 60 IN A 192.0.2.1"])
    return dnstap.dnstap(dnstap.message(dnstap.CLIENT_RESPONSE, wire, asked=(dnstap.WHEN, 1000), answered=(dnstap.WHEN, 500000)))


def instructions(command, folder, frames):
    (folder / "capture").write_bytes(dnstap.stream(*frames))
    done = subprocess.run(["valgrind", "--tool=callgrind", f"--callgrind-out-file={folder}/out", command, "tap", "--config", folder / "idn.conf", folder / "capture"],
                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=True)
    return int(re.search(r"Collected : (\d+)", done.stderr)[1])


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("command")
    command = Path(parser.parse_args().command).resolve()
    with tempfile.TemporaryDirectory(prefix="idn-tap-cost-") as folder:
        folder = Path(folder)
        (folder / "protected").write_text((HERE / "protected-names.txt").read_text())
        (folder / "rules").write_text("nxdomain lookalikes protected key=strict\n")
        print("| | " + " | ".join(NAMES) + " |\n|---|" + "---:|" * len(NAMES))
        for title, setting in SETTINGS.items():
            (folder / "idn.conf").write_text(f"idn:\n  {setting}\n")
            costs = []
            for pattern in NAMES.values():
                frames = [frame(pattern.format(number), number) for number in range(1000)]
                few, many = (instructions(command, folder, frames * times) for times in (5, 25))
                costs.append(f"{(many - few) / 20000:,.0f}")
            print(f"| {title} | " + " | ".join(costs) + " |")


if __name__ == "__main__":
    main()
