"""The arguments of an inertial model: written down once, and what users see of them."""

import inspect
import pydoc
from dataclasses import fields

import pytest
from oracles.two_links import BENT, two_links

import opensim_inertia as oi
from opensim_inertia.options import ModelOptions


def test_help_shows_every_argument() -> None:
    arguments = inspect.signature(oi.InertialModel).parameters
    assert list(arguments) == ["model", "masses", *(field.name for field in fields(ModelOptions))]
    for field in fields(ModelOptions):
        assert arguments[field.name].default == field.default
    text = pydoc.plain(pydoc.render_doc(oi.InertialModel))
    assert "= 'aponeurosis'" in text and "which way paths pass wrap objects" in text
    assert "half width of the transition" in pydoc.plain(pydoc.render_doc(oi.Wrapping))


def test_arguments_by_place_and_by_name() -> None:
    masses, reference = {"mus": 0.2}, {"pin2_coord_0": 0.3}
    by_place = oi.InertialModel(two_links(BENT), masses, "uniform", "points", 7, "opensim", reference)
    by_name = oi.InertialModel(
        masses=masses,
        model=two_links(BENT),
        wrapping=oi.Wrapping("opensim"),
        points=7,
        distribution="points",
        strain=oi.StrainModel("uniform"),
        reference=reference,
    )
    assert by_place.options == by_name.options
    assert by_name.options == ModelOptions("uniform", "points", 7, "opensim", by_name.options.reference)
    with pytest.raises(TypeError, match="'strian'"):
        oi.InertialModel(two_links(BENT), masses, strian="uniform")
