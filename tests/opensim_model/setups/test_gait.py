"""Gait events: found in ground forces where they were put, without noise, and read from tables as they stand there."""

import shutil
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from oracles.trials import data_of, gait10

import opensim_inertia as oi
from opensim_inertia.errors import FileFormatError, UnknownNameError
from opensim_inertia.opensim_model.setups.loads import Loads, gait_cycles, gait_events, read_gait_events

DOWN = np.array([0.0, -9.80665, 0.0])
#: When the right foot meets the ground and leaves it [s]; the left one does so half a second later.
CONTACTS, OFFS = (0.30, 1.30, 2.30), (0.90, 1.90)


def vertical(times: np.ndarray) -> np.ndarray:
    """A force that crosses 20 N at the times above along lines of 2000 N/s, with a dip and a spike of 20 ms."""
    beginnings = [20 + 2000 * (times - contact) for contact in CONTACTS]
    ends = [20 - 2000 * (times - off) for off in (*OFFS, 9.0)]
    force = np.sum([np.clip(np.minimum(a, b), 0, 700) for a, b in zip(beginnings, ends, strict=True)], axis=0)
    force[(times > 0.595) & (times < 0.615)] = 3.0  # on the ground
    force[(times > 1.095) & (times < 1.115)] = 50.0  # in the air
    return force


@pytest.fixture
def loads(opensim_models: Path, tmp_path: Path) -> Loads:
    """The walk's external loads, with made vertical forces in place of the measured ones."""
    original = gait10(opensim_models)[2]
    data = Path(shutil.copy(data_of(original), tmp_path))
    times = np.arange(0, 3.0, 0.01)
    table = pd.DataFrame(0.0, index=pd.Index(times, name="time"), columns=oi.read_table(data).columns)
    table["ground_force_vy"], table["1_ground_force_vy"] = vertical(times), vertical(times - 0.5)
    oi.write_table(table, data)
    return Loads(shutil.copy(original, tmp_path))


def test_contacts_are_where_they_were_put(loads: Loads) -> None:
    events = gait_events(loads, DOWN, (0.0, 3.0))
    assert [e["time"] for e in events] == sorted(e["time"] for e in events)
    for side, later in (("r", 0.0), ("l", 0.5)):
        for event, wanted in (("contact", CONTACTS), ("off", OFFS)):
            times = [e["time"] for e in events if (e["side"], e["event"]) == (side, event)]
            assert np.allclose(times, [t + later for t in wanted if t + later < 3.0], atol=1e-9), (side, event)
    assert gait_events(loads, np.zeros(3), (0.0, 3.0)) == []
    assert {e["side"] for e in gait_events(loads, DOWN, (0.0, 0.7))} == {"r"}
    assert gait_cycles(events, (0.0, 3.0)) == {
        "r": [pytest.approx((0.3, 1.3)), pytest.approx((1.3, 2.3))],
        "l": [pytest.approx((0.8, 1.8)), pytest.approx((1.8, 2.8))],
    }
    assert gait_cycles(events, (0.0, 1.5)) == {"r": [pytest.approx((0.3, 1.3))]}


def test_a_walks_contacts_are_those_of_its_table(opensim_models: Path) -> None:
    """Of the first rows above 20 N after long times without force, as the file has them."""
    loads = Loads(gait10(opensim_models)[2])
    events = gait_events(loads, DOWN, (0.0, 2.5))
    table = oi.read_table(loads.data)
    times = table.index.to_numpy()
    for side, column in (("r", "ground_force_vy"), ("l", "1_ground_force_vy")):
        (first, *_) = (e["time"] for e in events if e["side"] == side and e["event"] == "contact")
        force = table[column].to_numpy()
        row = next(k for k in range(100, len(force)) if force[k] > 20 and (force[k - 60 : k] <= 20).all())
        assert times[row - 1] < first <= times[row]


@pytest.mark.parametrize("text", ["time,side,event\n{}", "Time;Side;Event;note\n{}"])
def test_tables_are_read_in_the_words_of_others(tmp_path: Path, text: str) -> None:
    rows = [("0.7", "Left", "Foot Strike"), ("0.1", "r", "contact"), ("0.9", "RIGHT", "toe-off")]
    separator, more = (";", ("",)) if ";" in text else (",", ())
    lines = [separator.join((time.replace(".", "," if more else "."), *cells, *more)) for time, *cells in rows]
    (tmp_path / "events.csv").write_text(text.format("\n".join(lines)))
    wanted = [(0.1, "r", "contact"), (0.7, "l", "contact"), (0.9, "r", "off")]
    assert [(e["time"], e["side"], e["event"]) for e in read_gait_events(tmp_path / "events.csv")] == wanted
    frame = pd.DataFrame(wanted[::-1], columns=["time", "side", "event"])
    assert [tuple(e.values()) for e in read_gait_events(frame)] == wanted


@pytest.mark.parametrize(
    ("text", "error", "reason"),
    [
        ("time,side\n0.1,r", FileFormatError, "has no column 'event'"),
        ("", FileFormatError, "has no column 'time'"),
        ("time,side,event\n0.1,r", FileFormatError, "row 2 has 2 cells, expected 3"),
        ("time,side,event\nx,r,contact", FileFormatError, "row 2: the time 'x' is not a number"),
        ("time,side,event\nnan,r,contact", FileFormatError, "'nan' is not a number"),
        ("time,side,event\n0.1,rihgt,contact", UnknownNameError, "unknown side 'rihgt'.*row 2; did you mean 'right'"),
        ("time,side,event\n0.1,r,toof", UnknownNameError, "unknown event 'toof'.*did you mean"),
    ],
)
def test_tables_that_are_none_are_refused(tmp_path: Path, text: str, error: type[Exception], reason: str) -> None:
    (tmp_path / "events.csv").write_text(text)
    with pytest.raises(error, match=reason):
        read_gait_events(tmp_path / "events.csv")
