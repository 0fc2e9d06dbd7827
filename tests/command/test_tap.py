# SPDX-License-Identifier: BSD-3-Clause
"""tap: files of frames and standard input. tests/tap/ has senders."""

import json
import struct
import subprocess

import dns.flags
import dnstap
from dnstap import WHEN, control, data, reply, stream

TIME = "2026-11-22T22:00:00.123456Z"
RULES = """\
nxdomain zone xn--80aodfsg.example
refuse name target.example
log name watched.example tag=seen
drop lookalikes protected.txt key=strict
tcp-only name tcp.example
"""


ANSWERED = ("www.example. 60 IN CNAME xn--bcher-kva.example.", "xn--bcher-kva.example. 60 IN A 192.0.2.11",
            "xn--bcher-kva.example. 60 IN RRSIG A 13 2 60 20261201000000 20261101000000 1 example. AAAA",
            "xn--bcher-kva.example. 60 IN MX 10 mail.xn--bcher-kva.example.")


def test_lines(tap, command, folder):
    made = dnstap.message
    for title, frame, line in (
            ("a name", reply("Example.COM"), "192.0.2.7 example.com. A IN NOERROR - - -"),
            ("an A-label", reply("bücher.example", "AAAA", "NXDOMAIN"),
             '192.0.2.7 xn--bcher-kva.example. AAAA IN NXDOMAIN - - - u="bücher.example"'),
            ("IPv6", reply("a.example", client="2001:db8::7"), "2001:db8::7 a.example. A IN NOERROR - - -"),
            ("no client", reply("a.example", client=None), "- a.example. A IN NOERROR - - -"),
            ("a client of five octets", reply("a.example", client=b"12345"), "- a.example. A IN NOERROR - - -"),
            ("hostile octets", reply("\\027[2J\\226\\128\\174\\\".example"),
             '192.0.2.7 \\027[2j\\226\\128\\174\\034.example. A IN NOERROR - - - u="\\027[2j\\u{202E}\\034.example" idn=invalid(1:raw-utf8)'),
            ("an extended rcode", dnstap.dnstap(made(dnstap.CLIENT_RESPONSE, dnstap.response(dnstap.query("a.example"), extended=16), answered=(WHEN, 123456789))),
             "192.0.2.7 a.example. A IN RCODE16 - - -"),
            ("an authoritative server's", dnstap.dnstap(made(dnstap.AUTH_RESPONSE, dnstap.response(dnstap.query("a.example")), answered=(WHEN, 123456789))),
             "192.0.2.7 a.example. A IN NOERROR - - -"),
            ("fields of a later dnstap.proto", dnstap.field(99, 7) + dnstap.field(98, b"x") + reply("a.example"),
             "192.0.2.7 a.example. A IN NOERROR - - -")):
        tap.equal(logged(command, folder, frame), (0, [f"{TIME} {line}"], ""), f"tap: {title}")
    others = [dnstap.dnstap(made(kind, dnstap.query("a.example").to_wire() if kind % 2 else dnstap.response(dnstap.query("a.example"))))
              for kind in range(1, 15) if kind not in (dnstap.CLIENT_RESPONSE, dnstap.AUTH_RESPONSE)]
    notify = dnstap.query("a.example")
    notify.set_opcode(4)
    others.append(dnstap.dnstap(made(dnstap.CLIENT_RESPONSE, dnstap.response(notify))))
    tap.equal(logged(command, folder, *others), (0, [], ""), "tap: what is no reply to a client, or no query")
    for protocol, transport in enumerate(("udp", "udp", "tcp", "dot", "doh", "udp", "tcp", "doq", "udp")):
        status, found, _ = logged(command, folder, reply("a.example", protocol=protocol), text="log: json")
        members = json.loads(found[0])
        tap.equal((status, members["unbound.transport"], [key for key in members if key in ("event.duration", "unbound.cached")]),
                  (0, transport, []), f"tap: JSON, protocol {protocol}")


def conf(folder, text=""):
    path = folder / "idn.conf"
    path.write_text(f"idn:\n  {text}\n")
    return ["tap", "--config", str(path)]


def logged(command, folder, *frames, text=""):
    """(status, lines, what was said), from standard input."""
    status, out, errors = command(*conf(folder, text), stdin=stream(*frames))
    return status, out.decode().splitlines(), errors


def test_answers(tap, command, folder):
    """Flags, extended error and records of the message, whose names are compressed."""
    before = f"{TIME} 192.0.2.7 www.example. A IN NOERROR - - -"
    frame = reply("www.example", records=ANSWERED, flags=dns.flags.AD | dns.flags.TC, ede=(17, "no: \u202Eä"))
    said = r' f=tc,rd,ra,ad,do ede=17 ede-text="no: \u{202E}\u{E4}"'
    for value, fields in (("no", ""), ("addresses", " a=192.0.2.11"),
                          ("all", ' cname="bücher.example." a=192.0.2.11 mx="10:mail.bücher.example."')):
        tap.equal(logged(command, folder, frame, text=f"log-answers: {value}"), (0, [before + said + fields], ""), f"tap: log-answers: {value}")
    _, found, _ = logged(command, folder, frame, text="log: json\n  log-answers: all")
    members = json.loads(found[0])
    tap.equal([members.get(key) for key in ("dns.header_flags", "dns.ede.info_code", "dns.ede.extra_text", "dns.resolved_ip", "dns.answers_count")],
              [["TC", "RD", "RA", "AD", "DO"], 17, r"no: \u{202E}\u{E4}", ["192.0.2.11"], 3], "tap: members of JSON")
    tap.equal([(one["name"], one["type"], one["ttl"], one["data"]) for one in members["dns.answers"]],
              [("www.example", "CNAME", 60, "xn--bcher-kva.example"), ("xn--bcher-kva.example", "A", 60, "192.0.2.11"),
               ("xn--bcher-kva.example", "MX", 60, "10 mail.xn--bcher-kva.example")], "tap: dns.answers")
    tap.equal(members.get("unbound.security"), None, "tap: what validation found is not known")


def test_times(tap, command, folder):
    asked = dnstap.query("a.example", ident=99)
    answer = dnstap.response(asked)

    def told(*frames):
        return [line.split(" ")[5:8] + [line.split(" ")[6]] for line in logged(command, folder, *frames)[1]]

    def frame(kind, wire, **options):
        return dnstap.dnstap(dnstap.message(kind, wire, **options))

    def seconds(*frames):
        return [line.split(" ")[6] for line in logged(command, folder, *frames)[1]]

    for title, when, want in (("in the response", (WHEN, 1000), "0.000123"), ("none", None, "-"), ("later than the response", (WHEN + 1, 0), "-"),
                              ("a day before", (WHEN - 86400, 0), "-"), ("an hour before", (WHEN - 3600, 123000), "3600.000001"),
                              ("a time that is none", (WHEN, 10**9), "-"), ("the year 10000", (253402300800, 0), "-")):
        tap.equal(seconds(frame(dnstap.CLIENT_RESPONSE, answer, asked=when, answered=(WHEN, 124000))), [want], f"tap: time of the query: {title}")
    query = frame(dnstap.CLIENT_QUERY, asked.to_wire(), asked=(WHEN, 0))
    done = frame(dnstap.CLIENT_RESPONSE, answer, answered=(WHEN, 5000000))
    tap.equal(seconds(query, done, done), ["0.005000", "-"], "tap: the query's own frame, which is for one response")
    for title, other in (("port", frame(dnstap.CLIENT_RESPONSE, answer, port=5354, answered=(WHEN, 5000000))),
                         ("client", frame(dnstap.CLIENT_RESPONSE, answer, client="192.0.2.8", answered=(WHEN, 5000000))),
                         ("id", frame(dnstap.CLIENT_RESPONSE, dnstap.response(dnstap.query("a.example", ident=98)), answered=(WHEN, 5000000))),
                         ("name", frame(dnstap.CLIENT_RESPONSE, dnstap.response(dnstap.query("b.example", ident=99)), answered=(WHEN, 5000000))),
                         ("type", frame(dnstap.CLIENT_RESPONSE, dnstap.response(dnstap.query("a.example", "MX", ident=99)), answered=(WHEN, 5000000)))):
        tap.equal(seconds(query, other), ["-"], f"tap: the query of another {title}")
    many = [dnstap.query(f"n{number}.example", ident=number) for number in range(500)]
    frames = [frame(dnstap.CLIENT_QUERY, one.to_wire(), asked=(WHEN, 1000 * one.id)) for one in many]
    frames += [frame(dnstap.CLIENT_RESPONSE, dnstap.response(one), answered=(WHEN + 1, 1000 * one.id)) for one in reversed(many)]
    tap.equal(sum(time == "1.000000" for time in seconds(*frames)) > 490, True, "tap: 500 queries that wait at once")


def test_rules(tap, command, folder):
    (folder / "rules.conf").write_text(RULES)
    (folder / "protected.txt").write_text("paypal.com\n")

    def matched(*frames):
        status, found, errors = logged(command, folder, *frames, text="policy: rules.conf")
        return status, [line.partition(" - - - ")[2] if " - - - " in line else "" for line in found], errors

    told = "unbound-idn tap: idn: policy: 5 rules, "
    alias = ["a.example. 60 IN CNAME b.example.", "b.example. 60 IN CNAME target.example."]
    for title, frame, fields in (
            ("a zone", reply("www.казино.example"), 'u="www.казино.example" policy=nxdomain rule=rules.conf:1 match="zone казино.example" mode=observed'),
            ("the target of an alias", reply("a.example", records=alias), 'policy=refuse rule=rules.conf:2 match="name target.example" target=target.example mode=observed'),
            ("an alias from elsewhere", reply("z.example", records=alias), ""),
            ("a log rule, which would change nothing", reply("watched.example"), 'policy=log rule=rules.conf:3 match="name watched.example" tags=seen'),
            ("a look-alike", reply("раураl.com"), 'u="\\u{440}\\u{430}\\u{443}\\u{440}\\u{430}l.com" idn=restricted(1:script-mix) policy=drop rule=rules.conf:4 '
             'match="lookalikes paypal.com" key=exact label=1 mode=observed'),
            ("over UDP", reply("tcp.example"), 'policy=tcp-only rule=rules.conf:5 match="name tcp.example" mode=observed'),
            ("none", reply("b.example"), "")):
        status, fields_of, errors = matched(frame)
        tap.equal((status, fields_of, errors[:len(told)]), (0, [fields], told), f"tap: rules: {title}")
    status, found, _ = logged(command, folder, reply("www.казино.example"), text="policy: rules.conf\n  log: json\n  policy-mode: enforce")
    members = json.loads(found[0])
    tap.equal((status, members["policy.mode"], members["event.type"]), (0, "observed", ["protocol"]), "tap: rules: JSON, where nothing is denied")
    (folder / "rules.conf").write_text("nxdomain zon x.example\n")
    status, found, errors = logged(command, folder, reply("a.example"), text="policy: rules.conf")
    tap.equal((status, found, "rules.conf:1:10: " in errors), (2, [], True), "tap: rules: an error in them")


def test_settings(tap, command, folder):
    frames = [reply("a.example"), reply("bücher.example")]
    for text, want in (("log-names: idn", [1]), ("log-names: policy", []), ("log: none", [])):
        _, found, _ = logged(command, folder, *frames, text=text)
        tap.equal(len(found), sum(want), f"tap: {text}")
    _, found, _ = logged(command, folder, frames[0], text="log-client: prefix")
    tap.equal(found[0].split(" ")[1], "192.0.2.0/24", "tap: log-client: prefix")
    _, found, _ = logged(command, folder, *frames, text="log-to: ./idn.log\n  metrics-file: ./idn.prom")
    tap.equal((len(found), (folder / "idn.log").exists(), (folder / "idn.prom").exists()), (2, False, False),
              "tap: lines of a file go to standard output, whatever idn.conf says of a daemon's")


def test_files(tap, command, folder):
    whole, empty, torn, other, text = (folder / name for name in ("whole", "empty", "torn", "other", "text"))
    whole.write_bytes(stream(reply("a.example")))
    empty.write_bytes(b"")
    torn.write_bytes(stream(reply("b.example"), reply("c.example"), stop=False)[:-1])
    other.write_bytes(control(dnstap.START, b"protobuf:other") + data(b"x"))
    text.write_text("not frames at all\n")
    for title, paths, status, names, said in (
            ("one", [whole], 0, ["a"], ""),
            ("two, and one of them twice", [whole, whole], 0, ["a", "a"], ""),
            ("torn", [torn], 1, ["b"], "ends in the middle of a frame"),
            ("torn, then whole", [torn, whole], 1, ["b", "a"], "ends in the middle of a frame"),
            ("empty", [empty], 1, [], "not a stream of frames: expected one of fstrm_capture"),
            ("of another type", [other], 1, [], "another content type: expected protobuf:dnstap.Dnstap"),
            ("of text", [text], 1, [], "not a stream of frames: expected READY or START"),
            ("missing", [folder / "none"], 2, [], "No such file or directory"),
            ("a folder", [folder], 2, [], "Is a directory")):
        got, out, errors = command(*conf(folder), *map(str, paths))
        found = [line.split(" ")[2].split(".")[0] for line in out.decode().splitlines()]
        tap.equal((got, found, errors), (status, names, f"unbound-idn tap: {paths[0]}: {said}\n" if said else ""), f"tap: a file: {title}")
    status, out, errors = command(*conf(folder), str(whole), "-", stdin=stream(reply("d.example")))
    tap.equal((status, len(out.splitlines()), errors), (0, 2, ""), "tap: -: standard input")
    status, out, _ = command(*conf(folder), stdin=stream(reply("d.example"), stop=False))
    tap.equal((status, len(out.splitlines())), (0, 1), "tap: a file without STOP, of a capture that was killed")
    with subprocess.Popen([command.path, *conf(folder)], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        process.stdin.write(stream(reply("e.example"), stop=False))
        process.stdin.flush()
        tap.equal(process.stdout.readline().split(b" ")[2], b"e.example.", "tap: a line comes as soon as its frame")
        process.stdin.close()
    lines_of = command(*conf(folder), stdin=stream(*[reply("f.example")] * 20000))[1].count(b"\n")
    tap.equal(lines_of, 20000, "tap: no line of a file is lost")


def test_malformed(tap, command, folder):
    good = reply("after.example")
    asked = dnstap.query("a.example")
    wire = dnstap.response(asked)
    loop = wire[:12] + b"\xc0\x0c" + wire[-4:]
    for title, frame in (("octets", b"\xff" * 20), ("a varint of eleven octets", b"\x08" + b"\xff" * 10 + b"\x01"), ("a varint of 70 bits", b"\x08" + b"\xff" * 9 + b"\x7f"),
                         ("a field that is longer than the frame", b"\x72\x7f"), ("a group", b"\x0b\x0c"), ("field 0", b"\x00\x01"),
                         ("a message cut short", dnstap.field(14, b"\x08")), ("a response without octets", dnstap.dnstap(dnstap.field(1, 6))),
                         ("a query for a response", dnstap.dnstap(dnstap.message(6, asked.to_wire()))),
                         ("no question", dnstap.dnstap(dnstap.message(6, wire[:4] + b"\0" * 8))), ("a loop", dnstap.dnstap(dnstap.message(6, loop))),
                         ("a header cut short", dnstap.dnstap(dnstap.message(6, wire[:11]))), ("a name cut short", dnstap.dnstap(dnstap.message(6, wire[:15])))):
        status, found, errors = logged(command, folder, frame, good)
        tap.equal((status, [line.split(" ")[2] for line in found], errors),
                  (1, ["after.example."], "unbound-idn tap: standard input: malformed frames were left out\n"), f"tap: malformed: {title}")
    records = wire[:6] + b"\xff\xff" + wire[8:] + b"\xc0\x0c\x00\x05\x00\x01"
    status, found, errors = logged(command, folder, dnstap.dnstap(dnstap.message(6, records, answered=(WHEN, 0))), text="log-names: all")
    tap.equal((status, len(found), errors), (0, 1, ""), "tap: records that are not there: the question is")
    start = control(dnstap.START)
    for title, octets, said in (
            ("4 GB", start + b"\xff\xff\xff\xff", "a frame of more than 262,144 octets"), ("262,145 octets", start + struct.pack("!I", 262145), "a frame of more than 262,144 octets"),
            ("a control frame of 513 octets", start + struct.pack("!II", 0, 513), "a control frame of more than 512 octets"),
            ("a control frame of 4 GB", b"\0\0\0\0\xff\xff\xff\xff", "a control frame of more than 512 octets"),
            ("START twice", start + start, "a control frame out of order: expected STOP"), ("STOP first", control(dnstap.STOP), "a control frame out of order: expected READY or START"),
            ("a control frame of another type", struct.pack("!III", 0, 4, 77), "a control frame that cannot be read"),
            ("a control frame without a type", struct.pack("!II", 0, 0), "a control frame that cannot be read")):
        status, _, errors = command(*conf(folder), stdin=octets)
        tap.equal((status, errors), (1, f"unbound-idn tap: standard input: {said}\n"), f"tap: malformed: {title}")
    largest = dnstap.field(3, bytes(262144 - len(good) - 4)) + good
    tap.equal((len(largest), len(logged(command, folder, largest, good, largest)[1])), (262144, 3), "tap: frames of 262,144 octets")


def test_usage(tap, command, folder):
    other = "expected unix:PATH; a socket unit of systemd may have other addresses"
    for words, said in ((["--listen", "x"], f"--listen x: {other}"), (["--listen", "127.0.0.1:53"], f"--listen 127.0.0.1:53: {other}"),
                        (["--listen", "unix:tap.sock"], "--listen unix:tap.sock: expected an absolute path"),
                        (["--listen", "unix:/" + "a" * 107], f"--listen unix:/{'a' * 107}: the path is longer than 107 octets"),
                        (["--listen"], "--listen: this option needs a value"),
                        (["--listen", "unix:/tmp/none/x", "FILE"], "FILE and --listen cannot be combined")):
        status, out, errors = command("tap", *words)
        tap.equal((status, out, errors), (2, b"", f"unbound-idn tap: {said}; try 'unbound-idn tap --help'\n"), f"tap: usage: {' '.join(words)[:60]}")
    status, _, errors = command("tap", "--config", str(folder / "missing.conf"), stdin=stream())
    tap.equal((status, "missing.conf" in errors), (2, True), "tap: an idn.conf that is named must be there")
    conf(folder, "log: none")
    done = subprocess.run([command.path, "tap"], input=stream(reply("a.example")), capture_output=True, timeout=60, check=False,
                          env={"UNBOUND_IDN_CONF": str(folder / "idn.conf")})
    tap.equal((done.returncode, done.stdout, done.stderr), (0, b"", b""), "tap: an idn.conf that the environment names")
    empty, unset = (subprocess.run([command.path, "tap"], input=stream(reply("a.example")), capture_output=True, timeout=60, check=False, env=environment)
                    for environment in ({"UNBOUND_IDN_CONF": ""}, {}))
    tap.equal((empty.returncode, empty.stdout, empty.stderr), (unset.returncode, unset.stdout, unset.stderr), "tap: an empty variable names none")
