#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""Packages made of others: what Debian or we could publish one day. repack.py DAEMON OUT: that daemon as another build."""

import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path


def field(deb, name):
    return subprocess.run(["dpkg-deb", "-f", deb, name], check=True, capture_output=True, text=True).stdout.strip()


def repack(deb, out, version, change=lambda folder, control: control):
    """`deb` with another version and what `change` makes of its files and control file."""
    with tempfile.TemporaryDirectory(prefix="idn-repack-", dir="/tmp") as folder:
        files = Path(folder, "files")
        subprocess.run(["dpkg-deb", "-R", deb, files], check=True)
        path = files / "DEBIAN/control"
        control = re.sub(r"^Version: .*$", f"Version: {version}", path.read_text(), flags=re.MULTILINE)
        path.write_text(change(files, control))
        subprocess.run(["dpkg-deb", "--root-owner-group", "-Zgzip", "-z1", "-b", files, out], check=True, stdout=subprocess.DEVNULL)


def build_id(daemon):
    notes = subprocess.run(["readelf", "-n", daemon], check=True, capture_output=True, text=True).stdout
    return re.search(r"Build ID: ([0-9a-f]+)", notes).group(1)


def other_build(daemon, out):
    """The same daemon as another build of it: with another build id."""
    octets, ident = Path(daemon).read_bytes(), bytes.fromhex(build_id(daemon))
    assert octets.count(ident) == 1
    Path(out).write_bytes(octets.replace(ident, ident[::-1]))
    Path(out).chmod(0o755)


def next_packages(debs, daemon, module, out, versions):
    """Our packages after another build of Unbound, with that daemon and the module for it. `versions`: of Unbound and of
    the others."""
    old, new = field(debs["unbound"], "Provides"), f"unbound-buildid-{build_id(daemon)[:20]}"

    def put(file, path):
        def change(files, control):
            shutil.copy(file, files / path)
            return re.sub(r"unbound-idn \(= [^)]*\)", f"unbound-idn (= {versions[1]})", control).replace(old, new)
        return change

    repack(debs["unbound"], out, versions[0], put(daemon, "usr/sbin/unbound"))
    repack(debs["unbound-module-idn"], out, versions[1], put(module, "usr/lib/unbound/idn.so"))
    repack(debs["unbound-idn"], out, versions[1])


def older_packages(debs, out, version):
    """Our packages as a version before made them: with another idn.conf, and a library with another soname."""
    def conffile(files, control):
        path = files / "usr/share/unbound-module-idn/idn.conf"
        path.write_text(path.read_text().replace("    log-names: idn\n", "    log-names: all\n"))
        return re.sub(r"unbound-idn \(= [^)]*\)", f"unbound-idn (= {version})", control)

    def soname(files, control):
        for path in sorted(files.glob("usr/**/*libxn*1*"), reverse=True):
            path.rename(path.with_name(path.name.replace("libxn.so.1", "libxn.so.0").replace("libxn1", "libxn0")))
        return control.replace("Package: libxn1", "Package: libxn0")

    repack(debs["unbound-idn"], out, version)
    repack(debs["unbound-module-idn"], out, version, conffile)
    repack(debs["libxn1"], out, version, soname)


if __name__ == "__main__":
    other_build(*sys.argv[1:])
