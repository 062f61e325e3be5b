"""Cost of the OpenSim plugin: OpenSim's Manager with every muscle inertial, against the Manager of the lumped model.

``rhs``: the Manager with explicit Euler and fixed steps, one evaluation each, on the exported model and on the lumped
one. ``python``: the package's own right-hand side against the lumped one, for comparison. ``simulation``:
``oi.simulate`` with the native engine against the Manager at equal accuracy, as in simulation.py. ``moco`` (with
--moco): iterations of a muscle-driven reach of Arm26 by MocoStudy with explicit dynamics, as many for both. CPU times,
in turns.

    python benchmarks/native.py [--seconds 1.0] [--rhs-only] [--moco] [--models arm26 gait10dof18musc ...]
"""

import contextlib
import tempfile
import warnings

from common import alternate, opensim_models, osim, ratio, report
from simulation import MODELS, REPETITIONS, STATES, Driven, arguments, read, rhs_ratio, simulation_ratio

import opensim_inertia as oi
from opensim_inertia._core.opensim import quiet

#: Those of ``oi.simulate`` that step in OpenSim, and what tells their errors: on the large models Radau takes an hour.
INTEGRATORS, TIGHT = ("auto", "cpodes"), ("runge_kutta_merson", 1e-10)
#: One evaluation each, so short that the motion hardly moves on.
STEP = 1e-5
#: Of Moco's mesh, of its optimizer, and how often the problem is solved.
INTERVALS, ITERATIONS, SOLUTIONS = 8, 8, 3


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
    return ratio(alternate(tasks, REPETITIONS), "ours", "manager")


def reach(model: osim.Model) -> osim.MocoStudy:
    """A study that moves Arm26 with muscles without compliance, and ends after so many iterations."""
    processor = osim.ModelProcessor(model)
    for operator in ("ReplaceMusclesWithDeGrooteFregly2016", "IgnoreTendonCompliance", "IgnorePassiveFiberForcesDGF"):
        processor.append(getattr(osim, f"ModOp{operator}")())
    study = osim.MocoStudy()
    problem = study.updProblem()
    problem.setModelAsCopy(processor.process())
    problem.setTimeBounds(0.0, 0.4)
    for joint, name, start, end in (("shoulder", "shoulder_elev", 0.1, 0.3), ("elbow", "elbow_flex", 0.3, 1.0)):
        path = f"/jointset/r_{joint}/r_{name}"
        problem.setStateInfo(f"{path}/value", [-1.5, 2.2], start, end)
        problem.setStateInfo(f"{path}/speed", [-20.0, 20.0], 0.0, 0.0)
    problem.addGoal(osim.MocoControlGoal("effort"))
    solver = study.initCasADiSolver()
    solver.set_num_mesh_intervals(INTERVALS)
    solver.set_optim_max_iterations(ITERATIONS)
    solver.set_parallel(0)
    solver.set_verbosity(0)
    return study


def moco_ratio() -> float:
    """Time per iteration."""
    model = osim.Model(str(opensim_models() / "Models" / MODELS["arm26"]))
    inertial = oi.InertialModel(model, oi.estimate_masses(model))
    studies = {"ours": reach(inertial.native_model()), "lumped": reach(inertial.original_model())}

    def solve(name: str) -> None:
        with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder), quiet():  # Moco leaves files
            solution = studies[name].solve().unseal()
        assert solution.getNumIterations() == ITERATIONS, "it came to its end before"

    tasks = {name: (lambda name=name: solve(name)) for name in studies}
    return ratio(alternate(tasks, SOLUTIONS), "ours", "lumped")


def main() -> None:
    args = arguments(__doc__, list(MODELS), moco=True)
    warnings.simplefilter("ignore", oi.warnings.WrapDifferenceWarning)
    oi.load_plugin()
    values: dict[str, object] = {}
    if args.moco:
        values["moco"] = moco_ratio()
        print(f"{ITERATIONS} iterations of a reach of Arm26 by MocoStudy: {values['moco']:.3f}", flush=True)
    for name in args.models:
        driven, inertial, start = read(name)
        values[f"{name}_rhs"] = manager_ratio(Exported(inertial), driven)
        values[f"{name}_python"] = rhs_ratio(driven, inertial, start)
        print(f"{name}: {values[f'{name}_rhs']:.3f}, by Python {values[f'{name}_python']:.3f}", flush=True)
        if not args.rhs_only:
            found = simulation_ratio(driven, inertial, start, args.seconds, INTEGRATORS, TIGHT)
            print(f"{name}: {args.seconds:g} s simulated: {found}", flush=True)
            values[f"{name}_simulation"] = found["simulation"]
    report(**values)


if __name__ == "__main__":
    main()
