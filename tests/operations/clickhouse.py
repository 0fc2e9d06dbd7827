# SPDX-License-Identifier: BSD-3-Clause
"""A ClickHouse server with the tables of conf/clickhouse, and a shell in which clickhouse-client means it."""

import json
import os
import re
import subprocess
from contextlib import contextmanager

import guide
from daemon import Daemon, eventually, free_port

FOLDER = guide.ROOT / "conf/clickhouse"
CONFIG = """<?xml version="1.0"?>
<yandex>
    <logger><level>warning</level><console>1</console></logger>
    <listen_host>127.0.0.1</listen_host><http_port>{http}</http_port><tcp_port>{tcp}</tcp_port>
    <path>{folder}/data/</path><tmp_path>{folder}/tmp/</tmp_path><mark_cache_size>10000000</mark_cache_size>
    <timezone>Asia/Kolkata</timezone>
    <users_config>users.xml</users_config><default_profile>default</default_profile><default_database>default</default_database>
</yandex>
"""
USERS = """<?xml version="1.0"?>
<yandex>
    <profiles><default/></profiles><quotas><default/></quotas>
    <users><default><password/><networks><ip>127.0.0.1</ip></networks><profile>default</profile><quota>default</quota></default></users>
</yandex>
"""


def report_queries():
    """The queries of report.sql by the names in the comments before them."""
    text = (FOLDER / "report.sql").read_text(encoding="utf-8")
    return dict(re.findall(r"^-- ([a-z_]+)(?:: .*)?\n((?:SELECT|WITH)[^;]*);", text, re.M))


class ClickHouse:
    def __init__(self, operations, folder):
        self.operations, self.folder = operations, folder
        self.http, self.tcp = free_port(), free_port()
        (folder / "config.xml").write_text(CONFIG.format(http=self.http, tcp=self.tcp, folder=folder))
        (folder / "users.xml").write_text(USERS)
        (folder / "bin").mkdir()
        client = folder / "bin/clickhouse-client"
        client.write_text(f"#!/bin/sh\nLD_LIBRARY_PATH={operations.environment['LD_LIBRARY_PATH']} "
                          f'exec {operations.program("clickhouse-client")} --host 127.0.0.1 --port {self.tcp} "$@"\n')
        client.chmod(0o755)
        (folder / "bin/unbound-idn").symlink_to(operations.command)
        (folder / "conf").symlink_to(guide.ROOT / "conf")
        self.daemon = Daemon([operations.program("clickhouse-server"), f"--config-file={folder}/config.xml"], folder, operations.environment)
        assert eventually(lambda: self.run("clickhouse-client --query 'SELECT 1'").returncode == 0, interval=0.1), self.daemon.log()

    def run(self, text):
        """Types some commands."""
        return subprocess.run(["bash", "-e", "-o", "pipefail", "-c", text], cwd=self.folder, capture_output=True, timeout=600, check=False,
                              env={**os.environ, "PATH": f"{self.folder}/bin:{os.environ['PATH']}", "TZ": "UTC", "LC_ALL": "C.UTF-8"})

    def rows(self, query):
        done = subprocess.run([self.folder / "bin/clickhouse-client", "--format", "JSONEachRow", "--output_format_json_quote_64bit_integers=0", "--query", query],
                              capture_output=True, timeout=600, check=False)
        assert done.returncode == 0, done.stderr.decode()
        return [json.loads(line) for line in done.stdout.splitlines()]


@contextmanager
def clickhouse(operations):
    server = ClickHouse(operations, operations.world.new_folder("clickhouse"))
    try:
        yield server
    finally:
        server.daemon.stop()
