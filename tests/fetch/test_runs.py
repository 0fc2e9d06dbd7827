# SPDX-License-Identifier: BSD-3-Clause
"""Runs fetch with its lists, whatever their servers say."""

import os
import pty
import random
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

from liar import TIMEOUT, one, reason

TMPFS = Path(__file__).resolve().parents[1] / "unbound/tmpfs.py"

NEW = b"a.example\nb.example\n"


def rest_of(terminal):
    """Returns the text on a terminal whose other end is closed."""
    shown = b""
    while True:
        try:
            shown += os.read(terminal, 65536)
        except OSError:
            os.close(terminal)
            return shown.decode()


def version(body, *fields):
    """An answer for those who do not have it."""
    def answer(request):
        known = request.fields.get("if-none-match"), request.fields.get("if-modified-since")
        if any(field.endswith(f" {value}") for field in fields for value in known if value):
            request.head(status="304 Not Modified")
        else:
            request.answer(body, *fields)
    return answer


def test_conditional(world, tap):
    """A list that has not changed is not sent again; a list that was changed here is."""
    for field, asked in (('ETag: "one"', "if-none-match"), ("Last-Modified: Mon, 01 Jan 2024 00:00:00 GMT", "if-modified-since")):
        with world.server(version(NEW, field)) as server:
            site = world.site(one(server))
            tap.equal(site.fetch(), (0, "@/list: new, 2 entries\n", ""), f"{asked}: first")
            before = (site.folder / "list").stat()
            tap.equal(site.fetch(), (0, "@/list: unchanged, 2 entries\n", ""), f"{asked}: and not again")
            tap.equal((site.folder / "list").stat(), before, f"{asked}: the file is not touched: nobody reads it again")
            (site.folder / "list").write_text("mine.example\n")
            tap.equal(site.fetch(), (0, "@/list: new, 2 entries\n", ""), f"{asked}: a file that was changed here")
            (site.folder / "list").unlink()
            tap.equal(site.fetch(), (0, "@/list: new, 2 entries\n", ""), f"{asked}: a file that is gone")
            (site.folder / "list.fetch").write_text("oops\n")
            tap.equal(site.fetch(), (0, "@/list: new, 2 entries\n", ""), f"{asked}: a note that is damaged")
            site.write_rules(one(server).replace("/list ", "/other "))
            tap.equal(site.fetch(), (0, "@/list: new, 2 entries\n", ""), f"{asked}: another URL")
            tap.equal([asked in request.fields for request in server.requests], [False, True, False, False, False, False], f"{asked}: what was asked")


def test_versions(world, tap):
    """An ETag that changes each time, or that no header field may have."""
    count = iter(range(100))
    with world.server(lambda request: request.answer(NEW, f'ETag: "{next(count)}"')) as server:
        site = world.site(one(server))
        tap.equal([site.fetch()[:2] for _ in range(3)], [(0, "@/list: new, 2 entries\n")] * 3, "it is new each time")
        tap.equal([request.fields.get("if-none-match") for request in server.requests], [None, '"0"', '"1"'], "the last is asked about")
    for etag in ('"' + "x" * 600 + '"', '"b\xfccher"', '"\x1b[2J"'):
        with world.server(lambda request, etag=etag: request.answer(NEW, f"ETag: {etag}")) as server:
            site = world.site(one(server))
            tap.equal([site.fetch()[0] for _ in range(2)], [0, 0], "fetched twice")
            tap.ok(all("if-none-match" not in request.fields for request in server.requests), "what is no ETag is not kept")


def test_notes(world, tap):
    """An error stays known, and so does the list's version."""
    good = version(NEW, 'ETag: "one"')
    broken = threading.Event()
    with world.server(lambda request: request.answer(status="500 Oops") if broken.is_set() else good(request)) as server:
        site = world.site(one(server))
        site.fetch()
        first = site.note()
        tap.ok(int(first["good"]) > 0 and first["bad"] == "0", "after a good one", first)
        broken.set()
        status, out, errors = site.fetch()
        tap.equal((status, out, reason(errors)), (1, "", "the server answered with status 500: expected 200"), "a bad one")
        tap.ok(re.search(r"@/list stays as it was on \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC\n", errors), "says how old the list is", errors)
        note = site.note()
        tap.ok(int(note["bad"]) > 0 and note["good"] == first["good"] and note["etag"] == '"one"', "both times are known", note)
        broken.clear()
        tap.equal(site.fetch(), (0, "@/list: unchanged, 2 entries\n", ""), "good again")


def test_metrics(world, tap):
    answers = {"/good": lambda request: request.answer(NEW), "/bad": lambda request: request.answer(status="500 Oops")}
    with world.server(lambda request: answers[request.path](request)) as server:
        url = f"https://localhost:{server.port}"
        site = world.site(f'nxdomain names good url={url}/good\nrpz "odd \\"name" url={url}/bad\nlog names good url={url}/good\nnxdomain names other\n')
        status, out, errors = site.fetch("--metrics", str(site.folder / "fetch.prom"))
        tap.equal((status, out, errors.count("\n")), (1, "@/good: new, 2 entries\n", 1), "one line for each list, and the same list once")
        text = (site.folder / "fetch.prom").read_text().replace(str(site.folder), "@")
        values = dict(re.findall(r"^unbound_idn_fetch_(.*) (\d+)$", text, re.M))
        bad = 'list="@/odd \\"name"'
        now = time.time()
        tap.equal(len(values), 10, "five for each list")
        for name, good, time_of in (("changed", True, True), ("good", True, True), ("bad", False, True)):
            tap.ok(abs(int(values[f'{name}_timestamp_seconds{{{"list=" + chr(34) + "@/good" + chr(34) if good else bad}}}']) - now) < 60, f"{name}: now", text)
            tap.equal(values[f'{name}_timestamp_seconds{{{bad if good else "list=" + chr(34) + "@/good" + chr(34)}}}'], "0", f"{name}: never")
        tap.equal((values['failed{list="@/good"}'], values[f"failed{{{bad}}}"]), ("0", "1"), "which of them failed")
        tap.equal((values['entries{list="@/good"}'], values[f"entries{{{bad}}}"]), ("2", "0"), "how many entries they have")


def test_spared_files(world, tap):
    """Neither the metrics nor a list replace a file of another kind: not the configuration, not a rule file."""
    with world.server(lambda request: request.answer(NEW)) as server:
        site = world.site(one(server))
        before = (site.folder / "rules").read_bytes()
        status, out, errors = site.fetch("--metrics", str(site.folder / "rules"))
        tap.equal((status, out, errors, (site.folder / "rules").read_bytes()),
                  (1, "@/list: new, 2 entries\n", "@/rules: the file has other text, so it is not replaced: expected no file, or metrics of fetch\n", before), "--metrics names a rule file")
        for name in "rules", "idn.conf", "other":
            site.write_rules(one(server).replace("names list", f"names {name}"))
            if name == "other":
                (site.folder / "other").unlink(missing_ok=True)
                (site.folder / "other").symlink_to("rules")
            before = (site.folder / name).read_bytes()
            status, out, errors = site.fetch()
            tap.equal((status, out, errors, (site.folder / name).read_bytes()),
                      (1, "", "@/rules:1:16: this is a rule file or the configuration, and would be replaced by the download: expected the path of a list\n", before),
                      f"url= with the path of a source: {name}")


def test_two_urls(world, tap):
    """A file has one URL: the second is not silently left."""
    with world.server(lambda request: request.answer(NEW)) as server:
        site = world.site(one(server) + one(server).replace("/list ", "/other "))
        tap.equal(site.fetch(), (1, "@/list: new, 2 entries\n", "@/rules:2:16: the rule @/rules:1 has another URL for this file: expected one for each file\n"),
                  "two URLs for a file")


def test_lock(world, tap):
    """Two at once: one works, the other says so and changes nothing."""
    asked, go_on = threading.Event(), threading.Event()

    def answer(request):
        asked.set()
        go_on.wait(30)
        request.answer(NEW)

    with world.server(answer) as server:
        site = world.site(one(server))
        first = site.start()
        tap.ok(asked.wait(30), "the first is at work")
        status, out, errors = site.fetch()
        tap.equal((status, out, reason(errors)), (1, "", "another fetch is running in @/"), "the second")
        tap.equal(site.names(), ["idn.conf", "list.fetch-new", "rules"], "it leaves what the first has made, and makes nothing")
        go_on.set()
        tap.equal(first.communicate(timeout=30)[0].count("new, 2 entries"), 1, "the first ends well")
        first.wait()
        tap.equal(len(server.requests), 1, "one request")


def test_stop(world, tap):
    """SIGTERM, in each phase: it ends within a second, and leaves nothing."""
    waits = threading.Event()  # the server has sent all that it will

    def silence(request):
        waits.set()
        request.connection.recv(1)

    def stuck(request):
        request.head("Content-Length: 1000")
        request.send(NEW)
        waits.set()
        request.connection.recv(1)

    for number, answer in ((signal.SIGTERM, silence), (signal.SIGTERM, stuck), (signal.SIGINT, stuck)):
        waits.clear()
        with world.server(answer) as server:
            site = world.site(one(server) + one(server).replace("list ", "list2 ", 1))
            process = site.start()
            tap.ok(waits.wait(30), "it is at work")
            before = time.monotonic()
            process.send_signal(number)
            _, errors = process.communicate(timeout=30)
            took = time.monotonic() - before
            tap.ok(took < 1, "it ends within a second", took)
            tap.equal((process.returncode, reason(errors.replace(str(site.folder), "@"))), (1, "stopped by a signal"), "and says so, of one list")
            tap.equal(site.names(), ["idn.conf", "list.fetch", "rules"], "no half file is left")


def test_progress(world, tap):
    """On a terminal, after two seconds: how much of the list has come. The note of the server's headers is bounded."""
    def slow(request):
        body = b"".join(b"n%d.example\n" % number for number in range(50000))
        request.head(f"Content-Length: {len(body)}")
        request.send(body[:len(body) // 2])
        time.sleep(3)
        request.send(body[len(body) // 2:])

    def endless(request):
        request.send(b"HTTP/1.1 200 OK\r\n")
        while True:
            request.send(b"".join(b"A%d: %s\r\n" % (number, b"a" * 1000) for number in range(1000)))

    for answer, status, printed, drawn in (
            (slow, 0, r"@/list: new, 50000 entries\n", r"\r\x1b\[K@/list: (49|50) %(\r\x1b\[K@/list: [0-9]+ %)*\r\x1b\[K"),
            (endless, 1, "", r"\r\x1b\[K@/rules:1:16: https://\S+ was not downloaded: its headers are too large; there is no @/list yet\n")):
        terminal, other = pty.openpty()
        with world.server(answer) as server:
            site = world.site(one(server))
            with site.start(stderr=other) as process:
                os.close(other)
                out, _ = process.communicate(timeout=TIMEOUT)
                shown = rest_of(terminal)
        out, shown = (text.replace(str(site.folder), "@") for text in (out, shown.replace("\r\n", "\n")))
        tap.equal((process.returncode, bool(re.fullmatch(printed, out)), bool(re.fullmatch(drawn, shown))), (status, True, True), f"{answer.__name__}: {out!r} {shown!r}")
        tap.equal(site.names(), [name for name in ("idn.conf", "list", "list.fetch", "rules") if status == 0 or name != "list"], "nothing else is left")


def test_killed_anywhere(world, tap):
    """SIGKILL at any moment: the list is the old one or the new one, and the next fetch finds all as it should be."""
    count = iter(range(1, 1000))

    def answer(request):
        number = next(count)
        request.answer(b"".join(b"n%d.example\n" % line for line in range(number + 100)) + b"last-of-%d.example\n" % (number + 101), f'ETag: "{number}"')

    killed = 0
    with world.server(answer) as server:
        site = world.site(one(server))
        tap.equal(site.fetch()[0], 0, "the first list")
        for _ in range(40):
            process = site.start()
            try:
                process.communicate(timeout=random.random() / 4)
            except subprocess.TimeoutExpired:
                process.kill()
                process.communicate()
                killed += 1
            lines = (site.folder / "list").read_text().splitlines()
            if lines[-1] != f"last-of-{len(lines)}.example":
                tap.ok(False, "a whole list", lines)
        tap.ok(killed > 0, "some were killed", killed)
        tap.equal(site.fetch()[0], 0, "fetched")
        tap.equal(site.names(), ["idn.conf", "list", "list.fetch", "rules"], "nothing is left")


def test_full_disk(world, tap):
    """A download that finds no room leaves the list as it was, with a message; the next one finds room."""
    folder = world.folder / "disk"
    folder.mkdir()
    if subprocess.run([sys.executable, TMPFS, folder, "4096", "true"], check=False, capture_output=True).returncode:
        tap.skip("a full disk", "no file system can be mounted here")
        return
    small = "a.example\n" * 10
    with world.server(lambda request: request.answer(f"{small}# {'x' * 70000}\n".encode())) as server:
        site = world.site(one(server).replace("names list", "names small/list"))
        script = """printf a.example >"$0/list" && "$@" 2>&1
                    echo "status $?" && ls "$0" && cat "$0/list" && grep -c ^bad "$0/list.fetch"
                    mount -o remount,size=1m "$0" && "$@" 2>&1"""
        (site.folder / "small").mkdir()
        disk = site.folder / "small"
        said = subprocess.run([sys.executable, TMPFS, disk, "64k", "sh", "-c", script, disk, *site.words()], check=False,
                              stdout=subprocess.PIPE, text=True, timeout=TIMEOUT).stdout.replace(str(site.folder), "@").splitlines()
        tap.ok(" was not downloaded: it cannot be written: No space left on device; @/small/list stays as it was on " in said[0], "the message", said)
        tap.equal(said[1:], ["status 1", "list", "list.fetch", "a.example1", "@/small/list: new, 10 entries"], "the list, its note, nothing else; then the new one")


def test_links(world, tap):
    """Nothing is written through a link."""
    with world.server(lambda request: request.answer(NEW)) as server:
        site = world.site(one(server), target="target.example\n")
        (site.folder / "list").symlink_to("target")
        status, _, errors = site.fetch()
        tap.equal((status, reason(errors)), (1, "@/list is not a regular file: expected one, or none"), "the list is a link")
        tap.ok((site.folder / "list").is_symlink() and (site.folder / "target").read_text() == "target.example\n", "both are as they were")
        (site.folder / "list").unlink()
        (site.folder / "list.fetch").unlink()
        for name in ("list.fetch", "list.fetch-new"):
            (site.folder / name).symlink_to("target")
            tap.equal(site.fetch()[0], 0, f"{name} is a link: fetched")
            tap.equal((site.folder / "target").read_text(), "target.example\n", f"{name}: its target is as it was")
            tap.ok(not (site.folder / name).is_symlink(), f"{name}: it is none any more")
        (site.folder / "open").mkdir()
        (site.folder / "open").chmod(0o777)
        (site.folder / "open" / "planted").symlink_to("..")
        site.write_rules(one(server).replace("list ", "open/planted/list ", 1))
        status, _, errors = site.fetch()
        tap.ok(status == 1 and "its folder cannot be opened: its path has a symbolic link in a folder that others may write to" in errors, "a planted link on the way", errors)
    tap.equal(len(server.requests), 2, "where it cannot be written, nothing is asked for")


def test_shrink(world, tap):
    """shrink= of the rule applies, and the file's own entries count, even if the file was not downloaded."""
    for options, held, status in (("", 4, 0), ("", 5, 1), ("shrink=70%", 6, 0), ("shrink=any", 100, 0), ("shrink=0%", 3, 1)):
        with world.server(lambda request: request.answer(NEW)) as server:
            site = world.site(one(server, options), list="".join(f"n{number}.example\n" for number in range(held)))
            tap.equal(site.fetch()[0], status, f"{options}: 2 of {held}")
    with world.server(lambda request: request.answer(b"# none\n")) as server:
        tap.equal(world.site(one(server, "shrink=any"), list="a.example\n").fetch()[:2], (0, "@/list: new, 0 entries\n"), "shrink=any: even nothing")


def test_usage(world, tap):
    with world.server(lambda request: request.answer(NEW)) as server:
        site = world.site("nxdomain name a.example\n")
        tap.equal(site.fetch(), (0, "unbound-idn fetch: nothing to do: no rule of @/idn.conf has url=\n", ""), "no rule has a URL: nothing to do")
        site.write_rules("oops\n" + one(server))
        status, out, errors = site.fetch()
        tap.equal((status, out), (1, "@/list: new, 2 entries\n"), "a bad rule does not keep the others' lists old")
        tap.ok(errors.startswith("@/rules:1:1: "), "it is said", errors)
        for more, message in ((["x"], "expected no file"), (["--time-max", "0"], "--time-max 0: expected seconds"), (["--size-max", "1025"], "--size-max 1025: expected MiB"),
                              (["--time-max", "5s"], "--time-max 5s: expected seconds"),
                              (["--time-max", "no\x1b[2J"], "--time-max no\\u{1B}[2J: expected seconds"), (["--size-max="], "--size-max '': expected MiB"),
                              (["--ca"], "--ca: this option needs a value"), (["--nope"], "--nope: no such option")):
            status, _, errors = site.fetch(*more)
            tap.ok(status == 2 and message in errors and errors.count("\n") == 1 and "\x1b" not in errors, repr(more), errors)
        (site.folder / "rules").unlink()
        tap.equal(site.fetch()[0], 2, "no rules at all")
        (site.folder / "idn.conf").unlink()
        tap.equal(site.fetch()[0], 2, "no configuration")
        status, _, errors = world.site(one(server)).fetch("--ca", "/nowhere.pem")
        tap.equal(status, 1, "a CA's file that is missing: no server is trusted")


def test_hostile_words(world, tap):
    """A name stays a name, even if a shell, curl or a program could take it for more."""
    made = "`touch made1` $(touch made2); touch made3 & 'a' \\* ?"
    with world.server(lambda request: request.answer(NEW)) as server:
        url = f"https://localhost:{server.port}/-o/{{a,b}}[1-3]$(touch%20made4);`x`&'|<>*?@file"
        for name in (made, "-rf", "--help", "%s%n", " blank ", "bücher"):
            quoted = name.replace("\\", "\\\\")
            site = world.site(f'nxdomain names "{quoted}" url={url}\n')
            status, out, errors = site.fetch("--metrics", "--out")
            tap.equal((status, out, errors), (0, f"@/{name}: new, 2 entries\n", ""), f"{name}: fetched")
            tap.equal(site.names(), sorted(["idn.conf", "rules", name, f"{name}.fetch", "--out"]), f"{name}: nothing else is made")
            tap.equal(server.requests[-1].path, url.partition("localhost")[2].partition("/")[1] + url.split("/", 3)[3], f"{name}: the URL is asked for as it is")
            tap.equal(len((site.folder / "--out").read_text().splitlines()), 15, f"{name}: one line for each metric")
        site = world.site("")
        folder = site.folder / "two\nlines\tof\x1b[2Jtext"
        folder.mkdir()
        (folder / "idn.conf").write_text("idn:\n    policy: rules\n")
        (folder / "rules").write_text(one(server))
        status, out, errors = site.fetch("--config", f"{folder}/idn.conf")
        refused = status == 1 and "the path of this file has a character that cannot be printed" in errors
        tap.ok(refused and "\x1b" not in errors + out, "a folder with a line feed: refused", errors)
        tap.equal(sorted(path.name for path in folder.iterdir()), ["idn.conf", "rules"], "and nothing is made there")


def test_relative(world, tap):
    """A configuration that is named from its own folder."""
    with world.server(lambda request: request.answer(NEW)) as server:
        site = world.site(one(server))
        (site.folder / "idn.conf").rename(site.folder / "-c.conf")
        status, out, errors = site.fetch("--config=-c.conf", "--metrics=-m")
        tap.equal((status, out, errors), (0, "@/list: new, 2 entries\n", ""), "fetched")
        tap.equal(site.names(), ["-c.conf", "-m", "list", "list.fetch", "rules"], "and the metrics are there")


def test_settings_of_others(world, tap):
    """A user's .curlrc and the system's certificates do not count beside --ca."""
    refused = 1, "SSL certificate problem: unable to get local issuer certificate"
    with world.server(lambda request: request.answer(NEW), "unknown") as server:
        site = world.site(one(server))
        (site.folder / ".curlrc").write_text("insecure\n")
        status, _, errors = site.fetch(HOME=str(site.folder), CURL_HOME=str(site.folder))
        tap.equal((status, reason(errors)), refused, ".curlrc is not read")
        script = 'cp "$0" /etc/ssl/certs/one.pem && cp "$0" /etc/ssl/certs/ca-certificates.crt && openssl rehash /etc/ssl/certs 2>/dev/null && "$@"'
        with_ca, without = ([sys.executable, TMPFS, "/etc/ssl/certs", "1m", "sh", "-c", script, world.folder / "unknown-ca.pem", *words]
                            for words in (site.words(), [word for word in site.words() if word not in ("--ca", world.ca.pem)]))
        if subprocess.run([sys.executable, TMPFS, "/etc/ssl/certs", "1m", "true"], check=False, capture_output=True).returncode:
            tap.skip("the system's certificates", "no file system can be mounted here")
            return
        done = subprocess.run(without, check=False, capture_output=True, text=True, timeout=TIMEOUT)
        tap.equal((done.returncode, done.stderr), (0, ""), "a certificate of the system is trusted")
        done = subprocess.run(with_ca, check=False, capture_output=True, text=True, timeout=TIMEOUT)
        tap.equal((done.returncode, reason(done.stderr.replace(str(site.folder), "@"))), refused, "but not with --ca")


def test_modes(world, tap):
    """A new list is for all to read; one that replaces another has its mode and, as root, its owner."""
    old = os.umask(0o077)
    try:
        with world.server(lambda request: request.answer(NEW)) as server:
            site = world.site(one(server))
            site.fetch()
            path = site.folder / "list"
            tap.equal((path.stat().st_mode & 0o7777, (site.folder / "list.fetch").stat().st_mode & 0o7777), (0o644, 0o644), "new ones, with umask 077")
            for mode in (0o640, 0o600, 0o664):
                path.chmod(mode)
                tap.equal((site.fetch()[0], path.stat().st_mode & 0o7777), (0, mode), f"{mode:o} stays")
            if os.getuid() == 0:
                os.chown(path, 12345, 23456)
                path.chmod(0o640)
                status = site.fetch()[0]
                tap.equal((status, path.stat().st_uid, path.stat().st_gid, path.stat().st_mode & 0o7777), (0, 12345, 23456, 0o640), "root keeps the owner")
    finally:
        os.umask(old)


def test_without_curl(world, tap):
    site = world.site("nxdomain names list url=https://localhost/list\n")
    programs = site.folder / "bin"
    programs.mkdir()
    for name in ("tr", "head"):
        (programs / name).symlink_to(shutil.which(name))
    status, _, errors = site.fetch(PATH=str(programs))
    tap.ok(status == 2 and "the program curl is missing: install the package curl" in errors, "the message", errors)


def test_question_of_fetch(world, tap):
    """check --urls and check --download, which fetch asks."""
    site = world.site('nxdomain names list url=https://a.example/x\nlog names list url=https://a.example/x\nnxdomain names "b c" url=http://b.example/\nlog names d\n',
                      list="".join(f"n{number}.example\n" for number in range(9)), download="a.example\n")

    def check(*words):
        done = subprocess.run([world.command, "check", *words], check=False, capture_output=True, text=True, timeout=TIMEOUT)
        return done.returncode, done.stdout.replace(str(site.folder), "@"), done.stderr.replace(str(site.folder), "@")

    config, path, download = site.folder / "idn.conf", site.folder / "list", site.folder / "download"
    tap.equal(check("--urls", config), (0, "@/rules:1:16\t@/list\thttps://a.example/x\n@/rules:3:16\t@/b c\thttp://b.example/\n", ""), "a line for each list with a URL")
    tap.equal(check("--download", download, "--for", path, config), (1, "it has 1 entry, but the file has 9: a loss of more than shrink=50%\n", ""), "a list that shrank")
    tap.equal(check("--download", path, "--for", path, config), (0, "9 entries\n", ""), "a list that did not")
    tap.equal(check("--download", download, "--for", site.folder / "b c", config), (0, "1 entry\n", ""), "a new list")
    for words, message in ((("--download", download, "--for", site.folder / "d", config), "no rule of the configuration names this list and has url="),
                           (("--download", site.folder / "gone", "--for", path, config), "@/gone: "), (("--download", download, config), "--download and --for must be given together"),
                           (("--urls", "--json", config), "take one configuration"), (("--urls", config, config), "take one configuration"),
                           (("--urls", site.folder / "gone"), "@/gone: ")):
        status, out, errors = check(*words)
        tap.ok((status, out) == (2, "") and message in errors, f"wrong: {message}", (status, out, errors))
