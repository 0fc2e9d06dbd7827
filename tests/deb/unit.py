# SPDX-License-Identifier: BSD-3-Clause
"""unbound.service as it is installed, with its drop-ins, run the way systemd would: each ExecStartPre, then
ExecStart. A daemon that ends by itself is not started again, so tests see it."""

import contextlib
import os
import re
import shlex
import signal
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "unbound"))
from daemon import Daemon  # noqa: E402

FOLDERS = "usr/lib/systemd/system", "lib/systemd/system", "etc/systemd/system"  # the later wins


def read_unit(root):
    """[(key, value)] of the unit and then its drop-ins, of two with the same name the one in /etc."""
    unit, dropins = None, {}
    for folder in FOLDERS:
        file = root / folder / "unbound.service"
        unit = file if file.is_file() else unit
        dropins.update({path.name: path for path in sorted((root / folder / "unbound.service.d").glob("*.conf"))})
    text = "".join(path.read_text() for path in [unit, *(dropins[name] for name in sorted(dropins))])
    return re.findall(r"^(\w+)=(.*)$", text, re.MULTILINE)


class StartRefused(Exception):
    pass


class Service:
    """A unit as systemd runs it. `said` is all that was written to the journal since the last restart."""

    def __init__(self, root):
        self.root = root
        self.said = ""
        self.daemon = None

    def _words(self, line):
        """(prefix, words); the unit's only variable is that of a file that may be missing."""
        prefix, rest = re.fullmatch(r"([-+@:!]*)(.*)", line).groups()
        return prefix, shlex.split(rest.replace("$DAEMON_OPTS", ""))

    def start(self):
        """Returns when the daemon serves, raises StartRefused when it never will."""
        settings = read_unit(self.root)
        for line in (value for key, value in settings if key == "ExecStartPre"):
            prefix, words = self._words(line)
            status, text = self.root.run(*words)
            self.said += text
            if status != 0 and "-" not in prefix:
                raise StartRefused(f"{line} ended with {status}: {text}")
        _, words = self._words(next(value for key, value in settings if key == "ExecStart"))
        daemon = Daemon(self.root.command(*words), "/")
        self.daemon = daemon
        if not daemon.stderr.wait(lambda octets: b"start of service" in octets) or daemon.process.poll() is not None:
            daemon.process.kill()  # where it runs on, saying nothing: with unshare(1) ends what it started
            status = daemon.wait_exit()
            self.said += daemon.log()
            raise StartRefused(f"the daemon ended with {status}:\n{daemon.log()}")

    def log(self):
        """All that the daemon that runs has said."""
        return self.daemon.log()

    def pid(self):
        """The daemon's: debroot.sh has become an unshare(1), whose one child it is."""
        unshare = self.daemon.pid
        return int(Path(f"/proc/{unshare}/task/{unshare}/children").read_text())

    def stop(self):
        if self.daemon:
            if self.daemon.process.poll() is None:
                with contextlib.suppress(ValueError, ProcessLookupError):  # it is just ending by itself
                    os.kill(self.pid(), signal.SIGTERM)
            self.daemon.wait_exit()
            self.said += self.daemon.log()
        self.daemon = None

    def restart(self):
        self.stop()
        self.said = ""
        self.start()
