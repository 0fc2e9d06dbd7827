#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""Runs a command and writes what it took to a file: measured.py FILE COMMAND... A program of its own, because the
memory of a child is at least that of the program that started it."""

import json
import resource
import subprocess
import sys

done = subprocess.run(sys.argv[2:], check=False)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
with open(sys.argv[1], "w", encoding="ascii") as file:
    json.dump({"seconds": used.ru_utime + used.ru_stime, "mib": used.ru_maxrss / 1024}, file)
sys.exit(done.returncode)
