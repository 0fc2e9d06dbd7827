# SPDX-License-Identifier: BSD-3-Clause
"""Each call that the module makes at a start fails once: either the start is refused, and one line says why, or nothing
is missing that was not said to be."""

import collections
import re
import signal

from daemon import eventually
from enumeration import each, enumerated
from rulefile import swaps
from scene import IDN, PATIENCE, is_right, write_policy


def check_refused(scene, faults, call):
    status = scene.daemon.wait_exit()
    faults.refused += 1
    if call.where.startswith("liburcu"):  # which ends the process; it cannot be asked not to
        faults.check(call, status == -signal.SIGABRT, "refused: by liburcu", status)
        return
    faults.check(call, status == 1, "refused: exit status 1, no signal", f"status {status}\n{scene.daemon.log()}")
    why = re.findall(r" error: (?:idn: |out of memory).*", scene.daemon.log())
    faults.check(call, len(why) == 1, "refused: one line says why", scene.daemon.log())


def rules_are_missing(scene):
    return "NO RULES ARE IN FORCE" in "\n".join(scene.errors())


def check_lines(scene, faults, call, said):
    faults.check(call, scene.all_accounted(), "started: a line for each answer",
                 f"{scene.lines()} lines, {scene.asked} answers, lost {scene.lost()}\n{scene.daemon.log()}")
    told = scene.told()
    faults.check(call, told == faults.reference or said, "started: the lines say what they always say",
                 "\n".join([*(told - faults.reference), "not", *(faults.reference - told)]))


def check_started(scene, faults, call):
    if rules_are_missing(scene):  # it reads rules again by itself, and idn.conf once that has changed
        (scene.folder / "idn.conf").touch()
        faults.check(call, eventually(lambda: swaps(scene.resolver), PATIENCE), "started: the rules come back",
                     scene.daemon.log())
    said = "\n".join(scene.errors())
    for name, got, wanted, lost in scene.ask():
        good = is_right(got, wanted) or bool(lost and lost in said)
        faults.check(call, good, "started: what is refused is refused, or it was said that it is not",
                     f"{name}: {got}, not {wanted}\nsaid: {said}")
    if "./idn.conf:" not in said:  # else it logs nothing before a reload
        check_lines(scene, faults, call, said)
    status = scene.stop()
    faults.check(call, status == 0, "started: it stops with exit status 0", f"status {status}\n{scene.daemon.log()}")


def start(world, tap, idn, prepare):
    reference = collections.Counter()

    def record(scene):
        scene.shim.record()
        assert scene.start(), scene.daemon.log()
        scene.shim.rest()
        scene.ask()
        assert scene.all_accounted()
        reference.update(scene.told())
        scene.stop()

    def one(scene, faults, call):
        scene.shim.fail(call)
        started = scene.start()
        scene.shim.rest()
        faults.met(call, scene.shim)
        if started:
            check_started(scene, faults, call)
        else:
            check_refused(scene, faults, call)

    faults = enumerated(world, tap, idn, prepare, record)
    faults.reference = reference
    each(faults, one)
    tap.note(f"{faults.refused} starts refused")


def test_rules(world, tap):
    start(world, tap, IDN["text"], write_policy)
