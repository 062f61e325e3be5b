"""Cost of paths over wrap objects, differentiated from OpenSim's own path, against OpenSim's inverse dynamics solve.

Per state: dM, h and g_m of all muscles with mass, realizing the state included; and OpenSim's InverseDynamicsSolver on
the model as given, muscle forces switched off. Also the same model with only its muscles that do not wrap.
"""

import statistics
import warnings

import opensim_inertia as oi

# isort: split
import opensim as osim
from common import alternate, opensim_models, random_states, ratio, report

MODELS = {"Rajagopal2016": "Models/Rajagopal/Rajagopal2016.osim", "arm26": "Models/Arm26/arm26.osim"}
STATES = 5


def main() -> None:
    warnings.simplefilter("ignore", oi.ShortBellyWarning)
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
        masses = oi.estimate_masses(model, specific_tension=1e6)
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
        times = alternate(tasks, 7)
        for task, taken in times.items():
            print(f"{name}, {task}: {1e3 * statistics.median(taken) / STATES:.3f} ms per state")
        values[f"{name}_wrapping"] = len(muscles) - len(straight)
        values[f"{name}_muscles"] = len(muscles)
        for which in tasks:
            if which != "OpenSim":
                values[f"{name}_ratio_{which}"] = ratio(times, which, "OpenSim")
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
