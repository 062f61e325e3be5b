"""Content of a report as text and arrays."""

from __future__ import annotations

import base64
import zlib
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._core.arrays import MOST_DRAWN, Array, drawn_rows
from .._core.provenance import stated_options
from ..opensim_model.setups.loads import SHORTEST_CONTACT, THRESHOLD, Event, gait_cycles

#: Largest number of listed sources of masses.
MOST_SOURCES = 3
#: Entries of the provenance with their labels in the report.
FACTS = {
    "cut-off [Hz]": "low-pass filter [Hz]",
    "forces excluded": "forces that do not act",
    "coordinates missing in the motion": "coordinates missing in the motion, at rest",
    "left massless": "muscles left without mass",
    "paths led by OpenSim": "paths led by OpenSim",
    "accelerations": "accelerations from splines through",
    "free": "coordinates left out",
    "reserves": "reserves [N m or N]",
    "muscle physiology": "force, length and speed of fibres count",
    "passive fibres": "passive fibres pull",
}
LABELS = {"lumped": "lumped (OpenSim)", "inertial": "inertial muscles"}
#: Largest code by bytes per code; the next code stands for numbers that are not finite.
MOST_CODE = {2: 2**16 - 2, 4: 2**32 - 2}


@dataclass(frozen=True)
class Link:
    """A link to a file by a path relative to the page; a ``.png`` file is shown as a picture."""

    text: str
    target: str


@dataclass(frozen=True, eq=False)
class Plot:
    """Curves in one plot; ``stacked`` curves are drawn as parts of a sum.

    ``series`` are labels, curves (T,) and roles: "lumped", "inertial", "others", or "" for the next colour. ``rows``
    are the run's rows (T,) of the values; None: all. ``band`` returns the ends (R,) of a band at rows (R,).
    """

    title: str
    unit: str
    series: Sequence[tuple[str, Array, str]]
    band: Callable[[NDArray[np.intp]], tuple[Array, Array]] | None = None
    band_label: str = ""
    stacked: bool = False
    rows: NDArray[np.intp] | None = None

    def thinned(self, most: int = MOST_DRAWN) -> Plot:
        """Return the plot with at most ``most`` samples, including the curves' extremes, see :func:`drawn_rows`."""
        curves = [values for _, values, _ in self.series]
        if self.rows is not None or not curves or len(curves[0]) <= most:
            return self
        rows = drawn_rows([*curves, np.sum(curves, axis=0)] if self.stacked else curves, most)
        series = [(label, values[rows], role) for label, values, role in self.series]
        return replace(self, series=series, rows=rows)


#: A name, the heading of its group, and plots over one time span, from top to bottom.
Panel = tuple[str, str, Sequence[Plot]]


def compared(title: str, unit: str, by_kind: Mapping[str, Array]) -> list[Plot]:
    """Return a plot of the curves "lumped" and "inertial", and a plot of their difference if both are given."""
    plots = [Plot(title, unit, [(LABELS[kind], by_kind[kind], kind) for kind in LABELS if kind in by_kind])]
    if "lumped" in by_kind and "inertial" in by_kind:
        change = by_kind["inertial"] - by_kind["lumped"]
        plots.append(Plot("What muscle inertia changes", unit, [("inertial \u2212 lumped", change, "inertial")]))
    return plots


@dataclass(frozen=True)
class Table:
    """A table of text with title and note; the first column names the rows."""

    title: str
    head: Sequence[str]
    rows: Sequence[Sequence[str | Link]]
    note: str = ""


def number(value: float) -> str:
    """Return a number as text with three digits and a true minus sign."""
    text = f"{value:.0f}" if 1000 <= abs(value) < 1e6 else f"{value:.3g}"
    return text.replace("-", "\u2212")


def gait_within(events: Sequence[Event], times: Array) -> dict[str, Any] | None:
    """Return times [s] of gait cycles and foot-off by side, within the range of ``times``; None without cycles."""
    cycles = gait_cycles(events, (float(times[0]), float(times[-1])))
    offs = {side: [e["time"] for e in events if e["event"] == "off" and e["side"] == side] for side in cycles}
    return {"cycles": cycles, "offs": offs} if cycles else None


@dataclass(frozen=True, eq=False)
class Content:
    """Content of a report about a run, except the three-dimensional view."""

    title: str
    subtitle: str  # model, motion and times
    answer: Sequence[str]  # sentences on changes by muscle inertia, the most important first
    certainty: Sequence[str]  # sentences on their uncertainty
    table: Table
    times: Array  # times of all curves (T,) [s]
    panels: Sequence[Panel]  # the first is shown first
    assumptions: Mapping[str, str]
    warnings: Sequence[str] = ()
    details: Sequence[Table] = ()
    start: float | None = None  # time [s] shown first
    verdict: str = ""  # sentence on residuals
    gaps: Sequence[tuple[float, float]] = ()  # time spans [s] without results
    mass: float | None = None  # mass of the model with its muscles [kg]; curves can be divided by it
    gait: Mapping[str, Any] | None = None  # see :func:`gait_within`
    gait_source: str = ""  # sentence on the source of cycles


def pack(data: Any) -> tuple[Any, str]:
    """Return JSON data, with a description in place of each array, and the arrays as one compressed text.

    A float is the share ``code / 65534`` of the way from ``low`` to ``high``, the range of the array; code 65535 stands
    for numbers that are not finite. "times" have codes of 32 bits. Codes are differences along the first axis, by byte.
    """
    parts: list[bytes] = []

    def described(value: Any, key: str = "") -> Any:
        if isinstance(value, dict):
            return {name: described(each, name) for name, each in value.items()}
        if isinstance(value, list | tuple):
            return [described(each) for each in value]
        if not isinstance(value, np.ndarray):
            return value
        if value.dtype.kind == "f":
            codes, ends = _codes(value, 4 if key == "times" else 2)
        else:
            codes, ends = value.astype(np.uint32), {}
        size, at = codes.dtype.itemsize, sum(map(len, parts))
        rows = codes.reshape(len(codes), -1) if codes.size else codes.reshape(0, 1)
        steps = np.diff(rows, axis=0, prepend=np.zeros_like(rows[:1]))  # modulo 2^16 or 2^32
        parts.append(steps.astype(f"<u{size}").view(np.uint8).reshape(-1, size).T.tobytes())
        return {"at": at, "bytes": size, "shape": list(codes.shape), **ends}

    described_data = described(data)
    return described_data, base64.b64encode(zlib.compress(b"".join(parts), 9)).decode("ascii")


def _codes(array: Array, size: int) -> tuple[NDArray[Any], dict[str, float]]:
    """Return floats as integer codes of ``size`` bytes, and the floats' range."""
    most, finite = MOST_CODE[size], np.isfinite(array)
    low, high = (float(end(array[finite])) if finite.any() else 0.0 for end in (np.min, np.max))
    step = high / most - low / most  # divided first: the difference of huge numbers could overflow
    codes = np.full(array.shape, most + 1, dtype=f"u{size}")
    codes[finite] = np.clip(np.round(array[finite] / step - low / step), 0, most) if step > 0 else 0
    return codes, {"low": low, "high": high}


def subtitle(provenance: Mapping[str, Any], times: Array) -> str:
    """Return a line with model, motion and time range of a run."""
    parts = []
    if provenance:
        parts.append(f"model {provenance['model']['name'] or 'without name'}")
        if "motion" in provenance:
            parts.append(f"motion {provenance['motion'].get('file', 'from a table')}")
    span = f"{len(times)} rows from {times[0]:.4g} to {times[-1]:.4g} s" if len(times) > 1 else f"at {times[0]:.4g} s"
    return ", ".join([*parts, span])


def unanswered(times: Array, answered: NDArray[np.bool_]) -> list[str]:
    """Return a sentence about time steps without results; an empty list if all steps have results."""
    if answered.all():
        return []
    first, last = times[answered][[0, -1]]
    return [
        f"{(~answered).sum()} of {len(times)} rows have no answer, as there are no external loads for them: all "
        f"numbers here are of {first:.4g} to {last:.4g} s."
    ]


def about_the_run(provenance: Mapping[str, Any], times: Array, answered: NDArray[np.bool_]) -> dict[str, Any]:
    """Return fields of :class:`Content` that follow from provenance, times and ``answered``, the steps with results."""
    edges = np.flatnonzero(np.diff(np.r_[True, answered, True]))
    spans = zip(np.maximum(edges[::2] - 1, 0), np.minimum(edges[1::2], len(times) - 1), strict=True)
    source = (
        f"Gait cycles go from a foot\u2019s contact to its next one: contact is where the vertical ground force on the "
        f"foot rises above {THRESHOLD:g} N, phases shorter than {1000 * SHORTEST_CONTACT:g} ms aside."
    )
    return {
        "subtitle": subtitle(provenance, times),
        "times": times,
        "assumptions": assumptions(provenance),
        "warnings": list(provenance.get("warnings", ())),
        "gaps": [(float(times[first]), float(times[last])) for first, last in spans],
        "mass": provenance.get("mass of the model [kg]"),
        "gait": gait_within(provenance.get("gait events", ()), times),
        "gait_source": source,
        "verdict": provenance["residuals"]["verdict"] if "residuals" in provenance else "",
    }


def assumptions(provenance: Mapping[str, Any]) -> dict[str, str]:
    """Return the assumptions of a run as text, by name; {} without provenance."""
    if not provenance:
        return {}
    facts = {
        "muscle mass": f"{number(provenance['muscle mass [kg]'])} kg in {provenance['muscles with mass']} muscles",
        "sources of masses": _sources(provenance),
        "donor segments": "; ".join(
            f"{s['segment']}: muscles {number(s['muscles'])} of {number(s['mass'])} kg" for s in provenance["segments"]
        ),
    }
    facts |= {label.replace("_", " "): str(value) for label, value in stated_options(provenance).items()}
    for key, label in FACTS.items():
        if provenance.get(key) is not None and provenance[key] not in ([], (), {}, ""):
            value = provenance[key]
            facts[label] = ", ".join(map(str, value)) if isinstance(value, list | tuple | dict) else _cell(value)
    for key in ("motion", "external loads"):
        if provenance.get(key):
            facts[key] = _source(provenance[key])
    facts["model"] = _source({**provenance["model"], "file": provenance["model"]["name"]})
    facts["versions"] = ", ".join(f"{name} {version}" for name, version in provenance["versions"].items())
    return {label: text for label, text in facts.items() if text}


def details(provenance: Mapping[str, Any]) -> tuple[Table, ...]:
    """Return the tables of muscle masses, donor segments, and paths that differ from OpenSim's."""
    if "masses" not in provenance:
        return ()
    masses = provenance["masses"]
    muscles = [list(map(_cell, row)) for row in zip(*masses.values(), strict=True)]
    tables = [Table("Muscle masses, donor segments and bellies [kg, m]", list(masses), muscles)]
    if provenance["segments"]:
        head = list(provenance["segments"][0])
        rows = [[_cell(row[column]) for column in head] for row in provenance["segments"]]
        note = "mass: as published; muscles: subtracted as rigid mass at the reference pose."
        tables.append(Table("Donor segments [kg]", head, rows, note))
    path_differences = provenance.get("paths off OpenSim's, at least [m]", {})
    if path_differences:
        rows = [[name, number(1000 * value)] for name, value in path_differences.items()]
        tables.append(Table("Paths that are off OpenSim's own", ["muscle", "at least [mm]"], rows))
    return tuple(tables)


def _sources(provenance: Mapping[str, Any]) -> str:
    masses = provenance.get("masses")
    if masses is None or "source" not in masses:
        return "as given"
    counts = Counter(masses["source"])
    ordered = counts.most_common()
    if len(ordered) > MOST_SOURCES:
        return f"{len(ordered)} different ones, such as {ordered[0][0]}; the table of masses below has all of them"
    return "; ".join(f"{source} ({count} muscles)" for source, count in ordered)


def _source(entry: Mapping[str, Any]) -> str:
    return f"{entry.get('file', 'a table')} (SHA-256 {entry['sha256'][:12]}\u2026)"


def _cell(value: Any) -> str:
    """Return a value as text in a table cell; "" for None or NaN."""
    if value is None or value != value:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return number(value) if isinstance(value, float) else str(value)
