"""Cost of the OpenSim plugin: OpenSim's Manager with every muscle inertial, against the Manager of the lumped model.

``rhs``: the Manager with explicit Euler and fixed steps, one evaluation each, on the exported model and on the lumped
one. ``python``: the package's own right-hand side against the same, for comparison. ``simulation``: ``oi.simulate``
with the native engine against the Manager at equal accuracy, as in simulation.py. CPU times, in turns.

    python benchmarks/native.py [--seconds 1.0] [--rhs-only] [--models arm26 gait10dof18musc ...]
"""

import time
import warnings

from common import alternate, osim, ratio, report
from simulation import MODELS, REPETITIONS, STATES, Driven, arguments, read, rhs_ratio, simulation_ratio

import opensim_inertia as oi

#: One evaluation each, so short that the motion hardly moves on.
STEP = 1e-5


class Exported(Driven):
    """The same with the plugin's component. The model has its controller already."""

    def __init__(self, inertial: oi.InertialModel) -> None:
        self.model = inertial.native_model()
        self.start = osim.State(self.model.initSystem())
        self.model.equilibrateMuscles(self.start)


def manager_ratio(exported: Driven, lumped: Driven) -> float:
    """Managers at states of their own motions."""
    running = {}
    for name, driven in (("ours", exported), ("manager", lumped)):
        manager = driven.manager("ExplicitEuler")
        manager.setIntegratorFixedStepSize(STEP)
        manager.initialize(osim.State(driven.start))
        running[name] = [manager, 0]

    def go_on(name: str) -> None:
        running[name][1] += STATES
        running[name][0].integrate(STEP * running[name][1])

    tasks = {name: (lambda name=name: go_on(name)) for name in running}
    return ratio(alternate(tasks, REPETITIONS, time.process_time), "ours", "manager")


def main() -> None:
    args = arguments(__doc__, list(MODELS))
    warnings.simplefilter("ignore", oi.WrapDifferenceWarning)
    oi.load_plugin()
    values: dict[str, object] = {}
    for name in args.models:
        driven, inertial, start = read(name)
        values[f"{name}_rhs"] = manager_ratio(Exported(inertial), driven)
        values[f"{name}_python"] = rhs_ratio(driven, inertial, start)
        print(f"{name}: {values[f'{name}_rhs']:.3f}, by Python {values[f'{name}_python']:.3f}", flush=True)
        if not args.rhs_only:
            found = simulation_ratio(driven, inertial, start, args.seconds)
            print(f"{name}: {args.seconds:g} s simulated: {found}", flush=True)
            values[f"{name}_simulation"] = found["simulation"]
    report(**values)


if __name__ == "__main__":
    main()
