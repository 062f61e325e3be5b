"""Results are plain data: they can be copied and sent to other processes, and say what they are."""

from __future__ import annotations

import copy
import multiprocessing
import pickle
from concurrent.futures import ProcessPoolExecutor
from dataclasses import fields, replace
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from conftest import slow_except
from oracles.trials import short_walk

import opensim_inertia as oi
from opensim_inertia.analyses.inverse_dynamics import InverseDynamicsResult, Uncertainty
from opensim_inertia.analyses.ranking import MuscleRanking

pytestmark = pytest.mark.filterwarnings("ignore::opensim_inertia.warnings.ShortBellyWarning")


def same(one: object, two: object) -> bool:
    """Whether two results' parts are the same, arrays and tables bit for bit."""
    if isinstance(one, np.ndarray):
        return isinstance(two, np.ndarray) and one.dtype == two.dtype and np.array_equal(one, two, equal_nan=True)
    if isinstance(one, pd.DataFrame):
        return isinstance(two, pd.DataFrame) and one.equals(two)
    if isinstance(one, dict):
        return one.keys() == two.keys() and all(same(one[k], two[k]) for k in one)
    if isinstance(one, tuple | list):
        return type(one) is type(two) and len(one) == len(two) and all(map(same, one, two))
    if hasattr(one, "__dataclass_fields__"):
        return type(one) is type(two) and all(same(getattr(one, f.name), getattr(two, f.name)) for f in fields(one))
    if type(one).__module__.startswith("opensim_inertia.") and hasattr(one, "__dict__"):
        return type(one) is type(two) and same(vars(one), vars(two))
    return bool(one == two)


def pickled(result: InverseDynamicsResult) -> InverseDynamicsResult:
    return pickle.loads(pickle.dumps(result))


@pytest.mark.slow
@pytest.mark.parametrize("copied", slow_except([pickled], [pickled, copy.deepcopy]))
def test_copies_are_the_same(opensim_models: Path, tmp_path: Path, copied) -> None:
    result = short_walk(opensim_models)
    again = copied(result)
    assert same(again, result) and again is not result
    assert not same(replace(result, inertial_forces=2 * result.inertial_forces), result)
    for array in (again.times, again.lumped_forces, again.inertial_forces):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0
    pd.testing.assert_frame_equal(again.summary(), result.summary(), check_exact=True)
    pd.testing.assert_frame_equal(again.band("knee_angle_r"), result.band("knee_angle_r"), check_exact=True)
    assert repr(again) == repr(result)
    for name, one in (("a.png", result), ("b.png", again)):
        oi.plot(one, tmp_path / name)
    assert (tmp_path / "a.png").read_bytes() == (tmp_path / "b.png").read_bytes()


@pytest.mark.slow
def test_a_new_process_gets_the_same(opensim_models: Path) -> None:
    """Spawned: it shares no memory with this one, and imports the package anew."""
    result = short_walk(opensim_models)
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
        there = pool.submit(InverseDynamicsResult.summary, result).result(timeout=300)
        ranking = pool.submit(copy.copy, a_ranking()).result(timeout=300)
    pd.testing.assert_frame_equal(there, result.summary(), check_exact=True)
    pd.testing.assert_frame_equal(ranking.shares, a_ranking().shares)
    assert repr(ranking) == repr(a_ranking())


def a_ranking(name: str = "soleus_r") -> MuscleRanking:
    names, shares = ((name, "tib"), ("ankle", "knee")), np.array([[0.02, 0.0], [0.005, 0.0]])
    table = dict.fromkeys(["share", "lower", "upper", "largest", "at"], np.full(2, 0.01))
    needed = {"ankle": (name, "tib"), "knee": ()}
    by_muscle = {"share": shares, "sliding": shares}
    return MuscleRanking(*names, by_muscle, table, needed, 0.9, 1, "leg", "at the default pose")


def test_a_result_says_what_matters(opensim_models: Path) -> None:
    result = short_walk(opensim_models)
    printed = repr(result)
    provenance = result.provenance
    for text in (
        f"model: {provenance['model']['name']}",
        provenance["motion"].get("file", "a table"),
        f"rows: {len(result.times)} from {result.times[0]:.6g} to {result.times[-1]:.6g} s",
        f"coordinates: {len(result.coordinate_names)}",
        "strain: aponeurosis; wrapping: analytic",
        "band: 95 %",
    ):
        assert text in printed, text
    assert "\n" not in printed and "array" not in printed


def test_a_bare_result_says_so() -> None:
    zeros = np.zeros((3, 1))
    bare = InverseDynamicsResult(np.arange(3.0), ("hinge",), (True,), zeros, zeros + 0.5)
    assert repr(bare) == "InverseDynamicsResult(rows: 3 from 0 to 2 s; coordinates: 1; band: none)"
    nothing = InverseDynamicsResult(np.zeros(0), ("hinge",), (True,), *(np.zeros((0, 1)) for _ in range(2)))
    assert repr(nothing) == "InverseDynamicsResult(rows: none; coordinates: 1; band: none)"


class Cells(HTMLParser):
    """Texts of an HTML document, and its tags, which all must be closed."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.texts: list[str] = []
        self.tags: list[str] = []
        self._open: list[str] = []
        self.feed(text)
        assert not self._open

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.tags.append(tag)
        self._open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


EVIL = "<script>alert('x')</script> & co"


def test_html_holds_the_same_and_escapes_names(opensim_models: Path) -> None:
    result = short_walk(opensim_models)
    cells = Cells(result._repr_html_())
    knee = next(text for text in cells.texts if text.startswith("knee_angle"))
    assert f"{result.summary().loc[knee, 'largest difference']:+.3f}" in cells.texts
    i = result.coordinate_names.index(knee)
    names = (*result.coordinate_names[:i], f"knee_angle{EVIL}", *result.coordinate_names[i + 1 :])
    for html in (
        replace(result, coordinate_names=names)._repr_html_(),
        replace(result, provenance={**result.provenance, "motion": {"file": EVIL}})._repr_html_(),
        a_ranking(EVIL)._repr_html_(),
    ):
        assert "script" not in Cells(html).tags
        assert any(EVIL in text for text in Cells(html).texts)


def test_uncertainty_and_ranking_in_short() -> None:
    expected = "Uncertainty(mass_cv=0.3, common=0.5, level=0.95, draws=2000, seed=0, placement=True)"
    assert repr(Uncertainty(mass_cv=0.3)) == expected
    assert repr(a_ranking()) == "MuscleRanking(model: leg; muscles: 2; poses: at the default pose)"
    text = str(a_ranking().summary())
    assert "soleus_r 2, tib 0.5" in text and "knee" not in text
    assert "soleus_r 2, tib 0.5" in Cells(a_ranking()._repr_html_()).texts
