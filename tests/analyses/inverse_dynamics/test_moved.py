"""What segments that cannot give up just what their muscles are do to the answer: groups, and sentences about it."""

import warnings

import numpy as np
import pandas as pd
import pytest
from oracles.two_links import BENT, two_links

import opensim_inertia as oi
from opensim_inertia._core.opensim import osim
from opensim_inertia.analyses.inverse_dynamics import InverseDynamicsResult
from opensim_inertia.analyses.inverse_dynamics.summary import about_moved
from opensim_inertia.muscles.masses.rigid import RigidMass, set_mass_properties

FORCES = 1e-9
"""Relative to the largest: the same rigid bodies in OpenSim's solver and by regressors; measured 1e-15."""


def given_up_by(segment: str, mass: float) -> pd.DataFrame:
    return pd.DataFrame({"muscle": ["mus"], "mass": [mass], "segment": [segment]})


def swing(model: osim.Model) -> pd.DataFrame:
    times = np.linspace(0.0, 0.6, 31)
    names = [c.getName() for c in model.getCoordinateSet()]
    return pd.DataFrame({name: 0.6 * np.sin((7 + 3 * k) * times + k) for k, name in enumerate(names)}, index=times)


def light_link() -> osim.Model:
    """Two links of which the second weighs less than the muscle beside it."""
    model = two_links(BENT)
    link = model.getBodySet().get("link2")
    link.setMass(0.4)
    link.setInertia(osim.Inertia(0.01, 0.001, 0.01))
    return model


def answered(segment: str, mass: float, transfer: str = "conserving") -> tuple[oi.InertialModel, InverseDynamicsResult]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", oi.warnings.InertiaWarning)
        model = light_link() if segment == "link2" else two_links(BENT)
        inertial = oi.InertialModel(model, given_up_by(segment, mass), transfer=transfer)
        return inertial, oi.inverse_dynamics(inertial, swing(inertial.model))


def test_moved_is_what_opensim_says_of_the_frozen_bodies() -> None:
    """Two links that give up together: each as what is left of it and what is frozen in it, in OpenSim's own solver."""
    inertial, result = answered("link2", 0.5)
    assert (inertial.segments["gives with"] != "").all()
    model = inertial.original_model()
    for name, transfer in inertial.placement.transfers.items():
        frozen = RigidMass.from_pseudo_inertia(transfer.remainder.pseudo_inertia + transfer.muscles)
        set_mass_properties(model, name, frozen)
    state = model.initSystem()
    model.getMuscles().get(0).setAppliesForce(state, False)
    solver = osim.InverseDynamicsSolver(model)
    motion = result.motion
    assert motion is not None
    for row in range(0, len(motion), 7):
        inertial.coordinates.set_values(state, motion.q[row])
        state.setU(osim.Vector.createFromMat(motion.u[row]))
        exact = solver.solve(state, osim.Vector.createFromMat(motion.udot[row])).to_numpy()
        np.testing.assert_allclose(result.moved_forces[row], exact, atol=FORCES * np.abs(result.moved_forces).max())


@pytest.mark.parametrize(("segment", "mass"), [("link2", 0.5), ("link1", 1.5)])
def test_parts_of_muscles_and_the_excess_are_the_difference(segment: str, mass: float) -> None:
    _, result = answered(segment, mass)
    assert result.parts is not None
    total = result.parts.total.sum(axis=1) + result.parts.excess
    difference = result.inertial_forces - result.lumped_forces
    np.testing.assert_allclose(total, difference, atol=FORCES * np.abs(difference).max())


def test_one_segment_moves_all_that_is_moved() -> None:
    _, result = answered("link1", 1.5)
    by_segment = result.provenance["moved at most, by segment"]
    assert list(by_segment) == ["link1"]
    moved = np.abs(result.moved_forces - result.lumped_forces).max(axis=0)
    expected = {name: pytest.approx(v) for name, v in zip(result.coordinate_names, moved, strict=True) if v > 1e-6}
    assert by_segment["link1"] == expected and expected


def test_the_first_line_says_where_more_is_moved_than_slides() -> None:
    _, conserved = answered("link1", 0.5)
    assert about_moved(conserved.summary()) == "" and conserved.provenance["moved at most, by segment"] == {}
    _, moved = answered("link1", 0.5, transfer="proportional")
    summary = moved.summary()
    more = summary["largest moved"].abs() > summary["largest sliding"].abs()
    assert more.any()
    assert about_moved(summary).startswith("At ") and "(moved: " in about_moved(summary)
    assert str(summary).startswith("At ")


def test_what_scales_with_masses_in_a_group() -> None:
    """There are no derivatives of what a group shares out: asked for, they are refused by name."""
    inertial, _ = answered("link2", 0.5)
    changes = np.ones_like(inertial.placement.frozen)
    with pytest.raises(
        oi.errors.ModelError, match="'link2' gives up its muscles' mass together.*transfer='proportional'"
    ):
        inertial.placement.left_along(changes)
