# SPDX-License-Identifier: BSD-3-Clause
"""Reads from strace's output what a program does to files."""

import functools
import os
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

# LeakSanitizer cannot look at a process that is traced already.
SANITIZER = f"ASAN_OPTIONS={os.environ.get('ASAN_OPTIONS', '')}:detect_leaks=0"
# --seccomp-bpf: the program stops only at the calls of interest. If it stopped at every call, a daemon on a busy machine would
# take longer to start than tests wait.
STRACE = ("strace", "-f", "--seccomp-bpf", "-y", "-qq", "-s", "4096", "-e", "trace=%file", "-e", "signal=none", "-E", SANITIZER)

LINE = re.compile(r"(\d+) +(\w+)\((.*)")
RESUMED = re.compile(r"(\d+) +<\.\.\. (\w+) resumed>.*\) += +(-?\d+)")
RESULT = re.compile(r"\) += +(-?\d+)(?:<.*>)?(?: [A-Z]+ \(.*\))?$")
PATH = re.compile(r'(?:(?:AT_FDCWD|\d+)<([^>]*)>, )?"((?:[^"\\]|\\.)*)"')
OPENING = {"open", "openat", "openat2", "creat"}
CHANGING = re.compile(r"creat|rename|unlink|mkdir|rmdir|link$|linkat|mknod|truncate|ch(mod|own)|lchown|utime|xattr")
WRITING = re.compile(r"O_(WRONLY|RDWR|CREAT|TRUNC|APPEND)")
EXECUTING = re.compile("exec")
OF_A_SANITIZER = "/tmp/tsan.rodata."


@dataclass
class Call:
    name: str
    paths: tuple
    arguments: str
    good: bool = True

    @property
    def changes(self):
        """Returns whether the call may make, change or remove a file."""
        if self.name in OPENING:
            return self.name == "creat" or bool(WRITING.search(self.arguments))
        return bool(CHANGING.search(self.name)) and not self.name.startswith(("readlink", "getxattr", "lgetxattr"))

    @property
    def opens(self):
        """O_PATH opens a place to go on from, for neither reading nor writing; AppArmor does not check it either."""
        return self.name in OPENING and "O_PATH" not in self.arguments


@functools.cache
def works():
    """May processes be traced here?"""
    try:
        return subprocess.run([*STRACE, "-o", "/dev/null", "true"], capture_output=True, check=False).returncode == 0
    except FileNotFoundError:
        return False


def around(path):
    """For what starts a daemon: it keeps its process id, and `path` gets the account."""
    return (*STRACE, "-D", "-o", path)


def tracer_of(process):
    """The strace of a running process."""
    return int(re.search(r"^TracerPid:\s+(\d+)", Path(f"/proc/{process}/status").read_text(encoding="ascii"), re.M).group(1))


def has_ended(tracer):
    """Then its account is whole. Who has inherited it may not have taken note yet (Z)."""
    try:
        return bool(re.search(r"^State:\s+[ZX]", Path(f"/proc/{tracer}/status").read_text(encoding="ascii"), re.M))
    except (FileNotFoundError, ProcessLookupError):
        return True


def read(path, folder):
    """All calls in that account of a program that was started in `folder`."""
    calls, open_calls, here = [], {}, str(folder)
    for line in path.read_text(errors="surrogateescape").splitlines():
        resumed = RESUMED.match(line)
        if resumed:
            open_calls.pop(resumed.group(1)).good = int(resumed.group(3)) >= 0
            continue
        match = LINE.match(line)
        if not match:
            continue
        process, name, rest = match.groups()
        end = RESULT.search(rest)
        call = Call(name, paths_of(name, rest, here), rest, not end or int(end.group(1)) >= 0)
        if rest.endswith("<unfinished ...>"):
            open_calls[process] = call
        if name == "chdir" and call.good:
            here = call.paths[0]
        calls.append(call)
    return [call for call in calls if not any(path.startswith(OF_A_SANITIZER) for path in call.paths)]


def paths_of(name, rest, here):
    """For execve, the program alone; for a symbolic link, its path without its content."""
    found = [os.path.normpath(os.path.join(start or here, path)) for start, path in PATH.findall(rest)]
    if EXECUTING.search(name):
        return tuple(found[:1])
    return tuple(found[1:] if name.startswith("symlink") else found)


def changed(calls):
    """The files that may have been made, changed or removed, also where the kernel said no."""
    return {path for call in calls if call.changes for path in call.paths} - {"/dev/null"}
