# SPDX-License-Identifier: BSD-3-Clause
"""A program that was unpacked and not installed, but looks for its files where it would be installed: it runs in a root folder
of its own, which needs no right to mount anything."""

import os
import re
import shutil
import subprocess
from pathlib import Path


def place(root, path, at=None):
    """Copies a file or folder to where it has the same path, or `at`, inside the root."""
    target = root / str(at or path).lstrip("/")
    target.parent.mkdir(parents=True, exist_ok=True)
    if Path(path).is_dir():
        shutil.copytree(path, target, dirs_exist_ok=True)
    elif not target.exists():
        shutil.copy(path, target)


def libraries(objects, environment, loader=()):
    """`loader`: another libc's, with its options."""
    found = set()
    for command in [[*loader, "--list", path] for path in objects] if loader else [["ldd", *objects]]:
        done = subprocess.run(command, env={**os.environ, **environment}, capture_output=True, text=True, check=False)
        found.update(Path(path) for path in re.findall(r"^\t(?:.* => )?(/\S+) \(0x", done.stdout, re.MULTILINE))
    return found


def loader_of(peers, more=()):
    """Returns the command that runs a program of `peers`, which has a libc of its own, with its libraries, and those of the folders
    `more`."""
    folders = [path.parent for path in Path(peers).glob("usr/lib/*/libc.so.6")]
    return [next(Path(peers).glob("usr/lib*/ld-*.so.*")), "--library-path", ":".join(map(str, [*folders, *more]))]


def may_change_root():
    return subprocess.run(["chroot", "/", "true"], capture_output=True, check=False).returncode == 0


def own_root(peers, program, folder, files, environment, loader=()):
    """The command that runs `program` of the folder `peers` with those files, which keep their paths as `folder` does.
    `environment` or `loader` says where its libraries are."""
    peers, root = Path(peers).resolve(), Path(folder) / "root"
    patterns = ("usr/lib/*/knot-resolver", "usr/lib/*/lua", "usr/share/lua", "usr/share/dns")
    # What this machine has installed is not in `peers`, unless these are another release's.
    installed = [(top, path) for top in ([] if loader else [Path("/")]) + [peers] for pattern in patterns for path in top.glob(pattern)]
    for top, path in installed:
        place(root, path, path.relative_to(top))
    objects = [program, *(part for _, path in installed for part in path.rglob("*.so*"))]
    for path in [program, *loader[:1], *files, *libraries(objects, environment, loader)]:
        place(root, path)
    (root / str(folder).lstrip("/")).mkdir(parents=True, exist_ok=True)
    (root / "dev").mkdir()
    (root / "dev/null").touch()
    return "chroot", root, *loader, program
