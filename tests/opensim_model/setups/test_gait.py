"""Gait events: found in ground forces where they were put, without noise, and read from tables as they stand there."""

import shutil
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from oracles.trials import data_of, gait10

import opensim_inertia as oi
from opensim_inertia.errors import FileFormatError, UnknownNameError
from opensim_inertia.opensim_model.setups.loads import read_gait_events

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


def events_of(inertial: oi.InertialModel, motion: Path, loads: Path, last: float = 2.5) -> list[dict]:
    recording = oi.Recording(motion, loads, 6.0, (0.0, last))
    result = oi.inverse_dynamics(inertial, recording, band=False, per_muscle=False, implausible="warn")
    return result.provenance["gait events"]


@pytest.mark.filterwarnings("ignore:.*no body makes")
def test_contacts_are_where_they_were_put(opensim_models: Path, tmp_path: Path) -> None:
    """With made vertical forces in place of the measured ones."""
    inertial, motion, original = gait10(opensim_models)
    times = np.arange(0, 3.0, 0.01)
    table = pd.DataFrame(0.0, pd.Index(times, name="time"), oi.read_table(data_of(original)).columns)
    table["ground_force_vy"], table["1_ground_force_vy"] = vertical(times), vertical(times - 0.5)
    oi.write_table(table, tmp_path / data_of(original).name)
    loads = Path(shutil.copy(original, tmp_path))
    events = events_of(inertial, motion, loads)
    assert [e["time"] for e in events] == sorted(e["time"] for e in events)
    for side, later in (("r", 0.0), ("l", 0.5)):
        for event, wanted in (("contact", CONTACTS), ("off", OFFS)):
            found = [e["time"] for e in events if (e["side"], e["event"]) == (side, event)]
            assert np.allclose(found, [t + later for t in wanted if t + later < 2.5], atol=1e-9), (side, event)
    assert {e["side"] for e in events_of(inertial, motion, loads, 0.7)} == {"r"}


def test_a_walks_contacts_are_those_of_its_table(opensim_models: Path) -> None:
    """Of the first rows above 20 N after long times without force, as the file has them."""
    inertial, motion, loads = gait10(opensim_models)
    events, table = events_of(inertial, motion, loads), oi.read_table(data_of(loads))
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
