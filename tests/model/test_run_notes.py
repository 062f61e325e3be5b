"""The notes of one run: what it collects, in which order it tells it, and of what it warns."""

from __future__ import annotations

import pickle
import warnings
from collections.abc import Callable
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from oracles import pendulum
from oracles.live_states import state_at
from oracles.pendulum import Geometry

import opensim_inertia as oi
from opensim_inertia.paths.kernel.run_notes import ExtrapolationMonitor, MuscleNotes, RunNotes

NAMES = [f"muscle_{i}" for i in range(20)]


def recorded(action: Callable[[], object]) -> list[str]:
    """The warnings that come while an action is done."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        action()
    return [str(w.message) for w in caught]


def model_notes() -> RunNotes:
    """Those of a model in which muscle 3 is held at the reference pose, and whose first two paths were fitted."""
    fitted = {
        "muscle_0": SimpleNamespace(ranges={"hip": (-1.0, 1.0), "knee": (0.0, 2.0)}),
        "muscle_1": SimpleNamespace(ranges={"hip": (-0.5, 0.5)}),
    }
    notes = RunNotes(NAMES, ExtrapolationMonitor(fitted, ["hip", "knee"]))  # type: ignore[arg-type]
    recorded(lambda: notes.add_clamped([3]))
    notes.freeze()
    return notes


def test_held_fibres_of_many_muscles_are_one_line() -> None:
    notes = RunNotes(NAMES)

    def hold() -> None:
        with notes.gathered():
            for i in reversed(range(20)):
                notes.add_clamped([i])

    (text,) = recorded(hold)
    assert text.startswith("20 muscles ('muscle_0', 'muscle_1', ") and "15 % of their optimal length" in text
    assert notes.noted.sentences == [text] and notes.noted.clamped == tuple(NAMES)
    assert recorded(lambda: notes.add_clamped([3])) == []


def test_lost_paths_of_many_muscles_are_one_line() -> None:
    notes = RunNotes(["a", "b"])

    def lose() -> None:
        with notes.gathered():
            for time in (0.5, 0.25, 0.5):
                notes.add_fallback("b", time)
            notes.add_fallback("a", 0.75)

    (text,) = recorded(lose)
    assert text.startswith(
        "2 muscles 'b', 'a': no smooth path over their wrap objects was found at time 0.5 s or later"
    )
    assert notes.noted.fallbacks == {"a": (0.75,), "b": (0.25, 0.5)} and list(notes.noted.fallbacks) == ["a", "b"]


def test_a_coordinate_is_noted_where_it_is_furthest_outside() -> None:
    run = model_notes().for_run()

    def move() -> None:
        for hip in (0.7, -1.4, 1.2, 0.2):
            run.add_pose(np.array([hip, 1.0, 99.0]))  # what follows the coordinates does not count

    texts = recorded(move)
    assert ["muscle_0" in text for text in texts] == [False, True] and "is used at 0.7;" in texts[0]
    assert [(x.muscle, x.coordinate, x.value) for x in run.noted.extrapolations] == [
        ("muscle_0", "hip", -1.4),
        ("muscle_1", "hip", -1.4),
    ]


def test_each_run_has_its_own_notes_and_the_model_keeps_its_own() -> None:
    model = model_notes()
    one, other = model.for_run(), model.for_run()
    assert len(recorded(lambda: one.add_clamped([5, 3]))) == 1  # of muscle 3 the model was warned
    assert "'muscle_5'" in one.noted.sentences[0] and one.noted.clamped == ("muscle_3", "muscle_5")
    assert other.noted.clamped == model.noted.clamped == ("muscle_3",)
    assert len(recorded(lambda: other.add_clamped([5]))) == 1, "another run warns anew"
    assert recorded(lambda: model.add_clamped([5])) == [], "a single call does not warn of what a run has warned of"
    assert model.noted == MuscleNotes(("muscle_3",))
    again, call = one.again(), one.for_call()
    assert recorded(lambda: again.add_clamped([5])) == recorded(lambda: call.add_clamped([5])) == []
    assert again.noted.clamped == ("muscle_3", "muscle_5") and call.noted.clamped == ("muscle_5",)


def test_notes_of_other_processes_do_not_depend_on_who_noted_what() -> None:
    model = model_notes()
    alone, first, second, joined = (model.for_run() for _ in range(4))

    def note(run: RunNotes, times: list[float]) -> None:
        for time in times:
            run.add_clamped([7] if time > 0.15 else [])
            run.add_fallback("muscle_9" if time > 0.25 else "muscle_2", time)
            run.add_pose(np.array([0.9 + time, -time]))
            run.add_doubt("muscle_4", "it flips" if time > 0.15 else "it is broken", time)
            run.add_doubt("muscle_1", "it flips", np.nan)

    def work() -> None:
        note(alone, [0.1, 0.2, 0.3, 0.4])
        note(first, [0.1, 0.2])
        note(second, [0.3, 0.4])
        for part in (second, first):
            joined.add(pickle.loads(pickle.dumps(part.noted)))

    assert recorded(work)
    assert joined.noted == alone.noted and joined.noted.sentences == alone.noted.sentences
    assert joined.noted.doubts == {
        ("muscle_1", "it flips"): (),
        ("muscle_4", "it flips"): (0.2, 0.3, 0.4),
        ("muscle_4", "it is broken"): (0.1,),
    }
    assert "muscle 'muscle_4': it flips, at 3 states (time 0.2, 0.3, 0.4 s)" in joined.noted.sentences
    assert list(joined.noted.fallbacks) == ["muscle_2", "muscle_9"] and len(alone.noted.sentences) == 9


def test_what_is_noted_at_the_reference_pose_stays_with_the_model() -> None:
    """The path is fitted where the default pose is not; a run elsewhere says so of the model, and once."""
    g = replace(Geometry(), ranges=((-0.3, 0.3), (-0.2, 0.3)))
    arguments = pendulum.opensim_model(g), pendulum.mass_table(g), oi.StrainModel("uniform", (0.0, 1.0))
    with pytest.warns(oi.warnings.PolynomialPathWarning, match="is used at -0.6"):
        inertial = oi.InertialModel(*arguments, wrapping="polynomial")
    (note,) = (note for note in inertial.notes if "may be anywhere there" in note)
    assert note.startswith("at the reference pose, muscle 'muscle': its path was fitted for coordinate 'elbow'")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        within = oi.rank_muscles(inertial, state_at(inertial, np.zeros(2)))
    assert within.provenance["warnings"] == inertial.provenance()["warnings"]
    with pytest.warns(oi.warnings.PolynomialPathWarning, match="is used at 0.5"):
        outside = oi.rank_muscles(inertial, state_at(inertial, np.array([0.0, 0.5])))
    (more,) = set(outside.provenance["warnings"]) - set(within.provenance["warnings"])
    assert more.startswith("muscle 'muscle': ") and "is used at 0.5;" in more
    assert pickle.loads(pickle.dumps(inertial)).notes == inertial.notes
