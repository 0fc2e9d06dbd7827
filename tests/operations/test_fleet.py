# SPDX-License-Identifier: BSD-3-Clause
"""The guide's configurations of a fleet, read by the servers they are for."""

import subprocess

import guide


def fault(operations, folder, *command):
    """A program's message about a configuration that it rejects; "": none."""
    done = subprocess.run(command, cwd=folder, env=operations.environment, capture_output=True, text=True, timeout=60, check=False)
    return "" if done.returncode == 0 else f"{done.returncode}: {done.stdout}{done.stderr}" or "no reason"


def test_servers(operations, tap):
    folder = operations.world.new_folder("fleet")
    checks = {"knot": (operations.program("knotc"), "-c", "knot.conf", "conf-check"),
              "named": (operations.program("named-checkconf"), "named.conf"),
              "unbound": (operations.world.unbound / "sbin/unbound-checkconf", "unbound.conf")}
    for kind, command in checks.items():
        text = guide.the_block(kind)
        conf = folder / f"{kind}.conf"
        beginning = f'server:\n    chroot: ""\n    username: ""\n    directory: "{folder}"\n' if kind == "unbound" else ""
        conf.write_text(beginning + text)
        tap.equal(fault(operations, folder, *command), "", f"{kind}: no fault is found")
        conf.write_text(beginning + text.replace("rpz.example", "rpz..example"))
        tap.ok(fault(operations, folder, *command), f"{kind}: but in one with a fault")
