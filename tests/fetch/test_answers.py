# SPDX-License-Identifier: BSD-3-Clause
"""Each way in which a server can lie: one message with the reason, exit status 1, and the list as it was."""

import gzip
import os
import ssl

from liar import one, reason

OLD = "".join(f"old{number}.example\n" for number in range(10))
NEW = "".join(f"new{number}.example\n" for number in range(10)).encode()
LONG = "".join(f"name{number}.example\n" for number in range(20000)).encode()
BOMB = bytes(2 << 20)  # twice --size-max
PAGE = b"<!DOCTYPE html>\n<html><body>\nyour.example\nThe list has moved.\n</body></html>\n"
GZIP = "Content-Encoding: gzip"
TOO_LARGE = "it is larger than 1 MiB (--size-max)"
NO_END = "cannot verify that the download is complete: expected Content-Length, or Transfer-Encoding: chunked"
DAMAGED = "its gzip data is damaged or cut off"


def endless(request):
    request.head("Transfer-Encoding: chunked")
    while True:
        request.chunk(b"a.example\n" * 1000)


def endless_of_no_length(request):
    request.head()
    while True:
        request.send(b"a.example\n" * 1000)


def endless_members(request):
    request.head(GZIP, "Transfer-Encoding: chunked")
    noise = gzip.compress(os.urandom(50000))
    while True:
        request.chunk(noise)


def drip(request):
    request.head("Content-Length: 1000000")
    while True:
        request.send(b"#")
        request.connection.settimeout(0.1)
        try:
            if request.connection.recv(1) == b"":
                return
        except TimeoutError:
            pass


def redirect(to):
    def answer(request):
        request.answer(b"", f"Location: {to.replace('SELF', request.fields['host'])}", status="302 Found")
    return answer


def cut_chunks(request):
    request.head("Transfer-Encoding: chunked")
    request.chunk(NEW)


def body(text, *fields, **more):
    return lambda request: request.answer(text, *fields, **more)


def refused_protocol(name):
    """In the words of curl 7.88 and 8.14."""
    return f'Protocol "{name}" not supported or disabled in libcurl', f'Protocol "{name}" disabled'


# The server's answer, and the reason in the message; more than one where versions of curl differ.
ANSWERS = {
    "a body that is cut off": (body(NEW[:50], length=len(NEW)), (f"transfer closed with {len(NEW) - 50} bytes remaining to read",
                                                                 f"end of response with {len(NEW) - 50} bytes missing")),
    "a length that is too small": (body(LONG, length=7), "the download is rejected: it has 1 entry, but the file has 10: a loss of more than shrink=50%"),
    "a length that is too large": (body(NEW, length=1 << 40), TOO_LARGE),
    "chunks without an end": (cut_chunks, "transfer closed with outstanding read data remaining"),
    "an endless body in chunks": (endless, TOO_LARGE),
    "an endless body without a length": (endless_of_no_length, TOO_LARGE),
    "an endless body of gzip": (endless_members, TOO_LARGE),
    "a slow drip": (drip, "Operation timed out after "),
    "a gzip bomb": (body(gzip.compress(BOMB), GZIP), TOO_LARGE),
    "a gzip bomb in small members": (body(gzip.compress(bytes(65536)) * 33, GZIP), TOO_LARGE),
    "a gzip bomb in a gzip bomb": (body(gzip.compress(gzip.compress(BOMB)), "Content-Encoding: gzip, gzip"), "its Content-Encoding is gzip, gzip: expected gzip, or none"),
    "gzip that is cut off": (body(gzip.compress(LONG)[:-20], GZIP), DAMAGED),
    "gzip with something after it": (body(gzip.compress(LONG) + b"more", GZIP), DAMAGED),
    "gzip that is none": (body(NEW, GZIP), "its Content-Encoding is gzip, but its data is not"),
    "gzip that it does not mention": (body(gzip.compress(LONG)), "the download is rejected: line 1: this is a gzip file: expected a list of names"),
    "another encoding": (body(NEW, "Content-Encoding: br"), "its Content-Encoding is br: expected gzip, or none"),
    "a redirect loop": (redirect("/list"), "Maximum (5) redirects followed"),
    "a redirect to http": (redirect("http://127.0.0.1:1/list"), refused_protocol("http")),
    "a redirect to a file": (redirect("file:///etc/passwd"), refused_protocol("file")),
    "a redirect to nothing": (redirect("https://nowhere.invalid/list"), "Could not resolve host: nowhere.invalid"),
    "a redirect without a place": (body(NEW, status="302 Found"), "the server answered with status 302: expected 200"),
    "304 without having been asked": (body(b"", status="304 Not Modified"), "the server answered with status 304: expected 200"),
    "200 and nothing": (body(b""), "the download is rejected: it is empty: expected a list, or shrink=any on the rule"),
    "200 and comments": (body(b"# Nothing today.\n\n"), "the download is rejected: it is empty: expected a list, or shrink=any on the rule"),
    "206": (body(NEW, "Content-Range: bytes 0-9/10", status="206 Partial Content"), "the server answered with status 206: expected 200"),
    "404 with a list": (body(NEW, status="404 Not Found"), "the server answered with status 404: expected 200"),
    "a page in HTML": (body(PAGE, "Content-Type: text/html"), "the download is rejected: line 1: this is a web page: expected a list of names"),
    "a page that begins as text": (body(b"Dear user, log in first.\nfree.example\n<a href=x>\n"), "the download is rejected: it has more bad lines (2) than entries (1): line 1: "),
    "a list that shrank": (body(b"a.example\nb.example\n"), "the download is rejected: it has 2 entries, but the file has 10: a loss of more than shrink=50%"),
    "a list with binary rubbish": (body(NEW + bytes(range(256))), "the download is rejected: line 11 has a control character: expected text"),
    "a body without a length": (lambda request: (request.head(), request.send(NEW)), NO_END),
    "HTTP/1.0 without a length": (lambda request: request.send(b"HTTP/1.0 200 OK\r\n\r\n" + NEW), NO_END),
    "gzip without a length": (lambda request: (request.head(GZIP), request.send(gzip.compress(NEW))), NO_END),
    "compressed chunks": (lambda request: (request.head("Transfer-Encoding: gzip, chunked"), request.chunk(gzip.compress(NEW)), request.chunk(b"")), None),
    "nothing but rubbish": (body(b"\xff\xfe" + os.urandom(5000)), "the download is rejected: line 1: this is UTF-16 text: expected a list of names"),
    "top-level domains alone": (body(b"com\nnet\norg\n"), "the download is rejected: no line is valid: line 1: this is a public suffix"),
    "terminal escapes": (body(b"\x1b[2Jcleared\n" * 3), "the download is rejected: line 1 has a control character: expected text"),
}


def expect(tap, site, why, name, *more):
    """A fetch fails for this reason and changes nothing."""
    status, out, errors = site.fetch("--size-max", "1", "--time-max", "2", *more)
    said = reason(errors)
    tap.ok(said.startswith(why or "") and "something else" not in said, f"{name}: the message", errors)
    tap.equal((status, out), (1, ""), f"{name}: the exit status")
    tap.ok((site.folder / "list").read_text() == OLD, f"{name}: the list is as it was")
    tap.equal(site.names(), ["idn.conf", "list", "list.fetch", "rules"], f"{name}: nothing is left")
    tap.ok(int(site.note()["bad"]) > 0, f"{name}: the note has it")


def test_lies(world, tap):
    for name, (answer, why) in ANSWERS.items():
        with world.server(answer) as server:
            expect(tap, world.site(one(server), list=OLD), why, name)


def test_good(world, tap):
    """A good answer, to which all of these come close, is taken."""
    def in_chunks(request):
        request.head("Transfer-Encoding: chunked")
        request.chunk(NEW[:7])
        request.chunk(NEW[7:])
        request.chunk(b"")

    for name, answer in {"plain": body(NEW), "chunks": in_chunks, "gzip": body(gzip.compress(NEW), GZIP),
                         "gzip in members": body(gzip.compress(NEW[:7]) + gzip.compress(NEW[7:]), GZIP), "Latin-1 in a comment": body(NEW + b"# b\xfccher\n"),
                         "a redirect": lambda request: (body(NEW) if request.path == "/b" else redirect("https://SELF/b"))(request)}.items():
        for clean in (True, False):
            with world.server(answer, clean=clean) as server:
                site = world.site(one(server), list=OLD)
                tap.equal(site.fetch("--size-max", "1"), (0, "@/list: new, 10 entries\n", ""), name)
                tap.ok((site.folder / "list").read_bytes().startswith(NEW), f"{name}: the list")


def test_certificates(world, tap):
    for context, why in (("unknown", "SSL certificate problem: unable to get local issuer certificate"),
                         ("expired", "SSL certificate problem: certificate has expired"),
                         ("early", "SSL certificate problem: certificate is not yet valid"),
                         ("other_name", ("SSL: no alternative certificate subject name matches target host name 'localhost'",
                                         "SSL: no alternative certificate subject name matches target hostname 'localhost'"))):
        with world.server(body(NEW), context) as server:
            expect(tap, world.site(one(server), list=OLD), why, context)
            tap.equal(server.requests, [], f"{context}: it is asked for nothing")
    with world.server(body(NEW)) as good, world.server(redirect(f"https://127.0.0.1:{good.port}/moved"), "good") as server:
        site = world.site(one(server), list=OLD)
        tap.equal(site.fetch(), (0, "@/list: new, 10 entries\n", ""), "a redirect to a server with a good one is followed")
    with world.server(body(NEW), None) as server:
        expect(tap, world.site(one(server), list=OLD), None, "no TLS at all")


def test_redirect_ports(world, tap):
    """A server may redirect to its own name, which is another address by then, and what its session ticket says would get there in
    the clear, first of all: no session is resumed."""
    resumed = []

    def answer(request):
        resumed.append(request.connection.session_reused)
        (body(NEW) if request.path == "/b" else redirect("https://SELF/b"))(request)

    for version in (ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3):
        world.good.maximum_version = version
        with world.server(answer) as server:
            tap.equal(world.site(one(server)).fetch()[0], 0, f"{version.name}: fetched")
    tap.equal(resumed, [False] * 4, "no session is resumed")


def test_old_tls(world, tap):
    old = world.ca.context("old", "DNS:localhost")
    old.set_ciphers("ALL:@SECLEVEL=0")
    old.minimum_version, old.maximum_version, world.old = ssl.TLSVersion.MINIMUM_SUPPORTED, ssl.TLSVersion.TLSv1_1, old
    with world.server(body(NEW), "old") as server:
        expect(tap, world.site(one(server), list=OLD), None, "TLS 1.1")
        tap.equal(server.requests, [], "it is asked for nothing")


def test_nobody(world, tap):
    expect(tap, world.site("nxdomain names list url=https://nowhere.invalid/list\n", list=OLD), "Could not resolve host: nowhere.invalid", "no address")
    expect(tap, world.site("nxdomain names list url=https://127.0.0.1:1/list\n", list=OLD), "Failed to connect to 127.0.0.1 port 1", "no server")
    expect(tap, world.site("nxdomain names list url=https://192.0.2.1/list\n", list=OLD), None, "no route")


def test_http(world, tap):
    """http: only on request, and never after a redirect from https."""
    with world.server(body(NEW), None) as server:
        rules = f"nxdomain names list url=http://localhost:{server.port}/list\n"
        expect(tap, world.site(rules, list=OLD), "expected https: (or the option --allow-http)", "http")
        tap.equal(server.requests, [], "it is asked for nothing")
        tap.equal(world.site(rules, list=OLD).fetch("--allow-http"), (0, "@/list: new, 10 entries\n", ""), "--allow-http")
        with world.server(redirect(f"http://localhost:{server.port}/list")) as safe:
            expect(tap, world.site(f"nxdomain names list url=https://localhost:{safe.port}/list\n", list=OLD),
                   refused_protocol("http"), "from https to http", "--allow-http")


def test_first(world, tap):
    """There is no list yet: what is bad makes none."""
    with world.server(body(PAGE)) as server:
        site = world.site(one(server))
        status, _, errors = site.fetch()
        tap.equal((status, reason(errors)), (1, "the download is rejected: line 1: this is a web page: expected a list of names"), "the message")
        tap.equal(site.names(), ["idn.conf", "list.fetch", "rules"], "there is still none")


def test_zones(world, tap):
    """A response policy zone is read as one."""
    zone = "$ORIGIN feed.example.\n@ 60 SOA ns.invalid. nobody.invalid. 1 2 3 1000000 5\na.example CNAME .\n"
    for text, result in ((zone, "@/list: new, 1 entry\n"), (zone + "b.example CNAME\n", None), (NEW.decode(), None)):
        with world.server(body(text.encode())) as server:
            site = world.site(f"rpz list url=https://localhost:{server.port}/zone\n", list=zone)
            status, out, errors = site.fetch()
            tap.equal((status, out), (0, result) if result else (1, ""), "a good zone" if result else "a bad one")
            tap.ok(result or reason(errors).startswith("the download is rejected: line "), "the message", errors)
