"""What inertial models and terms say of themselves at the prompt and in notebooks."""

from __future__ import annotations

from xml.etree import ElementTree

import numpy as np
import pytest
from oracles.limbs import limbs
from oracles.limbs import masses as limb_masses
from oracles.two_links import BENT, two_links

import opensim_inertia as oi
from opensim_inertia._core.representation import Described


def texts(shown: Described) -> list[str]:
    """All texts of the HTML, which must be well formed."""
    return [text.strip() for text in ElementTree.fromstring(shown._repr_html_()).itertext() if text.strip()]


def test_a_model_says_what_it_is_made_of() -> None:
    masses = limb_masses()
    inertial = oi.InertialModel(limbs(), masses, "uniform", "points", 7)
    text = repr(inertial)
    assert "\n" not in text and len(text) < 600
    for part in (inertial.model.getName(), f"{len(masses)} with {sum(masses.values()):.4g} kg", "uniform", "7 points"):
        assert part in text
    for name, mass in inertial.segments["muscles"].items():
        assert f"{name} {mass:.3g} kg" in text
    shown = texts(inertial)
    assert all(part in shown for part in ("muscles with mass", "donor segments", "wrapping", "analytic"))


def test_muscles_that_opensim_leads_are_counted(opensim_models) -> None:  # type: ignore[no-untyped-def]
    from oracles.real_models import heavy

    inertial = heavy(opensim_models, "rajagopal2016")
    led = len(inertial.wraps.opensim)
    assert (f"analytic, {led} muscle" in repr(inertial)) == (led > 0)


def test_names_are_escaped() -> None:
    model = two_links(BENT)
    model.setName("a<b>&pendulum")
    inertial = oi.InertialModel(model, {"mus": 0.2})
    assert "a<b>&pendulum" in repr(inertial)
    assert "<b>" not in inertial._repr_html_() and "a<b>&pendulum" in texts(inertial)


def test_a_model_without_massive_muscles() -> None:
    inertial = oi.InertialModel(two_links(BENT), {})
    assert "0 with 0 kg" in repr(inertial) and "none" in texts(inertial)


@pytest.mark.parametrize("per_muscle", [False, True])
def test_terms_say_their_sizes_and_energies(per_muscle: bool) -> None:
    inertial = oi.InertialModel(two_links(BENT), {"mus": 0.2})
    state = inertial.initial_state()
    state.setU(inertial.model.getWorkingState().getU())
    terms = inertial.evaluate(state, per_muscle)
    text = repr(terms)
    assert "(2, 2)" in text and f"{terms.potential_energy:.6g} J" in text and "array" not in text
    assert f"{terms.mass_matrix.flat[np.abs(terms.mass_matrix).argmax()]:.4g}" in text
    assert ("muscles: 1" in text) == per_muscle and ("muscles" in texts(terms)) == per_muscle
