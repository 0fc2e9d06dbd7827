# SPDX-License-Identifier: BSD-3-Clause
"""Debian's Unbound, by its Python module."""

import shutil

from host import GLUE, Host
from question import CD
from scenes import SCENES


NO_LOOKUP = "a Python module cannot look up the alias's target"
NO_TRANSPORT = "a Python module is not told of the transport, nor can it drop a query"
MINIMISED = "Unbound has asked for it to find a name below: the reply comes from the cache, without records"


def difference(scene):
    """(why, what), or None."""
    if scene.action == "cname":
        alias = tuple(record for record in scene.answer if record.startswith("CNAME "))
        return NO_LOOKUP, {"answer": alias, "rcode": "NOERROR"}
    if scene.action == "tcp-only" and scene.tc:
        over_tcp = next(other for other in SCENES if other.name == scene.name and other.qtype == scene.qtype and not other.tc)
        return NO_TRANSPORT, {"answer": over_tcp.answer, "tc": False}
    if scene.rcode == "-":
        return NO_TRANSPORT, {"rcode": "REFUSED"}
    if scene.flags & CD:
        return MINIMISED, {"soa": "*"}
    return None


class Unbound(Host):
    name = "unbound"
    threads = 1
    server = ""
    bare_first = True
    differences = {scene.title: difference(scene) for scene in SCENES if difference(scene)}

    def configure(self, folder, port, library):
        modules = "python validator iterator"
        script = folder / "unbound.py"
        shutil.copy(GLUE / "unbound.py", script)
        (folder / "log").rmdir()
        self.world.configure(folder, port, None, None, self.threads, modules, self.server, f'python:\n    python-script: "{script}"')
        self.environment.update(IDNPOLICY_LIBRARY=str(library), IDNPOLICY_CONFIG=str(folder / "idn.conf"),
                                PYTHONPATH=str(self.peers / "usr/lib/python3/dist-packages"))
        return [self.tool("unbound"), "-d", "-c", folder / "unbound.conf"]

    def is_started(self, octets):
        return b"start of service" in octets


HOST = Unbound
