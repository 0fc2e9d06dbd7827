# SPDX-License-Identifier: BSD-3-Clause
"""Resolvers that load an RPZ zone, and primaries that serve it, each on its own loopback port."""

import os
import re
import shlex
import subprocess
from pathlib import Path

from daemon import Daemon, DaemonError, eventually, free_port, nsd, unbound_conf
from ownroot import loader_of, may_change_root, own_root

ORIGIN = "rpz.example"

UNBOUND = """\
forward-zone:
    name: "."
    forward-addr: 127.0.0.1@{upstream}
rpz:
    name: {origin}
{source}
"""

# For all tests of named. `options` and `statements`: more lines of these.
NAMED = """\
options {{
    directory "{folder}";
    listen-on port {port} {{ 127.0.0.1; }};
    listen-on-v6 {{ none; }};
    notify no;
    pid-file none;
    session-keyfile none;
    recursion yes;
    empty-zones-enable no;
    max-cache-size 64M;
    {options}
}};
controls {{ }};
{statements}
"""
NAMED_FORWARDS = "dnssec-validation no; forward only; forwarders {{ 127.0.0.1 port {upstream}; }};"
NAMED_OPTIONS = NAMED_FORWARDS + '''
    response-policy {{ zone "{origin}"; }} qname-wait-recurse no min-update-interval 1;
    transfer-source 127.0.0.1;'''
# The control channel, for rndc.
NAMED_KEY = 'key "rndc" {{ algorithm hmac-sha256; secret "c2VjcmV0"; }};\n'
NAMED_CONTROLS = NAMED_KEY + 'controls {{ inet 127.0.0.1 port {control} allow {{ 127.0.0.1; }} keys {{ "rndc"; }}; }};\n'
RNDC = NAMED_KEY + 'options {{ default-server 127.0.0.1; default-port {control}; default-key "rndc"; }};\n'
NAMED_ZONE = 'zone "{origin}" {{\n{source}    allow-query {{ none; }};\n}};'

KNOT = """\
server:
    rundir: "{folder}"
    listen: 127.0.0.1@{port}
database:
    storage: "{folder}"
log:
  - target: stderr
    any: info
{remotes}
acl:
  - id: resolvers
    address: 127.0.0.0/8
    action: transfer
template:
  - id: default
    storage: "{folder}"
zone:
  - domain: {origin}
    file: "{zone}"
    zonefile-sync: -1
    zonefile-load: difference
    journal-content: all
    acl: resolvers
{notified}
"""

# Given as options on the command line, which all versions accept: configuration files of 5.2 and later are YAML.
RECURSOR = """\
local-address=127.0.0.1
local-port={port}
socket-dir={folder}
config-dir={folder}
forward-zones-recurse=.=127.0.0.1:{upstream}
dont-query=
dnssec=off
daemon=no
disable-syslog=yes
security-poll-suffix=
export-etc-hosts=off
disable-packetcache=yes
threads=1
setuid=
setgid=
"""

RECURSOR_YAML = """\
recursor:
  rpzs:
    - name: {name}
"""
RECURSOR_YAML_PRIMARY = """\
      addresses: ["127.0.0.1:{primary}"]
      refresh: 1
"""

KRESD = """\
net.listen('127.0.0.1', {port})
trust_anchors.remove('.')
modules.unload('ta_update')
modules.unload('ta_signal_query')
modules.unload('priming')
modules.load('policy')
policy.add(policy.rpz(policy.DENY, '{zone}', false))
policy.add(policy.all(policy.STUB('127.0.0.1@{upstream}')))
modules.load('hints')
hints.root({{ ['root.'] = '{root}' }})
net.ipv6 = false
option('NO_MINIMIZE', true)
option('NO_0X20', true)
print('the resolver listens')
"""


class Servers:
    """Starts the servers, and stops all of them."""

    def __init__(self, folder, unbound, peers, upstream):
        self.folder = folder
        self.unbound_folder = Path(unbound).resolve()
        self.peers = Path(peers).resolve()
        self.upstream = upstream
        self.loader, self.environment = [], {}
        if (self.peers / "libraries").exists():
            self.environment = {"LD_LIBRARY_PATH": (self.peers / "libraries").read_text().strip()}
        else:  # another release
            self.loader = loader_of(self.peers)
        self.daemons = []

    def stop(self):
        for daemon in reversed(self.daemons):
            daemon.stop()

    def logs(self, first):
        return "\n".join(f"{daemon.command[0]}:\n{daemon.log()[-4000:]}" for daemon in self.daemons[first:])

    def tool(self, name):
        return next(self.peers / folder / name for folder in ("usr/bin", "usr/sbin") if (self.peers / folder / name).exists())

    def program(self, name):
        """Returns the command that runs a program."""
        return [*self.loader, self.tool(name)]

    def run(self, name, *arguments):
        """Runs a program. Returns its exit status and its output."""
        done = subprocess.run([*self.program(name), *arguments], env={**os.environ, **self.environment}, text=True, check=False,
                              capture_output=True)
        return done.returncode, done.stdout + done.stderr

    def _folder(self, name):
        folder = self.folder / f"{len(self.daemons)}-{name}"
        folder.mkdir(parents=True)
        folder.chmod(0o777)
        return folder

    def _start(self, command, folder, started, peer=True):
        daemon = Daemon(command, folder, self.environment if peer else None)
        self.daemons.append(daemon)
        if not eventually(lambda: started in daemon.stderr.octets + daemon.stdout.octets or daemon.process.poll() is not None):
            raise DaemonError(f"{command[0]} does not start:\n{daemon.log()}")
        if daemon.process.poll() is not None:
            raise DaemonError(f"{command[0]} ends at once:\n{daemon.log()}")
        return daemon

    def unbound(self, source, port=None):
        """Starts an Unbound without the module. Returns its port. `source`: lines of its rpz: clause."""
        folder, port = self._folder("unbound"), port or free_port()
        clauses = UNBOUND.format(upstream=self.upstream, origin=ORIGIN, source="".join(f"    {line}\n" for line in source))
        config = unbound_conf(folder, port, "respip validator iterator",
                              "    qname-minimisation: no\n    discard-timeout: 60000\n", clauses)
        self._start([self.unbound_folder / "sbin/unbound", "-d", "-c", config], folder, b"start of service", peer=False)
        return port

    def named(self, source, port=None):
        """Starts a BIND. Returns its port. `source`: statements of its zone."""
        folder, port = self._folder("named"), port or free_port()
        zone = NAMED_ZONE.format(origin=ORIGIN, source="".join(f"    {line};\n" for line in source))
        # It answers a moment before the policy of a zone from a file is in force.
        started = b"reload done: success" if "type primary" in source else b"all zones loaded"
        return self._named(folder, port, NAMED_OPTIONS.format(upstream=self.upstream, origin=ORIGIN), zone, started, "-z")

    def _named(self, folder, port, options, statements, started, *checks):
        config = folder / "named.conf"
        config.write_text(NAMED.format(folder=folder, port=port, options=options, statements=statements))
        status, said = self.run("named-checkconf", *checks, config)
        if status != 0:
            raise DaemonError(f"named-checkconf: {said}")
        self._start([*self.program("named"), "-g", "-c", config], folder, started)
        return port

    def named_by(self, options, zone):
        """Starts a BIND with these lines in `options` and this zone, whose file may not exist yet. Returns its port, and its rndc command."""
        folder, control = self._folder("named"), free_port()
        (folder / "rndc.conf").write_text(RNDC.format(control=control))
        port = self._named(folder, free_port(), f"{NAMED_FORWARDS.format(upstream=self.upstream)}\n    {options}",
                           NAMED_CONTROLS.format(control=control) + zone, b" running\n")
        return port, shlex.join(map(str, ["env", *(f"{name}={value}" for name, value in self.environment.items()), *self.program("rndc"),
                                          "-c", folder / "rndc.conf"]))

    def knot(self, zone, secondaries):
        """Starts a Knot DNS as primary. Returns its daemon and port. It sends NOTIFY to the ports `secondaries`."""
        folder, port = self._folder("knot"), free_port()
        config = folder / "knot.conf"
        remotes = "".join(f"  - id: r{number}\n    address: 127.0.0.1@{number}\n" for number in secondaries)
        config.write_text(KNOT.format(folder=folder, port=port, origin=ORIGIN, zone=zone,
                                      remotes=f"remote:\n{remotes}" if remotes else "",
                                      notified="".join(f"    notify: r{number}\n" for number in secondaries)))
        status, said = self.run("knotc", "-c", config, "conf-check")
        if status != 0:
            raise DaemonError(f"knotc conf-check: {said}")
        return self._start([self.tool("knotd"), "-c", config], folder, b"server started"), port

    def nsd(self, zone, secondary):
        """Starts an NSD as primary, as knot() does. It sends NOTIFY to one port."""
        primary, port = nsd(self.peers, self._folder("nsd"), ORIGIN, zone,
                            f"    notify: 127.0.0.1@{secondary} NOKEY\n    provide-xfr: 127.0.0.0/8 NOKEY\n")
        self.daemons.append(primary)
        return primary, port

    def recursor(self, zone=None, primary=None):
        """Starts a Recursor. Returns its port. `zone`: the zone's file; or `primary`: the port of the zone's primary."""
        folder, port = self._folder("recursor"), free_port()
        settings = RECURSOR.format(folder=folder, port=port, upstream=self.upstream).splitlines()
        if self._recursor_version() < (5, 2):
            source = f'rpzFile("{zone}", {{}})' if zone else f'rpzPrimary("127.0.0.1:{primary}", "{ORIGIN}", {{refresh=1}})'
            (folder / "rpz.lua").write_text(f"{source}\n")
            settings.append(f"lua-config-file={folder}/rpz.lua")
        else:
            source = RECURSOR_YAML.format(name=zone or ORIGIN) + (RECURSOR_YAML_PRIMARY.format(primary=primary) if primary else "")
            (folder / "recursor.yml").write_text(source)
        self._start([self.tool("pdns_recursor"), *(f"--{setting}" for setting in settings)], folder, b"Enabled multiplexer")
        return port

    def _recursor_version(self):
        _, said = self.run("pdns_recursor", "--version")
        return tuple(map(int, re.search(r"Recursor (\d+)\.(\d+)", said).groups()))

    def kresd(self, zone, root):
        """Returns its port, or None without the right to change the root folder: it looks for its files below /usr alone. It looks up
        names that the zone passes from `root` on, an address."""
        if not may_change_root():
            return None
        folder, port = self._folder("kresd"), free_port()
        config = folder / "config.lua"
        config.write_text(KRESD.format(folder=folder, port=port, upstream=self.upstream, zone=zone, root=root))
        command = own_root(self.peers, self.tool("kresd"), folder, [config, zone], self.environment)
        self._start([*command, "-n", "-c", config, folder], folder, b"the resolver listens")
        return port
