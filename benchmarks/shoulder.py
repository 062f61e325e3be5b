"""How robust the smooth paths of a shoulder are: the ThoracoscapularShoulder over the whole ranges of its coordinates.

Of random poses with speeds, ``failed`` ended without an answer, and ``heavy`` ones have an added mass matrix above
1000 (kg m^2); ``lost`` counts the muscles' paths that were OpenSim's own, ours having none. Along random straight lines
through the ranges, ``jumps`` counts where a muscle's 20 mass points move by more than a millimetre within 1e-7 of the
line, and ``widest`` [mm] is the largest, of our paths and of OpenSim's. ``drift`` is the change of energy [J] of a
passive fall, of which ``jump_drift`` comes from steps that lose or gain more than 0.05 J: jumps of a path.

    python benchmarks/shoulder.py [--poses 10000] [--lines 100] [--seconds 0.5]
"""

import argparse
import warnings

import numpy as np
from common import opensim_models, osim, report, silent

import opensim_inertia as oi
from opensim_inertia._core.arrays import Array
from opensim_inertia.analyses.wrapping_report.preparing import prepare_comparison
from opensim_inertia.muscles.material.whole_path import POINTS
from opensim_inertia.opensim_model.reading import random_poses
from opensim_inertia.paths.comparison import PathComparison, Way
from opensim_inertia.paths.wrapping import bisect_jumps

MODEL = "ThoracoscapularShoulder/ThoracoscapularShoulderModel.osim"
#: Steps along a line, and halvings of a step in which points move far.
STEPS, HALVINGS = 300, 16
#: Steps are looked at over which a point of the path moves further than this [m], and than so many times the median.
FAR, OF_MEDIAN = 2e-3, 6.0
#: Change of energy [J] within a step of the integrator that only a jump explains.
ENERGY_JUMP = 0.05


def passive_shoulder() -> oi.InertialModel:
    """The model without forces; the scapula, which has less mass than its muscles, is given its share by the thorax."""
    with silent():
        model = osim.Model(str(opensim_models() / "Models" / MODEL))
        model.initSystem()
    masses = oi.estimate_masses(model)
    masses.loc[masses.segment == "scapula", "segment"] = "thorax"
    for force in model.updForceSet():
        force.set_appliesForce(False)
    return oi.InertialModel(model, masses, wrapping=oi.Wrapping(warn_wraps=False))


def look_at_poses(inertial: oi.InertialModel, count: int) -> dict[str, object]:
    """Evaluate random poses with speeds."""
    rng, state = np.random.default_rng(0), inertial.initial_state()
    failed = heavy = lost = 0
    for k, q in enumerate(random_poses(inertial.model, inertial.coordinates, count, 7)):
        state.setTime(1e-3 * k)
        inertial.coordinates.set_values(state, q)
        state.setU(osim.Vector.createFromMat(rng.standard_normal(state.getNU())))
        try:
            terms = inertial.evaluate(state)
        except oi.InertiaError:
            failed += 1
            continue
        lost += sum("no smooth path" in note for note in terms.notes)
        failed += not (np.isfinite(terms.mass_matrix).all() and np.isfinite(terms.bias).all())
        heavy += bool(np.abs(terms.mass_matrix).max() > 1e3)
    return {"poses": count, "failed": failed, "lost": lost, "heavy": heavy}


def find_jumps(paths: PathComparison, way: Way, name: str, start: Array, end: Array) -> list[float]:
    """Sizes [m] of the jumps of one muscle's mass points along a line."""

    def points(shares: Array) -> Array:
        """Places (n, points, 3) at shares (n, 1) of the line."""
        places = []
        for q in start + shares * (end - start):
            paths.place(q, [name] if way == "opensim" else ())
            places.append(paths.positions(name, way, POINTS))
        return np.reshape(places, (len(shares), len(POINTS), 3))

    shares = np.linspace(0, 1, STEPS + 1)[:, None]
    places = points(shares)
    moved = np.linalg.norm(np.diff(places, axis=0), axis=2).max(axis=1)
    k = np.flatnonzero(moved > max(OF_MEDIAN * float(np.nanmedian(moved)), FAR))
    ways = bisect_jumps(points, shares[k], shares[k + 1], places[k], places[k + 1], HALVINGS)
    return ways.changes[ways.jumps].tolist()


def count_jumps(lines: int) -> dict[str, object]:
    """Follow all wrapping muscles along random lines."""
    with silent():
        paths = prepare_comparison(str(opensim_models() / "Models" / MODEL), None, "analytic").paths
    ends = random_poses(paths.model, paths.coordinates, 2 * lines, 11)
    ways: tuple[Way, Way] = ("ours", "opensim")
    values: dict[str, object] = {"lines": lines}
    by_muscle = {
        way: {
            name: [j for k in range(lines) for j in find_jumps(paths, way, name, ends[2 * k], ends[2 * k + 1])]
            for name in paths.live
        }
        for way in ways
    }
    for way in ways:
        sizes = [size for found in by_muscle[way].values() for size in found]
        values |= {f"jumps_{way}": len(sizes), f"widest_{way}": 1e3 * max(sizes, default=0.0)}
    for name in paths.live:
        ours, theirs = by_muscle["ours"][name], by_muscle["opensim"][name]
        if len(ours) > len(theirs) or max(ours, default=0.0) > max(theirs, default=0.0):
            print(
                f"{name}: {len(ours)} jumps up to {1e3 * max(ours):.1f} mm, "
                f"OpenSim's {len(theirs)} up to {1e3 * max(theirs, default=0.0):.1f} mm"
            )
    return values


def fall(inertial: oi.InertialModel, seconds: float) -> dict[str, object]:
    """Let the shoulder fall, and see what its energy does."""
    energy = oi.simulate(oi.Problem(inertial, t_final=seconds)).energy()["total"].to_numpy()
    steps = np.diff(energy)
    jumps = steps[np.abs(steps) > ENERGY_JUMP]
    return {"seconds": seconds, "drift": float(energy[-1] - energy[0]), "jump_drift": float(jumps.sum())}


def main() -> None:
    warnings.simplefilter("ignore", UserWarning)
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--poses", type=int, default=10_000)
    parser.add_argument("--lines", type=int, default=100)
    parser.add_argument("--seconds", type=float, default=0.5)
    arguments = parser.parse_args()
    inertial = passive_shoulder()
    values = look_at_poses(inertial, arguments.poses) | fall(inertial, arguments.seconds)
    report(**values, **count_jumps(arguments.lines))


if __name__ == "__main__":
    main()
