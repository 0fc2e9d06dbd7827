# SPDX-License-Identifier: BSD-3-Clause
"""The dashboard and the alerts: well-formed, about metrics that the module writes, and with data in a Prometheus that
scrapes a node_exporter which reads the file of a running resolver."""

import contextlib
import json
import re
import urllib.error
import urllib.parse
import urllib.request

import fleetlog
import guide
import yaml
from daemon import Daemon, eventually, free_port
from desk import BLOCKED, PLAIN, desk
from rulefile import write

DASHBOARD = guide.ROOT / "conf/grafana/unbound-idn.json"
RULES = guide.ROOT / "conf/prometheus/unbound-idn.rules.yml"
TESTS = guide.ROOT / "conf/prometheus/unbound-idn.test.yml"
METRIC = re.compile(r"\bunbound_idn_[a-z_]+")
OF_NODE_EXPORTER = "node_textfile_mtime_seconds"
# A rule for each action, about its own name: what follows the action's word, and what follows the name.
ACTIONS = {"passthru": ("", ""), "nxdomain": ("", ""), "nodata": ("", ""), "refuse": ("", ""), "drop": ("", ""), "redirect": ("192.0.2.80 ", ""),
           "cname": ("www.plain.wild.example ", ""), "answer": ("", " A 192.0.2.5"), "tcp-only": ("", ""), "log": ("", "")}
FINE = {"good", "written"}  # results that need no alert
POLICY = "log lookalike paypal.wild.example\nnxdomain zones казино.txt\n"


def panels():
    return json.loads(DASHBOARD.read_text(encoding="utf-8"))["panels"]


def queries():
    """(panel's title, expression as Grafana would send it)."""
    for panel in panels():
        for target in panel["targets"]:
            yield panel["title"], target["expr"].replace("$__rate_interval", "8s").replace("$instance", ".*")


def alerts():
    return [rule for group in yaml.safe_load(RULES.read_text(encoding="utf-8"))["groups"] for rule in group["rules"]]


def test_dashboard(_, tap):
    found = panels()
    tap.equal(len({panel["id"] for panel in found}), len(found), "each panel has a number of its own")
    places = [(panel["gridPos"]["x"], panel["gridPos"]["y"]) for panel in found]
    tap.equal((len(set(places)), [place for place in places if place[0] > 16]), (len(found), []), "and a place of its own")


def test_alerts(operations, tap):
    checks, = guide.blocks("sh", "Metrics, dashboard, alerts")
    with desk(operations, tap, POLICY, lists=[("казино.txt", "казино.example\n")]) as seat:
        (seat.folder / "conf").symlink_to(guide.ROOT / "conf")
        assert eventually((seat.folder / "log/idn.prom").exists), "there are no metrics"
        seat.run(checks)
        tap.equal(seat.said.count("SUCCESS"), 2, "promtool likes the rules, and their tests")
    cases = [case for test in yaml.safe_load(TESTS.read_text(encoding="utf-8"))["tests"] for case in test["alert_rule_test"]]
    raised = {case["alertname"] for case in cases if case.get("exp_alerts")}
    quiet = {case["alertname"] for case in cases if not case.get("exp_alerts")}
    names = {rule["alert"] for rule in alerts()}
    tap.equal((names - raised, names - quiet), (set(), set()), "each alert is raised by made-up series, and kept quiet by others")


def chosen(expression, label, values):
    """Returns each metric in an expression with a matcher of this label, and the values that the matcher selects."""
    for metric, matchers in re.findall(r"(unbound_idn_[a-z_]+)\{([^}]*)\}", expression):
        for operator, pattern in re.findall(rf'\b{label}(=~?)"([^"]*)"', matchers):
            wanted = pattern if operator == "=~" else re.escape(pattern)
            yield metric, {value for value in values[metric] if re.fullmatch(wanted, value)}


def test_each_action_and_result(operations, tap):
    """Alerts and panels about refused replies are about every action that denies, those about results about all bad ones."""
    rules = "".join(f"{action} {before}name {action}.wild.example{after}\n" for action, (before, after) in ACTIONS.items())
    idn = "log: json\nlog-to: log/idn.log\nmetrics-file: log/idn.prom\nmetrics-interval: 1\npolicy: rules"
    with operations.world.resolver(tap, idn, prepare=lambda folder: write(folder, rules, "rules"), check=False) as resolver:
        lines = [json.loads(line) for line in fleetlog.lines_of(resolver, [(f"{action}.wild.example", "A") for action in ACTIONS])]
        assert eventually((resolver.folder / "log/idn.prom").exists), "there are no metrics"
        text = (resolver.folder / "log/idn.prom").read_text()
    tap.equal([line["policy.action"] for line in lines], list(ACTIONS), "each rule matches")
    denied = {line["policy.action"] for line in lines if "denied" in line["event.type"]}
    values = {}
    for metric, label, value in re.findall(r'^(unbound_idn_[a-z_]+)\{(action|result)="([^"]*)"', text, re.M):
        values.setdefault(label, {}).setdefault(metric, set()).add(value)
    tap.equal(values["action"], {"unbound_idn_policy_replies_total": set(ACTIONS)}, "there is a rule for each action that is counted")
    bad = {metric: results - FINE for metric, results in values["result"].items()}
    for kind, expressions in ("alerts", [rule["expr"] for rule in alerts()]), ("panels", [expression for _, expression in queries()]):
        actions = [found for expression in expressions for found in chosen(expression, "action", values["action"])]
        tap.equal(actions, [("unbound_idn_policy_replies_total", denied)], f"{kind}: refused replies are those of {sorted(denied)}")
        results = {metric: set() for metric in bad}
        for expression in expressions:
            for metric, found in chosen(expression, "result", values["result"]):
                results[metric] |= found
        tap.equal(results, bad, f"{kind}: of results, the bad ones")


@contextlib.contextmanager
def prometheus(operations, seat):
    """A function that asks it, while it scrapes node_exporter every second."""
    folder = operations.world.new_folder("prometheus")
    exporter_port, port = free_port(), free_port()
    arguments, = re.findall(r'^ARGS="(.*)"$', guide.placed(guide.the_block("node-exporter"), seat.folder))
    exporter = Daemon([operations.program("prometheus-node-exporter"), *arguments.split(), "--collector.disable-defaults", "--collector.textfile",
                       f"--web.listen-address=127.0.0.1:{exporter_port}"], folder)
    (folder / "prometheus.yml").write_text(f"""\
global: {{scrape_interval: 1s, evaluation_interval: 1s}}
rule_files: ["{RULES}"]
scrape_configs: [{{job_name: node, static_configs: [{{targets: ["127.0.0.1:{exporter_port}"]}}]}}]
""")
    server = Daemon([operations.program("prometheus"), f"--config.file={folder}/prometheus.yml", f"--storage.tsdb.path={folder}/data",
                     f"--web.listen-address=127.0.0.1:{port}"], folder)

    def ask_it(expression):
        url = f"http://127.0.0.1:{port}/api/v1/query?" + urllib.parse.urlencode({"query": expression})
        try:
            with urllib.request.urlopen(url, timeout=10) as reply:
                return json.load(reply)["data"]["result"]
        except urllib.error.HTTPError as error:
            return f"{error}: {error.read().decode()}"
        except OSError:
            return []
    try:
        yield ask_it
    finally:
        server.stop()
        exporter.process.terminate()  # it ends by the signal
        exporter.wait_exit()


def test_every_panel_has_data(operations, tap):
    with desk(operations, tap, POLICY, lists=[("казино.txt", "казино.example\n")]) as seat:
        assert eventually((seat.folder / "log/idn.prom").exists), "there are no metrics"
        with prometheus(operations, seat) as ask_it:
            def load():
                for name in BLOCKED, PLAIN, "xn--pypal-4ve.wild.example", "xn--31m-dda.example":
                    seat.answer(name)
                return isinstance(ask_it(by_rate), list) and ask_it(by_rate)
            by_rate = 'sum(rate(unbound_idn_policy_replies_total{action="nxdomain"}[8s])) > 0'
            tap.ok(eventually(load, timeout=60, interval=0.3), "Prometheus has a rate", ask_it(by_rate))
            for title, expression in queries():
                got = ask_it(expression)
                tap.ok(isinstance(got, list) and got, f"{title}: {expression}", got)
            known = {sample["metric"]["__name__"] for sample in ask_it('{__name__=~"unbound_idn_.*"}')} | {OF_NODE_EXPORTER}
            (seat.folder / "idn-policy.conf").write_text("no rule\n")
            refused = 'ALERTS{alertname="UnboundIdnPolicyRefused",alertstate="firing"}'
            tap.ok(eventually(lambda: ask_it(refused), timeout=60, interval=0.3), "an error in the rules raises its alert")
            states = {rule["alert"]: ask_it(f'ALERTS{{alertname="{rule["alert"]}",alertstate="firing"}}') for rule in alerts()}
            tap.equal({name for name, state in states.items() if state}, {"UnboundIdnPolicyRefused"}, "and no other")
    for file in DASHBOARD, RULES:
        used = set(METRIC.findall(re.sub(r'"(?:uid|title)": "[^"]*"', "", file.read_text(encoding="utf-8"))))
        tap.equal(used - known, set(), f"{file.name} asks for nothing that the module does not write")
    on_panels = {name for _, expression in queries() for name in METRIC.findall(expression)}
    tap.equal(known - on_panels - {OF_NODE_EXPORTER}, set(), "each metric of the module is on a panel")
