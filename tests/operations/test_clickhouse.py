# SPDX-License-Identifier: BSD-3-Clause
"""conf/clickhouse: the figures of many lines of three resolvers beside those of `unbound-idn report --json`; lines that come
by syslog-ng, and by rsyslog through a mock of Kafka's broker."""

import json
import os
import re
import socket
import subprocess

import fleetlog
import guide
from clickhouse import clickhouse, report_queries
from daemon import Daemon, eventually
from test_shipping import NAMES, as_written, ask_all, logging, rsyslog, started, state_folder, syslog_ng

LINES, FEW = 1_000_000, 200_000  # the first with --long
RESOLVERS = {"resolver-1": ("enforce", 5), "resolver-2": ("enforce", 3), "resolver-3": ("log-only", 2)}  # and tenths of the lines
YEAR = 365 * 86400
TOTALS = ("queries", "idn", "ruled", "changed", "lookalike")


def is_there(operations, tap):
    try:
        operations.program("clickhouse-server")
    except FileNotFoundError:
        tap.skip("ClickHouse", "this release of Debian has none")
        return False
    return True


def by_text(rows):
    """Rows with figures by what they are about; the report leaves empty members out."""
    figures = ("queries", "idn", "changed")
    table = {}
    for row in rows:
        about = tuple(sorted((key, value) for key, value in row.items() if key not in (*figures, "display") and value != ""))
        assert about not in table, about
        table[about] = tuple(row[figure] for figure in figures if figure in row)
    return table


def joined(rows, domains):
    """Rows about look-alikes for each registrable domain, which only the report knows."""
    table = {}
    for row in rows:
        domain, = (domain for domain in domains if f".{row['name']}".endswith(f".{domain}"))
        about = tuple(sorted({**{key: value for key, value in row.items() if key != "queries" and value != ""}, "name": domain}.items()))
        table[about] = (table.get(about, (0,))[0] + row["queries"],)
    return table


def compare(tap, got, report):
    """The results of report.sql beside a report."""
    tap.equal({key: got["totals"][0][key] for key in TOTALS}, {key: report[key] for key in TOTALS}, "totals")
    tap.equal(got["unread"][0]["lines"], report["unread"], f"lines that are no reply: {report['unread']}")
    tap.equal(got["time"], [row for row in report["time"]["rows"] if row["queries"]], f"over time, each {report['time']['width']} seconds")
    tap.equal({row["finding"]: row["queries"] for row in got["findings"]}, {key: value for key, value in report["findings"].items() if value}, "findings")
    domains = {row["domain"] for row in report["look_alikes"]["rows"]}
    for name in "look_alikes", "look_alike_clients", "blocked", "rules", "matches", "tags", "names", "answers", "idn_names", "clients":
        rows = report[name]["rows"]
        tap.equal((report[name]["missed"], rows != []), (0, True), f"{name}: the report counts each of {len(rows) + report[name]['more']}")
        if "look_alike" in name:
            wanted = by_text([{**{key: value for key, value in row.items() if key != "domain"}, "name": row["domain"]} for row in rows])
            found = joined(got[name], domains)
        else:
            wanted, found = by_text(rows), by_text(got[name])
        counts = [row["queries"] for row in got[name]]
        tap.ok(counts == sorted(counts, reverse=True), f"{name}: the most frequent first")
        if report[name]["more"]:  # of those with the least count it has some
            least = min(value[0] for value in wanted.values())
            tap.equal(counts[:len(wanted)], [row["queries"] for row in rows], f"{name}: the same counts")
            wanted, found = ({about: value for about, value in table.items() if value[0] > least} for table in (wanted, found))
        tap.ok(found == wanted, f"{name}: {len(wanted)} rows with equal figures",
               "\n".join(f"{about}: {found.get(about)}, not {wanted.get(about)}" for about in {*found, *wanted} if found.get(about) != wanted.get(about)))


def test_report(operations, tap):
    if not is_there(operations, tap):
        return
    count = LINES if operations.long else FEW
    lines = {mode: fleetlog.written(operations, tap, mode) for mode in ("enforce", "log-only")}
    tap.note(fleetlog.shown(lines["enforce"]))
    schema, load, report = guide.the_block("clickhouse", guide.FLEET).replace(" |\n", " | ").splitlines()
    with clickhouse(operations) as server:
        done = server.run(schema)
        tap.equal((done.returncode, done.stderr), (0, b""), "the tables are made")
        for seed, (resolver, (mode, tenths)) in enumerate(RESOLVERS.items()):
            log = server.folder / f"{resolver}.log"
            fleetlog.write_log(log, lines[mode], count * tenths // 10, seed)
            with log.open("ab") as file:
                file.write(lines[mode][0][:-100] + b"\n{}\nno line\n")
            done = server.run(guide.replaced(load, {"resolver-1": resolver, "idn.log.1": log.name}))
            tap.equal((done.returncode, done.stderr), (0, b""), f"{log.name} is loaded")
        done = server.run(report)
        tap.equal((done.returncode, done.stderr, done.stdout.count("┌".encode())), (0, b"", len(report_queries())), "each query is answered")
        got = {name: server.rows(query.replace(" LIMIT 1000", "")) for name, query in report_queries().items()}
        done = server.run(f"unbound-idn report --json {' '.join(f'{resolver}.log' for resolver in RESOLVERS)}")
        compare(tap, got, json.loads(done.stdout))
        each = got["resolvers"]
        tap.equal([row["queries"] for row in each], [count * tenths // 10 for _, tenths in RESOLVERS.values()], "each resolver's queries")
        tap.equal({key: sum(row[key] for row in each) for key in TOTALS}, got["totals"][0], "the totals of all resolvers are those of each")
        tap.ok(each[2]["changed"] == 0 < each[2]["ruled"], "one only logs what rules would change")
        drop, = re.findall("Delete a day with: (.*)", (guide.ROOT / "conf/clickhouse/unbound-idn.sql").read_text(encoding="utf-8"))
        done = server.run(f'clickhouse-client --query "{drop}"')
        tap.equal((done.returncode, done.stderr, counted(server)), (0, b"", count // 2), "of two days, one is deleted")
        fleetlog.write_log(server.folder / "idn.log.1", lines["enforce"], 200, 0, seconds=9 * YEAR)
        tables = "; ".join(f"DROP TABLE unbound_idn.{name}" for name in ("parser", "rest", "reported", "lines", "replies", "unread"))
        done = server.run(f"clickhouse-client --multiquery --query '{tables}'\n{schema}\n{load}\nunbound-idn report --json idn.log.1")
        tap.equal((done.returncode, done.stderr), (0, b""), "nine years are loaded")
        report = json.loads(done.stdout)
        tap.equal(server.rows(report_queries()["time"]), [row for row in report["time"]["rows"] if row["queries"]], f"over time, each {report['time']['width']} seconds")


def counted(server):
    return server.rows("SELECT count() AS lines FROM unbound_idn.replies")[0]["lines"]


def compare_names(tap, server, lines):
    """The names in the table beside those of the report for some lines."""
    (server.folder / "all.log").write_bytes(lines)
    report = json.loads(server.run("unbound-idn report --json all.log").stdout)
    tap.ok(report["names"]["rows"] and by_text(server.rows(report_queries()["names"])) == by_text(report["names"]["rows"]), "names are counted as in the report")
    tap.equal(server.rows("SELECT DISTINCT resolver FROM unbound_idn.replies"), [{"resolver": socket.gethostname().partition(".")[0]}], "with the resolver's name")


def test_syslog_ng(operations, tap):
    if not is_there(operations, tap):
        return
    folder = state_folder(operations, "syslog-ng")
    with clickhouse(operations) as server, logging(operations, tap) as resolver:
        schema = guide.the_block("clickhouse", guide.FLEET).splitlines()[0]
        tap.equal(server.run(schema).returncode, 0, "the tables are made")
        log = resolver.folder / "log/idn.log"
        ask_all(resolver, 20)
        text = as_written(guide.the_block("syslog-ng", guide.FLEET), log, server.http, "127.0.0.1:8123")
        daemon = started(operations, tap, folder, *syslog_ng(operations, folder, text))
        try:
            tap.ok(eventually(lambda: counted(server) == 20 * len(NAMES), interval=0.1), "what was there arrives", daemon.log())
            log.rename(log.with_name("idn.log.1"))
            assert eventually(log.exists), "there is no new log"
            ask_all(resolver, 20)
            tap.ok(eventually(lambda: counted(server) == 40 * len(NAMES), interval=0.1), "what comes arrives, over a rotation",
                   f"{counted(server)}\n{daemon.log()}")
        finally:
            daemon.stop()
        compare_names(tap, server, log.with_name("idn.log.1").read_bytes() + log.read_bytes())
        tap.note(daemon.log())


def test_kafka(operations, tap):
    """With librdkafka's mock of a broker, in a kcat. Debian's has no -M for it."""
    broker = Daemon([operations.program("kcat"), "-C", "-b", "replaced", "-t", "unbound-idn", "-X", "test.mock.num.brokers=1", "-X", "debug=mock"], operations.world.folder, operations.environment)
    folder = state_folder(operations, "kafka")
    try:
        port, = broker.stderr.wait(lambda octets: re.findall(rb" bootstrap[.]servers=127[.]0[.]0[.]1:(\d+)", octets))
        with logging(operations, tap) as resolver:
            ask_all(resolver, 20)
            log = resolver.folder / "log/idn.log"
            text = as_written(guide.the_block("rsyslog-kafka", guide.FLEET), log, int(port), "192.0.2.70:9092")
            daemon = started(operations, tap, folder, *rsyslog(operations, folder, text))
            consumer = guide.replaced(guide.the_block("kafka", guide.FLEET), {"192.0.2.70:9092": f"127.0.0.1:{int(port)}"})
            try:
                read_all(operations, tap, folder, log, consumer, daemon)
            finally:
                daemon.stop()
    finally:
        broker.stop()


def read_all(operations, tap, folder, log, consumer, daemon):
    def messages():
        done = subprocess.run(["bash", "-c", consumer.partition("|")[0]], env=operations.environment | {"PATH": path}, capture_output=True, timeout=60, check=False)
        return done.stdout.splitlines()

    path = f"{operations.peers.resolve()}/usr/bin:{os.environ['PATH']}"
    wanted = log.read_bytes().splitlines()
    got = eventually(lambda: len(found := messages()) >= len(wanted) and found, interval=0.2) or []
    tap.ok(sorted(line.partition(b",")[2] for line in got) == sorted(line[1:] for line in wanted), "each line arrives once, octet for octet",
           f"{len(got)} of {len(wanted)}\n{daemon.log()}")
    if not is_there(operations, tap):
        return
    with clickhouse(operations) as server:
        (server.folder / "bin/kcat").symlink_to(operations.program("kcat"))
        schema = guide.the_block("clickhouse", guide.FLEET).splitlines()[0]
        done = server.run(f"export LD_LIBRARY_PATH={operations.environment['LD_LIBRARY_PATH']}\n{schema}\n{consumer}")
        tap.equal((done.returncode, done.stderr, counted(server)), (0, b"", len(wanted)), "and is in ClickHouse")
        compare_names(tap, server, log.read_bytes())
