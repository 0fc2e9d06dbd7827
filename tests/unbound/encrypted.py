# SPDX-License-Identifier: BSD-3-Clause
"""DNS over TLS and over HTTPS: a certificate of our own, and clients. Nothing but the standard library and
ldns-keygen, so that a bare machine can run it."""

import base64
import hashlib
import re
import ssl
import struct
import subprocess
from pathlib import Path

import question
from daemon import free_port


def make_certificate(folder):
    """A self-signed certificate for `localhost`: service.pem and service.key, in PEM. Returns both paths."""
    base = subprocess.run(["ldns-keygen", "-a", "RSASHA256", "-b", "2048", "localhost"], cwd=folder, text=True,
                          capture_output=True, check=True).stdout.strip()
    fields = dict(re.findall(r"^(\w+): (\S+)$", Path(folder, base + ".private").read_text(), re.MULTILINE))
    numbers = [int.from_bytes(base64.b64decode(fields[name])) for name in (
        "Modulus", "PublicExponent", "PrivateExponent", "Prime1", "Prime2", "Exponent1", "Exponent2", "Coefficient")]
    pem, key = Path(folder, "service.pem"), Path(folder, "service.key")
    pem.write_text(in_pem("CERTIFICATE", certificate(*numbers[:3])))
    key.write_text(in_pem("RSA PRIVATE KEY", sequence(*map(integer, (0, *numbers)))))
    return pem, key


def certificate(modulus, exponent, private):
    """RFC 5280, as little of it as there may be."""
    sha256_with_rsa = sequence(bytes.fromhex("06092a864886f70d01010b0500"))
    rsa = sequence(bytes.fromhex("06092a864886f70d0101010500"))
    name = sequence(der(0x31, sequence(bytes.fromhex("0603550403"), der(0x0C, b"localhost"))))
    validity = sequence(der(0x17, b"200101000000Z"), der(0x17, b"491231235959Z"))
    public = sequence(rsa, der(3, b"\0" + sequence(integer(modulus), integer(exponent))))
    signed = sequence(der(0xA0, integer(2)), integer(1), sha256_with_rsa, name, validity, name, public)
    return sequence(signed, sha256_with_rsa, der(3, b"\0" + sign(signed, modulus, private)))


def sign(data, modulus, private):
    """RSASSA-PKCS1-v1_5 with SHA-256: RFC 8017, section 9.2."""
    size = (modulus.bit_length() + 7) // 8
    digest = bytes.fromhex("3031300d060960864801650304020105000420") + hashlib.sha256(data).digest()
    padded = b"\0\1" + b"\xff" * (size - len(digest) - 3) + b"\0" + digest
    return pow(int.from_bytes(padded), private, modulus).to_bytes(size)


def der(tag, content):
    size = len(content).to_bytes((len(content).bit_length() + 7) // 8)
    return bytes([tag]) + (bytes([len(content)]) if len(content) < 128 else bytes([0x80 | len(size)]) + size) + content


def sequence(*parts):
    return der(0x30, b"".join(parts))


def integer(number):
    return der(2, number.to_bytes(number.bit_length() // 8 + 1))


def in_pem(what, data):
    return f"-----BEGIN {what}-----\n{base64.encodebytes(data).decode()}-----END {what}-----\n"


def encrypt(client, protocol):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    context.set_alpn_protocols([protocol])
    return context.wrap_socket(client)


class Dot(question.Tcp):
    """RFC 7858."""

    def __init__(self, server, source=None):
        super().__init__(server, source)
        self.socket = encrypt(self.socket, "dot")


class Doh(question.Tcp):
    """RFC 8484 with the GET method, over as much of HTTP/2 (RFC 9113) as that takes: header fields are sent as
    literals, and those of the answer are not read."""

    DATA, HEADERS, SETTINGS = 0, 1, 4
    END_STREAM, END_HEADERS, ACK = 1, 4, 1

    def __init__(self, server, source=None):
        super().__init__(server, source)
        self.socket = encrypt(self.socket, "h2")
        self.socket.sendall(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + self.frame(self.SETTINGS, 0, 0, b""))
        self.stream = -1

    @staticmethod
    def frame(kind, flags, stream, payload):
        return struct.pack("!I", len(payload))[1:] + struct.pack("!BBI", kind, flags, stream) + payload

    def send(self, asked):
        ident = next(question.ids) & 0xFFFF
        path = b"/dns-query?dns=" + base64.urlsafe_b64encode(asked.wire(ident)).rstrip(b"=")
        # RFC 7541, appendix A: 2 is :method GET, 7 :scheme https, 4 :path and 1 :authority
        fields = b"\x82\x87" + b"\x04" + hpack_string(path) + b"\x01" + hpack_string(b"localhost")
        fields += b"\0" + hpack_string(b"accept") + hpack_string(b"application/dns-message")
        self.stream += 2
        self.socket.sendall(self.frame(self.HEADERS, self.END_STREAM | self.END_HEADERS, self.stream, fields))
        return ident

    def receive(self, timeout=question.TIMEOUT):
        self.socket.settimeout(timeout)
        message = b""
        while True:
            head = self._read(9)
            kind, flags, _ = struct.unpack("!BBI", head[3:])
            payload = self._read(int.from_bytes(head[:3]))
            if kind == self.SETTINGS and not flags & self.ACK:
                self.socket.sendall(self.frame(self.SETTINGS, self.ACK, 0, b""))
            if kind == self.DATA:
                message += payload
            if kind in (self.DATA, self.HEADERS) and flags & self.END_STREAM:
                return question.Reply(message)


def hpack_string(octets):
    """RFC 7541, section 5.2, without Huffman's code."""
    assert len(octets) < 127 + 128
    return (bytes([len(octets)]) if len(octets) < 127 else bytes([127, len(octets) - 127])) + octets


def offer(world):
    """The transports that this Unbound has, each with a port, and the lines of its server: clause for them."""
    pem, key = make_certificate(world.new_folder("certificate"))
    for path in (pem, key):
        path.chmod(0o644)
    kinds = [(Dot, "tls", free_port())]
    if b"nghttp2_session_" in (world.unbound / "sbin/unbound").read_bytes():
        kinds.append((Doh, "https", free_port()))
    lines = "".join(f"{word}-port: {port}\ninterface: 127.0.0.1@{port}\n" for _, word, port in kinds)
    return [(kind, port) for kind, _, port in kinds], f'tls-service-pem: "{pem}"\ntls-service-key: "{key}"\n{lines}'
