#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# journal.sh PEERS FILE: systemd's journal daemon in a mount namespace of its own (the caller's) is given FILE's lines as the
# standard output of unbound.service; then it runs the shell on standard input, which may ask journalctl.
set -eu

mount -t tmpfs tmpfs /run
mkdir -p /run/systemd/journal /run/log/journal /run/bin
# Their own libraries lie beside them.
LD_LIBRARY_PATH=$(cat "$1/libraries")
export LD_LIBRARY_PATH
"$1/lib/systemd/systemd-journald" 2>/run/said &
until [ -S /run/systemd/journal/stdout ]; do
    kill -0 $! 2>/dev/null || { cat /run/said >&2; exit 1; }
    sleep 0.05
done
# The unit's name goes before the lines, as systemd sends it. The client waits until the journal has shut its own direction
# down: octets that come between the journal's accept() and its SO_PASSCRED have no sender for it, and lines without a
# sender belong to no unit. The client ends when the journal has read all lines.
/usr/bin/python3 - "$2" <<'CLIENT' || { cat /run/said >&2; exit 1; }
import fcntl
import socket
import struct
import sys
import termios
import time

journal = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
journal.connect("/run/systemd/journal/stdout")
journal.recv(1)
journal.sendall(b"unbound\nunbound.service\n6\n0\n0\n0\n0\n" + open(sys.argv[1], "rb").read())
while struct.unpack("i", fcntl.ioctl(journal, termios.TIOCOUTQ, b"\0" * 4))[0]:
    time.sleep(0.01)
CLIENT
printf '#!/bin/sh\nexec %s/bin/journalctl -D /run/log/journal "$@"\n' "$1" >/run/bin/journalctl
chmod +x /run/bin/journalctl
PATH=/run/bin:$PATH
export PATH
"$1/bin/journalctl" --sync
if [ -z "$(journalctl -o cat -n 1 -u unbound.service 2>/dev/null)" ]; then
    echo "no line came into the journal, which has:"
    cat /run/said
    ls -lR /run/log/journal
    journalctl -o export | tail -n 100
fi >&2
sh
