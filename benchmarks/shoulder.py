"""How robust the paths of a shoulder are: the ThoracoscapularShoulder, or another, over the ranges of its coordinates.

Of random poses with speeds, ``failed`` ended without an answer, and ``heavy`` ones have an added mass matrix above
1000 (kg m^2); ``lost`` counts the muscles' paths that were OpenSim's own, ours having none. Along random straight lines
through the ranges, ``jumps`` counts where the centre of one of the eight parts into which a muscle's mass is cut along
its belly moves by more than a millimetre within 1e-7 of the line, and ``widest`` [mm] is the largest, of our paths and
of OpenSim's; where mass is divided between several paths, a part's centre is the mean over all of them. ``drift`` is
the change of energy [J] of a passive fall, of which ``jump_drift`` comes from steps that lose or gain more than 0.05 J:
jumps of a path.

Of each muscle with wrap objects and each coordinate, sqrt(dM_jj / m) is the root mean square speed of the muscle's
mass per speed of the coordinate. Where it is above twice that of the fastest of its path points, and of the tangent
points of OpenSim's path as their bodies carry them, or above 0.06 if these are slower than 0.03, a muscle is ``fast``;
``fast_unmarked`` counts those of which the evaluation says nothing, ``fastest`` [m per rad or m] is the largest.
``unusual`` are above twice what 97 % of the poses stay below, and above
0.06. ``marked`` counts muscles with a mark. ``median``, ``most95`` and ``furthest`` [mm] are how far lengths are from
OpenSim's ``getLength``. ``beyond`` are those beyond 10 mm, in per cent of all, and ``beyond_unmarked`` how many of them
have no mark; a table says by muscle why they are, by the first of these that holds: an end is ``inside`` a wrap object;
the mass is ``divided``; OpenSim's path is ``broken``, no path over its surface; its length is ``stale``, 5 mm off the
path that it shows; OpenSim goes ``straight`` where ours wraps; its path is ``shorter`` than ours, which passes on
another side or over more surfaces; or it is ``longer``: no geodesic, or on another side. Another table says of fast
muscles, by muscle: an end is ``inside``; the path is ``opensim``'s own;
the mass is ``divided``; or none of these, ``outside``. Lengths that OpenSim makes longer than a metre are left out.

    python benchmarks/shoulder.py [--model FILE] [--poses 10000] [--paths 500] [--lines 100] [--seconds 0.5]
"""

import argparse
import warnings
from collections import Counter
from collections.abc import Mapping

import numpy as np
from common import opensim_models, osim, report

import opensim_inertia as oi
from opensim_inertia._core.arrays import Array
from opensim_inertia._core.opensim import quiet
from opensim_inertia.analyses.wrapping_report import assemble_wrapping
from opensim_inertia.model.assembly import Assembly
from opensim_inertia.opensim_model.reading.components import model_muscles
from opensim_inertia.opensim_model.reading.coordinates import random_poses
from opensim_inertia.opensim_model.reading.kinematics import Kinematics
from opensim_inertia.opensim_model.reading.paths import read_path
from opensim_inertia.paths.survey_comparison import bisect_jumps
from opensim_inertia.paths.wrapping.current_path import CurrentPath
from opensim_inertia.paths.wrapping.path_samples import sample_opensim_paths

MODEL = "ThoracoscapularShoulder/ThoracoscapularShoulderModel.osim"
#: Parts of a muscle's mass whose centres are followed along a line.
PARTS = 8
#: Steps along a line, and halvings of a step in which points move far.
STEPS, HALVINGS = 300, 16
#: Steps are looked at over which one of them moves further than this [m], and than so many times the median.
FAR, OF_MEDIAN = 2e-3, 6.0
#: A length is far from OpenSim's, and OpenSim's from the path that it shows, by more than this [m].
FAR_OFF, STALE = 0.01, 5e-3
#: What carries mass counts as no slower than this [m/s] per speed of a coordinate.
SLOW = 0.03
#: Change of energy [J] within a step of the integrator that only a jump explains.
ENERGY_JUMP = 0.05


def passive_shoulder(path: str) -> oi.InertialModel:
    """The model without forces."""
    with quiet():
        model = osim.Model(path)
        model.initSystem()
    masses = oi.estimate_masses(model)
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


def has_end_inside(path: CurrentPath, state: "osim.State") -> bool:
    """Return whether an end of a span that a surface may bend lies inside it."""
    ranges, points = path.wrap_ranges(), path.active_points(state)
    return any(
        bool(surface.contains(path.in_surface(surface, x, state)))
        for surface in path.surfaces.values()
        for i, x in points.items()
        if surface.active and ranges[surface.name][0] <= i <= ranges[surface.name][1]
    )


#: Why a length is far from OpenSim's.
REASONS = ("inside", "divided", "broken", "stale", "straight", "shorter", "longer")
#: Where a muscle is fast.
PLACES = ("inside", "opensim", "divided", "outside")


def reason_of(path: CurrentPath, state: "osim.State", ours: float, is_divided: bool) -> str:
    """Return why a length [m] is far from OpenSim's at a state realized to position: one of REASONS."""
    if has_end_inside(path, state):
        return "inside"
    if is_divided:
        return "divided"
    if path.shape(state).broken:
        return "broken"
    reported = path.reported_length(state)
    if abs(path.length(state) - reported) > STALE:
        return "stale"
    if not path.shape(state).controls:
        return "straight"
    return "shorter" if reported < ours else "longer"


def show_counts(title: str, words: tuple[str, ...], counts: Mapping[str, Mapping[str, int]]) -> None:
    """Print how often each muscle has each word."""
    print(f"{title:<28}" + "".join(f"{word:>10}" for word in words))
    for name, of_muscle in sorted(counts.items(), key=lambda item: -sum(item[1].values())):
        if of_muscle:
            print(f"{name:<28}" + "".join(f"{of_muscle.get(word, 0):10}" for word in words))


def fast_place(path: CurrentPath, state: "osim.State", by_opensim: bool, is_divided: bool) -> str:
    """Return where a muscle is that is fast at a state realized to position: one of PLACES."""
    if has_end_inside(path, state):
        return "inside"
    if by_opensim:
        return "opensim"
    return "divided" if is_divided else "outside"


def find_fast(inertial: oi.InertialModel, path: CurrentPath, state: "osim.State", speeds: Array) -> Array:
    """Return with which coordinates (nu,) mass of these speeds [m/s] per speed of each is fast.

    It is so against the fastest of the muscle's path points, and of the tangent points of OpenSim's path as the bodies
    of their surfaces carry them.
    """
    kinematics, bodies = inertial.dynamics.read(state, realized=True), inertial.evaluation.bodies

    def bounds(body: str, place: Array) -> Array:
        b = bodies.index(body)
        turns, goes = kinematics.jacobian[6 * b : 6 * b + 3], kinematics.jacobian[6 * b + 3 : 6 * b + 6]
        moved = goes + np.cross(turns, (place - kinematics.position[b])[:, None], axis=0)
        return np.asarray(2 * np.maximum(np.linalg.norm(moved, axis=0), SLOW))

    is_fast = np.ones(len(speeds), bool)
    for i, place in path.active_points(state).items():
        is_fast &= speeds > bounds(path.path.points[i].body, place)
    if not is_fast.any():
        return is_fast
    shape = path.shape(state)
    for name, controls in zip(shape.surfaces, shape.controls, strict=True):
        body = path.surfaces[name].body
        b = bodies.index(body)
        for tangent in controls[[0, -1]]:
            is_fast &= speeds > bounds(body, kinematics.position[b] + kinematics.rotation[b] @ tangent)
    return is_fast


def look_at_paths(inertial: oi.InertialModel, count: int) -> dict[str, object]:
    """Compare each wrapping muscle's speeds over random poses with each other, and its lengths with OpenSim's."""
    model, muscles = inertial.model, model_muscles(inertial.model)
    live = {name: CurrentPath(model, read_path(muscles[name], inertial.coordinates)) for name in inertial.muscle_names}
    live = {name: path for name, path in live.items() if any(surface.active for surface in path.surfaces.values())}
    masses = np.array([inertial.muscles.masses[name] for name in live])
    state = inertial.initial_state()
    speeds = np.zeros((count, len(live), len(inertial.coordinate_names)))
    apart, marked = np.zeros((count, len(live))), np.zeros((count, len(live)), bool)
    is_fast = np.zeros_like(speeds, bool)
    reasons, places = ({name: Counter[str]() for name in live} for _ in range(2))
    for k, q in enumerate(random_poses(model, inertial.coordinates, count, 7)):
        inertial.coordinates.set_values(state, q)
        terms, lengths = inertial.evaluate(state, per_muscle=True), inertial.path_lengths(state)["path"]
        for i, (name, path) in enumerate(live.items()):
            speeds[k, i] = np.sqrt(np.maximum(np.diag(terms.muscles[name].mass_matrix), 0) / masses[i])
            is_fast[k, i] = find_fast(inertial, path, state, speeds[k, i])
            length = path.reported_length(state)
            apart[k, i] = abs(lengths[name] - length) if length < 1 else np.nan
            notes = [n for n in terms.notes if n.startswith(f"muscle '{name}'") and "fibres" not in n]
            marked[k, i] = bool(notes)
            is_divided = any("is divided" in note for note in notes)
            if is_fast[k, i].any():
                places[name][fast_place(path, state, name in inertial.wraps.opensim, is_divided)] += 1
            if apart[k, i] > FAR_OFF:
                reasons[name][reason_of(path, state, lengths[name], is_divided)] += 1
    unusual = (speeds > 2 * np.maximum(np.quantile(speeds, 0.97, axis=0), SLOW)).any(axis=2)
    fast = is_fast.any(axis=2)
    show_counts("lengths beyond 10 mm", REASONS, reasons)
    show_counts("fast", PLACES, places)
    return {
        "paths": count,
        "fast": int(fast.sum()),
        "fast_unmarked": int((fast & ~marked).sum()),
        "fastest": float(np.where(is_fast, speeds, 0.0).max()),
        "unusual": int(unusual.sum()),
        "unusual_unmarked": int((unusual & ~marked).sum()),
        "marked": int(marked.sum()),
        "median": 1e3 * float(np.nanmedian(apart)),
        "most95": 1e3 * float(np.nanquantile(apart, 0.95)),
        "furthest": 1e3 * float(np.nanmax(apart)),
        "beyond": 100 * float((apart > FAR_OFF).mean()),
        "beyond_unmarked": int(((apart > FAR_OFF) & ~marked).sum()),
        **{reason: sum(counts[reason] for counts in reasons.values()) for reason in REASONS},
        **{f"fast_{place}": sum(counts[place] for counts in places.values()) for place in PLACES},
    }


def find_jumps(model: "osim.Model", assembly: Assembly, way: str, name: str, start: Array, end: Array) -> list[float]:
    """Sizes [m] of the jumps of one muscle's mass along a line."""
    number, kinematics = assembly.names.index(name), Kinematics(model, assembly.coordinates, assembly.bodies)
    by_opensim = way == "opensim" or name in assembly.plan.opensim

    def points(shares: Array) -> Array:
        """Centres (n, parts, 3) of the parts of its mass at shares (n, 1) of the line."""
        of_muscle = [number] * PARTS, [(k / PARTS, (k + 1) / PARTS) for k in range(PARTS)]
        q, path = start + shares * (end - start), assembly.muscles[number].path
        samples = sample_opensim_paths(model, assembly.coordinates, [path], kinematics, q)[name]
        places = []
        for pose in range(len(q)):
            state = samples.poses.kinematics(pose, {name: samples.wrapped_path(pose)} if by_opensim else None)
            try:
                moments = assembly.evaluation.pseudo_inertias(state, of_muscle)
                places.append(moments[:, 3, :3] / moments[:, 3, 3:])
            except oi.errors.ModelError:
                places.append(np.full((PARTS, 3), np.nan))
        return np.reshape(places, (len(shares), PARTS, 3))

    shares = np.linspace(0, 1, STEPS + 1)[:, None]
    places = points(shares)
    moved = np.linalg.norm(np.diff(places, axis=0), axis=2).max(axis=1)
    k = np.flatnonzero(moved > max(OF_MEDIAN * float(np.nanmedian(moved)), FAR))
    sizes, _ = bisect_jumps(points, shares[k], shares[k + 1], places[k], places[k + 1], HALVINGS)
    return sizes[sizes > 0].tolist()


def count_jumps(path: str, lines: int) -> dict[str, object]:
    """Follow all wrapping muscles along random lines."""
    with quiet():
        model, assembly, _ = assemble_wrapping(path, None, "analytic")
    ends = random_poses(model, assembly.coordinates, 2 * lines, 11)
    ways = ("ours", "opensim")
    values: dict[str, object] = {"lines": lines}
    by_muscle = {
        way: {
            name: [j for k in range(lines) for j in find_jumps(model, assembly, way, name, *ends[2 * k : 2 * k + 2])]
            for name in assembly.names
        }
        for way in ways
    }
    for way in ways:
        sizes = [size for found in by_muscle[way].values() for size in found]
        values |= {f"jumps_{way}": len(sizes), f"widest_{way}": 1e3 * max(sizes, default=0.0)}
    for name in assembly.names:
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
    parser.add_argument("--model", help="default: the ThoracoscapularShoulder of opensim-models")
    parser.add_argument("--poses", type=int, default=10_000)
    parser.add_argument("--paths", type=int, default=500)
    parser.add_argument("--lines", type=int, default=100)
    parser.add_argument("--seconds", type=float, default=0.5)
    arguments = parser.parse_args()
    path = arguments.model or str(opensim_models() / "Models" / MODEL)
    inertial = passive_shoulder(path)
    values = look_at_poses(inertial, arguments.poses) if arguments.poses else {}
    values |= look_at_paths(inertial, arguments.paths) if arguments.paths else {}
    values |= fall(inertial, arguments.seconds) if arguments.seconds else {}
    report(**values, **(count_jumps(path, arguments.lines) if arguments.lines else {}))


if __name__ == "__main__":
    main()
