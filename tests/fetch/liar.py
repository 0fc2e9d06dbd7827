# SPDX-License-Identifier: BSD-3-Clause
"""An HTTPS server that answers as a test tells it to, octet by octet; the certificates of its CA; and `unbound-idn fetch`."""

import os
import re
import socket
import ssl
import subprocess
import threading
from contextlib import contextmanager

TIMEOUT = 60  # seconds that nothing here takes


def openssl(*words, **more):
    subprocess.run(["openssl", *map(str, words)], check=True, capture_output=True, timeout=TIMEOUT, **more)


def one(server, options=""):
    """A rule whose list the server has."""
    return f"nxdomain names list url=https://localhost:{server.port}/list {options}\n"


class Authority:
    """A CA made by openssl, and what it signs."""

    def __init__(self, folder, name):
        self.folder = folder
        self.key, self.pem = folder / f"{name}.key", folder / f"{name}.pem"
        openssl("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout", self.key, "-out", self.pem,
                "-days", 2, "-subj", f"/CN={name}", "-addext", "keyUsage=critical,keyCertSign,cRLSign")

    def context(self, name, alternatives, start="20200101000000Z", end="20991231235959Z"):
        """The SSL context of a server with a certificate for these names."""
        key, request, pem = (self.folder / f"{name}.{kind}" for kind in ("key", "csr", "pem"))
        work = self.folder / f"{name}.ca"
        work.mkdir()
        (work / "index").write_text("")
        (work / "conf").write_text(
            f"[ca]\ndefault_ca = it\n[it]\ndatabase = {work}/index\nnew_certs_dir = {work}\nrand_serial = yes\ndefault_md = sha256\npolicy = any\n"
            f"x509_extensions = server\n[any]\ncommonName = supplied\n[server]\nsubjectAltName = {alternatives}\n")
        openssl("req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout", key, "-out", request, "-subj", f"/CN={name}")
        openssl("ca", "-batch", "-config", work / "conf", "-cert", self.pem, "-keyfile", self.key, "-in", request, "-out", pem, "-notext",
                "-startdate", start, "-enddate", end)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(pem, key)
        return context


class Gone(Exception):
    """The other side has closed the connection, which is what some tests wait for."""


class Request:
    """One request, and the connection on which to answer it."""

    def __init__(self, connection, head):
        self.connection = connection
        lines = head.decode("latin-1").split("\r\n")
        self.path = lines[0].split()[1]
        self.fields = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines[1:] if line)}

    def send(self, octets):
        try:
            self.connection.sendall(octets)
        except OSError as error:
            raise Gone from error

    def answer(self, body=b"", *fields, status="200 OK", length=None):
        """A whole answer, with a Content-Length that may be a lie."""
        self.head(f"Content-Length: {len(body) if length is None else length}", *fields, status=status)
        self.send(body)

    def head(self, *fields, status="200 OK"):
        self.send("\r\n".join([f"HTTP/1.1 {status}", "Connection: close", *fields, "", ""]).encode("latin-1"))

    def chunk(self, octets):
        self.send(b"%x\r\n%s\r\n" % (len(octets), octets))


class Server:
    """Calls `answer(request)` for each request, in a thread of its own. `requests` are those that came."""

    def __init__(self, answer, context=None, clean=True):
        self.answer, self.context, self.clean, self.requests = answer, context, clean, []
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.closing = threading.Event()
        threading.Thread(target=self.listen, daemon=True).start()

    def listen(self):
        while True:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self.serve, args=(connection,), daemon=True).start()

    def serve(self, connection):
        connection.settimeout(TIMEOUT)
        try:
            if self.context:
                connection = self.context.wrap_socket(connection, server_side=True)
            head = b""
            while b"\r\n\r\n" not in head:
                piece = connection.recv(65536)
                if not piece:
                    return
                head += piece
            request = Request(connection, head.partition(b"\r\n\r\n")[0])
            self.requests.append(request)
            self.answer(request)
            if self.context and self.clean:
                connection.unwrap()
        except (OSError, Gone):
            pass
        finally:
            connection.close()

    def close(self):
        self.closing.set()
        self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()


class World:
    """The things that tests share: the CAs, contexts of servers, and the command."""

    def __init__(self, folder, command):
        self.folder, self.command, self.count = folder, command, 0
        self.ca = Authority(folder, "good-ca")
        here = "DNS:localhost,IP:127.0.0.1"
        self.good = self.ca.context("good", here)
        self.expired = self.ca.context("expired", here, end="20200102000000Z")
        self.early = self.ca.context("early", here, start="20980101000000Z")
        self.other_name = self.ca.context("other", "DNS:other.example")
        self.unknown = Authority(folder, "unknown-ca").context("unknown", here)

    @contextmanager
    def server(self, answer, context="good", clean=True):
        server = Server(answer, getattr(self, context) if context else None, clean)
        try:
            yield server
        finally:
            server.close()

    def site(self, rules, **files):
        self.count += 1
        return Site(self, self.folder / f"site{self.count}", rules, files)


class Site:
    """A folder with idn.conf, rules and lists."""

    def __init__(self, world, folder, rules, files):
        self.world, self.folder = world, folder
        folder.mkdir()
        (folder / "idn.conf").write_text(f"idn:\n    policy: {folder}/rules\n")
        self.write_rules(rules)
        for name, text in files.items():
            (folder / name).write_bytes(text if isinstance(text, bytes) else text.encode())

    def write_rules(self, rules):
        (self.folder / "rules").write_text(rules)

    def words(self, *more):
        return [self.world.command, "fetch", "--config", self.folder / "idn.conf", "--ca", self.world.ca.pem, *more]

    def start(self, *more, stderr=subprocess.PIPE, **variables):
        return subprocess.Popen(self.words(*more), stdout=subprocess.PIPE, stderr=stderr, text=True, cwd=self.folder, env={**os.environ, "LC_ALL": "C", **variables})

    def fetch(self, *more, **variables):
        """(exit status, standard output, standard error), with @ for the folder."""
        process = self.start(*more, **variables)
        try:
            out, errors = (text.replace(str(self.folder), "@") for text in process.communicate(timeout=TIMEOUT))
        finally:
            process.kill()
        return process.returncode, out, errors

    def names(self):
        return sorted(path.name for path in self.folder.iterdir())

    def note(self):
        return dict(line.split(" ", 1) for line in (self.folder / "list.fetch").read_text().splitlines()[1:])


def reason(errors):
    """Why a list was not downloaded, as the one line of standard error says."""
    found = re.fullmatch(r"@/rules:\d+:\d+: https?://\S+ was not downloaded: (.*); (?:@/list stays as it was on [-0-9]{10} [:0-9]{8} UTC|there is no @/list yet)\n", errors)
    return found.group(1) if found else f"something else: {errors}"
