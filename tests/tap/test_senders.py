# SPDX-License-Identifier: BSD-3-Clause
"""Tests tap with senders of every kind, and its messages about them."""

import os
import re
import signal
import socket
import struct
import subprocess
import sys
import threading
import time

import dnstap
from daemon import eventually
from dnstap import control, data, reply
from harness import HERE
from receiver import Receiver, Sender, receiving
from test_targets import can_mount, fill

FIELDS = struct.pack("!II", 1, len(dnstap.CONTENT_TYPE)) + dnstap.CONTENT_TYPE


def test_handshake(world, tap):
    """Completes the handshake READY, ACCEPT, START, frames, STOP, FINISH; or reads a stream that begins with START, without an answer."""
    with receiving(world) as receiver:
        for to in (receiver.path, ("127.0.0.1", receiver.port)):
            sender = Sender(to)
            tap.equal(sender.accepted, (dnstap.ACCEPT, FIELDS), f"{to}: accepted")
            sender.frames(reply("a.example"), reply("b.example"))
            tap.equal(sender.finish(), (dnstap.FINISH, b""), "finished")
        alone = Sender(receiver.path, handshake=False)
        alone.send(control(dnstap.START) + data(reply("c.example")) + control(dnstap.STOP))
        tap.ok(alone.is_dropped(), "without READY, the connection is closed without FINISH")
        tap.ok(receiver.has_lines(5), "a line for each")
        tap.equal([line.split(" ")[2] for line in receiver.lines()], ["a.example.", "b.example."] * 2 + ["c.example."], "in the order of the frames")
        tap.equal(receiver.said(), [], "no message")
        tap.ok(eventually(lambda: receiver.metric('tap_frames_total{kind="reply"}') == 5), "metrics: frames")
        tap.equal((receiver.metric("tap_senders"), receiver.metric('tap_senders_total{result="accepted"}'),
                   receiver.metric('tap_senders_total{result="dropped"}')), (0, 3, 0), "metrics: senders")


def test_many(world, tap):
    """Many at once, each with its own frames; one that never completes a frame delays no other."""
    with receiving(world) as receiver:
        slow = Sender(receiver.path)
        slow.send(data(reply("never.example"))[:-1])
        senders = [Sender(receiver.path) for _ in range(100)]
        for turn in range(20):
            for number, sender in enumerate(senders):
                sender.frames(reply(f"n{number}-{turn}.example"))
        tap.equal({sender.finish() for sender in senders}, {(dnstap.FINISH, b"")}, "all finish")
        tap.ok(receiver.has_lines(2000), "every frame has a line")
        tap.equal(len({line.split(" ")[2] for line in receiver.lines()}), 2000, "no line is about another frame")


def test_too_many(world, tap):
    """Serves 256 senders; others wait until one of these leaves."""
    with receiving(world) as receiver:
        senders = [Sender(receiver.path) for _ in range(256)]
        waiting = [Sender(receiver.path, handshake=False) for _ in range(20)]
        for sender in waiting:
            sender.send(control(dnstap.START) + data(reply("waits.example")))
        tap.ok(receiver.says("256 senders are connected, and others wait: there is no room for more"), "a message says that others wait")
        senders[7].frames(reply("served.example"))
        tap.ok(receiver.has_lines(1), "connected senders are served")
        tap.equal(len(receiver.lines()), 1, "waiting senders are not served yet")
        for sender in senders[:20]:
            sender.finish()
        tap.ok(receiver.has_lines(21), "waiting senders are served when others have left")
        for sender in (*senders[20:], *waiting):
            sender.socket.close()


def test_hostile(world, tap):
    """Each is dropped with one line; other senders are served as before."""
    with receiving(world) as receiver:
        good = Sender(receiver.path)
        for octets, why in ((b"\xff\xff\xff\xff", "not a stream of frames: expected READY or START"), (b"GET / HTTP/1.1\r\n\r\n", "not a stream of frames: expected READY or START"),
                            (control(dnstap.START) + b"\xff\xff\xff\xff", "a frame of more than 262,144 octets"),
                            (control(dnstap.START, b"other"), "another content type: expected protobuf:dnstap.Dnstap"),
                            (control(dnstap.READY) * 2, "a control frame out of order: expected READY or START"),
                            (b"\0\0\0\0\xff\xff\xff\xff", "a control frame of more than 512 octets"),
                            (control(dnstap.START) + control(dnstap.FINISH), "a control frame out of order: expected STOP")):
            before = len(receiver.said())
            hostile = Sender(receiver.path, handshake=False)
            hostile.send(octets)
            while not hostile.is_dropped():
                pass
            tap.ok(eventually(lambda: len(receiver.said()) > before), f"{octets[:20]!r}: a message")
            tap.equal(receiver.said()[before:], [f"sender pid {os.getpid()}, uid {os.getuid()}: dropped: {why}"], "one line")
        for _ in range(100):
            hostile = Sender(receiver.path, handshake=False)
            hostile.send(b"\xff\xff\xff\xff")
            was_dropped = hostile.is_dropped()
        tap.ok(was_dropped, "a hundred more are dropped")
        tap.ok(eventually(lambda: len(receiver.said()) >= 10), "messages about them")
        tap.equal(len(receiver.said()), 10, "at most ten messages a minute")
        good.frames(b"\xff" * 100, reply("good.example"))
        tap.ok(receiver.has_lines(1), "a malformed frame of a good sender is skipped")
        tap.ok(eventually(lambda: receiver.metric('tap_senders_total{result="dropped"}') == 107), "all dropped senders are counted")
        tap.equal(receiver.metric('tap_frames_total{kind="malformed"}'), 1, "the malformed frame is counted")


def test_half_frame(world, tap):
    """Drops a sender 30 seconds after its frame or handshake began, if that is still incomplete. Keeps a sender without frames to send."""
    with receiving(world) as receiver:
        quiet, half, silent, slow = Sender(receiver.path), Sender(receiver.path), Sender(receiver.path, handshake=False), Sender(receiver.path)
        frame = data(reply("a.example"))
        half.send(frame[:20])
        begun = time.monotonic()
        sent = 0
        slow.socket.settimeout(0.5)
        while time.monotonic() - begun < 40:
            try:
                if not slow.socket.recv(1):
                    break
            except TimeoutError:
                slow.send(frame[sent : sent + 1])
                sent += 1
            except ConnectionError:
                break
        tap.ok(29 < time.monotonic() - begun < 39, f"a slow frame: dropped after 30 seconds: {time.monotonic() - begun:.1f}")
        tap.equal([half.is_dropped(), silent.is_dropped()], [True, True], "half a frame and no handshake: dropped")
        eventually(lambda: len(receiver.said()) >= 3)
        tap.equal([line.partition(": ")[2] for line in receiver.said()], ["dropped: 30 seconds have passed since its frame began"] * 3, "a message for each")
        quiet.frames(reply("quiet.example"))
        tap.ok(receiver.has_lines(1), "the sender without frames is still connected")


def test_vanished(world, tap):
    """Uses TCP keepalive, because a machine that has vanished would otherwise hold its place for ever."""
    with receiving(world) as receiver:
        sender = Sender(("127.0.0.1", receiver.port))
        found = subprocess.run(["ss", "-Htno", "state", "established", "sport", "=", f":{receiver.port}"], capture_output=True, text=True, timeout=20, check=True)
        tap.ok("timer:(keepalive," in found.stdout, "keepalive is on")
        tap.note(found.stdout)
        sender.finish()


def test_memory(world, tap):
    """Needs no more memory than the manual says for 256 senders with incomplete frames of the largest size, and frees it."""
    with receiving(world) as receiver:
        before = receiver.memory()
        senders = [Sender(receiver.path) for _ in range(256)]
        for sender in senders:
            sender.send(struct.pack("!I", 262144) + bytes(262143))
        tap.ok(eventually(lambda: receiver.memory() - before > 250 * 200), "the frames take memory")
        tap.ok(receiver.memory() - before < 256 * 300 + 4096, f"not much more than the frames: {receiver.memory() - before} KiB")
        for sender in senders:
            sender.socket.close()
        tap.ok(eventually(lambda: receiver.memory() - before < 8192), "the memory is freed")
        for sender in [Sender(receiver.path) for _ in range(10)]:
            sender.finish()


def test_leaves_in_the_middle(world, tap):
    with receiving(world) as receiver:
        sender = Sender(receiver.path)
        sender.send(data(reply("a.example"))[:-1])
        sender.socket.close()
        tap.ok(receiver.says("dropped: it disconnected in the middle of a frame"), "in the middle of a frame: a message")
        sender = Sender(receiver.path)
        sender.frames(reply("b.example"))
        sender.socket.close()
        tap.ok(receiver.has_lines(1), "between frames: a line")
        tap.equal(len(receiver.said()), 1, "between frames: no message")


def test_full_log(world, tap):
    """Reads all frames while the log accepts nothing: 100,000 lines wait; of more, some are lost and counted."""
    octets = data(reply("a.example")) * 1000
    with receiving(world, idn="metrics-file: idn.log/metrics\nmetrics-interval: 1") as receiver:
        receiver.daemon.stdout.flowing.clear()
        sender = Sender(receiver.path)
        for rounds, count in (100, 100000), (300, 400000):
            for _ in range(rounds):
                sender.send(octets)
            tap.ok(eventually(lambda wanted=count: receiver.metric('tap_frames_total{kind="reply"}') == wanted), f"{count} frames are read and counted")
            if count == 100000:
                tap.equal(receiver.metric('log_lines_total{result="lost"}'), 0, "no line is lost")
        tap.equal(sender.finish(), (dnstap.FINISH, b""), "all frames are read")
        tap.ok(receiver.metric('log_lines_total{result="lost"}') > 100000, "lines are lost")
        receiver.daemon.resume()
        tap.ok(eventually(lambda: receiver.metric('log_lines_total{result="lost"}') + receiver.metric('log_lines_total{result="written"}') == 400000, 120),
               "each line is written or counted as lost")
        tap.ok(receiver.says("log lines lost: "), "a message about lost lines")


def test_flood(world, tap):
    """Reads 600,000 frames at full speed: each becomes a line or is counted as lost. Memory does not grow once the 16 MiB for waiting
    lines have been used."""
    octets = b"".join(data(reply(f"n{number}.example")) for number in range(1000))
    with receiving(world) as receiver:
        sender = Sender(receiver.path)
        for _ in range(300):
            sender.send(octets)
        tap.ok(eventually(lambda: receiver.metric('tap_frames_total{kind="reply"}') == 300000), "the first half is counted")
        before = receiver.memory()
        tap.ok(before < 30 * 1024, f"memory: {before} KiB")
        for _ in range(300):
            sender.send(octets)
        tap.equal(sender.finish(), (dnstap.FINISH, b""), "all are read")
        tap.ok(eventually(lambda: receiver.metric('tap_frames_total{kind="reply"}') == 600000), "all are counted")
        tap.ok(eventually(lambda: sum(receiver.metric(f'log_lines_total{{result="{result}"}}') for result in ("written", "lost")) == 600000), "all lines are written or lost")
        tap.ok(receiver.memory() - before < 2048, f"no more memory: {receiver.memory() - before} KiB")


def test_reload(world, tap):
    """SIGHUP reads idn.conf again; an error in it changes nothing. Changed rules need no signal."""
    with receiving(world, idn="log-to: idn.log/lines\nlog-name: ascii\npolicy: rules", files={"rules": "nxdomain name a.example\n"}) as receiver:
        sender = Sender(receiver.path)
        sender.frames(reply("a.example"))
        tap.ok(receiver.has_lines(1) and receiver.lines()[0].endswith('policy=nxdomain rule=rules:1 match="name a.example" mode=observed'), "the rules are applied")
        (receiver.folder / "rules").write_text("refuse name a.example\n")
        tap.ok(eventually(lambda: sum("idn: policy: 1 rule, " in line for line in receiver.said()) == 2), "a message about changed rules")
        sender.frames(reply("a.example"))
        tap.ok(receiver.has_lines(2) and "policy=refuse" in receiver.lines()[1], "the changed rules are applied")
        conf = receiver.folder / "idn.conf"
        good = conf.read_text()
        for text, client in ((good.replace("ascii", "ascii\n  log-client: none"), "-"), ("idn:\n  lgo: x\n", "-"), (good, "192.0.2.7")):
            conf.write_text(text)
            receiver.notified = []
            receiver.daemon.process.send_signal(signal.SIGHUP)
            receiver.wait_notified("RELOADING=1")
            receiver.wait_notified("READY=1")
            before = len(receiver.lines())
            sender.frames(reply("a.example"))
            tap.ok(receiver.has_lines(before + 1) and receiver.lines()[-1].split(" ")[1] == client, f"after SIGHUP the client is {client}")
        tap.ok(receiver.says("the configuration that was in force before stays in force"), "a message about the error")
        tap.equal(sender.finish(), (dnstap.FINISH, b""), "the sender stayed connected")


def test_reload_long(world, tap):
    """SIGHUP with rules that take long to read: meanwhile, frames become lines by the old rules."""
    files = {"rules": "nxdomain names list\n", "list": "old.example\n"}
    with receiving(world, idn="log-to: idn.log/lines\npolicy: rules\nwatch: no", files=files) as receiver:
        sender = Sender(receiver.path)
        (receiver.folder / "list").write_text("new.example\n" + "".join(f"n{number}.wild.example\n" for number in range(1500000)))
        policies = len([line for line in receiver.said() if "idn: policy: " in line])
        receiver.notified = []
        receiver.daemon.process.send_signal(signal.SIGHUP)
        receiver.wait_notified("READY=1")
        longest, before = 0, time.monotonic()
        while len([line for line in receiver.said() if "idn: policy: " in line]) == policies and time.monotonic() - before < 60:
            count, began = len(receiver.lines()), time.monotonic()
            sender.frames(reply("old.example"))
            if not receiver.has_lines(count + 1):
                break
            longest = max(longest, time.monotonic() - began)
        tap.ok(len(receiver.lines()) > 2, f"{len(receiver.lines())} lines while rules are read, each in {longest:.3f} seconds at most")
        tap.ok("policy=nxdomain" in receiver.lines()[0], "by the old rules")
        took = time.monotonic() - before
        tap.ok(longest < took / 3, f"no line waits for the rules, which took {took:.1f} seconds")
        count = len(receiver.lines())
        sender.frames(reply("new.example"), reply("old.example"))
        tap.ok(receiver.has_lines(count + 2) and "policy=nxdomain" in receiver.lines()[-2] and "policy=" not in receiver.lines()[-1], "then the new rules are applied")


def test_socket_file(world, tap):
    """Checks the socket's mode, that tap replaces a stale socket but no other file, and that it removes the socket at its end."""
    with receiving(world) as receiver:
        tap.equal(oct(receiver.path.stat().st_mode & 0o777), "0o660", "the socket's mode")
        second = Receiver(world, listen=[f"unix:{receiver.path}"])
        tap.equal((second.daemon.wait_exit(), second.said()), (2, [f"{receiver.path}: Address already in use"]), "a second tap does not start")
        tap.ok(receiver.path.exists(), "the second tap keeps the first one's socket")
        folder = receiver.folder
    tap.ok(not receiver.path.exists(), "the socket is removed at the end")
    with receiving(world) as receiver:
        receiver.daemon.process.kill()
        receiver.daemon.wait_exit()
        tap.ok(receiver.path.exists(), "a killed tap leaves its socket")
        with receiving(world, folder=receiver.folder) as again:
            Sender(again.path).finish()
    file = folder / "file"
    file.write_text("important\n")
    second = Receiver(world, listen=[f"unix:{file}"])
    tap.equal((second.daemon.wait_exit(), file.read_text()), (2, "important\n"), "a file that is no socket is kept")
    second = Receiver(world, listen=[f"unix:{folder}/none/tap.sock"])
    tap.equal((second.daemon.wait_exit(), second.said()), (2, [f"{folder}/none/tap.sock: No such file or directory"]), "a missing folder is reported")


ACTIVATE = """import os, socket, sys
listening = socket.socket(socket.AF_UNIX)
listening.bind(sys.argv[1])
listening.listen()
os.dup2(listening.fileno(), 3)
os.set_inheritable(3, True)
os.environ.update(LISTEN_FDS="1", LISTEN_PID=str(os.getpid() + int(sys.argv[2])))
os.execv(sys.argv[3], sys.argv[3:])"""


SHUT = ACTIVATE.replace("os.execv(", """if os.fork() == 0:
    import time
    time.sleep(1)
    listening.shutdown(socket.SHUT_RDWR)
    os._exit(0)
os.execv(""")


def test_shut(world, tap):
    """Does not spin when another process shuts down its listening socket."""
    folder = world.new_folder("tap-shut")
    with receiving(world, listen=[], around=["/usr/bin/python3", "-c", SHUT, folder / "shut.sock", 0]) as receiver:
        def ticks():
            with open(f"/proc/{receiver.daemon.pid}/stat") as stat:
                return sum(map(int, stat.read().rsplit(")", 1)[1].split()[11:13]))

        tap.ok(receiver.says("a listening socket was shut down"), "a message")
        before = ticks()
        time.sleep(2)
        tap.ok(ticks() - before < 10, f"no processor time: {ticks() - before} ticks in two seconds")


def test_activation(world, tap):
    """Serves sockets that systemd passes to it, and none that are meant for another process."""
    folder = world.new_folder("tap-activation")
    path = folder / "activated.sock"
    with receiving(world, listen=[], around=["/usr/bin/python3", "-c", ACTIVATE, path, 0]) as receiver:
        sender = Sender(path)
        sender.frames(reply("a.example"))
        tap.equal(sender.finish(), (dnstap.FINISH, b""), "a sender is served")
        tap.ok(receiver.has_lines(1), "its frame has a line")
    tap.equal((path.exists(), receiver.daemon.process.returncode), (True, 0), "systemd's socket is kept")
    other = Receiver(world, listen=[], around=["/usr/bin/python3", "-c", ACTIVATE, folder / "other.sock", 1])
    tap.equal((other.daemon.wait_exit(), other.said()), (1, ["standard input: not a stream of frames: expected one of fstrm_capture"]), "a socket for another process is not used")


def test_end(world, tap):
    """Exits with 0 at SIGTERM and SIGINT with senders connected, and writes all lines."""
    for number in (signal.SIGTERM, signal.SIGINT):
        with receiving(world) as receiver:
            sender = Sender(receiver.path)
            sender.frames(*[reply("a.example")] * 1000)
            tap.ok(eventually(lambda: receiver.log.octets), "lines are written")
            receiver.daemon.process.send_signal(number)
            tap.equal(receiver.daemon.wait_exit(), 0, f"{number.name}: exit status")
            receiver.wait_notified("STOPPING=1")
            lines = receiver.log.octets
            tap.equal(lines[-1:], b"\n", "the last line is whole")
    with receiving(world) as receiver:
        senders = [Sender(receiver.path), Sender(("127.0.0.1", receiver.port))]
        receiver.daemon.process.send_signal(signal.SIGSTOP)
        for sender in senders:
            sender.frames(*[reply("a.example")] * 1500)
        receiver.daemon.process.send_signal(signal.SIGTERM)
        receiver.daemon.process.send_signal(signal.SIGCONT)
        tap.equal(receiver.daemon.wait_exit(), 0, "with frames in its sockets: exit status")
        tap.equal(receiver.log.octets.count(b"\n"), 3000, "each frame is a line")
    with receiving(world) as receiver:
        flood, going = Sender(receiver.path), threading.Event()
        octets = data(reply("a.example")) * 100

        def send():
            try:
                while not going.is_set():
                    flood.socket.sendall(octets)
            except OSError:
                pass

        thread = threading.Thread(target=send)
        thread.start()
        tap.ok(receiver.has_lines(1), "under a flood: lines")
        began = time.monotonic()
        receiver.daemon.process.send_signal(signal.SIGTERM)
        tap.equal(receiver.daemon.wait_exit(), 0, "under a flood: exit status")
        tap.ok(time.monotonic() - began < 5, "under a flood: within five seconds")
        going.set()
        thread.join()
    other = Receiver(world, idn="lgo: x")
    tap.equal(other.daemon.wait_exit(), 2, "an error in idn.conf: exit status")


def accounted(receiver, count):
    """Waits until this many lines are written or lost; returns (written, lost)."""
    found = lambda: [receiver.metric(f'log_lines_total{{result="{result}"}}') or 0 for result in ("written", "lost")]
    eventually(lambda: sum(found()) == count, 60)
    return found()


def test_full_disk(world, tap):
    """On a full disk, lines wait in memory, with a message. When that is full, lines are lost, counted, and reported. Once there is room,
    writing continues."""
    if not can_mount(world):
        tap.skip("a full disk", "no file system can be mounted here")
        return
    folder = world.new_folder("tap")
    (folder / "disk").mkdir()
    with receiving(world, idn="log-to: disk/lines\nmetrics-file: idn.log/metrics\nmetrics-interval: 1", folder=folder,
                   around=(sys.executable, HERE / "tmpfs.py", folder / "disk", 64 << 20)) as receiver:
        disk = os.open(f"/proc/{receiver.daemon.pid}/root{folder}/disk", os.O_RDONLY | os.O_DIRECTORY)
        path = f"/proc/self/fd/{disk}"
        long, lost = data(reply(".".join(["x" * 60] * 4))), 0
        for count, what, loses in ((2000, "log lines wait in memory: No space left on device", False),
                                   (100000, r"\d+ log lines lost: No space left on device", True)):
            before = sum(accounted(receiver, 0))
            fill(f"{path}/filler", leave=4096)
            sender = Sender(receiver.path)
            sender.send(long * count)
            tap.equal(sender.finish(), (dnstap.FINISH, b""), f"{count} frames on a full disk: the sender is served")
            tap.ok(eventually(lambda what=what: re.search(rf"lines: {what}\n", receiver.daemon.log()), 30), "a message")
            with open(f"{path}/lines", "rb") as lines:
                tap.ok(lines.read()[-1:] in (b"", b"\n"), "no line is cut off")
            os.unlink(f"{path}/filler")
            written, lost = accounted(receiver, before + count)
            tap.equal((written + lost, lost > 0), (before + count, loses), "once there is room, all waiting lines are written")
            with open(f"{path}/lines", "rb") as lines:
                tap.equal(lines.read().count(b"\n"), written, "each written line is in the file")
        tap.ok(written > 40000, "as many lines wait as 16 MiB hold")
        os.close(disk)
        receiver.daemon.stop()
        reported = sum(int(number) for number in re.findall(r"(\d+) log lines lost", receiver.daemon.log()))
        tap.equal(reported, lost, "the messages count all lost lines")
        tap.equal(receiver.daemon.log().count("log lines wait"), 1, "the message about waiting lines comes once a minute")
