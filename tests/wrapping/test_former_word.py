"""``wrapping="library"``, the former word for OpenSim's own path, still works and names the new one."""

import warnings
from pathlib import Path

import numpy as np
import pytest
from oracles.wrap_model import wrap_model

from opensim_inertia import InertialModel, OptionError, compare_wraps


def warned(caught: pytest.WarningsRecorder) -> str:
    (warning,) = caught
    assert Path(warning.filename).resolve() == Path(__file__).resolve()  # not a line of the package
    return str(warning.message)


def test_it_is_opensims_own_path() -> None:
    with pytest.warns(DeprecationWarning) as caught:
        former = InertialModel(wrap_model("cylinder"), {"muscle": 0.2}, wrapping="library")
    assert warned(caught) == "wrapping='library' is now called wrapping='opensim'"
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        present = InertialModel(wrap_model("cylinder"), {"muscle": 0.2}, wrapping="opensim")
        again = former.rebuilt()
    assert former.wraps.opensim == again.wraps.opensim == {"muscle": "asked for"}
    ours, theirs = (inertial.evaluate(inertial.initial_state()) for inertial in (former, present))
    np.testing.assert_array_equal(ours.mass_matrix, theirs.mass_matrix)


def test_the_report_takes_it() -> None:
    with pytest.warns(DeprecationWarning) as caught:
        table = compare_wraps(wrap_model("sphere"), 3, wrapping="library", progress=False)
    assert "wrapping='opensim'" in warned(caught)
    assert list(table["way"]) == ["opensim"]


def test_other_words_are_refused() -> None:
    with pytest.raises(OptionError, match="'libary'.* 'analytic', 'opensim', 'neural', 'polynomial'$"):
        InertialModel(wrap_model("sphere"), {"muscle": 0.2}, wrapping="libary")
