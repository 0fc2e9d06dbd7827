# SPDX-License-Identifier: BSD-3-Clause
"""All calls of a phase, and each of them made to fail once."""

import collections
import itertools
import queue
import threading
import traceback
from concurrent.futures import ThreadPoolExecutor

from scene import Scene
from shim import Shim, Symbols

WORKERS = 4  # daemons side by side, which mostly wait
numbers = itertools.count(1)
symbols = {}


def new_shim(world, path=None):
    """Makes a shim for the calls of the module, or of the program at `path`."""
    path = path or world.module
    if path not in symbols:
        symbols[path] = Symbols(path)
    return Shim(world.faults, world.folder / f"control-{next(numbers)}", symbols[path])


class Faults:
    """The calls of one phase, and what came of them: one point of the test for each call."""

    def __init__(self, world, tap, idn, prepare, calls):
        self.world, self.tap, self.idn, self.prepare, self.calls = world, tap, idn, prepare, calls
        self.wrong = collections.defaultdict(list)
        self.fired = self.refused = self.made = 0
        self.lock = threading.Lock()

    def scene(self, shim):
        return Scene(self.world, shim, self.idn, self.prepare, next(numbers))

    def check(self, call, condition, what, diagnostic):
        if not condition:
            with self.lock:
                self.wrong[call].append(f"{what}\n{diagnostic}")

    def met(self, call, shim):
        with self.lock:
            self.fired += shim.fired

    def report(self):
        for call in self.calls:
            self.tap.ok(call not in self.wrong, f"{call.name} by {call.where} ({call.turn})",
                        "\n".join(self.wrong.get(call, ())))
        # On a busy machine a daemon looks at its files less often than the one whose calls were recorded.
        self.tap.ok(0 < len(self.calls) <= 4 * self.fired, "calls are made to fail", f"{self.fired} of {len(self.calls)}")
        counts = collections.Counter(call.name for call in self.calls)
        print(f"# {self.tap.title}: {self.made} calls, {len(self.calls)} of them tried, {self.fired} made to fail, {len(self.wrong)} with a wrong end: "
              + ", ".join(f"{number} {name}" for name, number in counts.most_common()), flush=True)


def enumerated(world, tap, idn, prepare, record, turns_max=None):
    """Runs `record` with a daemon that is yet to start, and returns the Faults of the calls made."""
    shim = new_shim(world)
    faults = Faults(world, tap, idn, prepare, [])
    scene = faults.scene(shim)
    try:
        record(scene)
    finally:
        scene.stop()
    calls = shim.calls()
    faults.calls = [call for call in calls if not turns_max or call.turn <= turns_max][::world.faults_step]
    faults.made = len(calls)
    return faults


# A call of liburcu, which ends the process if it fails: glibc has room for a thread's first 32 keys.
CANNOT_FAIL = ("pthread_setspecific",)


def that_can_fail(faults):
    """The same without the calls of liburcu that cannot fail."""
    faults.calls = [call for call in faults.calls if not (call.where.startswith("liburcu") and call.name in CANNOT_FAIL)]
    return faults


def each(faults, one, workers=WORKERS):
    """Calls one(scene, faults, call) with a new daemon for each call."""
    shims = queue.SimpleQueue()

    def run(call):
        shim, scene = shims.get(), None
        try:
            scene = faults.scene(shim)
            one(scene, faults, call)
        except Exception:
            faults.check(call, False, "no exception", traceback.format_exc())
        finally:
            if scene:
                scene.close()
            shims.put(shim)

    for _ in range(workers):
        shims.put(new_shim(faults.world))
    with ThreadPoolExecutor(workers) as pool:
        list(pool.map(run, faults.calls))
    faults.report()


def share(faults, one, workers=WORKERS):
    """Calls one(scene, faults, call) with running daemons, each for many calls. Where `one` says that its call was not
    made, for it is made once in the life of a process or thread, again with a new daemon."""
    waiting = queue.SimpleQueue()
    for call in faults.calls:
        waiting.put((call, False))

    def run():
        shim, scene = new_shim(faults.world), None
        while True:
            try:
                call, anew = waiting.get_nowait()
            except queue.Empty:
                break
            try:
                if anew and scene:
                    scene.close()
                    scene = None
                if not scene:
                    shim.rest()
                    scene = faults.scene(shim)
                    assert scene.start(), scene.daemon.log()
                fired = one(scene, faults, call)
                status = scene.daemon.process.poll()
                faults.check(call, status is None, "the daemon goes on", f"status {status}\n{scene.tail()}")
                if not fired and not anew:
                    waiting.put((call, True))
                if status is not None:
                    scene.close()
                    scene = None
            except Exception:
                faults.check(call, False, "no exception", f"{traceback.format_exc()}\n{scene and scene.tail()}")
                if scene:
                    scene.close()
                scene = None
        if scene:
            status = scene.stop()
            if status != 0:
                faults.tap.ok(False, "it stops with exit status 0", f"status {status}\n{scene.tail()}")
            scene.close()

    with ThreadPoolExecutor(workers) as pool:
        for done in [pool.submit(run) for _ in range(workers)]:
            done.result()
    faults.report()
