"""The notes of one run: what it collects, in which order it tells it, and of what it warns."""

from __future__ import annotations

import pickle
import threading
import warnings
from collections.abc import Callable

import numpy as np
import pytest

from opensim_inertia.paths.kernel.run_notes import MuscleNotes, RunNotes

NAMES = [f"muscle_{i}" for i in range(20)]


def recorded(action: Callable[[], object]) -> list[str]:
    """The warnings that come while an action is done."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        action()
    return [str(w.message) for w in caught]


def model_notes() -> RunNotes:
    """Those of a model in which muscle 3 is held at the reference pose."""
    notes = RunNotes(NAMES)
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


def test_what_came_up_is_told_though_the_block_fails() -> None:
    notes = model_notes().for_run()

    def fail() -> None:
        with pytest.raises(ValueError, match="broken"), notes.gathered():
            notes.add_clamped([1])
            with notes.gathered():
                notes.add_clamped([2, 1])
            raise ValueError("broken")

    (text,) = recorded(fail)
    assert text.startswith("2 muscles ('muscle_1', 'muscle_2')")


def test_blocks_of_several_threads_end_with_one_warning() -> None:
    notes, inside = model_notes().for_run(), threading.Barrier(4)

    def work(number: int) -> None:
        with notes.gathered():
            inside.wait()
            notes.add_doubt(NAMES[number], "it flips", 0.5)

    def all_of_them() -> None:
        threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    texts = " ".join(recorded(all_of_them))
    assert all(texts.count(f"'{name}'") == 1 for name in NAMES[:4])


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
    assert list(joined.noted.fallbacks) == ["muscle_2", "muscle_9"] and len(alone.noted.sentences) == 6
