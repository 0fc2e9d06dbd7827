# SPDX-License-Identifier: BSD-3-Clause
"""Serves the part of Elasticsearch that a shipper needs: _bulk on a loopback port, which keeps its input."""

import http.server
import json
import threading


class Elastic:
    def __init__(self):
        self.documents = []  # (index, line) in the order of their arrival
        self.faults = []
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), self.handler())
        self.port = self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self):
        self.server.shutdown()
        self.server.server_close()

    def lines(self):
        return [line for _, line in self.documents]

    def bulk(self, body):
        """Takes pairs of an action and a document; returns what Elasticsearch says of them."""
        lines = body.decode().split("\n")
        if lines.pop() != "" or len(lines) % 2:
            raise ValueError("not pairs of lines")
        for action, line in zip(lines[::2], lines[1::2]):
            json.loads(line)
            self.documents.append((json.loads(action)["index"]["_index"], line))
        return {"took": 1, "errors": False, "items": [{"index": {"status": 201}}] * (len(lines) // 2)}

    def handler(self):
        elastic = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def answer(self, status, value):
                body = json.dumps(value).encode()
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def do_GET(self):
                self.answer(200, {"status": "green"})

            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                try:
                    self.answer(200, elastic.bulk(body))
                except (ValueError, KeyError) as error:
                    elastic.faults.append(f"{self.path}: {error!r}: {body[:400]!r}")
                    self.answer(400, {"error": str(error)})

            def log_message(self, *_):
                pass

        return Handler
