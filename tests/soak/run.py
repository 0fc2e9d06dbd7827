#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""A soak: an Unbound with the module under mixed load, while every some seconds something happens to it. Prints TAP; a
failure says the seed and the event during which it was, and the logs are kept. Exit status 0 if every point is ok."""

import os
import random
import shutil
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "unbound")]
sys.dont_write_bytecode = True

from harness import open_world  # noqa: E402
from options import parser  # noqa: E402
from soak import Soak  # noqa: E402
from tap import Report, Tap  # noqa: E402


def arguments():
    taken = parser(__doc__, "--unbound", "--module", "--peers", "--zone")
    taken.add_argument("--seconds", type=int, default=120)
    taken.add_argument("--seed", type=int, default=None, help="a run's order of events and names (default: any)")
    taken.add_argument("--log", choices=("text", "json"), help="its format (default: one of them, by the seed)")
    taken.add_argument("--swap", action="store_true", help="other rules each second, between the events too")
    taken.add_argument("--share", type=float, default=1.0, help="of the usual load")
    taken.add_argument("--sanitized", action="store_true",
                       help="daemon and module have a sanitizer: a slower load, and no look at memory")
    taken.add_argument("--clock", type=Path, help="clock.so: without it the clock is not set")
    taken.add_argument("--keep", default="build/soak", help="where the folder of a run that failed goes")
    options = taken.parse_args()
    if options.seed is None:
        options.seed = random.SystemRandom().randrange(1 << 31)
    options.log = options.log or random.Random(options.seed).choice(("text", "json"))
    options.keep = Path(options.keep).resolve() / str(options.seed)
    options.scale, options.patience = (0.1, 20.0) if options.sanitized else (options.share, 4.0)
    return options


def neither_file_nor_folder(folder, names):
    return [name for name in names if not (Path(folder, name).is_file() or Path(folder, name).is_dir())]


def main():
    options = arguments()
    print(f"# seed {options.seed}, {options.seconds} s, log: {options.log}", flush=True)
    world = open_world(options.unbound, options.module, options.peers, options.zone)
    report = Report(sys.stdout, os.environ.get("XN_NO_SKIP") == "1")
    tap = Tap("soak")
    soak = Soak(world, tap, options)
    try:
        soak.run()
    except Exception:
        tap.raised("no exception")
    finally:
        told = f"seed {options.seed}, event {soak.journal[-1][1]}; logs in {options.keep}"
        if not tap.ok(not tap.failed, "all of it", told):
            shutil.copytree(world.folder, options.keep, dirs_exist_ok=True, ignore=neither_file_nor_folder)
        world.close()
    report.add(tap)
    if hasattr(soak, "summary"):
        for key, value in soak.summary.items():
            print(f"# {key}: {value}")
    return 0 if report.finish() else 1


if __name__ == "__main__":
    sys.exit(main())
