# SPDX-License-Identifier: BSD-3-Clause
"""Each call that the module makes at the end fails once: the daemon ends as ever, and no line is lost that is not
counted."""

from enumeration import each, enumerated, that_can_fail
from metrics import Metrics
from scene import IDN, write_policy


def stop(scene, check):
    """Lines wait for the writer when the end comes."""
    assert scene.start(), scene.daemon.log()
    scene.ask()
    scene.shim.begin()
    scene.ask()
    status = scene.stop()
    check(status == 0, "exit status 0", f"status {status}\n{scene.tail()}")
    text = (scene.folder / "log/idn.prom").read_text()
    try:
        metrics = Metrics(text)
    except ValueError as error:
        check(False, "the metrics are whole", error)
        return
    said = scene.errors()
    check(scene.lines() == scene.asked or said, "a line for each answer, or it is said how many are lost",
          f"{scene.lines()} lines, {scene.asked} answers\n{scene.tail()}")
    check(metrics.written + metrics.lost == scene.asked or said, "the metrics are right, or it is said that they are not",
          f"{text}\n{scene.tail()}")


def test_end(world, tap):
    def record(scene):
        def check(condition, what, diagnostic):
            assert condition, f"{what}\n{diagnostic}"

        scene.shim.begin = scene.shim.record
        stop(scene, check)
        scene.shim.rest()

    def one(scene, faults, call):
        scene.shim.begin = lambda: scene.shim.fail(call)
        stop(scene, lambda condition, what, diagnostic: faults.check(call, condition, what, diagnostic))
        faults.met(call, scene.shim)
        scene.shim.rest()

    each(that_can_fail(enumerated(world, tap, IDN["text"], write_policy, record, 3)), one)
