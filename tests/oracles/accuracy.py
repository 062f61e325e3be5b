"""Distance of the package's mass points and terms from finite differences of OpenSim's own path, muscle by muscle."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import numpy as np

import opensim_inertia as oi
from opensim_inertia._core.opensim import osim

from .numpy_kernel import MaterialMap
from .path_differences import Difference, PathDifferences, sum_of

MODELS = {
    "Gait10dof18musc": "Models/Gait10dof18musc/gait10dof18musc.osim",
    "Gait2392": "Models/Gait2392_Simbody/gait2392_thelen2003muscle.osim",
    "Hamner": "Pipelines/Hamner/outputReference/subject02_scaled.osim",
    "Leg6Dof9Musc": "Models/Leg6Dof9Musc/leg6dof9musc.osim",
    "Rajagopal2016": "Models/Rajagopal/Rajagopal2016.osim",
    "Arm26": "Models/Arm26/arm26.osim",
}
POINTS = 5
QUANTITIES = ("position", "jacobian", "jdot_u", "mass_matrix", "gravity", "bias")
#: What an entry is measured against where the reference itself is small: m, m/rad, m/s^2, kg m^2, N m, N m.
FLOOR = {"position": 1.0, "jacobian": 0.1, "jdot_u": 0.1, "mass_matrix": 1e-4, "gravity": 1e-2, "bias": 1e-3}
#: Differences noisier than this (relative, step h against 2 h) cannot judge: wraps that OpenSim solves by iteration.
NOISE = {"jacobian": 1e-7, "jdot_u": 3e-6, "mass_matrix": 1e-7, "gravity": 1e-7, "bias": 3e-6}


@dataclass
class Comparison:
    """Worst relative errors per quantity over the muscles seen, and how many numbers could be judged."""

    worst: dict[str, float] = field(default_factory=lambda: dict.fromkeys(QUANTITIES, 0.0))
    where: dict[str, str] = field(default_factory=dict)
    judged: dict[str, int] = field(default_factory=lambda: dict.fromkeys(QUANTITIES, 0))
    skipped: dict[str, int] = field(default_factory=lambda: dict.fromkeys(QUANTITIES, 0))
    crossing: int = 0  # muscles whose continuous mass lies over a path point

    def add(self, quantity: str, muscle: str, ours: np.ndarray, reference: Difference | np.ndarray) -> None:
        value = reference.value if isinstance(reference, Difference) else reference
        scale = max(float(np.abs(value).max(initial=0.0)), FLOOR[quantity]) if quantity != "position" else 1.0
        good = np.ones(value.shape, bool)
        if isinstance(reference, Difference):
            trusted = reference.trusted(NOISE[quantity] * scale)
            if quantity == "jacobian":
                trusted = trusted[:, None, :]  # masks of Jacobians are by point and column
            elif trusted.ndim < value.ndim:
                trusted = trusted.reshape(trusted.shape + (1,) * (value.ndim - trusted.ndim))
            good = np.broadcast_to(trusted, value.shape)
        self.judged[quantity] += int(good.sum())
        self.skipped[quantity] += int((~good).sum())
        if good.any():
            error = float(np.abs(ours - value)[good].max()) / scale
            if error > self.worst[quantity]:
                self.worst[quantity], self.where[quantity] = error, muscle


def random_pose(inertial: oi.InertialModel, rng: np.random.Generator) -> np.ndarray:
    lo, hi = inertial.coordinates.ranges.T
    lo, hi = np.maximum(lo, -1.2), np.minimum(hi, 1.2)
    return lo + (hi - lo) * rng.uniform(0.25, 0.75, lo.size)


def compare(root: Path, name: str, strain: str, poses: int, stride: int, seed: int = 0) -> Comparison:
    """Compare every ``stride``-th muscle of a model with mass at random poses."""
    model = osim.Model(str(root / MODELS[name]))
    inertial = oi.InertialModel(model, oi.estimate_masses(model), strain=strain, points=POINTS, wrapping="opensim")
    differences = PathDifferences(inertial.model, inertial.initial_state())
    rng, result = np.random.default_rng(seed), Comparison()
    for pose in range(poses):
        q = random_pose(inertial, rng)
        compare_at(inertial, differences, q, rng, inertial.muscle_names[pose % stride :: stride], result)
    return result


def compare_at(
    inertial: oi.InertialModel,
    differences: PathDifferences,
    q: np.ndarray,
    rng: np.random.Generator,
    muscles: Iterable[str],
    result: Comparison,
) -> None:
    """Add muscles of an inertial model at a pose, with random speeds, to a comparison with differences of its paths."""
    u = rng.normal(size=len(inertial.coordinate_names))
    mass = dict(zip(inertial.masses["muscle"], inertial.masses["mass"], strict=True))
    state = inertial.initial_state()
    state.setQ(osim.Vector.createFromMat(q))
    state.setU(osim.Vector.createFromMat(u))
    for muscle in muscles:
        path = inertial.muscles.paths[muscle]
        m = inertial.material_map(muscle)
        material = MaterialMap(m.phi, m.slack, m.proximal, m.shortest, m.hold_width, m.aponeurosis)
        differences.move(q)
        points = inertial.mass_points(state, [muscle])[muscle]
        number, read = inertial.muscle_names.index(muscle), inertial.dynamics.read(state)
        terms = inertial.evaluation.terms(read, [number], subtract_frozen=False)
        material_points = [(material.fibre(chi), xi) for chi, xi in zip(points.starts, points.fractions, strict=True)]

        def places(length: float, material_points=material_points) -> np.ndarray:  # type: ignore[no-untyped-def]
            return np.array([fibre.arc_length(xi, length)[0] for fibre, xi in material_points])

        current = differences.current_path(muscle)
        ends = [material.fibre(share).arc_length(share, current.length)[0] for share in (0.0, 1.0)]
        fibres = material.fibres(current.cuts, 3 if path.wraps else 2)

        def total(of, fibres=fibres, kg=mass[muscle]) -> Difference:  # type: ignore[no-untyped-def]
            return sum_of([of(fibre, kg * weight) for fibre, weight in fibres])

        result.crossing += bool(np.any((current.cuts[1:-1] > ends[0]) & (current.cuts[1:-1] < ends[1])))
        result.add("position", muscle, points.positions, differences.positions(muscle, places))
        result.add("jacobian", muscle, points.jacobians, differences.jacobian_fd(muscle, places))
        result.add("jdot_u", muscle, points.jdot_u, differences.jdot_u_fd(muscle, places, u))
        result.add("mass_matrix", muscle, terms.mass_matrix, total(partial(differences.added_mass_fd, muscle)))
        result.add("gravity", muscle, terms.gravity, total(partial(differences.gravity_fd, muscle)))
        result.add("bias", muscle, terms.bias, total(partial(differences.bias_christoffel_fd, muscle, u=u)))
