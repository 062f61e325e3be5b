"""Mass over a shoulder's wrap objects, along lines where the shortest way flips and at random poses."""

import numpy as np
import opensim as osim
import pytest
from oracles.current_path import active_points
from oracles.real_models import random_poses

import opensim_inertia as oi

#: Muscles over an ellipsoid, and a place on one of twelve random lines where the geodesic flips by more than 0.1 m.
FLIPS = [("SerratusAnterior_I", 3, 0.6994), ("Rhomboideus_I", 4, 0.0859), ("PectoralisMajorThorax_M", 11, 0.7873)]

STRAIGHT = "lies straight from path point to path point"

CLOSE = 1e-4  # Largest step of a speed [m per rad] or height [m] that is let stand when the line is looked at closely

pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore::opensim_inertia.warnings.InertiaWarning"),
]


def shoulder(opensim_models, *muscles: str) -> oi.InertialModel:
    """With the mass of these muscles, or of all."""
    model = osim.Model(str(opensim_models / "Models/ThoracoscapularShoulder/ThoracoscapularShoulderModel.osim"))
    model.initSystem()
    masses = oi.estimate_masses(model)
    return oi.InertialModel(model, masses[masses["muscle"].isin(muscles)] if muscles else masses)


@pytest.mark.parametrize(("muscle", "line", "at"), FLIPS)
def test_mass_is_continuous_and_slow_where_the_shortest_way_flips(opensim_models, muscle, line, at):
    inertial = shoulder(opensim_models, muscle)
    mass, state = inertial.muscles.masses[muscle], inertial.initial_state()
    ends = random_poses(inertial, 24, 3)[2 * line : 2 * line + 2]

    def measures(s: float) -> np.ndarray:
        """Speeds of the mass per speed of each coordinate, root mean square, and its height."""
        inertial.coordinates.set_values(state, ends[0] + s * (ends[1] - ends[0]))
        terms = inertial.evaluate(state, subtract_frozen=False)
        return np.append(np.sqrt(np.diag(terms.mass_matrix) / mass), terms.potential_energy / mass / 9.81)

    def apart(a, b) -> float:
        return float(np.abs(a - b).max())

    samples = np.linspace(at - 0.02, at + 0.02, 200)
    curves = np.array([measures(s) for s in samples])
    assert curves[:, :-1].max() < 1.5 * curves[[0, -1], :-1].max()  # a string that swings over has 10 to 20 times
    widest = int(np.argmax([apart(x, y) for x, y in zip(curves[:-1], curves[1:], strict=True)]))
    low, high = samples[widest : widest + 2]
    for _ in range(20):
        middle = (low + high) / 2
        first, second = apart(measures(low), measures(middle)), apart(measures(middle), measures(high))
        low, high = (low, middle) if first > second else (middle, high)
    assert apart(measures(low), measures(high)) < CLOSE


def test_no_mass_is_fast(opensim_models):
    """Where it would be, on a path that begins inside the thorax, it lies straight, and the muscle is marked."""
    inertial = shoulder(opensim_models)
    state, bodies = inertial.initial_state(), inertial.evaluation.bodies
    live = {name: path for name, path in inertial.muscles.paths.items() if path.wraps}
    straight = 0
    for q in random_poses(inertial, 150, 13):
        inertial.coordinates.set_values(state, q)
        terms, kinematics = (
            inertial.evaluate(state, per_muscle=True, subtract_frozen=False),
            inertial.dynamics.read(state),
        )
        for name, path in live.items():
            lever = np.full(len(inertial.coordinate_names), 0.03)  # slower carriers count as no slower
            for i, place in active_points(inertial.model.getMuscles().get(name), state).items():
                b = bodies.index(path.points[i].body)
                turns, goes = np.split(kinematics.jacobian[6 * b : 6 * b + 6], 2)
                moved = goes + np.cross(turns, (place - kinematics.position[b])[:, None], axis=0)
                lever = np.maximum(lever, np.linalg.norm(moved, axis=0))
            speeds = np.sqrt(np.diag(terms.muscles[name].mass_matrix) / inertial.muscles.masses[name])
            assert (speeds < 2.05 * lever).all()  # places where a path touches are carriers, too, and a little faster
            straight += any(note.startswith(f"muscle '{name}'") and STRAIGHT in note for note in terms.notes)
    assert 0 < straight < 30  # of 4500 muscles
