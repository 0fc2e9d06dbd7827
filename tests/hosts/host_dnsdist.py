# SPDX-License-Identifier: BSD-3-Clause
"""dnsdist, with its packet cache, in front of an Unbound without the module."""

from daemon import free_port
from host import GLUE, Host
from scenes import SCENES

CONF = """\
setLocal('127.0.0.1:{port}')
setACL('127.0.0.0/8')
newServer({{address = '127.0.0.1:{backend}', healthCheckMode = 'up'}})
getPool(''):setCache(newPacketCache(10000))
dofile('{glue}/dnsdist.lua') {{ config = '{folder}/idn.conf', library = '{library}' }}
print('the configuration is read')
"""

NO_LOOKUP = "it resolves nothing, and cannot ask a backend another question: the alias comes alone"


def aliases_alone():
    for scene in SCENES:
        if scene.action == "cname":
            last = max(n for n, record in enumerate(scene.answer) if record.startswith("CNAME "))
            yield scene.title, (NO_LOOKUP, {"rcode": "NOERROR", "answer": scene.answer[: last + 1]})


class Dnsdist(Host):
    name = "dnsdist"
    differences = dict(aliases_alone())

    def __init__(self, world, library):
        super().__init__(world, library)
        self.backend = None

    def start_backend(self):
        """One for all tests."""
        folder, port = self.world.new_folder("backend"), free_port()
        self.world.configure(folder, port, None, None, 1, "validator iterator", "", "")
        self.world.start(folder).wait_started(b"start of service")
        return port

    def configure(self, folder, port, library):
        self.backend = self.backend or self.start_backend()
        config = folder / "dnsdist.conf"
        config.write_text(CONF.format(port=port, backend=self.backend, glue=GLUE, folder=folder, library=library))
        return [self.tool("dnsdist"), "--supervised", "--disable-syslog", "-C", config]

    def is_started(self, octets):
        return b"the configuration is read" in octets


HOST = Dnsdist
