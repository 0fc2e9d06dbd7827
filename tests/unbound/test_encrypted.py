# SPDX-License-Identifier: BSD-3-Clause
"""DNS over TLS and over HTTPS in the log and in the metrics."""

import dnsname
import encrypted
from daemon import eventually
from question import Question, Tcp, exchange
from test_json import differences
from test_targets import METRICS

NAME = "xn--bcher-kva.wild.example"


def test_transports(world, tap):
    """JSON tells them apart; on the network both are TCP."""
    kinds, server = encrypted.offer(world)
    with world.resolver(tap, f"log: json\nlog-to: log/idn.log\n{METRICS}", server=server) as resolver:
        for transport, port in (*kinds, (Tcp, resolver.port)):
            word = transport.__name__.lower()
            for time in ("miss", "hit"):
                asked = Question(dnsname.parse(f"{word}.{NAME}"))
                reply = exchange(("127.0.0.1", port), asked, transport)
                number = resolver.answered(asked)
                line = resolver.log.wait(dnsname.column(asked.labels), number)[number - 1]
                tap.equal((reply.rcode, line.cached, line.u), ("NOERROR", number - 1, f"{word}.bücher.wild.example"),
                          f"{word}, {time}")
                tap.equal(list(differences(reply, line.fields)), [], f"{word}, {time}: id, port, transport, time")
                tap.equal(line.fields["network.transport"], "tcp", f"{word}, {time}: TCP on the network")
            counted = eventually(lambda w=word: resolver.metrics().sum("replies_total", transport=w) == 2)
            tap.ok(counted, f"{word}: counted as such", (resolver.folder / "log/idn.prom").read_text())


def test_text_lines(world, tap):
    kinds, server = encrypted.offer(world)
    with world.resolver(tap, "log-to: log/idn.log", server=server) as resolver:
        for transport, port in kinds:
            asked = Question(dnsname.parse(NAME))
            reply = exchange(("127.0.0.1", port), asked, transport)
            number = resolver.answered(asked)
            line = resolver.log.wait(dnsname.column(asked.labels), number)[number - 1]
            tap.equal((reply.rcode, line.client, line.cached, line.u),
                      ("NOERROR", "127.0.0.1", number - 1, "bücher.wild.example"), transport.__name__)
