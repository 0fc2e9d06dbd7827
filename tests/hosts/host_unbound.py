# SPDX-License-Identifier: BSD-3-Clause
"""Debian's Unbound, by its Python module."""

import shutil

from host import GLUE, Host
from scenes import SCENES


class Unbound(Host):
    name = "unbound"
    threads = 1

    def configure(self, folder, port, library):
        modules = "python validator iterator"
        script = folder / "unbound.py"
        shutil.copy(GLUE / "unbound.py", script)
        (folder / "log").rmdir()
        self.world.configure(folder, port, None, None, self.threads, modules, self.server, f'python:\n    python-script: "{script}"')
        self.environment.update(IDNPOLICY_LIBRARY=str(library), IDNPOLICY_CONFIG=str(folder / "idn.conf"),
                                PYTHONPATH=str(self.peers / "usr/lib/python3/dist-packages"))
        return [self.tool("unbound"), "-d", "-c", folder / "unbound.conf"]

    server = ""

    def is_started(self, octets):
        return b"start of service" in octets


HOST = Unbound
