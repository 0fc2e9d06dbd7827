# SPDX-License-Identifier: BSD-3-Clause
"""Tests Debian's Knot Resolver 5 and 6 with the policy as a Lua module."""

import collections
import os
import re
import shutil
import struct
import subprocess

import policy
import reasons
import suites
from daemon import eventually
from host import GLUE, IDN, Host
from metrics import Metrics
from ownroot import libraries, may_change_root, own_root, place
from policy import NONE
from proxied import proxied
from question import RD, Tcp, Udp, ask

# Each process makes an idn.conf of its own, named by its process ID.
OWN_IDN = """\
(function()
  local path = '{folder}/idn-' .. worker.pid .. '.conf'
  local file = io.open(path, 'w')
  file:write('idn:\\n policy: rules.conf\\n log-to: log/idn.log\\n metrics-file: log/' .. worker.pid .. '.prom\\n metrics-interval: 1\\n')
  file:close()
  return path
end)()"""
WITH = "modules = {{ idn = {{ config = {config}, library = '{library}' }} }}"
CONFIG = """\
package.path = '{folder}/?.lua;' .. package.path
net.ipv6 = false
net.listen('127.0.0.1', {port})
trust_anchors.remove('.')
modules.unload('ta_update')
modules.unload('ta_signal_query')
modules.unload('priming')
cache.open(10 * MB, 'lmdb://{folder}/cache')
{rules}
policy.add(policy.all(policy.FORWARD('127.0.0.1@{backend}')))
{glue}
{after}
io.stdout:write('process ' .. worker.pid .. ' listens\\n') -- one write: processes share the file
io.stdout:flush()
"""


class Kresd(Host):
    name = "kresd"
    knows_messages = True
    more = ()  # options of kresd
    rules = after = ""  # more lines of kresd.conf, before the policy and after it
    config = "'{folder}/idn.conf'"  # the path of idn.conf, in Lua

    def missing(self):
        return super().missing() or ("" if may_change_root() else
                                     "it needs files below /usr, and chroot is not permitted here")

    def configure(self, folder, port, library):
        (folder / "kres_modules").mkdir()
        shutil.copy(GLUE / "kresd.lua", folder / "kres_modules/idn.lua")
        shutil.copy(GLUE / "idnpolicy.lua", folder / "kres_modules")
        config = folder / "config.lua"
        config.write_text(CONFIG.format(folder=folder, port=port, backend=self.backend(), rules=self.rules, after=self.after,
                                        glue=WITH.format(config=self.config.format(folder=folder), library=library) if self.glue else ""))
        command = own_root(self.peers, self.tool("kresd"), self.world.new_folder("kresd-root"),
                           libraries([self.library], self.environment, self.loader()), self.environment, self.loader())
        inside = command[1] / str(folder).lstrip("/")  # the folder's path from outside the root folder
        shutil.move(folder, inside)
        folder.symlink_to(inside)
        return [*command, "-n", *self.more, "-c", config, folder]

    def behind_proxy(self, proxy, port):
        self.rules += f"net.proxy_allowed({{'{proxy}'}})\n"

    def is_started(self, octets):
        return octets.count(b" listens\n") >= self.processes


def test_own_rules(host, tap):
    """The policy does not change an answer that a rule of Knot Resolver has made."""
    host = Kresd(host.world, host.library)
    host.rules = "policy.add(policy.suffix(policy.REFUSE, {todname('own.wild.example')}))"
    with host.running(tap, "redirect 192.0.2.80 zone wild.example\n") as running:
        tap.equal(running.exchange(ask("own.wild.example")).rcode, "REFUSED", "Knot Resolver's rule")
        tap.equal(running.exchange(ask("other.wild.example")).answers(), ["192.0.2.80"], "the policy's rule")


def test_validation(host, tap):
    host = Kresd(host.world, host.library)
    anchor = (host.world.zone / "example.anchor").read_text().strip()
    host.after = f"trust_anchors.add([[{anchor}]])\ntrust_anchors.set_insecure({{'slow.example'}})"
    reasons.check_security(tap, host, insecure=None)


def test_only_loaded(host, tap):
    """A module that is loaded but not configured does not run without a policy."""
    host = Kresd(host.world, host.library)
    host.glue, host.rules = False, "modules.load('idn')"
    running = host.launch(NONE)
    tap.ok(eventually(running.has_ended), "it exits")
    tap.equal((running.stop(), running.said().count(b"idn: no policy: ")), (1, 1), "and logs why")


def test_forked_alias(host, tap):
    host = Kresd(host.world, host.library)
    host.backend = lambda: host.world.upstream.port
    policy.forked(host, tap, "A", "MX", "A")


def test_no_question(host, tap):
    """A message without a question, with or without a cookie (RFC 7873), is neither decided nor logged."""
    cookie = struct.pack("!BHHIHHH8s", 0, 41, 1232, 0, 12, 10, 8, bytes(8))
    with host.running(tap, "nxdomain name none.example\n") as running:
        for more in (b"", cookie):
            client = Udp(running.address())
            client.socket.send(struct.pack("!6H", 1, RD, 0, 0, 0, len(more) > 0) + more)
            tap.equal(client.receive().rcode, "SERVFAIL", "Knot Resolver's own answer")
            client.close()
        tap.ok(b"idn: SERVFAIL" not in running.said(), "its log has no error")


def test_processes(host, tap):
    """Two processes that share a cache and a log: each has the policy, and applies changed rules."""
    host = Kresd(host.world, host.library)
    host.more, host.processes = ("-f", "2"), 2
    name = "hop-processes.slow.example"
    with host.running(tap, "nxdomain name none.example\n") as running:
        for rule, rcode in (("refuse name processes.slow.example\n", "REFUSED"), ("nxdomain name none.example\n", "NOERROR")):
            tap.ok(running.changed(rule), "each process logs the swap")
            rcodes = collections.Counter(running.exchange(ask(name)).rcode for _ in range(40))
            tap.equal(dict(rcodes), {rcode: 40}, "and applies the new rules")
        pids = {int(pid) for pid in re.findall(r"(?m)^process (\d+) listens$", running.said().decode())}
        tap.equal(len(pids), 2, "two processes serve")


def test_metrics(host, tap):
    """Each of two processes counts its replies in its own metrics file. A shared file always holds the whole text of one process."""
    for config, count in ((OWN_IDN, 2), (Kresd.config, 1)):
        host = Kresd(host.world, host.library)
        host.more, host.processes, host.config = ("-f", "2"), 2, config
        with host.running(tap, "refuse name refuse.example\n", idn=f"{IDN}\nmetrics-file: log/both.prom\nmetrics-interval: 1") as running:
            for _ in range(100):
                running.exchange(ask("refuse.example"))
            asked, seen = sum(running.answers.values()), set()

            def counts():
                found = [Metrics(path.read_text()).replies for path in (running.folder / "log").glob("*.prom")]
                seen.add(tuple(found))
                return found

            if count == 2:
                tap.ok(eventually(lambda: sum(counts()) == asked and len(counts()) == 2), "the sum of both is right", seen)
            else:
                eventually(lambda: counts() and False, timeout=4, interval=0.05)
                tap.ok(all(len(each) <= 1 and sum(each) <= asked for each in seen), "a shared file is whole at each read", seen)


def test_proxied_connection(host, tap):
    """Over TCP, Knot Resolver 5 applies a PROXY header to the questions of its segment alone; later ones are the proxy's."""
    host = type(host)(host.world, host.library)
    host.behind_proxy("127.0.2.3", None)
    with host.running(tap, "refuse zone wild.example client=127.0.2.3\n") as running:
        client = proxied(Tcp, "127.0.2.3")(running.address(), "127.0.2.9")
        for name, rcode in (("n1", "NOERROR"), ("n2", "REFUSED")):
            client.send(ask(f"{name}.wild.example"))
            tap.equal(client.receive().rcode, rcode, f"{name}, on one connection")
            running.answered(ask(f"{name}.wild.example"))
        client.close()


def test_load(host, tap):
    """Swaps the policy of one process under load."""
    policy.swap_under_load(host, tap)


def test_trixie(host, tap):
    """Runs the common tests with Debian 13's Knot Resolver."""
    suites.again(suites.of("trixie", Kresd)(host.world, host.library), tap, test_own_rules, test_proxied_connection)


# ---- Knot Resolver 6 ---------------------------------------------------------------------------------------------------

YAML = """\
rundir: {folder}
workers: {workers}
management: {{unix-socket: {folder}/api.sock}}
logging: {{level: notice, target: stderr}}
network: {{do-ipv6: false, listen: [{{interface: 127.0.0.1@{port}}}]{network}}}
options: {{priming: false}}
cache: {{storage: {folder}/cache, size-max: 10M}}
dnssec: {{{dnssec}}}
forward: [{forward}]
{more}lua:
  script: |
    package.path = '{folder}/?.lua;' .. package.path
    {rules}
    {glue}
    {after}
    io.stdout:write('process ' .. worker.pid .. ' listens\\n')
    io.stdout:flush()
"""
# Renders the YAML as Knot Resolver's manager does: kresd.conf, and policy-loader.conf, which fills the database of rules.
RENDER = """\
import os, pathlib, sys
from knot_resolver.datamodel import KresConfig
from knot_resolver.datamodel.globals import Context, set_global_validation_context
from knot_resolver.utils.modeling import try_to_parse
folder = pathlib.Path(sys.argv[1])
os.chdir(folder)
set_global_validation_context(Context(folder, False))
config = KresConfig(try_to_parse((folder / "config.yaml").read_text()))
(folder / "kresd.conf").write_text(config.render_kresd_lua())
(folder / "policy-loader.conf").write_text(config.render_policy_loader_lua())
"""


def forward(subtree, port, options):
    return f"{{subtree: {subtree}, servers: [127.0.0.1@{port}], options: {{{options}}}}}"


class Kresd6(Kresd):
    """Knot Resolver 6, started by its manager or, which is faster, with the Lua that the manager renders. It runs in a root folder that
    holds all packages of the suite."""

    manager = False
    workers = 1
    network = yaml = ""  # more of its YAML: of `network`, and at the top level
    dnssec, forward = "enable: false", ""

    def root(self):
        if not hasattr(self.world, "kresd6_root"):
            root = self.world.new_folder("kresd6") / "root"
            shutil.copytree(self.peers, root, symlinks=True, copy_function=os.link if os.stat(self.peers).st_dev == os.stat(root.parent).st_dev else shutil.copy2)
            for name in ("bin", "sbin", "lib", "lib64"):
                (root / name).symlink_to(f"usr/{name}")
            for name in ("dev", "tmp", "run"):
                (root / name).mkdir(exist_ok=True)
            (root / "dev/null").touch()
            for path in libraries([self.library], {}):
                place(root, path)
            self.world.kresd6_root = root
        return self.world.kresd6_root

    def configure(self, folder, port, library):
        (folder / "kres_modules").mkdir()
        (folder / "cache").mkdir()
        shutil.copy(GLUE / "kresd.lua", folder / "kres_modules/idn.lua")
        shutil.copy(GLUE / "idnpolicy.lua", folder / "kres_modules")
        glue = WITH.format(config=self.config.format(folder=folder), library=library) if self.glue else ""
        (folder / "config.yaml").write_text(YAML.format(folder=folder, workers=self.workers, port=port, network=self.network, more=self.yaml,
                                                        rules=self.rules, glue=glue, after=self.after, dnssec=self.dnssec,
                                                        forward=self.forward or forward(".", self.backend(), "dnssec: false")))
        inside = self.root() / str(folder).lstrip("/")
        inside.parent.mkdir(parents=True, exist_ok=True)
        shutil.move(folder, inside)
        folder.symlink_to(inside)
        inside.chmod(0o755)
        chroot = ["chroot", self.root()]
        if self.manager:
            return [*chroot, "knot-resolver", "--config", folder / "config.yaml"]
        subprocess.run([*chroot, "python3", "-c", RENDER, folder], check=True)
        self.environment = {"SYSTEMD_INSTANCE": "0"}
        subprocess.run([*chroot, "kresd", "-n", "-c", folder / "policy-loader.conf", "-c", "-", folder], check=True, capture_output=True)
        return [*chroot, "kresd", "-n", "-c", folder / "kresd.conf", folder]

    def behind_proxy(self, proxy, port):
        self.network += f", proxy-protocol: {{enable: true, allow: [{proxy}]}}"


def kresd6(host, **attributes):
    other = suites.of("testing", Kresd6)(host.world, host.library)
    vars(other).update(attributes)
    return other


def test_debian_testing(host, tap):
    """Runs the common tests with Debian testing's Knot Resolver 6."""
    suites.again(kresd6(host), tap)


def test_manager(host, tap):
    """Swaps the policy of two processes that Knot Resolver's manager has started."""
    suites.again(kresd6(host, manager=True, workers=2, processes=2), tap, tests=[policy.test_swap])


def test_yaml(host, tap):
    """Tests validation, DNS64 and local data as configured by YAML."""
    anchor = (host.world.zone / "example.anchor").read_text().strip()
    servers = (("example", host.world.nsd_port), ("slow.example", host.world.upstream.port))
    validates = kresd6(host, dnssec=f"trust-anchors: ['{anchor}'], negative-trust-anchors: [slow.example]",
                       forward=", ".join(forward(subtree, port, "dnssec: true") for subtree, port in servers))
    if why := validates.missing():
        tap.skip("Debian testing's", why)
        return
    reasons.check_security(tap, validates, insecure=None)
    policy.synthesis(kresd6(host, yaml="dns64: {enable: true}\n"), tap, points=False)  # Knot Resolver 6 does not follow the alias, with or without the policy
    own = kresd6(host, yaml="local-data: {rules: [{subtree: nxdomain, name: [own.wild.example]}]}\n")
    with own.running(tap, "redirect 192.0.2.80 zone wild.example\n") as running:
        tap.equal(running.exchange(ask("own.wild.example")).answers(), ["192.0.2.80"], "the policy decides before local data")


def test_dns64(host, tap):
    """Loads Knot Resolver's module dns64 before the policy and after it."""
    for attribute in ("rules", "after"):
        host = Kresd(host.world, host.library)
        setattr(host, attribute, "modules.load('dns64')\ndns64.config('64:ff9b::')")
        policy.synthesis(host, tap)


HOST = Kresd
