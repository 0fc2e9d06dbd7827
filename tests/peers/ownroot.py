# SPDX-License-Identifier: BSD-3-Clause
"""Runs a program that is unpacked but needs its files where they would be installed: in its own root folder, without mounts."""

import os
import re
import shutil
import subprocess
from pathlib import Path


def place(root, path, at=None):
    """Copies a file or folder to the same path inside the root, or to `at`."""
    target = root / str(at or path).lstrip("/")
    target.parent.mkdir(parents=True, exist_ok=True)
    if Path(path).is_dir():
        shutil.copytree(path, target, dirs_exist_ok=True)
    elif not target.exists():
        shutil.copy(path, target)


def libraries(objects, environment, loader=()):
    """Returns the paths of the shared libraries that the objects need. `loader`: the command of another libc's loader."""
    found = set()
    for command in [[*loader, "--list", path] for path in objects] if loader else [["ldd", *objects]]:
        done = subprocess.run(command, env={**os.environ, **environment}, capture_output=True, text=True, check=False)
        found.update(Path(path) for path in re.findall(r"^\t(?:.* => )?(/\S+) \(0x", done.stdout, re.MULTILINE))
    return found


def loader_of(peers, more=()):
    """Returns the loader's command that runs a program of `peers`, which has its own libc, with the libraries of `peers` and of the
    folders `more`."""
    folders = [path.parent for path in Path(peers).glob("usr/lib/*/libc.so.6")]
    return [next(Path(peers).glob("usr/lib*/ld-*.so.*")), "--library-path", ":".join(map(str, [*folders, *more]))]


def may_change_root():
    return subprocess.run(["chroot", "/", "true"], capture_output=True, check=False).returncode == 0


def own_root(peers, program, folder, files, environment, loader=()):
    """Returns the command that runs `program` of the folder `peers` in a root folder inside `folder`. `files` and `folder` keep their
    paths there. `environment` or `loader` has the paths of the libraries."""
    peers, root = Path(peers).resolve(), Path(folder) / "root"
    patterns = ("usr/lib/*/knot-resolver", "usr/lib/*/lua", "usr/share/lua", "usr/share/dns")
    # Packages that this machine has installed are not in `peers`, unless these are of another release.
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
