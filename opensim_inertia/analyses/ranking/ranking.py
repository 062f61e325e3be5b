"""Ranking of muscles by effective inertia, and the share of this inertia that sliding adds."""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ..._core.arrays import Array
from ..._core.checks import check_names
from ..._core.diagnostics import raise_or_warn
from ..._core.errors import ModelError, MotionError, OptionError, first_of
from ..._core.opensim import osim
from ..._core.representation import TextTable
from ...model.model import InertialModel, check_inertial, check_moves
from ...model.recorded_motion import broken_constraints, motion_states, recorded_motion
from ...opensim_model.reading.coordinates import base_coordinates, stem_and_side
from ...opensim_model.reading.recorded_table import motion_name
from ...options.recording import Recording, recording_of
from ..inverse_dynamics import InverseDynamicsResult, Uncertainty
from ..result import File, Result, Variable, printed
from .effective_inertia import average_shares, largest_over_ranges

if TYPE_CHECKING:
    import pandas as pd

#: Changes below this share of a moment's peak are negligible.
NEGLIGIBLE = 0.01
#: Smaller shares count as zero.
NOTHING = 5e-5
#: Largest number of muscles in a sentence, and smallest share relative to the first muscle's.
MOST_NAMED, LEAST_NAMED = 3, 0.1

#: Largest number of evenly spaced poses of a motion.
MOST_POSES = 50
#: Number of muscles in the printed summary.
MOST_PRINTED = 3


@dataclass(frozen=True, eq=False, repr=False)
class MuscleRanking(Result):
    """Shares of effective inertia due to muscle mass, and due to its sliding, by coordinate, averaged over poses.

    The effective inertia of a coordinate is its diagonal entry of the mass matrix, with other coordinates held (Pai
    2010), except those that constraints move with it. The share that *slides* is dM_jj / M_jj: inertia that muscles add
    by moving along their paths instead of with their donor segments, relative to the published model. It may be
    negative. A muscle's *share* of the inertia is different: its effective inertia relative to that of the whole model,
    (M + dM)_jj. Coupled coordinates, and coordinates that cannot move, have no shares.

    On ``on_base`` coordinates, which move the whole model, shares are nearly those of mass; plots leave them out.

    Attributes:
        muscles: names, in the order of total importance.
        coordinate_names: names of all coordinates.
        by_muscle: "share", at least 0, and "sliding", each muscle's part of the sliding share, (muscles, coordinates);
            see the tables :attr:`shares` and :attr:`sliding_by_muscle`.
        by_coordinate: columns of the table :attr:`sliding`, (coordinates,), NaN without a share. ``share``: the sliding
            share, with its band from ``lower`` to ``upper`` (NaN without a band); ``largest``: the share of largest
            size over the given poses, or over the coordinate's range without poses; ``at``: the coordinate's value
            there [rad or m]; ``inertia``: the lumped effective inertia [kg m^2 or kg]; ``length rates``: the share by
            the kinetic energy of length rates; ``estimate``: the share by the law (docs/theory/sliding.md).
        needed: per coordinate, the smallest set of muscles with ``fraction`` of all muscles' inertia, as a tuple of
            names.
        fraction: see :attr:`needed`.
        poses: number of poses.
        model: name of the model.
        where: the poses as text.
        on_base: coordinates that move the whole model in ground.
        rotational: per coordinate, whether it is a rotation.
        changes: changes in a motion by coordinate: rows of the summary of inverse dynamics, with the ``largest
            difference in swing [%]``, while the foot of the coordinate's side is off the ground, relative to the lumped
            peak of these times (NaN without gait events).
        provenance: versions, options and inputs, see :meth:`InertialModel.provenance`.
    """

    muscles: tuple[str, ...]
    coordinate_names: tuple[str, ...]
    by_muscle: Mapping[str, Array]
    by_coordinate: Mapping[str, Array]
    needed: dict[str, tuple[str, ...]]
    fraction: float
    poses: int
    model: str = ""
    where: str = ""
    on_base: tuple[str, ...] = ()
    rotational: tuple[bool, ...] = ()
    changes: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    provenance: Mapping[str, Any] = field(default_factory=dict)
    prefix: ClassVar[str] = "ranking_"

    def variables(self) -> dict[str, Variable]:
        """Return named arrays: muscles' shares of each coordinate's inertia, and sliding shares' uncertainty band."""
        coordinates = {"coordinate": list(self.coordinate_names)}
        dims = {"muscle": list(self.muscles)} | coordinates
        found: dict[str, Variable] = {name: (dims, values, "1") for name, values in self.by_muscle.items()}
        return found | {f"sliding_{end}": (coordinates, self.by_coordinate[end], "1") for end in ("lower", "upper")}

    @property
    def shares(self) -> pd.DataFrame:
        """Each muscle's share of the effective inertia: index muscle, one column per coordinate."""
        return self.table("share")

    @property
    def sliding_by_muscle(self) -> pd.DataFrame:
        """Each muscle's part of the inertia share that sliding adds: index muscle, one column per coordinate."""
        return self.table("sliding")

    @property
    def sliding(self) -> pd.DataFrame:
        """``by_coordinate`` as a table, index coordinate: shares of effective inertia added by sliding, bands, etc."""
        import pandas as pd

        return pd.DataFrame(dict(self.by_coordinate), index=pd.Index(self.coordinate_names, name="coordinate"))

    def assumptions(self) -> dict[str, Any]:
        """Return the number of poses."""
        return {"poses": self.poses}

    def files(self) -> dict[str, File]:
        """Return the files of muscles' inertia shares, shares added by sliding, and summary."""
        tables = {"shares": self.shares, "sliding": self.sliding}
        return {name: (f"{name}.csv", table, "", {}) for name, table in tables.items()} | super().files()

    def sentences(self, coordinates: Sequence[str] | None = None, negligible: float = NEGLIGIBLE) -> list[str]:
        """Return one sentence per coordinate: inertia share by sliding, main muscles, and effect on a motion's forces.

        The effect is given if the ranking was made from a result of inverse dynamics.

        Args:
            coordinates: names; default: all with muscle inertia, except those that move the whole model.
            negligible: changes below this share of the lumped peak are called negligible.

        Raises:
            UnknownNameError: no coordinate has this name. OptionError: ``negligible`` is not above 0.
        """
        if not negligible > 0:
            raise OptionError("negligible", negligible, "a number above 0")
        check_names("coordinate", coordinates or (), self.coordinate_names)
        names = coordinates or [name for name in self.affected_coordinates() if name not in self.on_base]
        return [self._sentence(self.coordinate_names.index(name), negligible) for name in names]

    def _sentence(self, i: int, negligible: float) -> str:
        """Return the sentence about a coordinate."""
        name, turns, change = self.coordinate_names[i], self.rotational[i], self.changes.get(self.coordinate_names[i])
        row = {column: float(values[i]) for column, values in self.by_coordinate.items()}
        muscles = _foremost(self.muscles, self.by_muscle["sliding"][:, i])
        share = row["share"]
        if abs(share) < NOTHING and not abs(row["largest"]) >= NOTHING:
            text = f"{name}: none of the inertia slides"
        else:
            if share < 0:
                band = _between(-row["upper"], -row["lower"])
                text = f"{name}: sliding takes {_percent(-share)} {band}of the inertia away"
            else:
                text = f"{name}: {_percent(share)} {_between(row['lower'], row['upper'])}of the inertia slides"
            largest = row["largest"]
            if abs(largest) > 1.05 * abs(share) and abs(largest - share) >= NOTHING:
                size = abs(largest) if largest * share > 0 else largest
                text += f", at most {_percent(size)} at {_value(row['at'], turns)}"
            text += f", mostly of {muscles}" if muscles else ""
        if change is None or "largest difference" not in change:
            return text + "."
        size, unit = abs(float(change["largest difference"])), change["unit"]
        of_peak = abs(float(change["largest difference [%]"])) / 100
        text += f"; in this motion the {'moment' if turns else 'force'} changes by at most {size:.2g} {unit}"
        if not math.isfinite(of_peak):
            return text + "."
        verdict = "may be neglected" if of_peak < negligible else "may not be neglected"
        text += f", {_percent(of_peak)} of its peak: {verdict} where {_percent(negligible)} matters"
        in_swing = change["largest difference in swing [%]"] / 100
        if of_peak < negligible <= in_swing:
            text += (
                f", but not while the foot is in the air, where it changes by {_percent(in_swing)} of the peak there"
            )
        return text + "."

    def description(self) -> Mapping[str, str]:
        """Return the model, the number of muscles and the poses as text."""
        facts = {"model": self.model} if self.model else {}
        return facts | {"muscles": str(len(self.muscles)), "poses": self.where or str(self.poses)}

    def affected_coordinates(self) -> list[str]:
        """Return the coordinates with muscle inertia; coordinates that move the whole model come last."""
        total = self.by_muscle["share"].sum(axis=0)
        names = [name for name, share in zip(self.coordinate_names, total, strict=True) if share > 0]
        return sorted(names, key=lambda name: name in self.on_base)

    def summary(self, most: int = MOST_PRINTED) -> pd.DataFrame:
        """Return by coordinate: sliding share, share of all muscles, and muscles with ``fraction`` of the total share.

        Shares are in percent of the coordinate's effective inertia. The last column names the first ``most`` of these
        muscles with their shares; :attr:`needed` has all. Printed, the table is that of ``opensim-inertia rank``.

        Raises:
            OptionError: ``most`` is below 1.
        """
        return printed(self._rows(most), partial(_as_text, fraction=self.fraction), [*self._row(0, most)])

    def summary_text(self, most: int = MOST_PRINTED) -> str:
        """Return the summary as text, like ``opensim-inertia rank``; see :meth:`summary`."""
        return _as_text(self._rows(most), self.fraction).text()

    def _rows(self, most: int) -> list[dict[str, Any]]:
        if most < 1:
            raise OptionError("most", most, "at least one")
        return [self._row(self.coordinate_names.index(name), most) for name in self.affected_coordinates()]

    def _row(self, i: int, most: int) -> dict[str, Any]:
        """Return a coordinate's row of the summary."""
        name, shares = self.coordinate_names[i], self.by_muscle["share"][:, i]
        columns = {"slides [%]": "share", "lower [%]": "lower", "upper [%]": "upper", "slides at most [%]": "largest"}
        needed, of_muscle = self.needed[name], dict(zip(self.muscles, shares.tolist(), strict=True))
        return {
            "coordinate": name,
            **{head: 100 * float(self.by_coordinate[column][i]) for head, column in columns.items()},
            "muscles' share [%]": 100 * float(shares.sum()),
            f"muscles for {100 * self.fraction:g} %": len(needed),
            "largest [%]": first_of((f"{muscle} {100 * of_muscle[muscle]:.2g}" for muscle in needed), most),
        }


def rank_muscles(
    inertial: InertialModel,
    poses: osim.State
    | Iterable[osim.State]
    | Recording
    | str
    | os.PathLike[str]
    | pd.DataFrame
    | InverseDynamicsResult
    | None = None,
    fraction: float = 0.9,
    band: bool | Uncertainty = True,
) -> MuscleRanking:
    """Compute the share of each coordinate's effective inertia that sliding adds, and rank muscles by their shares.

    Args:
        inertial: the model.
        poses: states of ``inertial.model``; or a recorded motion (file, DataFrame or :class:`Recording`), with up to 50
            of its rows; or a result of inverse dynamics; the sentences then state the changes of moments. Default: the
            default pose, and the largest share over each coordinate's range.
        fraction: share of all muscles' inertia that the smallest set of muscles must hold.
        band: compute the band of sliding shares over masses and belly positions: True, False, or its options.

    Raises:
        OptionError: ``fraction`` is not in (0, 1], or ``band`` has another type. MotionError: there is no state, or the
            motion cannot be used. ModelError: the model has no coordinates, or the result is of another model.
    """
    check_inertial(inertial)
    if not 0 < fraction <= 1:
        raise OptionError("fraction", fraction, "a number above 0, at most 1")
    if not isinstance(band, bool | Uncertainty):
        raise OptionError("band", band, "True, False or an Uncertainty")
    check_moves(inertial)
    seen = inertial.remarks()
    states = _states(inertial, poses)
    if not states:
        raise MotionError("no state to rank muscles at")
    names = inertial.coordinate_names
    on_base = base_coordinates(inertial.model, inertial.coordinates)
    uncertainty = Uncertainty() if band is True else band or None
    of_all, sliding, by_coordinate = average_shares(inertial, states, uncertainty, seen)
    order = np.argsort(-of_all.max(axis=1, initial=0.0), kind="stable")
    muscles, shares = [inertial.muscle_names[i] for i in order], of_all[order]
    if poses is None:
        affected = [i for i in np.flatnonzero(shares.any(axis=0)).tolist() if not on_base[i]]
        by_coordinate["largest"][affected], by_coordinate["at"][affected] = largest_over_ranges(inertial, affected)
    seen.warn()
    return MuscleRanking(
        tuple(muscles),
        names,
        {"share": shares, "sliding": sliding[order]},
        by_coordinate,
        {name: _fewest(muscles, share, fraction) for name, share in zip(names, shares.T, strict=True)},
        fraction,
        len(states),
        inertial.model.getName(),
        _in_words(poses, len(states)),
        tuple(name for name, moves_all in zip(names, on_base, strict=True) if moves_all),
        inertial.coordinates.rotational,
        _changes(poses) if isinstance(poses, InverseDynamicsResult) else {},
        inertial.provenance(inertial.notes_with(seen)),
    )


def is_foot_in_air(result: InverseDynamicsResult, name: str) -> NDArray[np.bool_]:
    """Return whether the foot on the same side as coordinate ``name`` is in the air, (T,)."""
    events = [e for e in result.provenance.get("gait events", ()) if e["side"] == stem_and_side(name)[1]]
    in_air = np.array([bool(events) and events[0]["event"] == "contact", *(e["event"] == "off" for e in events)])
    return in_air[np.searchsorted([e["time"] for e in events], result.times)] & result.answered


def _changes(result: InverseDynamicsResult) -> dict[str, dict[str, Any]]:
    """Return summary rows by coordinate, extended by the largest change [%] in the leg's swing phase."""
    changes = {row["coordinate"]: dict(row) for row in result.summary_rows}
    for name, row in changes.items():
        forces = result.folded_answers(is_foot_in_air(result, name), 0.0)
        lumped, inertial = (each[:, result.coordinate_names.index(name)] for each in forces)
        share = np.abs(inertial - lumped).max() / np.abs(lumped).max() if lumped.any() else np.nan
        row["largest difference in swing [%]"] = 100 * share
    return changes


def _in_words(source: object, poses: int) -> str:
    """Return a phrase with the number and the source of a ranking's poses."""
    if source is None:
        return "at the default pose"
    source = source.motion if isinstance(source, Recording) else source
    if isinstance(source, InverseDynamicsResult):
        return f"average over {poses} poses of {source.provenance['motion'].get('file', 'a motion')}"
    if isinstance(source, str | os.PathLike):
        return f"average over {poses} poses of {Path(source).name}"
    return f"average over {poses} poses" if poses > 1 else "at one pose"


def _fewest(muscles: Sequence[str], shares: Array, fraction: float) -> tuple[str, ...]:
    """Return the smallest set of muscles with ``fraction`` of the total share."""
    order = np.argsort(-shares, kind="stable")
    total = float(shares.sum())
    count = int(np.searchsorted(np.cumsum(shares[order]), fraction * total * (1 - 1e-12))) + 1
    return tuple(muscles[i] for i in order[:count]) if total > 0 else ()


def _states(inertial: InertialModel, source: Any) -> list[osim.State]:
    """Return the states of ``source`` (states, motion or result); at most :data:`MOST_POSES` of a motion."""
    if source is None:
        return [inertial.initial_state()]
    if isinstance(source, osim.State):
        return [source]
    if isinstance(source, InverseDynamicsResult):
        if source.motion is None or source.coordinate_names != inertial.coordinate_names:
            raise ModelError("the result of inverse dynamics is of another model")
        motion, rows = source.motion, np.flatnonzero(source.answered)
    elif isinstance(source, Recording | str | os.PathLike) or hasattr(source, "columns"):
        recording = recording_of(source)
        motion = recorded_motion(inertial, recording)
        broken = broken_constraints(inertial, motion, motion_name(recording.motion))
        raise_or_warn([*motion.findings, *broken], MotionError, recording.strict)
        rows = np.arange(len(motion))
    else:
        return list(source)
    chosen = np.unique(np.linspace(0, len(rows) - 1, min(MOST_POSES, len(rows))).round().astype(int))
    return [inertial.dynamics.copy_state(state) for state in motion_states(inertial, motion.at(rows[chosen]))]


def _as_text(table: Sequence[Mapping[str, Any]], fraction: float) -> TextTable:
    """Return the rows of a summary as text."""
    if not table:
        return TextTable("Ranking of muscles", [], [], notes=["no muscle adds inertia to any coordinate"])
    percent = f"{100 * fraction:g} %"
    has_band = any(not math.isnan(row["lower [%]"]) for row in table)
    of_band = [("95 % band", "[%]")] if has_band else []
    columns = [("", "coordinate"), ("slides", "[%]"), *of_band, ("at most", "[%]"), ("all muscles", "[%]")]
    columns += [("muscles", f"for {percent}"), ("", "first of them, with share [%]")]
    head = [list(each) for each in zip(*columns, strict=True)]
    rows = []
    for name, slides, lower, upper, largest, share, count, first in (row.values() for row in table):
        between = [f"{_rounded(lower)} to {_rounded(upper)}"] if has_band else []
        rows.append([str(name), _rounded(slides), *between, _rounded(largest), f"{share:.2f}", str(count), first])
    note = (
        "slides: the share of the coordinate's effective inertia that is there because muscles' mass slides along the "
        "paths; at most: over the range or the poses. all muscles: their share of the effective inertia, of which most "
        f"moves with segments. The muscles counted are the fewest that hold {percent} of all muscles' share."
    )
    return TextTable("Ranking of muscles", head, rows, (0, len(head[0]) - 1), [note])


def _rounded(percent: float) -> str:
    return f"{round(percent, 2) + 0.0:.2f}"  # no "-0.00"


def _percent(share: float) -> str:
    return f"{100 * share:.2g} %" if abs(share) < 0.1 else f"{100 * share:.0f} %"


def _between(lower: float, upper: float) -> str:
    if not np.isfinite([lower, upper]).all():
        return ""
    return f"({_percent(lower)[:-2]} to {_percent(upper)[:-2]}) "


def _value(at: float, turns: bool) -> str:
    return f"{math.degrees(at):.0f} degrees" if turns else f"{at:.2g} m"


def _foremost(muscles: Sequence[str], values: Array) -> str:
    """Return a text with the names of the muscles that contribute most to the sum of ``values``."""
    signed = values * np.sign(values.sum())
    order = np.argsort(-signed, kind="stable")[:MOST_NAMED]
    named = [muscles[i] for i in order if signed[i] >= LEAST_NAMED * signed.max() > 0]
    return ", ".join(named[:-1]) + " and " + named[-1] if len(named) > 1 else "".join(named)
