#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""Tests the images that image.sh has built: podman runs one container as doc/operations.md says, and those of compose.yaml. Prints
TAP. Needs root. tests.mk runs it in its own mount and network namespaces, so that only the containers receive its packets and that
ports 53, 9090 and 9167 are free."""

import contextlib
import functools
import gzip
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
import time
import urllib.parse
import urllib.request
from pathlib import Path

HERE = Path(__file__).resolve().parent
TOP = HERE.parents[1]
sys.path[:0] = [str(HERE.parent / "unbound")]
sys.dont_write_bytecode = True

import dns.exception  # noqa: E402
import dns.message  # noqa: E402
import dns.query  # noqa: E402
import dns.rcode  # noqa: E402

from daemon import eventually  # noqa: E402
from options import parser  # noqa: E402
from tap import Report  # noqa: E402

NOBODY = 65534
COMPRESSED_MAX = 100_000_000  # octets of the image
PATIENCE = 120  # seconds
SERVER, FIRST, SECOND, STRANGER = "10.99.0.53", "10.99.0.7", "10.99.0.8", "192.0.2.7"  # this machine's addresses
KASINO, PAYPAL, LOTTERY = "xn--80aodfsg.example", "xn--pypal-4ve.example", "xn--e1aaqmlk8g.example"
RULES = "nxdomain zone казино.example\nnxdomain lookalike paypal.example\n"
# Answers from the tests' zone; all other lookups end at the loopback interface.
UPSTREAM = """\
server:
    trust-anchor-file: "/zone/example.anchor"
    trust-anchor-signaling: no
    do-not-query-localhost: no
stub-zone:
    name: "."
    stub-addr: 127.0.0.1@9
auth-zone:
    name: "example."
    zonefile: "/zone/example.zone.signed"
    for-downstream: no
    for-upstream: yes
    fallback-enabled: no
"""


def documented():
    """Returns the options of `podman run` in doc/operations.md between the container's name and its volume."""
    block = re.search(r"(?ms)^podman run -d --name unbound-idn (.*?) -v ", (TOP / "doc/operations.md").read_text())
    return shlex.split(block[1].replace("\\\n", " "))


def podman(*arguments, check=True):
    """Runs podman and returns the CompletedProcess, with its standard output. With `check`, standard error, where podman warns that there
    is no systemd for the health check, goes to this test's own; otherwise it is part of the output."""
    return subprocess.run(["podman", *arguments], stdout=subprocess.PIPE, stderr=None if check else subprocess.STDOUT, text=True, check=check)


def ask(name, source=None, rtype="A"):
    """Returns the rcode and the addresses of an answer; None if none comes within a second."""
    try:
        reply = dns.query.udp(dns.message.make_query(name, rtype), SERVER, timeout=1, source=source)
    except (dns.exception.DNSException, OSError):
        return None
    return dns.rcode.to_text(reply.rcode()), [rdata.to_text() for rrset in reply.answer for rdata in rrset if rdata.rdtype == 1]


def get(url):
    with urllib.request.urlopen(url, timeout=10) as response:
        return response.headers["Content-Type"], response.read().decode()


def value(query):
    """Returns the first value of a query to Prometheus; None if there is none, or if Prometheus does not answer yet."""
    with contextlib.suppress(OSError):
        result = json.loads(get("http://127.0.0.1:9090/api/v1/query?" + urllib.parse.urlencode({"query": query}))[1])["data"]["result"]
        return float(result[0]["value"][1]) if result else None
    return None


class Container:
    """A container of unbound-idn, removed at the end of a with block."""

    def __init__(self, *options):
        self.began = time.monotonic()
        self.name = podman("run", "-d", *documented(), *options, "localhost/unbound-idn").stdout.strip()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        podman("rm", "-f", "-t", "0", self.name)

    def inspect(self, what):
        return podman("inspect", "--format", "{{" + what + "}}", self.name).stdout.strip()

    def logs(self):
        return podman("logs", self.name, check=False).stdout

    def replies(self):
        """Returns the members of the log's JSON lines."""
        return [json.loads(line) for line in self.logs().splitlines() if line.startswith("{")]

    def inside(self, *command):
        return podman("exec", self.name, *command, check=False)

    def healthy(self):
        return podman("healthcheck", "run", self.name, check=False).returncode == 0


def image(tap, _):
    layers = subprocess.run(["podman", "save", "-q", "localhost/unbound-idn"], stdout=subprocess.PIPE, check=True).stdout
    size = len(gzip.compress(layers, 6))
    tap.ok(size <= COMPRESSED_MAX, f"at most {COMPRESSED_MAX / 1e6:.0f} MB compressed: {size / 1e6:.0f} MB")


def one(tap, scene):
    rules = scene.folder("rules", {"idn-policy.conf": RULES}) / "idn-policy.conf"
    more = scene.folder("conf", {"test.conf": UPSTREAM})
    with Container("-v", f"{rules.parent}:/etc/unbound/rules:ro", "-v", f"{more}:/etc/unbound/unbound.conf.d:ro", "-v", f"{scene.zone}:/zone:ro") as box:
        first = eventually(lambda: ask(KASINO), PATIENCE)
        tap.equal(first, ("NXDOMAIN", []), f"refuses a name, after {time.monotonic() - box.began:.1f} s")
        tap.equal(ask(PAYPAL), ("NXDOMAIN", []), "refuses a look-alike")
        tap.equal(ask(KASINO, STRANGER), ("REFUSED", []), "refuses a client with a public address")
        tap.equal(eventually(lambda: ask("www.xn--bcher-kva.example")), ("NOERROR", ["192.0.2.11"]), "answers another name")
        found = eventually(lambda: [line for line in box.replies() if line["dns.question.name"] == PAYPAL])
        tap.equal(found and found[0].get("idn.lookalike"), "paypal.example", "logs JSON to standard output")

        wanted = 'unbound_idn_lookalike_replies_total{key="exact"} 1'
        eventually(lambda: wanted in get("http://127.0.0.1:9167/metrics.txt")[1], PATIENCE, 1)
        kind, text = get("http://127.0.0.1:9167/metrics.txt")
        tap.ok(kind == "text/plain" and wanted in text, "counts the look-alike in the metrics, over HTTP", f"{kind}\n{text}")
        tap.ok(box.healthy() and box.inspect(".State.Healthcheck.Status") == "healthy", "is healthy", box.inspect("json .State.Healthcheck"))

        refused = [path for path in ("/x", "/etc/unbound/x", "/etc/unbound/rules/x", "/usr/bin/x") if box.inside("touch", path).returncode]
        tap.equal(len(refused), 4, "writes nothing to its root and its rules")
        status = box.inside("sh", "-c", "cat /proc/[0-9]*/status").stdout
        for key, want in ("Uid", f"{NOBODY}"), ("Gid", f"{NOBODY}"), ("CapEff", "0" * 16), ("CapBnd", "0" * 16), ("NoNewPrivs", "1"):
            got = {line.split()[1] for line in status.splitlines() if line.startswith(f"{key}:")}
            tap.equal(got, {want}, f"{key} of each process")

        rules.write_text(RULES + "redirect 192.0.2.80 zone лотерея.example\n")
        tap.equal(eventually(lambda: ask(LOTTERY)[1] == ["192.0.2.80"]), True, "applies a new rule without a restart")
        rules.write_text(RULES + "redirect 192.0.2.80 zoen лотерея.example\n")
        tap.ok(eventually(lambda: "the rules that were in force before stay in force" in box.logs()), "logs an error in the rules", box.logs())
        tap.ok(box.healthy(), "is healthy with it", box.inspect("json .State.Healthcheck"))
        tap.equal([ask(KASINO), ask(LOTTERY)], [("NXDOMAIN", []), ("NOERROR", ["192.0.2.80"])], "keeps the old rules")

        began = time.monotonic()
        podman("stop", "-t", "60", box.name)
        tap.equal(box.inspect(".State.ExitCode"), "0", f"exits at SIGTERM, in {time.monotonic() - began:.1f} s")
        tap.ok("service stopped" in box.logs(), "logs that it stops", box.logs())


def without_volume(tap, _):
    """Runs without a volume, with the sample of the rules, which holds only comments."""
    with Container() as box:
        tap.equal(eventually(lambda: ask("localhost"), PATIENCE), ("NOERROR", ["127.0.0.1"]), "answers")
        tap.ok(eventually(box.healthy), "is healthy", box.logs())


def with_broken_rules(tap, scene):
    rules = scene.folder("broken", {"idn-policy.conf": "nxdomain zoen казино.example\n"})
    with Container("-v", f"{rules}:/etc/unbound/rules:ro") as box:
        tap.equal(eventually(lambda: ask("localhost"), PATIENCE), ("NOERROR", ["127.0.0.1"]), "answers although the rules cannot be read")
        tap.ok(not box.healthy(), "is not healthy")
        (rules / "idn-policy.conf").write_text(RULES)
        tap.ok(eventually(box.healthy, PATIENCE, 1), "is healthy once they are repaired", box.inspect("json .State.Healthcheck"))


def compose(tap, scene):
    rules = scene.folder("household", {"idn-policy.conf": f"group child {FIRST}\nredirect 192.0.2.80 zone казино.example client=child\n"
                                       "redirect 192.0.2.81 zone казино.example\n"})
    environment = {**os.environ, "RULES": str(rules), "BASE": "localhost/base", "LISTEN": SERVER, "PYTHONPATH": scene.compose}
    run = functools.partial(subprocess.run, cwd=TOP / "tools/container", env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                            check=False)
    command = [sys.executable, "-m", "podman_compose"]
    try:
        done = run([*command, "up", "-d", "--no-build"])
        tap.equal(done.returncode, 0, "starts") or tap.note(done.stdout)
        answers = eventually(lambda: ask(KASINO, FIRST), PATIENCE), ask(KASINO, SECOND)
        tap.equal(answers, (("NOERROR", ["192.0.2.80"]), ("NOERROR", ["192.0.2.81"])), "each client gets its own answer, through dnsmasq")
        log = podman("logs", "container_resolver_1", check=False).stdout
        clients = [json.loads(line)["client.ip"] for line in log.splitlines() if line.startswith("{") and KASINO in line]
        tap.equal(clients, [FIRST, SECOND], "the log names both clients")
        tap.equal(eventually(lambda: value('up{job="unbound-idn"}'), PATIENCE, 1), 1.0, "Prometheus reaches the metrics")
        tap.equal(eventually(lambda: value("sum(unbound_idn_policy_replies_total)") == 2.0, PATIENCE, 1), True, "Prometheus counts both answers")
        groups = json.loads(get("http://127.0.0.1:9090/api/v1/rules")[1])["data"]["groups"]
        tap.ok(groups and all(rule["health"] != "err" for group in groups for rule in group["rules"]), "Prometheus has loaded the alerts", groups)
        for service in "resolver", "dnsmasq", "prometheus":
            status = podman("exec", f"container_{service}_1", "cat", "/proc/1/status", check=False).stdout
            tap.ok("CapEff:\t0000000000000000" in status and "Uid:\t0" not in status, f"{service} runs without a capability, and not as root", status)
    finally:
        run([*command, "down", "-v", "-t", "5"])


class Scene:
    """Folders that containers may read."""

    def __init__(self, made, zone, compose):
        self.made, self.zone, self.compose = Path(made), Path(zone).resolve(), str(Path(compose).resolve())
        self.made.chmod(0o755)

    def folder(self, name, files):
        path = self.made / name
        path.mkdir()
        for file, text in files.items():
            (path / file).write_text(text)
        return path


def main():
    arguments = parser(__doc__, "--zone", "-k")
    arguments.add_argument("--compose", required=True, help="folder with podman_compose.py")
    options = arguments.parse_args()
    # crun accepts version 1 or version 2 of control groups, not both.
    subprocess.run(["umount", "/sys/fs/cgroup/unified"], stderr=subprocess.DEVNULL, check=False)
    for address in SERVER, FIRST, SECOND, STRANGER:
        subprocess.run(["ip", "address", "add", f"{address}/32", "dev", "lo"], check=True)
    report = Report(sys.stdout, os.environ.get("XN_NO_SKIP") == "1")
    with tempfile.TemporaryDirectory() as made:
        scene = Scene(made, options.zone, options.compose)
        for test in image, one, without_volume, with_broken_rules, compose:
            if options.k in test.__name__:
                with report.test(test.__name__) as tap:
                    test(tap, scene)
    return 0 if report.finish() else 1


if __name__ == "__main__":
    sys.exit(main())
