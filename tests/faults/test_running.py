# SPDX-License-Identifier: BSD-3-Clause
"""Each call that the module makes at work fails once. The daemon goes on: nothing that is refused is answered, a line of
the log that is lost is counted, what could not be done is said, and is done the next time."""

import itertools

from daemon import eventually
from enumeration import enumerated, share, that_can_fail
from metrics import Metrics
from question import Udp, ask
from rulefile import swaps, write
from scene import CHAINS, IDN, PATIENCE, PLAIN, QUESTIONS, RULES, is_right, outcome, write_policy

TURNS = 3  # of what is done again and again
changes = itertools.count(1)


def is_served(got, wanted):
    """An answer during a failing call is the right one, or one without any data."""
    return is_right(got, wanted) or (got is not None and got[0] == "SERVFAIL")


def check_answers(scene, faults, call, what, may_fail=False):
    good = is_served if may_fail else is_right
    for name, got, wanted, _ in scene.ask():
        faults.check(call, good(got, wanted), f"{what}: the answer", f"{name}: {got}, not {wanted}\n{scene.tail()}")


def check_lines(scene, faults, call, what):
    faults.check(call, scene.all_accounted(), f"{what}: a line for each answer",
                 f"{scene.lines()} lines, {scene.asked} answers, lost {scene.lost()}\n{scene.tail()}")


def check_descriptors(scene, faults, call):
    faults.check(call, eventually(lambda: scene.descriptors() == scene.first_descriptors, PATIENCE), "no descriptor is left",
                 f"{scene.descriptors()}, not {scene.first_descriptors}")


def running(world, tap, idn, prepare, act, after, **how):
    """`act` makes the module do what the phase is about, with a call that fails or with none; `after` looks whether all is
    as it should be again."""
    def record(scene):
        assert scene.start(), scene.daemon.log()
        scene.shim.record()
        act(scene, Nobody(), None)
        scene.shim.rest()

    def one(scene, faults, call):
        if not hasattr(scene, "first_descriptors"):
            scene.first_descriptors = scene.descriptors()
        scene.shim.fail(call)
        act(scene, faults, call)
        fired = scene.shim.fired
        scene.shim.rest()
        faults.met(call, scene.shim)
        after(scene, faults, call)
        check_descriptors(scene, faults, call)
        return fired

    share(that_can_fail(enumerated(world, tap, idn, prepare, record, TURNS)), one, **how)


class Nobody:
    """Where no call fails, nothing may be wrong."""

    def check(self, _, condition, what, diagnostic):
        assert condition, f"{what}\n{diagnostic}"


# ---- queries ---------------------------------------------------------------------------------------------------------

def questions(scene, faults, call):
    check_answers(scene, faults, call, "meanwhile", may_fail=True)
    check_lines(scene, faults, call, "meanwhile")


def questions_again(scene, faults, call):
    check_answers(scene, faults, call, "afterwards")
    check_lines(scene, faults, call, "afterwards")


def test_questions(world, tap):
    running(world, tap, IDN["text"], write_policy, questions, questions_again)


def test_questions_json(world, tap):
    running(world, tap, IDN["json"], write_policy, questions, questions_again)


# ---- clients that wait for one query ------------------------------------------------------------------------------------

NSID = b"\0\3\0\0"  # an option: RFC 5001


def shared(scene, faults, call):
    """Four clients wait together; then it is known that two of them may not have the address."""
    label = f"gate-hop-k{next(changes) % CHAINS}"
    name, target = f"{label}.slow.example", f"{label.removeprefix('gate-hop-')}.slow.example."
    gate = scene.world.upstream.gate(label)
    clients = [(Udp(("127.0.0.1", scene.port), source), source) for source in ("127.0.3.1", "127.0.4.1") * 2]
    for client, _ in clients:
        client.send(ask(name, option=NSID))
    scene.asked += len(clients)
    scene.ask((PLAIN,))  # comes after them, so they have come
    gate.open()
    for client, source in clients:
        got = outcome(client.receive(PATIENCE))
        own = ("truncated", []) if source == "127.0.3.1" else ("NOERROR", [target, "192.0.2.200"])
        good = got == own or (call and scene.shim.mode != 0 and got == ("SERVFAIL", []))
        faults.check(call, good, "shared: its own answer, or withheld", f"{source}: {got}, not {own}\n{scene.tail()}")
        client.close()
    check_lines(scene, faults, call, "shared")


def test_shared(world, tap):
    running(world, tap, IDN["text"], write_policy, shared, shared)


# ---- the log's file is renamed -----------------------------------------------------------------------------------------

def rotate(scene, faults, call):
    path = scene.folder / "log/idn.log"
    if path.exists():
        path.rename(path.with_name(f"idn.log.{next(changes)}"))
    scene.ask((PLAIN,))
    check_lines(scene, faults, call, "renamed")
    faults.check(call, eventually(path.exists, PATIENCE), "renamed: there is a new file", scene.tail())


def test_rotation(world, tap):
    running(world, tap, IDN["text"], write_policy, rotate, rotate)


# ---- the metrics' file -------------------------------------------------------------------------------------------------

def metrics_written(scene, faults, call):
    """Each file that appears is whole, with all samples of the first one."""
    path = scene.folder / "log/idn.prom"
    first = Metrics(path.read_text())
    before, said = path.stat().st_ino, len(scene.errors())
    eventually(lambda: path.stat().st_ino != before or len(scene.errors()) > said, PATIENCE)
    try:
        missing = first.samples.keys() - Metrics(path.read_text()).samples.keys()
        faults.check(call, not missing, "metrics: every sample is there", missing)
    except ValueError as error:
        faults.check(call, False, "metrics: the file is whole", error)


def metrics_right(scene, faults, call):
    check_answers(scene, faults, call, "afterwards")
    path = scene.folder / "log/idn.prom"
    dropped = scene.asked // len(QUESTIONS)  # of each round's questions one has no reply
    right = eventually(lambda: Metrics(path.read_text()).replies + dropped == scene.asked, PATIENCE)
    faults.check(call, right, "metrics: right again", f"{path.read_text()}\n{scene.asked} asked\n{scene.tail()}")
    beside = [file.name for file in path.parent.iterdir() if file.name.startswith("idn.prom")]
    faults.check(call, set(beside) <= {"idn.prom", "idn.prom.new"}, "metrics: nothing is left beside the file", beside)


def test_metrics(world, tap):
    running(world, tap, IDN["text"], write_policy, metrics_written, metrics_right, workers=8)


# ---- the policy's files are watched --------------------------------------------------------------------------------------

def changed(scene, text=""):
    """Rules with one name more, in force or said not to be."""
    scene.name = f"changed{next(changes)}.wild.example"
    before, said = len(swaps(scene.resolver)), len(scene.errors())
    write(scene.folder, f"{RULES}nxdomain name {scene.name}\n{text}")
    eventually(lambda: len(swaps(scene.resolver)) > before or len(scene.errors()) > said, PATIENCE)
    scene.shim.rest()


def is_changed(scene):
    return [got for _, got, _, _ in scene.ask(((scene.name, "A", ("NXDOMAIN", []), None),))] == [("NXDOMAIN", [])]


def change(scene, faults, call):
    said = len(scene.errors())
    changed(scene)
    check_answers(scene, faults, call, "read again")
    faults.check(call, is_changed(scene) or len(scene.errors()) > said, "read again: in force, or it is said that not",
                 scene.tail())


def change_again(scene, faults, call):
    changed(scene)  # or the reported change was the one before, after an error
    faults.check(call, eventually(lambda: is_changed(scene), PATIENCE), "afterwards: the next change is in force", scene.tail())
    check_answers(scene, faults, call, "afterwards")
    check_lines(scene, faults, call, "afterwards")


def test_watched(world, tap):
    running(world, tap, IDN["text"], write_policy, change, change_again, workers=24)


def change_for_the_worse(scene, faults, call):
    said = len(scene.errors())
    changed(scene, "nxdomain nome x.example\nanswer name y.example A 1.2.3\n")
    check_answers(scene, faults, call, "bad rules")
    faults.check(call, len(scene.errors()) > said, "bad rules: it is said", scene.tail())


def test_watched_bad(world, tap):
    running(world, tap, IDN["text"], write_policy, change_for_the_worse, change_again, workers=24)


# ---- reloads -------------------------------------------------------------------------------------------------------------

def reload(scene, faults, call):
    """Reloads with other rules: the policy must lose nothing, whatever else is lost."""
    said = len(scene.errors())
    scene.name = f"changed{next(changes)}.wild.example"
    write(scene.folder, f"{RULES}nxdomain name {scene.name}\n")
    scene.resolver.reload("reload")
    scene.shim.rest()
    check_answers(scene, faults, call, "reload")
    errors = scene.errors()[said:]
    faults.check(call, is_changed(scene) or errors, "reload: in force, or it is said that not", scene.tail())
    if any("nothing is logged" in error for error in errors):
        scene.asked = scene.lines() + scene.lost()
    check_lines(scene, faults, call, "reload")


def test_reload(world, tap):
    running(world, tap, IDN["text"], write_policy, reload, reload, workers=8)
