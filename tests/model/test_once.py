"""Warnings that come once for each thing, and in one line for all that come up within a block."""

from __future__ import annotations

import threading
import warnings

import pytest

import opensim_inertia as oi
from opensim_inertia.paths.kernel.once import WarnOnce


def recorded(action: object) -> list[str]:
    """The warnings that come while an action is done."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        action()  # type: ignore[operator]
    return [str(w.message) for w in caught]


def test_each_is_warned_of_once_and_all_of_a_block_in_one() -> None:
    once = WarnOnce[str](lambda names: oi.InertiaWarning(" ".join(names)))

    def work() -> None:
        once.note(["a"])
        once.note(["a", "b"])
        with once.gathered():
            once.note(["c", "a"])
            with once.gathered():
                once.note(["d"])
            once.note(["e", "c"])
        once.note(["e"])

    assert recorded(work) == ["a", "b", "c d e"]


def test_what_came_up_is_told_though_the_block_fails() -> None:
    once = WarnOnce[str](lambda names: oi.InertiaWarning(" ".join(names)))

    def fail() -> None:
        with pytest.raises(ValueError, match="broken"), once.gathered():
            once.note("ab")
            raise ValueError("broken")

    assert recorded(fail) == ["a b"]


def test_blocks_of_several_threads_end_with_one_warning() -> None:
    once, inside = WarnOnce[str](lambda names: oi.InertiaWarning(" ".join(sorted(names)))), threading.Barrier(4)

    def work(name: str) -> None:
        with once.gathered():
            inside.wait()
            once.note([name])

    def all_of_them() -> None:
        threads = [threading.Thread(target=work, args=(name,)) for name in "abcd"]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    assert " ".join(recorded(all_of_them)) == "a b c d"


def test_things_left_out_are_not_warned_of() -> None:
    once = WarnOnce[str](lambda names: oi.InertiaWarning(" ".join(names)), known="a")

    def work() -> None:
        with once.gathered():
            once.note("abc")
            once.leave_out("c")
        once.note("acd")

    assert recorded(work) == ["b", "d"]
