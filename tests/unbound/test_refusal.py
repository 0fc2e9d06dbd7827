# SPDX-License-Identifier: BSD-3-Clause
"""A module fits one daemon: any other refuses it in one line, before a struct is touched. (That of a daemon
built otherwise: test_loading.)"""

import re
import shutil

from test_loading import starts_not

# An ELF note: name size 4, content size 20, type 3 (NT_GNU_BUILD_ID), "GNU"
BUILD_ID = re.compile(rb"\x04\0\0\0\x14\0\0\0\x03\0\0\0GNU\0(.{20})", re.DOTALL)


def variant(world, name, change):
    """A copy of the daemon, in a folder of its own, with the build id's note changed; nothing else is."""
    folder = world.new_folder(name)
    (folder / "sbin").mkdir()
    copy = folder / "sbin/unbound"
    shutil.copy(world.unbound / "sbin/unbound", copy)
    data = copy.read_bytes()
    found = BUILD_ID.findall(data)
    assert len(found) == 1, f"{len(found)} build ids in {copy}"
    copy.write_bytes(BUILD_ID.sub(lambda match: change(match.group()), data))
    return folder, found[0].hex()


CHANGES = {
    "its last bit is another": lambda note: note[:-1] + bytes([note[-1] ^ 1]),
    "its first bit is another": lambda note: note[:16] + bytes([note[16] ^ 0x80]) + note[17:],
    "it is all zeros": lambda note: note[:16] + bytes(20),
    "it is shorter": lambda note: note[:4] + b"\x10" + note[5:],
    "there is none": lambda note: note[:8] + b"\x7f" + note[9:],
}


def refused(world, tap, what, unbound):
    log = starts_not(world, tap, what, "log: text\nlog-to: log/idn.log", world.module,
                     r" error: idn: this module was made for unbound .* build id [0-9a-f]{40}, but this daemon's is ",
                     unbound=unbound)
    tap.equal(len(re.findall(r" error: idn: ", log)), 1, f"{what}: and no other error of the module")
    return log


def test_another_build_id(world, tap):
    """Version and configure line are the same: so it is after a security update that changes a struct."""
    for what, change in CHANGES.items():
        folder, ours = variant(world, "variant", change)
        log = refused(world, tap, what, folder)
        tap.ok(f"build id {ours}, but" in log, f"{what}: it says which it wants", log)
        shutil.rmtree(folder)


def test_same_build_id(world, tap):
    """A copy that is the same in every octet is the same daemon."""
    folder, _ = variant(world, "variant", lambda note: note)
    daemon = world.unbound
    try:
        world.unbound = folder
        shutil.copy(daemon / "sbin/unbound-control", folder / "sbin")
        with world.resolver(tap, "log: none", check=False):
            tap.ok(True, "it starts")
    finally:
        world.unbound = daemon
