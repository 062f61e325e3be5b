"""The donor segments of a muscle as a mass table writes them."""

import math

import pytest
from oracles.mass_tables import new_table

from opensim_inertia.errors import MassError
from opensim_inertia.muscles.masses.donors import (
    Stretch,
    light_segments,
    read_stretches,
    stretches_text,
)

ROUNDING = 1e-15


@pytest.mark.parametrize(
    ("text", "stretches"),
    [
        ("", ()),
        ("  ", ()),
        ("pelvis", (Stretch("pelvis", 0.0, 1.0),)),
        ("calcn+toes", (Stretch("calcn+toes", 0.0, 1.0),)),
        ("0.25 pelvis + 0.75 femur_r", (Stretch("pelvis", 0.0, 0.25), Stretch("femur_r", 0.25, 1.0))),
        (" 0,5 a +  .5 b ", (Stretch("a", 0.0, 0.5), Stretch("b", 0.5, 1.0))),
        ("0.2 a + 0.6 b + 0.2 a", (Stretch("a", 0.0, 0.2), Stretch("b", 0.2, 0.8), Stretch("a", 0.8, 1.0))),
    ],
)
def test_what_a_cell_says(text: str, stretches: tuple[Stretch, ...]) -> None:
    read = read_stretches(text, "mus")
    assert [s.segment for s in read] == [s.segment for s in stretches]
    for mine, theirs in zip(read, stretches, strict=True):
        assert mine.window == pytest.approx(theirs.window, abs=ROUNDING)


def test_rounded_shares_add_up_to_one() -> None:
    stretches = read_stretches("0.333 a + 0.333 b + 0.333 c")
    assert stretches[0].first == 0.0 and stretches[-1].last == 1.0
    assert [s.share for s in stretches] == pytest.approx([1 / 3] * 3)


@pytest.mark.parametrize("text", ["0.5 a + 0.4 b", "1.5 a + -0.5 b", "0 a + 1 b", "0.7 a", "1e400 a + 0 b"])
def test_shares_that_cannot_be(text: str) -> None:
    with pytest.raises(MassError, match="'mus'.*add up to 1"):
        read_stretches(text, "mus")


def test_what_is_written_is_read() -> None:
    assert stretches_text([("pelvis", 1.0)]) == "pelvis"
    assert stretches_text([("a", 1 / 3), ("b", 1 / 3), ("a", 1 / 3)]) == "0.334 a + 0.333 b + 0.333 a"
    assert stretches_text([("a", 0.3), ("a", 0.7)]) == "a"
    text = stretches_text([("a", 0.12345), ("b", 0.87655)])
    assert math.fsum(s.share for s in read_stretches(text)) == 1.0


def test_segments_lighter_than_their_muscles_are_named() -> None:
    table = new_table(["m", "n"], [1.0, 1.0], ["0.86 scapula + 0.14 ground", "0.5 scapula + 0.5 humerus"], [""] * 2)
    assert light_segments({"scapula": 0.5, "humerus": 2.0}, table) == [
        "scapula: the model publishes 0.50 kg; muscles that lie in it weigh 1.36 kg: it was published without them, or "
        "the masses are too large"
    ]
    assert "publishes 0.0012 kg;" in light_segments({"scapula": 0.00123, "humerus": 2.0}, table)[0]
    assert light_segments({"scapula": 1.4, "humerus": 0.6}, table) == []
