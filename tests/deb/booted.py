# SPDX-License-Identifier: BSD-3-Clause
"""A Debian in a folder with systemd as its process 1 (boot.sh), and its unbound.service."""

import contextlib
import os
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "unbound"))
from daemon import Daemon, DaemonError, eventually  # noqa: E402
from debianroot import DebianRoot  # noqa: E402

NAMESPACES = "--mount", "--uts", "--ipc", "--pid", "--cgroup"
ENVIRONMENT = "PATH=/usr/sbin:/usr/bin:/sbin:/bin", "HOME=/root", "LC_ALL=C.UTF-8", "DEBIAN_FRONTEND=noninteractive"
UNDISTURBED = "apt-daily.timer", "apt-daily-upgrade.timer", "dpkg-db-backup.timer", "logrotate.timer"


class MayNotBoot(Exception):
    """This machine has no control groups for us."""


class BootedRoot(DebianRoot):
    """Only in a mount namespace of the caller's own, and with the loopback interface alone."""

    def __init__(self, below):
        super().__init__(below)
        self.groups = self.folder / "groups"
        self.groups.mkdir()
        self.group = self.daemon = None
        try:
            self._make_group()
            (self / "usr/sbin/policy-rc.d").unlink()  # daemons do start here
            for unit in UNDISTURBED:
                (self / "etc/systemd/system" / unit).symlink_to("/dev/null")
            self.boot()
        except BaseException:
            self.close()
            raise

    def _make_group(self):
        """Below the caller's own, whatever else holds that: no limit is set anywhere."""
        mounted = subprocess.run(["mount", "-t", "cgroup2", "cgroup2", self.groups], check=False, capture_output=True, text=True)
        if mounted.returncode != 0:
            raise MayNotBoot(mounted.stderr.strip())
        own = next(line[3:] for line in Path("/proc/self/cgroup").read_text().splitlines() if line.startswith("0::"))
        try:
            self.group = Path(tempfile.mkdtemp(prefix="idn-deb-", dir=self.groups / own.lstrip("/")))
        except OSError as error:
            raise MayNotBoot(f"no control group: {error}") from error

    def boot(self):
        """Returns when systemd has started all that there is to start."""
        self.daemon = Daemon([HERE / "boot.sh", self.path, self.group], "/")
        if not eventually(lambda: self.daemon.process.poll() is not None or self._is_up()):
            raise DaemonError(f"systemd does not get ready:\n{self.daemon.log()}")
        if self.daemon.process.poll() is not None:
            raise DaemonError(f"systemd ended:\n{self.daemon.log()}")

    def _is_up(self):
        """Not before it has left the machine's own root, where there may be another systemd."""
        first = self._first()
        with contextlib.suppress(OSError):
            return first and os.path.samefile(f"/proc/{first}/root", self.path) and self.run("systemctl", "is-system-running")[1].strip() in ("running", "degraded")
        return False

    def _first(self):
        """Its process 1 as the caller numbers it, the child of an unshare(1); None: not yet."""
        unshare = self.daemon.pid
        return next(iter(Path(f"/proc/{unshare}/task/{unshare}/children").read_text().split()), None)

    def shut_down(self):
        """In order, as services are stopped."""
        self.run("systemctl", "poweroff")
        self.daemon.wait_exit()

    def close(self):
        if self.daemon and self.daemon.process.poll() is None:
            self.daemon.process.kill()
            self.daemon.wait_exit()
        if self.group:
            eventually(self._remove_groups)
        subprocess.run(["umount", "-l", self.groups], check=False, stderr=subprocess.DEVNULL)
        super().close()

    def _remove_groups(self):
        """False as long as the kernel still counts what has ended."""
        with contextlib.suppress(OSError):
            for folder, _, _ in os.walk(self.group, topdown=False):
                os.rmdir(folder)
        return not self.group.exists()

    def command(self, *words):
        return ["nsenter", "--target", self._first(), *NAMESPACES, "env", "-i", *ENVIRONMENT, *map(str, words)]


class Unit:
    """unbound.service, as unit.py's Service, but that systemd runs it."""

    def __init__(self, root):
        self.root = root
        self.seen = 0

    def _journal(self):
        self.root.must("journalctl", "--sync")
        return self.root.must("journalctl", "-q", "-u", "unbound.service", "-o", "cat").splitlines()

    def mark(self):
        """Separates later messages from earlier ones, and resets systemd's limit of five starts in ten seconds."""
        self.root.run("systemctl", "reset-failed", "unbound.service")
        self.seen = len(self._journal())

    @property
    def said(self):
        """The unit's messages in the journal since mark()."""
        return "\n".join(self._journal()[self.seen:])

    def property(self, name):
        return self.root.must("systemctl", "show", "-p", name, "--value", "unbound.service").strip()

    def log(self):
        """All that the daemon that runs has said."""
        return self.root.must("journalctl", "-q", "-o", "cat", f"_SYSTEMD_INVOCATION_ID={self.property('InvocationID')}")

    def pid(self):
        return int(self.property("MainPID"))

    def is_active(self):
        return self.root.run("systemctl", "is-active", "unbound.service")[1].strip() == "active"

    def restart(self):
        self.mark()
        self.root.must("systemctl", "restart", "unbound.service")

    def stop(self):
        """It ends with its machine."""
