"""Muscles among a model's <components>, which OpenSim integrates and whose set of muscles does not know them."""

from pathlib import Path

import numpy as np
import opensim as osim
import pytest
from oracles.plugin import need_plugin

import opensim_inertia as oi
from opensim_inertia.demo import write_demo

MOVED = ("tib_ant_r", "soleus_r")  # none of which wraps: OpenSim itself cannot connect wraps there


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> tuple[osim.Model, osim.Model]:
    """The demo's leg, and the same with two of its muscles among the components."""
    path = str(write_demo(tmp_path_factory.mktemp("demo"))["model"])
    return osim.Model(path), moved(path, MOVED)


def moved(path: str, names: tuple[str, ...], keep: bool = False) -> osim.Model:
    model = osim.Model(path)
    forces = model.updForceSet()
    for name in names:
        muscle = model.getMuscles().get(name).clone()
        if not keep:
            forces.remove(forces.getIndex(name))
        model.addComponent(muscle)
        muscle.thisown = False
    model.initSystem()
    return model


def test_they_weigh_as_much_and_move_alike(models: tuple[osim.Model, osim.Model]) -> None:
    stock, other = (oi.InertialModel(model, oi.estimate_masses(model)) for model in models)
    assert sorted(other.muscle_names) == sorted(stock.muscle_names)
    assert set(MOVED) < set(other.muscle_names)
    state, same = stock.initial_state(), other.initial_state()
    for model, its in ((stock, state), (other, same)):
        its.setU(osim.Vector(its.getNU(), 1.0))
        model.model.realizeVelocity(its)
    terms, expected_terms = other.evaluate(same), stock.evaluate(state)
    for name in ("mass_matrix", "bias", "gravity"):
        value, expected = getattr(terms, name), getattr(expected_terms, name)
        np.testing.assert_allclose(value, expected, rtol=0, atol=1e-12 * np.abs(expected).max())  # sums in other order


def test_excitations_reach_the_muscle_that_they_name(models: tuple[osim.Model, osim.Model]) -> None:
    ends = []
    for model in models:
        inertial = oi.InertialModel(model, oi.estimate_masses(model))
        excitations = {"gasmed_r": 0.9, "soleus_r": 0.5}
        motion = oi.simulate(
            oi.Problem(inertial, t_final=0.02, excitations=excitations),
            oi.integrators.Automatic(accuracy=1e-9),
            report_step=0.02,
        )
        end = motion.to_dataframe().iloc[-1]
        ends.append({"/".join(label.split("/")[-2:]): value for label, value in end.items()})
    stock, other = ends
    assert stock["gasmed_r/activation"] > stock["soleus_r/activation"] > 2 * stock["tib_ant_r/activation"]
    assert other == pytest.approx(stock, abs=1e-7)  # both are integrated to 1e-9, and are stiff


def test_their_donors_are_found(models: tuple[osim.Model, osim.Model]) -> None:
    stock, other = (oi.estimate_masses(model).set_index("muscle")["segment"].sort_index() for model in models)
    assert stock.equals(other)


def test_exported_models_know_them_by_their_place(models: tuple[osim.Model, osim.Model]) -> None:
    need_plugin()
    text = oi.InertialModel(models[1], oi.estimate_masses(models[1])).native_model().dump().replace("&quot;", '"')
    for name in MOVED:
        assert f'"/{name}":{{"optimal_fiber_length":' in text


def test_two_muscles_of_one_name_are_refused(tmp_path: Path) -> None:
    model = moved(str(write_demo(tmp_path)["model"]), ("soleus_r",), keep=True)
    with pytest.raises(oi.errors.ModelError, match="two muscles called 'soleus_r'"):
        oi.estimate_masses(model)
