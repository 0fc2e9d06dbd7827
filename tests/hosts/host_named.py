# SPDX-License-Identifier: BSD-3-Clause
"""BIND's named, by a plugin in C."""

from host import Host

CONFIG = """\
options {{
    directory "{folder}";
    listen-on port {port} {{ 127.0.0.1; }};
    listen-on-v6 {{ none; }};
    notify no;
    pid-file none;
    session-keyfile none;
    recursion yes;
    dnssec-validation no;
    empty-zones-enable no;
    max-cache-size 64M;
    servfail-ttl 0;
}};
controls {{ }};
zone "example" {{ type forward; forward only; forwarders {{ 127.0.0.1 port {nsd}; }}; }};
zone "slow.example" {{ type forward; forward only; forwarders {{ 127.0.0.1 port {upstream}; }}; }};
{policy}
"""
PLUGIN = 'plugin query "{plugin}" {{ config "{folder}/idn.conf"; library "{library}"; }};'


class Named(Host):
    name = "named"
    threads = 2
    plugin = None  # another one

    def missing(self):
        return "" if self.built().exists() else "the plugin is not built, since bind9-dev is missing"

    def built(self):
        return self.library.parent / "named-idn.so"

    def statements(self, folder, library):
        return PLUGIN.format(plugin=self.plugin or self.built(), folder=folder, library=library)

    def configure(self, folder, port, library):
        config = folder / "named.conf"
        config.write_text(CONFIG.format(folder=folder, port=port, nsd=self.world.nsd_port, upstream=self.world.upstream.port,
                                        policy=self.statements(folder, library) if self.glue else ""))
        return [self.tool("named"), "-g", "-n", self.threads, "-c", config]

    def is_started(self, octets):
        return b"all zones loaded" in octets


HOST = Named
