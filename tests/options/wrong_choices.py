"""Choices that type checkers must refuse; mypy fails for each line below whose error it does not find.

`mypy tests/options/wrong_choices.py`, as `.ci/run` does. Nothing runs it.
"""

# mypy: warn-unused-ignores

import opensim_inertia as oi


def wrong(inertial: oi.InertialModel, problem: oi.Problem) -> None:
    oi.simulate(problem, integrator="rk4")  # type: ignore[arg-type]
    oi.simulate(problem, engine="nativ")  # type: ignore[arg-type]
    oi.DifferentiableSimulation(problem, {}, "rk45")  # type: ignore[arg-type]
    oi.InertialModel("arm.osim", {}, strain="unifrom")  # type: ignore[arg-type]
    oi.InertialModel("arm.osim", {}, wrapping="analytical")  # type: ignore[arg-type]
    oi.InertialModel("arm.osim", {}, distribution="point")  # type: ignore[arg-type]
    oi.Wrapping("neuro")  # type: ignore[arg-type]
    oi.MinMax("quadric")  # type: ignore[arg-type]
    oi.estimate_masses("arm.osim", "handsfeld")  # type: ignore[arg-type]
    oi.inverse_dynamics(inertial, "walk.mot", implausible="no")  # type: ignore[arg-type]
    oi.recruit(inertial, "walk.mot", "minmax")  # type: ignore[arg-type]
    oi.recruit(inertial, "walk.mot").of("heavy")  # type: ignore[arg-type]
    oi.equilibrate(inertial, {}, cost="stres")  # type: ignore[arg-type]
    oi.fit_length_polynomials("arm.osim", rotations="quaternions")  # type: ignore[arg-type]
    inertial.export("arm.osim", "backward")  # type: ignore[arg-type]


def right(inertial: oi.InertialModel, problem: oi.Problem) -> None:
    oi.simulate(problem, integrator="rk45", engine="native")
    oi.DifferentiableSimulation(problem, {}, "bdf1")
    oi.InertialModel("arm.osim", {}, "uniform", wrapping="neural")
    oi.recruit(inertial, "walk.mot", "min_max", kind=("inertial", "lumped")).of("lumped")
