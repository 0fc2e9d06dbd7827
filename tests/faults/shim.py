# SPDX-License-Identifier: BSD-3-Clause
"""The shim's other side: which calls there are, and which of them is to fail (tests/faults/control.h)."""

import bisect
import collections
import mmap
import struct
import subprocess

CALLS_MAX, FRAMES_MAX, OBJECTS_MAX, OBJECT_NAME_MAX, OBJECT_SHIFT = 1 << 16, 7, 64, 40, 48
IDLE, RECORD, FAIL = range(3)

HEAD = struct.Struct("=IIIIQII")  # mode, fired, met, turn, place, number of calls, number of objects
CALL = struct.Struct(f"=Q32s{FRAMES_MAX}Q")
CALLS_AT = HEAD.size + OBJECTS_MAX * OBJECT_NAME_MAX
SIZE = CALLS_AT + CALLS_MAX * CALL.size

Call = collections.namedtuple("Call", "place turn name where")  # the turn-th time that a place is met


class Symbols:
    """Names for places in the module, from its symbol table."""

    def __init__(self, path):
        text = subprocess.run(["nm", "--defined-only", path], check=True, capture_output=True, text=True).stdout
        rows = sorted((int(at, 16), name) for at, kind, name in map(str.split, text.splitlines()) if kind in "tT")
        self.places = [at for at, _ in rows]
        self.names = [name for _, name in rows]

    def find(self, offset):
        number = bisect.bisect_right(self.places, offset) - 1
        return f"{self.names[number]}+{offset - self.places[number]:#x}" if number >= 0 else hex(offset)


class Shim:
    """The control file of one process after the other."""

    def __init__(self, library, path, symbols):
        self.library, self.path, self.symbols = library, path, symbols
        with open(path, "w+b") as file:
            file.truncate(SIZE)
            self.memory = mmap.mmap(file.fileno(), SIZE)
        path.chmod(0o666)

    @property
    def environment(self):
        return {"LD_PRELOAD": str(self.library), "XN_FAULTS": str(self.path)}

    def _set(self, mode, place=0, turn=0):
        objects = HEAD.unpack_from(self.memory)[6]
        HEAD.pack_into(self.memory, 0, IDLE, 0, 0, turn, place, 0, objects)
        struct.pack_into("=I", self.memory, 0, mode)

    def record(self):
        self._set(RECORD)

    def fail(self, call):
        self._set(FAIL, call.place, call.turn)

    def rest(self):
        struct.pack_into("=I", self.memory, 0, IDLE)

    @property
    def mode(self):
        return HEAD.unpack_from(self.memory)[0]

    @property
    def fired(self):
        return HEAD.unpack_from(self.memory)[1]

    def calls(self):
        """The recorded calls, in order."""
        count, objects = HEAD.unpack_from(self.memory)[5:7]
        if count > CALLS_MAX:
            raise RuntimeError(f"{count} calls are more than find room")
        names = [self.memory[HEAD.size + i * OBJECT_NAME_MAX:][:OBJECT_NAME_MAX].rstrip(b"\0").decode()
                 for i in range(objects)]
        turns, calls = collections.Counter(), []
        for number in range(count):
            place, name, *frames = CALL.unpack_from(self.memory, CALLS_AT + number * CALL.size)
            turns[place] += 1
            calls.append(Call(place, turns[place], name.rstrip(b"\0").decode(), self._where(names, frames)))
        return calls

    def _where(self, names, frames):
        """The library that called, and the functions of the module on the way to it."""
        shown = []
        for frame in frames:
            name = names[frame >> OBJECT_SHIFT] if frame else ""
            if name in ("idn.so", "unbound-idn"):
                shown.append(self.symbols.find(frame & (1 << OBJECT_SHIFT) - 1))
            elif name and name not in shown:
                shown.append(name)
        return " < ".join(shown)
