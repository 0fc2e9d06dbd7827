#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""tmpfs.py FOLDER OCTETS COMMAND...: runs it where FOLDER is a file system of its own, of that size. Others see it
below /proc/PID/root as long as the command runs, or they keep it open."""

import ctypes
import os
import sys

CLONE_NEWNS = 0x20000
MS_REC_PRIVATE = 0x4000 | 0x40000


def main():
    libc = ctypes.CDLL(None, use_errno=True)
    folder, size, *command = sys.argv[1:]

    def check(status, what):
        if status != 0:
            sys.exit(f"tmpfs.py: {what}: {os.strerror(ctypes.get_errno())}")

    check(libc.unshare(CLONE_NEWNS), "unshare")
    check(libc.mount(b"none", b"/", None, ctypes.c_ulong(MS_REC_PRIVATE), None), "mount /")
    check(libc.mount(b"tmpfs", folder.encode(), b"tmpfs", ctypes.c_ulong(0), f"size={size},mode=0777".encode()),
          "mount tmpfs")
    os.execvp(command[0], command)


if __name__ == "__main__":
    main()
