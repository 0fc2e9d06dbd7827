# SPDX-License-Identifier: BSD-3-Clause
"""dnsdist, with its packet cache, in front of an Unbound without the module."""

from host import GLUE, Host
from scenes import SCENES

CONF = """\
setLocal('127.0.0.1:{port}', {{ reusePort = true }})
{more}
setACL('127.0.0.0/8')
newServer({{address = '127.0.0.1:{backend}', healthCheckMode = 'up'}})
getPool(''):setCache(newPacketCache(10000))
{policy}
print('the configuration is read')
"""
POLICY = "dofile('{glue}/dnsdist.lua') {{ config = '{folder}/idn.conf', library = '{library}' }}"

NO_LOOKUP = "it resolves nothing, and cannot ask a backend another question: the alias comes alone"


def aliases_alone():
    for scene in SCENES:
        if scene.action == "cname":
            last = max(n for n, record in enumerate(scene.answer) if record.startswith("CNAME "))
            yield scene.title, (NO_LOOKUP, {"rcode": "NOERROR", "answer": scene.answer[: last + 1]})


class Dnsdist(Host):
    name = "dnsdist"
    settle = 0.1
    threads = 2
    differences = dict(aliases_alone())

    def configure(self, folder, port, library):
        config = folder / "dnsdist.conf"
        config.write_text(CONF.format(
            port=port, backend=self.backend(), more=f"addLocal('127.0.0.1:{port}', {{ reusePort = true }})\n" * (self.threads - 1),
            policy=POLICY.format(glue=GLUE, folder=folder, library=library) if self.glue else ""))
        return [self.tool("dnsdist"), "--supervised", "--disable-syslog", "-C", config]

    def is_started(self, octets):
        return b"the configuration is read" in octets


HOST = Dnsdist
