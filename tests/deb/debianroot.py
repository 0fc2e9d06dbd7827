# SPDX-License-Identifier: BSD-3-Clause
"""A Debian of its own in a folder, thrown away after a test: what is changed lies in a layer over the one below."""

import hashlib
import os
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

DEBROOT = Path(__file__).resolve().parents[2] / "tools/build/debroot.sh"

# Files in which a machine notes packages and accounts, and files of caches.
BOOKKEEPING = re.compile(r"/(var/lib/(dpkg|apt|systemd|ucf|logrotate|pam)|var/cache|var/log|tmp|run|proc|ours|stock|repo|etc/apt/sources\.list(\.d)?)(/|$)"
                         r"|/etc/(passwd|shadow|group|gshadow|subuid|subgid)-?$|/etc/ld\.so\.cache$|/root(/|$)")


class DebianRoot:
    """Only in a mount namespace of the caller's own: nothing is unmounted for others."""

    def __init__(self, below):
        self.folder = Path(tempfile.mkdtemp(prefix="idn-deb-", dir="/tmp"))
        for name in ("upper", "work", "root"):
            (self.folder / name).mkdir()
        self.path = self.folder / "root"
        subprocess.run(["mount", "-t", "overlay", "overlay", "-o",
                        f"lowerdir={Path(below).resolve()},upperdir={self.folder}/upper,workdir={self.folder}/work", self.path], check=True)

    def close(self):
        subprocess.run(["umount", "-l", self.path], check=True)
        shutil.rmtree(self.folder, ignore_errors=True)

    def __truediv__(self, path):
        return self.path / str(path).lstrip("/")

    def command(self, *words):
        """The words of a command that runs these in there."""
        return [str(DEBROOT), "within", str(self.path), *map(str, words)]

    def run(self, *words):
        """(exit status, what it printed)"""
        done = subprocess.run(self.command(*words), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              check=False, text=True, errors="replace")
        return done.returncode, done.stdout

    def must(self, *words):
        status, text = self.run(*words)
        if status != 0:
            raise RuntimeError(f"{' '.join(map(str, words))} ended with {status}:\n{text}")
        return text

    def status(self, package):
        """`ii 1.17.1-2`, `rc 0.1.0`, or nothing."""
        status, text = self.run("dpkg-query", "-W", "-f", "${db:Status-Abbrev} ${Version}", package)
        return " ".join(text.split()) if status == 0 and not text.startswith("un ") else ""

    def offer(self, *folders):
        """The packages in these are all that apt knows of, in this order."""
        for path in (self / "etc/apt/sources.list.d").iterdir():
            path.unlink()
        lines = []
        for folder in folders:
            packages = subprocess.run(["dpkg-scanpackages", "--multiversion", folder], cwd=self.path, check=True,
                                      capture_output=True, text=True).stdout
            (self / folder / "Packages").write_text(packages.replace(f"Filename: {folder}/", "Filename: ./"))
            lines.append(f"deb [trusted=yes] file:/{folder} ./\n")
        (self / "etc/apt/sources.list").write_text("".join(lines))
        self.must("apt-get", "-q", "update")

    def tree(self):
        """Path to kind, mode, owner and content of all that is no bookkeeping."""
        found = {}
        for folder, folders, files in os.walk(self.path):
            here = "/" + os.path.relpath(folder, self.path)
            here = "" if here == "/." else here
            folders[:] = [name for name in folders if not BOOKKEEPING.search(f"{here}/{name}")]
            for name in folders + files:
                path = f"{here}/{name}"
                if not BOOKKEEPING.search(path):
                    found[path] = self._entry(Path(folder, name))
        return found

    @staticmethod
    def _entry(path):
        status = path.lstat()
        if path.is_symlink():
            content = os.readlink(path)
        else:
            content = hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else ""
        return oct(status.st_mode), status.st_uid, status.st_gid, content


def differences(before, after):
    """Lines that say what differs between two trees."""
    return [f"{'-' if path not in after else '+' if path not in before else '!'} {path}"
            for path in sorted(before.keys() | after.keys()) if before.get(path) != after.get(path)]
