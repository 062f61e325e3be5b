"""Look for crashes of garbage collection: make, copy and drop postures and all that comes of them, in a random order.

Each step makes an object (a model, a posture, its linearisation, a short simulation, a copy of one of them by ``copy``
or ``pickle``, a model with the OpenSim plugin's component), drops some, or collects garbage; Python's own collections
come at random moments, too. The steps run in a process of their own under ``faulthandler``, and a seed repeats them. If
that process does not end as it should, its last steps are printed, and the stacks of its threads.

    python tests/fuzz/garbage.py [--iterations 2000] [--seed N] [--engine both]

``--engine kernel`` leaves the plugin unloaded, ``plugin`` loads it first, ``both`` does one after the other, the second
only where the plugin was built. The last line is ``iterations=N crashes=N``.
"""

import argparse
import copy
import faulthandler
import gc
import os
import pickle
import random
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

ENGINES = ("kernel", "plugin", "both")
ALIVE = 4  # Objects of each kind that live at a time; the oldest or any other goes where one more is made
HANG = 300.0  # How long one step may take before it counts as a hang [s]
LAST = 8  # Steps printed after a crash
SECONDS = 0.005
KINDS = ("rigid", "states", "thelen", "millard", "millard rigid")


class Zoo:
    """Objects that live, by kind, and what can be done to them."""

    def __init__(self, seed: int, with_plugin: bool) -> None:
        self.random = random.Random(seed)
        self.objects: dict[str, list[Any]] = {}
        self.steps: dict[str, Callable[[], None]] = {
            "model": self.make_model,
            "posture": self.equilibrate,
            "linearization": self.linearize,
            "trajectory": self.simulate,
            "copy": self.copy,
            "drop": self.drop,
            "collect": self.collect,
        }
        if with_plugin:
            self.steps["component"] = self.make_component

    def any(self, kind: str) -> Any:
        """One of the objects of a kind, made if there is none."""
        if not self.objects.get(kind):
            self.steps[kind]()
        return self.random.choice(self.objects[kind])

    def keep(self, kind: str, new: Any) -> None:
        """Let an object live, and let go of another one if there are many."""
        alive = self.objects.setdefault(kind, [])
        alive.append(new)
        while len(alive) > ALIVE:
            del alive[self.random.randrange(len(alive))]

    def make_model(self) -> None:
        from oracles.planar_arm import arm

        self.keep("model", arm(self.random.choice(KINDS)))

    def make_component(self) -> None:
        model = self.any("model").native_model()
        model.realizeAcceleration(model.initSystem())
        self.keep("component", model)

    def equilibrate(self) -> None:
        from oracles.planar_arm import POSE

        import opensim_inertia as oi

        self.keep("posture", oi.equilibrate(self.any("model"), POSE))

    def linearize(self) -> None:
        self.keep("linearization", self.any("posture").linearize())

    def simulate(self) -> None:
        import opensim_inertia as oi

        posture = self.any("posture")
        self.keep("trajectory", oi.simulate(posture.problem(posture.state.getTime() + SECONDS)))

    def copy(self) -> None:
        """Copy an object; postures hold a state of OpenSim's, which may refuse."""
        kind = self.random.choice(("model", "posture", "linearization", "trajectory"))
        original = self.any(kind)
        copied = copy.deepcopy if self.random.random() < 0.5 else lambda x: pickle.loads(pickle.dumps(x))
        try:
            self.keep(kind, copied(original))
        except TypeError:
            if kind != "posture":
                raise

    def drop(self) -> None:
        """Let go of all objects of a kind, or of one: what others hold of it lives on."""
        if self.objects:
            kind = self.random.choice(sorted(self.objects))
            if self.random.random() < 0.3:
                del self.objects[kind]
            elif self.objects[kind]:
                del self.objects[kind][self.random.randrange(len(self.objects[kind]))]

    def collect(self) -> None:
        """Collect now, and let Python's own collections come more or less often from now on."""
        gc.collect(self.random.randrange(3))
        gc.set_threshold(self.random.choice((1, 10, 100, 700)), 2, 2)

    def step(self) -> None:
        """Do what comes next, and say so first, on a line of standard output that nothing buffers."""
        name = self.random.choices(tuple(self.steps), (2, 4, 3, 4, 4, 3, 5, 3)[: len(self.steps)])[0]
        os.write(1, f"{name}\n".encode())
        faulthandler.dump_traceback_later(HANG, exit=True)
        self.steps[name]()


def live(seed: int, iterations: int, engine: str) -> None:
    faulthandler.enable()
    warnings.simplefilter("ignore")
    if engine == "plugin":
        import opensim_inertia as oi

        oi.load_plugin()
    zoo = Zoo(seed, engine == "plugin")
    for _ in range(iterations):
        zoo.step()
    faulthandler.cancel_dump_traceback_later()
    zoo.objects.clear()
    gc.collect()


def command(seed: int, iterations: int, engine: str) -> list[str]:
    options = {"--seed": seed, "--iterations": iterations, "--engine": engine}
    script = [sys.executable, "-X", "faulthandler", os.path.abspath(__file__), "--live"]
    return script + [str(word) for pair in options.items() for word in pair]


def survives(words: list[str]) -> bool:
    """Run a command that says its steps; print its last ones and its stacks if it does not end with 0."""
    with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as err:
        code = subprocess.run(words, stdout=out, stderr=err, check=False).returncode
        if code == 0:
            return True
        out.seek(0)
        err.seek(0)
        steps = out.read().split("\n")[:-1]
        print(f"crash: exit code {code} in step {len(steps)}, the last of {steps[-LAST:]}")
        print(f"of {' '.join(words)}")
        print(err.read(), flush=True)
    return False


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--iterations", type=int, default=2000, help="steps for each engine (default: %(default)s)")
    parser.add_argument("--seed", type=int, help="repeats a run; default: another one each time, which is printed")
    parser.add_argument("--engine", choices=ENGINES, default="both", help="(default: %(default)s)")
    parser.add_argument("--live", action="store_true", help=argparse.SUPPRESS)
    args = parser.parse_args()
    seed = random.SystemRandom().randrange(2**32) if args.seed is None else args.seed
    if args.live:
        live(seed, args.iterations, args.engine)
        return 0
    from opensim_inertia.model.plugin import LIBRARY

    engines = ["kernel", "plugin"] if args.engine == "both" else [args.engine]
    if args.engine == "both" and not LIBRARY.is_file():
        print("the OpenSim plugin was not built: without it only")
        engines = ["kernel"]
    print(f"seed={seed}", flush=True)
    crashes = sum(not survives(command(seed, args.iterations, engine)) for engine in engines)
    print(f"iterations={args.iterations * len(engines)} crashes={crashes}")
    return 1 if crashes else 0


if __name__ == "__main__":
    sys.exit(main())
