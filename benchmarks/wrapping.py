"""Cost of smooth paths over wrap objects: of an evaluation, and of making an inertial model.

``ratio_...``: dM, h and g_m of all muscles with mass at a state, realizing it included, against OpenSim's
InverseDynamicsSolver on the model as given, muscle forces switched off; also with only the muscles that do not wrap.
``build_...``: making an inertial model from a file, the survey of wraps included, against loading the model and
initialising it.
"""

import statistics
import warnings

import opensim_inertia as oi

# isort: split
import opensim as osim
from common import alternate, opensim_models, random_states, ratio, report

MODELS = {
    "Rajagopal2016": "Models/Rajagopal/Rajagopal2016.osim",
    "arm26": "Models/Arm26/arm26.osim",
    "shoulder": "Models/ThoracoscapularShoulder/ThoracoscapularShoulderModel.osim",
}
STATES = 5


def main() -> None:
    warnings.simplefilter("ignore", UserWarning)
    root = opensim_models()
    values: dict[str, object] = {}
    for name, file in MODELS.items():
        model = osim.Model(str(root / file))
        state = model.initSystem()
        for muscle in model.getMuscles():
            muscle.setAppliesForce(state, False)
        solver = osim.InverseDynamicsSolver(model)
        states = random_states(state, STATES)
        udot = osim.Vector(state.getNU(), 1.0)
        masses = oi.estimate_masses(model, oi.options.SpecificTension(1e6))
        masses.loc[masses["segment"] == "scapula", "segment"] = "thorax"  # the shoulder's scapula is too light
        muscles = {m.getName(): osim.GeometryPath.safeDownCast(m.getPath()) for m in model.getMuscles()}
        straight = [n for n, path in muscles.items() if path.getWrapSet().getSize() == 0]

        def stock(solver=solver, states=states, udot=udot) -> None:
            for s in fresh(states):
                solver.solve(s, udot)

        tasks = {"OpenSim": stock}
        for which, table in (("all", masses), ("unwrapped", masses[masses["muscle"].isin(straight)])):
            if len(table) == 0:
                continue
            inertial = oi.InertialModel(model, table)
            own = [copy_state(s, inertial) for s in states]
            tasks[which] = lambda inertial=inertial, own=own: [inertial.evaluate(s) for s in fresh(own)]
        file_name = str(root / file)
        tasks |= {
            "load": lambda file=file_name: osim.Model(file).initSystem(),
            "build": lambda file=file_name, table=masses: oi.InertialModel(file, table),
        }
        times = alternate(tasks, 7)
        for task, taken in times.items():
            each = 1 if task in ("load", "build") else STATES
            print(f"{name}, {task}: {1e3 * statistics.median(taken) / each:.3f} ms{'' if each == 1 else ' per state'}")
        values[f"{name}_wrapping"] = len(muscles) - len(straight)
        values[f"{name}_muscles"] = len(muscles)
        for which in ("all", "unwrapped"):
            if which in tasks:
                values[f"{name}_ratio_{which}"] = ratio(times, which, "OpenSim")
        values[f"{name}_build"] = ratio(times, "build", "load")
    report(**values)


def fresh(states):
    """The states as they come, their cached kinematics made stale."""
    for s in states:
        s.updQ()
        s.updU()
    return states


def copy_state(state, inertial):
    """The same coordinates and speeds for the inertial copy of the model."""
    own = inertial.initial_state()
    own.setQ(state.getQ())
    own.setU(state.getU())
    return own


if __name__ == "__main__":
    main()
