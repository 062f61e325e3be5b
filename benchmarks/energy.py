"""Energy of a double pendulum whose muscle touches and leaves a cylinder, smooth touch against the exact path.

Drift: largest change of the total energy, relative to the largest kinetic energy, over ten touches; DOP853 at a
relative tolerance of 1e-10 unless said otherwise. First an OpenSim model, live; then 40 random geometries by planar
closed forms and the package's kernel, each with the default smoothing and with the exact path for as long; last the
distance at 2.5 s, after eight touches and partings, from the limit: the exact path with refraction at touch. About
three minutes.
"""

import time

import numpy as np
from common import report
from oracles import pendulum
from oracles.pendulum import Geometry, LiveMachine, Machine, kernel_terms, simulate
from scipy.integrate import LSODA, RK45, Radau

import opensim_inertia as oi
from opensim_inertia import _kernel

RANDOM = 40
WIDTHS = (4.0, 2.0, 1.0, 0.5)  # mm


def machine(g: Geometry, smoothing: float, wraps: bool = True) -> Machine:
    return Machine(g, kernel_terms(_kernel, g, smoothing, wraps))


def default(g: Geometry) -> Machine:
    """With the default half width of the transition: the half thickness of a belly of 0.45 m, within the radius."""
    half_thickness = np.sqrt(g.muscle / (1059.7 * 0.45) / np.pi)
    return machine(g, min(max(0.1 * g.radius, half_thickness), g.radius))


def main() -> None:
    values: dict[str, object] = {}
    g = Geometry()
    for name, smoothing in (("smooth", None), ("exact", 0.0)):
        model, masses = pendulum.opensim_model(g), pendulum.mass_table(g)
        way = oi.Wrapping(smoothing=smoothing, strict=True)
        strain = oi.StrainModel("uniform", belly=(0.0, 1.0))
        inertial = oi.InertialModel(model, masses, strain, wrapping=way)
        start = time.process_time()
        motion = simulate(LiveMachine(g, inertial), 20.0, 10)
        values[f"live_{name}_drift"] = motion.drift
        values[f"live_{name}_touches"] = motion.touches
        print(
            f"live model, {name}: drift {motion.drift:.1e}, {motion.touches} touches in {motion.times[-1]:.2f} s, "
            f"{len(motion.times) - 1} steps, {time.process_time() - start:.1f} s",
            flush=True,
        )
    for method, rtol in ((LSODA, 1e-10), (RK45, 1e-10), (Radau, 1e-8)):
        drift = simulate(default(g), 20.0, 10, method, rtol).drift
        print(f"same, planar, {method.__name__} at {rtol:g}: drift {drift:.1e}", flush=True)
        values[f"{method.__name__}_drift"] = drift
    values["tight_drift"] = simulate(default(g), 20.0, 10, rtol=1e-13).drift
    print(f"same, planar, DOP853 at 1e-13: drift {values['tight_drift']:.1e}", flush=True)

    smooth, exact, ratios = [], [], []
    for seed, motion, geometry in pendulum.touching_motions(default, RANDOM):
        smooth.append(motion.drift)
        other = simulate(machine(geometry, 0.0), motion.times[-1])
        shown = f"{other.drift:.1e}"
        if pendulum.keeps_its_side(geometry, other.states[:, :2]):
            exact.append(other.drift)
            ratios.append(other.drift / motion.drift)
        else:
            shown += ", not counted: it loses its side"
        print(f"seed {seed:3d}: {motion.times[-1]:5.2f} s, drift {motion.drift:.1e}, exact path {shown}", flush=True)
    values |= {
        "random": len(smooth),
        "random_passed_over": seed + 1 - len(smooth),
        "random_drift_median": float(np.median(smooth)),
        "random_drift_worst": max(smooth),
        "random_exact": len(exact),
        "random_exact_drift_least": min(exact),
        "random_exact_drift_median": float(np.median(exact)),
        "random_exact_over_smooth_least": min(ratios),
    }

    limit = pendulum.refracted_motion(machine(g, 0.0, wraps=False), machine(g, 0.0), 2.5)
    for h in WIDTHS:
        gap = float(np.linalg.norm(simulate(machine(g, 1e-3 * h), 2.5).states[-1] - limit.end))
        print(f"h = {h:g} mm: {gap:.3e} from refraction after {len(limit.times)} touches and partings", flush=True)
        values[f"from_refraction_{h:g}mm"] = gap
    values["refraction_drift"] = limit.drift
    report(**values)


if __name__ == "__main__":
    main()
