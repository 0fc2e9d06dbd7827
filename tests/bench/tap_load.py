#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""tap_load.py COMMAND: a sender gives `unbound-idn tap` so many frames a second, as tap_cost.py makes them, for so long: frames
read, lines written and lost, processor time, memory. Only a quiet machine tells what it loses."""

import argparse
import os
import re
import signal
import socket
import subprocess
import tempfile
import time
from pathlib import Path

from tap_cost import HERE, NAMES, dnstap, frame

TURN = 0.01  # seconds


def metric(folder, name):
    return int(re.search(rf"^unbound_idn_{re.escape(name)} (\d+)$", (folder / "metrics").read_text(), re.MULTILINE)[1])


def run(command, folder, rate, seconds, pattern):
    octets = b"".join(dnstap.data(frame(pattern.format(number), number)) for number in range(1000))
    starts = [0]
    while starts[-1] < len(octets):
        starts.append(starts[-1] + 4 + int.from_bytes(octets[starts[-1] : starts[-1] + 4], "big"))
    process = subprocess.Popen([command, "tap", "--config", folder / "idn.conf", "--listen", f"unix:{folder}/socket"], stderr=subprocess.DEVNULL)
    while not (folder / "socket").exists():
        time.sleep(0.1)
    sender = socket.socket(socket.AF_UNIX)
    sender.connect(str(folder / "socket"))
    sender.sendall(dnstap.control(dnstap.START))
    sent, began = 0, time.monotonic()
    while (now := time.monotonic() - began) < seconds:
        due = int(now * rate) - sent
        while due > 0:
            first = sent % 1000
            count = min(due, 1000 - first)
            sender.sendall(octets[starts[first] : starts[first + count]])
            sent += count
            due -= count
        time.sleep(TURN)
    sender.sendall(dnstap.control(dnstap.STOP))
    sender.recv(1)
    memory = re.search(r"VmHWM:\s+(\d+)", Path(f"/proc/{process.pid}/status").read_text())[1]
    ticks = sum(map(int, Path(f"/proc/{process.pid}/stat").read_text().rsplit(")", 1)[1].split()[11:13]))
    process.send_signal(signal.SIGTERM)
    process.wait()
    read, written, lost = (metric(folder, name) for name in ('tap_frames_total{kind="reply"}', 'log_lines_total{result="written"}', 'log_lines_total{result="lost"}'))
    print(f"sent {sent:,} in {now:.1f} s; read {read:,}; written {written:,}; lost {lost:,}; "
          f"{ticks / os.sysconf('SC_CLK_TCK') / sent * 1e6:.2f} µs a frame; at most {memory} KiB")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("command")
    parser.add_argument("--rate", type=int, default=100000)
    parser.add_argument("--seconds", type=int, default=60)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="idn-tap-load-") as folder:
        folder = Path(folder)
        (folder / "protected").write_text((HERE / "protected-names.txt").read_text())
        (folder / "rules").write_text("nxdomain lookalikes protected key=strict\n")
        for title, pattern, more in (("text, ordinary name", NAMES["ordinary name"], ""), ("text, A-label, 600 protected names", NAMES["name with an A-label"], "  policy: rules\n")):
            (folder / "idn.conf").write_text(f"idn:\n  log-to: {folder}/lines\n  metrics-file: {folder}/metrics\n{more}")
            print(title, end=": ", flush=True)
            run(Path(options.command).resolve(), folder, options.rate, options.seconds, pattern)
            (folder / "lines").unlink()


if __name__ == "__main__":
    main()
