"""Summary of force changes by muscle inertia, and the choice of coordinates for plots."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..._core.arrays import Array
from ..._core.errors import OptionError, UnknownNameError, first_of
from ..._core.representation import TextTable
from ...opensim_model.reading.coordinates import Coupling, stem_and_side

if TYPE_CHECKING:
    import pandas as pd

#: Parts of sliding, in the order of arrays.
PARTS = ("armature", "coupling", "velocity", "gravity")
#: Smaller changes [N m or N] are not shown.
NO_CHANGE = 1e-6
LARGEST = ("lower at largest", "upper at largest")
#: Coordinates that the command prints without ``--all``.
SHOWN = re.compile("hip|knee|ankle", re.IGNORECASE)


def summarise(
    times: Array,
    names: Sequence[str],
    units: Sequence[str],
    places: Sequence[int],
    lumped: Array,
    inertial: Array,
    ends: Mapping[str, Array] | None,
    wobble: Array | None = None,
    parts: Array | None = None,
    doubtful: NDArray[np.bool_] | None = None,
) -> list[dict[str, Any]]:
    """Return the summary of lumped and inertial forces and their differences, one row per chosen coordinate.

    Differences are inertial - lumped, signed, in the coordinate's unit; ``[%]`` is relative to the size of the lumped
    peak. Forces on coupled coordinates are projected onto independent ones. Columns:

    * ``coordinate``; ``unit``; ``lumped peak``, the lumped force of largest size, and ``peak time`` [s];
    * at this time: ``difference at peak``; ``lower at peak`` and ``upper at peak``, the ends of the band (absent
      without a band); ``difference at peak [%]``;
    * ``largest difference`` over the motion, its ``time of largest`` [s], ``lower at largest`` and ``upper at largest``
      there, and ``largest difference [%]``;
    * ``wobble at peak``, ``largest wobble`` and ``wobble RMS``, the part of the difference by wobble (absent if nothing
      wobbles); the rest is sliding;
    * ``inertial peak``, ``lumped RMS``, ``inertial RMS``, ``difference RMS``;
    * if the parts of sliding are known, ``sliding RMS``, the RMS of each part (``armature RMS``, ``coupling RMS``,
      ``velocity RMS``, ``gravity RMS``), and ``armature explains``, 1 - RMS(sliding - armature) / RMS(sliding).

    The arguments are times (T,) [s]; names and units of the nu coordinates; indices of the chosen coordinates, in
    order; projected forces (T, nu) [N m or N]; ends (2, nu) of the band at the lumped "peak" and the "largest"
    difference; the part (T, nu) by wobble; parts of sliding (4, T, nu); and doubtful forces (T, nu), which are left
    out. A coordinate with doubtful forces only has name and unit.
    """
    rows = []
    for i in places:
        known = slice(None) if doubtful is None or not doubtful[:, i].any() else ~doubtful[:, i]
        at_times, old, new = times[known], lumped[known, i], inertial[known, i]
        row: dict[str, Any] = {"coordinate": names[i], "unit": units[i]}
        rows.append(row)
        if not len(at_times):
            continue
        swing = None if wobble is None else wobble[known, i]
        difference = new - old
        at, most = int(np.abs(old).argmax()), int(np.abs(difference).argmax())
        peak = float(old[at])
        percent = 100.0 / abs(peak) if peak != 0 else np.nan
        row |= {"lumped peak": peak, "peak time": float(at_times[at])}
        row |= {} if swing is None else {"wobble at peak": swing[at]}
        row["difference at peak"] = difference[at]
        row |= {} if ends is None else {"lower at peak": ends["peak"][0][i], "upper at peak": ends["peak"][1][i]}
        row |= {
            "difference at peak [%]": difference[at] * percent,
            "largest difference": difference[most],
            "time of largest": float(at_times[most]),
            **({} if ends is None else dict(zip(LARGEST, (x[i] for x in ends["largest"]), strict=True))),
            "largest difference [%]": difference[most] * percent,
            **({} if swing is None else {"largest wobble": _largest(swing), "wobble RMS": _rms(swing)}),
            "inertial peak": _largest(new),
            "lumped RMS": _rms(old),
            "inertial RMS": _rms(new),
            "difference RMS": _rms(difference),
        }
        if parts is not None:
            sliding, of_sliding = difference if swing is None else difference - swing, parts[:, known, i]
            row["sliding RMS"] = _rms(sliding)
            row |= {f"{name} RMS": _rms(part) for name, part in zip(PARTS, of_sliding, strict=True)}
            row["armature explains"] = _explained(sliding, of_sliding[0])
    return rows


def _largest(values: Array) -> float:
    """Return the element with the largest absolute value."""
    return float(values[np.abs(values).argmax()])


def _rms(values: Array) -> float:
    largest = float(np.abs(values).max())
    return largest * float(np.sqrt(((values / largest) ** 2).mean())) if largest else 0.0  # squares could overflow


def _explained(sliding: Array, armature: Array) -> float:
    """Return the share of sliding forces explained by the armature part: 1 - RMS(sliding - armature) / RMS(sliding)."""
    largest = float(np.abs(sliding).max(initial=0.0))
    if not largest > 0:
        return float("nan")
    left = np.sqrt((((sliding - armature) / largest) ** 2).mean())  # squares of small forces could underflow
    return float(1.0 - left / np.sqrt(((sliding / largest) ** 2).mean()))


def summary_as_text(
    summary: Sequence[Mapping[str, Any]],
    missing: Sequence[str] = (),
    on_base: Sequence[str] = (),
    level: float = 0.95,
    everything: bool = True,
    explain: bool = True,
) -> TextTable:
    """Return the summary as text: the largest change, then a table."""
    changes = {row["coordinate"]: abs(row.get("largest difference", np.nan)) for row in summary}
    changed = [row for row in summary if changes[row["coordinate"]] > NO_CHANGE]
    shown = [row for row in changed if everything or SHOWN.search(row["coordinate"])] or changed
    has_band, wobbles = (any(key in row for row in changed) for key in ("lower at peak", "wobble at peak"))
    head, rows, notes, band = [["", "", "lumped"], ["coordinate", "unit", "peak"]], [], [], f"{100 * level:g} % band"
    if changed:
        columns = [("wobble", "at peak")] if wobbles else []
        columns += [("change", "at peak"), *([(band, "at peak")] if has_band else []), ("", "[%]")]
        for line, titles in zip(head, zip(*columns, ("largest", "change"), ("at", "[s]"), strict=True), strict=True):
            line.extend(titles)
    if changed and explain:
        notes.append(
            "Changes are inertial - lumped, signed; at peak: where the lumped force is largest"
            + ("; wobble: the part of the change by wobbling mass" if wobbles else "")
            + (f"; band: {100 * level:g} % of the changes with other masses and places of bellies" if has_band else "")
            + "; [%]: of the lumped peak; largest change: over the motion."
        )
    for row in shown:
        cells = [row["coordinate"], row["unit"], _signed(row["lumped peak"])]
        cells += [_signed(row["wobble at peak"])] if wobbles else []
        cells.append(_signed(row["difference at peak"]))
        cells += [f"{_signed(row['lower at peak'])} to {_signed(row['upper at peak'])}"] if has_band else []
        share = row["difference at peak [%]"]
        if abs(row["lumped peak"]) > NO_CHANGE and np.isfinite(share):
            cells.append(f"{share:+.1f}" if abs(share) < 1000 else ">1000")
        else:
            cells.append("-")
        rows.append([*cells, _signed(row["largest difference"]), f"{row['time of largest']:.3f}"])
    listed = {
        "doubtful at all times, because of jumps": [name for name, change in changes.items() if np.isnan(change)],
        "no difference": [name for name, change in changes.items() if everything and change <= NO_CHANGE],
        "not in the motion, at rest in their default value": list(missing),
    }
    notes += [f"{text}: {first_of(names)}" for text, names in listed.items() if names]
    if not everything and not explain:
        notes.append(f"--all: all {len(summary)} coordinates; --explain: meaning of the columns")
    first = largest_change(summary, on_base, level)
    return TextTable("Inverse dynamics: changes by muscle inertia", head, rows, (0, 1), notes, first)


def largest_change(summary: Sequence[Mapping[str, Any]], on_base: Sequence[str] = (), level: float = 0.95) -> str:
    """Return a sentence on the largest change of a joint moment, or of a force if no moment changes."""
    changed = [row for row in summary if abs(row.get("largest difference", 0.0)) > NO_CHANGE]
    changed = [row for row in changed if row["coordinate"] not in on_base] or changed
    if not changed:
        return "Muscle inertia changes nothing: no muscle with mass moves, or none has mass."
    turning = [row for row in changed if row["unit"].startswith("N m")]
    row = max(turning or changed, key=lambda row: abs(row["largest difference"]))
    change, share = row["largest difference"], abs(row["largest difference [%]"])
    text = f"{row['coordinate']} at {row['time of largest']:.2f} s"
    text += f", {share:.2g} % of its peak" if share < 1000 else ""
    if "lower at largest" in row:
        low, high = sorted(np.sign(change) * row[end] for end in LARGEST)
        text += f"; {100 * level:g} % band {_short(low)} to {_short(high)}"
    what, size = "joint moments" if turning else "forces", _short(abs(change))
    return f"Muscle inertia changes {what} by at most {size} {row['unit']} ({text})."


def _short(value: float) -> str:
    return f"{value:.1f}" if abs(value) >= 0.95 else f"{value:.2g}"


def _signed(value: float) -> str:
    digits = 3 if abs(value) < 10 else 2 if abs(value) < 1000 else 1
    return f"{value:+.{digits}f}"


#: Patterns of the main coordinates, limb by limb, from proximal to distal.
LEG = (r"hip_?flex", r"knee_?(?:angle|flex)", r"ankle_?(?:angle|flex|dorsi)")
ARM = (r"shoulder_?(?:elev|elv|flex)|arm_?flex", r"elbow_?flex", r"wrist_?(?:flex|hand_r1)")
EXPECTED = re.compile("|".join((*LEG, *ARM)), re.IGNORECASE)
#: Smaller relative differences do not count as changes.
NOTHING = 1e-9


def check_coordinate(name: str, names: Sequence[str], couplings: Sequence[Coupling], where: str = "") -> int:
    """Return a coordinate's index; raise UnknownNameError, or OptionError if the coordinate is coupled."""
    if name not in names:
        raise UnknownNameError("coordinate", name, names, where)
    i = list(names).index(name)
    for coupling in couplings:
        if coupling.dependent == i:
            leading = names[coupling.independent]
            raise OptionError("coordinate", name, f"'{leading}', which it follows by a coupler: forces add up there")
    return i


def fold(forces: Array, couplings: Sequence[Coupling]) -> Array:
    """Return forces (..., T, nu) projected onto independent coordinates; coupled coordinates get 0."""
    if not couplings:
        return forces
    forces = forces.copy()
    for coupling in couplings:
        forces[..., coupling.independent] += coupling.slopes * forces[..., coupling.dependent]
    forces[..., [coupling.dependent for coupling in couplings]] = 0.0
    return forces


def most_changed(
    names: Sequence[str],
    rotational: Sequence[bool],
    on_base: Sequence[bool],
    independent: Sequence[int],
    lumped: Array,
    inertial: Array,
    most: int,
) -> list[str]:
    """Return names of coordinates for plots: main joints first, then coordinates with the largest force changes."""
    complete_rows = np.isfinite(inertial).all(axis=1) & np.isfinite(lumped).all(axis=1)
    lumped, difference = lumped[complete_rows], (inertial - lumped)[complete_rows]
    if not complete_rows.any():
        lumped = difference = np.zeros((1, len(names)))
    change, size = (np.sqrt((forces**2).mean(axis=0)) for forces in (difference, lumped))
    score = np.where(size > 1e-6 * size.max(initial=1.0), change / np.where(size > 0, size, 1.0), 0.0)
    pairs: dict[str, dict[str, int]] = {}
    for i in independent:
        stem, side = stem_and_side(names[i])
        pairs.setdefault(stem, {})[side] = i
    foremost = {stem: max(pair, key=lambda side: score[pair[side]]) for stem, pair in pairs.items()}
    sides = [side for side in foremost.values() if side]
    main = max(dict.fromkeys(sides), key=sides.count) if sides else ""  # both limbs of one side

    def rank(i: int) -> tuple[bool, bool, bool, float]:
        expected = bool(EXPECTED.search(names[i])) and score[i] > NOTHING
        return on_base[i], not rotational[i], not expected, -float(score[i])

    limbs = _limbs(pairs, score, main)[:most]
    limb_stems = {stem_and_side(names[i])[0] for i in limbs}
    further = [pair.get(main, pair[foremost[stem]]) for stem, pair in pairs.items() if stem not in limb_stems]
    further = sorted(further, key=rank)[: most - len(limbs)]
    right_first = sorted(limbs, key=lambda i: stem_and_side(names[i])[1] == "l")
    return [names[i] for i in (*right_first, *sorted(further, key=lambda i: (on_base[i], i)))]


def _limbs(pairs: Mapping[str, Mapping[str, int]], score: Array, main: str) -> list[int]:
    """Return indices of leg coordinates with changed forces, else of such arm coordinates; ``main`` side first."""
    for limb in (LEG, ARM):
        stems = [stem for joint in limb for stem in pairs if re.search(joint, stem, re.IGNORECASE)]
        changing = [(side, i) for stem in stems for side, i in pairs[stem].items() if score[i] > NOTHING]
        if changing:
            return [i for _, i in sorted(changing, key=lambda each: each[0] != main)]
    return []


def sure_rows(table: pd.DataFrame, doubtful: NDArray[np.bool_]) -> pd.DataFrame:
    """Return a table with NaN in rows where ``doubtful`` (T,) is true."""
    return table.mul(np.where(doubtful, np.nan, 1.0), axis=0) if doubtful.any() else table


def foremost(table: pd.DataFrame, most: int) -> tuple[dict[str, Array], tuple[str, Array] | None]:
    """Return the ``most`` largest columns (T,) by name, and a label with the sum of all others (None: no others)."""
    table = table.loc[:, np.abs(table).max() > 0]
    order = list((table**2).mean().sort_values(ascending=False).index)
    largest = {str(name): table[name].to_numpy() for name in order[:most]}
    if not (others := order[most:]):
        return largest, None
    label = f"{len(others)} other{'s' * (len(others) > 1)}"
    return largest, (label, table[others].sum(axis=1, skipna=False).to_numpy())
