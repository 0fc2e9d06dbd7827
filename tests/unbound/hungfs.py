# SPDX-License-Identifier: BSD-3-Clause
"""A file system that hangs: whoever asks it for a file waits until it ends."""

import contextlib
import ctypes
import os
import select
import struct

from daemon import TIMEOUT

MNT_FORCE, MNT_DETACH = 1, 2
REQUEST = struct.Struct("=IIQQIIII")  # length, opcode, unique, node, uid, gid, pid, padding
ANSWER = struct.Struct("=IiQ")  # length, error, unique
INIT_ANSWER = struct.Struct("=IIIIHHII36x")  # major, minor, readahead, flags, background, congested, write, granularity
INIT = 26


class HungError(Exception):
    pass


class HungFolder:
    """Mounted over a folder, by FUSE: only the first of its requests is answered, without which there are no others. They
    are not even read, since for what was read the kernel waits, whoever ends the process."""

    def __init__(self, folder):
        self.folder = str(folder).encode()
        self.libc = ctypes.CDLL(None, use_errno=True)
        try:
            self.device = os.open("/dev/fuse", os.O_RDWR | os.O_CLOEXEC)
        except OSError as error:
            raise HungError(f"/dev/fuse: {error.strerror}") from None
        options = f"fd={self.device},rootmode=40000,user_id=0,group_id=0,allow_other"
        if self.libc.mount(b"hung", self.folder, b"fuse", ctypes.c_ulong(0), options.encode()) != 0:
            os.close(self.device)
            raise HungError(f"mount: {os.strerror(ctypes.get_errno())}")
        _, opcode, unique, *_ = REQUEST.unpack_from(os.read(self.device, 1 << 18))
        assert opcode == INIT, opcode
        os.write(self.device, ANSWER.pack(ANSWER.size + INIT_ANSWER.size, 0, unique)
                 + INIT_ANSWER.pack(7, 31, 0, 0, 16, 12, 65536, 1))

    def wait(self):
        """Until somebody waits for it. False: nobody does."""
        return select.select([self.device], [], [], TIMEOUT)[0]

    def end(self):
        """Whoever waits gets an error, and the folder is what it was before."""
        self.libc.umount2(self.folder, MNT_FORCE | MNT_DETACH)
        os.close(self.device)


@contextlib.contextmanager
def hung(folder):
    mounted = HungFolder(folder)
    try:
        yield mounted
    finally:
        mounted.end()
