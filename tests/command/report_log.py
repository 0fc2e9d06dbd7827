#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""The query log of a city's resolver for a day, made up: report_log.py [--json] [--lines N]. The same each time."""

import argparse
import datetime
import json
import math
import random
import sys

START = 1795651200  # 2026-11-26 00:00:00 UTC, a Thursday
DAY = 86400

# Names that are asked for, and how often among 10,000.
PLAIN = [("www.stadt.example", 900), ("cdn.video.example", 1700), ("api.messenger.example", 1500), ("mail.stadt.example", 700),
         ("update.system.example", 650), ("time.system.example", 500), ("www.zeitung.example", 800), ("_dmarc.stadt.example", 60),
         ("r3---sn-x.video.example", 300), ("static.shop.example", 900), ("ntp.schule.example", 300)]
IDN = [("www.bücher.example", 60), ("münchen.example", 55), ("straße.example", 12), ("почта.example", 34), ("новости.рф", 31), ("правда.рф", 9),
       ("www.例え.example", 14), ("日本語.jp", 11), ("中文.example", 9), ("ひらがな.jp", 4), ("한국.kr", 8), ("ελλάδα.gr", 9), ("київ.укр", 13),
       ("موقع.example", 10), ("الجزيرة.example", 7), ("שלום.example", 6), ("भारत.example", 7), ("ไทย.example", 5), ("café.example", 22),
       ("żółw.pl", 8), ("naïve.example", 3), ("հայ.example", 3), ("🍕.example", 5), ("i❤.example", 3), ("ქართული.ge", 2), ("தமிழ்.example", 2)]
# The rules' matches: name, action, rule, match, key, how often, and mode.
RULED = [("xn--31m-dda.example", "log", "idn-policy.conf:51", "invalid", "", 6, ""),
         ("xn--zzzzzzzz99999.example", "log", "idn-policy.conf:51", "invalid", "", 3, ""),
         ("www.казино.example", "nxdomain", "idn-policy.conf:11", "zone казино.example", "", 40, ""),
         ("лотерея.example", "redirect", "idn-policy.conf:22", "zone лотерея.example", "", 16, ""),
         ("ads.werbung.example", "nxdomain", "blocklist.conf:3", "zones werbung.example", "", 260, ""),
         ("track.zähler.example", "nxdomain", "blocklist.conf:3", "zones zähler.example", "", 90, ""),
         ("c2.flood.example", "drop", "idn-policy.conf:19", "zone flood.example", "", 12, ""),
         ("neu.probe.example", "refuse", "probe.conf:2", "zone probe.example", "", 9, "log-only"),
         ("alt.probe.example", "nodata", "probe.conf:3", "name alt.probe.example", "", 3, "observed")]
LOOK_ALIKES = [("www.pаypal.com", "nxdomain", "idn-policy.conf:44", "lookalike paypal.com", "exact", 14),
               ("аррӏе.com", "nxdomain", "idn-policy.conf:44", "lookalike apple.com", "exact", 9),
               ("microsоft.com", "nxdomain", "idn-policy.conf:44", "lookalike microsoft.com", "exact", 7),
               ("stadtwérke.example", "log", "idn-policy.conf:45", "lookalikes stadtwerke.example", "strict", 6),
               ("gíthub.com", "log", "idn-policy.conf:45", "lookalikes github.com", "strict", 4),
               ("ｐaypal.com", "nxdomain", "idn-policy.conf:44", "lookalike paypal.com", "exact", 0),
               ("arnazon.com", "log", "idn-policy.conf:45", "lookalikes amazon.com", "exact", 3),
               ("ebаy.com", "nxdomain", "idn-policy.conf:44", "lookalike ebay.com", "exact", 3),
               ("gооgle.com", "nxdomain", "idn-policy.conf:44", "lookalike google.com", "exact", 5)]
TYPES = [("A", 52), ("AAAA", 33), ("HTTPS", 12), ("MX", 1), ("TXT", 1), ("PTR", 1)]


def ascii_label(label):
    return label if label.isascii() else "xn--" + label.encode("punycode").decode()


def ascii_name(name):
    return ".".join(ascii_label(label) for label in name.split("."))


def load(second):
    """Returns how busy a city is, from 0.1 at night to 1 in the evening."""
    hour = second / 3600
    return 0.1 + 0.5 * math.exp(-((hour - 10.5) / 3.2) ** 2) + 0.85 * math.exp(-((hour - 20) / 2.6) ** 2)


class Day:
    def __init__(self, lines, seed=1):
        self.random = random.Random(seed)
        self.lines = lines
        self.entries = [({"name": name, "rcode": "NOERROR"}, weight) for name, weight in PLAIN + IDN]
        self.entries += [({"name": "broken.stadt.example", "rcode": "SERVFAIL", "security": "bogus", "ede": 6}, 3)]
        self.entries += [({"name": f"host{number}.netz{number % 97}.example", "rcode": "NXDOMAIN" if number % 5 == 0 else "NOERROR"}, 1)
                         for number in range(1500)]
        for name, action, rule, match, key, weight, mode in RULED + [(*row, "") for row in LOOK_ALIKES]:
            rcode = {"nxdomain": "NXDOMAIN", "refuse": "REFUSED", "drop": "-"}.get(action, "NOERROR") if not mode else "NOERROR"
            sent = {"ede": 15} if rcode in ("NXDOMAIN", "REFUSED") else {}
            self.entries.append(({**sent, "name": name, "rcode": rcode, "action": action, "rule": rule, "match": match, "key": key, "mode": mode}, weight))

    def times(self):
        """The times of the lines, in the order of a day."""
        minutes = [load(60 * minute) * (0.93 + 0.14 * self.random.random()) for minute in range(1440)]
        total, due = sum(minutes), 0.0
        for minute, weight in enumerate(minutes):
            due += self.lines * weight / total
            count = int(due + 1e-9) if minute < 1439 else self.lines - self.made
            due -= count
            for second in sorted(60 * self.random.random() for _ in range(count)):
                self.made += 1
                yield START + 60 * minute + second

    def replies(self):
        self.made = 0
        entries, weights = zip(*self.entries)
        types, type_weights = zip(*TYPES)
        picks = iter(self.random.choices(entries, weights, k=self.lines))
        kinds = iter(self.random.choices(types, type_weights, k=self.lines))
        for time in self.times():
            number = int(self.random.paretovariate(0.6)) % 400 + 1
            client = f"192.0.2.{number}" if number < 240 else f"2001:db8:{number:x}::1"
            yield {"time": time, "client": client, "type": next(kinds), "security": "secure" if number % 3 == 0 else "", **next(picks)}


def stamp(time):
    return datetime.datetime.fromtimestamp(time, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def text_line(reply):
    line = f"{stamp(reply['time'])} {reply['client']} {ascii_name(reply['name'])}. {reply['type']} IN {reply['rcode']} 0.000214 1 -"
    if "action" in reply:
        line += f" policy={reply['action']} rule={reply['rule']} match=\"{reply['match']}\""
        line += f" key={reply['key']}" if reply["key"] else ""
        line += f" mode={reply['mode']}" if reply["mode"] else ""
    line += f" sec={reply['security']}" if reply["security"] else ""
    line += f" ede={reply['ede']}" if "ede" in reply else ""
    return line


def json_line(reply):
    row = {"@timestamp": stamp(reply["time"]), "ecs.version": "8.11.0", "event.kind": "event", "event.category": ["network"],
           "event.type": ["protocol"], "event.dataset": "unbound_idn.log", "event.duration": 214000, "client.ip": reply["client"],
           "client.port": 40000, "network.transport": "udp", "network.protocol": "dns", "unbound.transport": "udp", "unbound.cached": True,
           "dns.type": "answer", "dns.id": "4711", "dns.question.name": ascii_name(reply["name"]), "dns.question.type": reply["type"],
           "dns.question.class": "IN", "dns.response_code": reply["rcode"]}
    if reply["rcode"] == "-":
        del row["dns.response_code"]
    if "action" in reply:
        row |= {"policy.action": reply["action"], "policy.rule": reply["rule"], "policy.line": 1, "policy.match": reply["match"]}
        row |= {"policy.key": reply["key"]} if reply["key"] else {}
        row |= {"policy.mode": reply["mode"]} if reply["mode"] else {}
    row |= {"unbound.security": reply["security"]} if reply["security"] else {}
    row |= {"dns.ede.info_code": reply["ede"]} if "ede" in reply else {}
    return json.dumps(row, separators=(",", ":"))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--lines", type=int, default=100000)
    options = parser.parse_args()
    line_of = json_line if options.json else text_line
    for reply in Day(options.lines).replies():
        sys.stdout.write(line_of(reply) + "\n")


if __name__ == "__main__":
    main()
