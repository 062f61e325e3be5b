"""The ranking of muscles: each muscle's share of the effective inertia of each coordinate."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from ..._core.arrays import Array
from ..._core.errors import InertiaError, MotionError, OptionError, UnknownNameError, first_of
from ..._core.findings import act_on
from ..._core.opensim import osim
from ..._core.representation import PrintedFrame, TextTable, html_table
from ...model.arguments import check_inertial, check_moves
from ...model.model import InertialModel, for_run, terms_at
from ...model.recorded_motion import constraint_notes, motion_states, recorded_motion
from ...opensim_model.reading import base_coordinates, motion_name
from ...options import Recording
from ...options.recording import recording_of
from ...plotting import draw_shares, save_picture

#: At most this many poses of a motion are looked at, evenly spread over its rows.
MOST_POSES = 50
#: Pictures show at most this many coordinates, where none are named.
MOST_COORDINATES = 20
#: Muscles that the printed summary names.
MOST_PRINTED = 3
#: Sides whose shares differ by less, relative to the largest share, are alike.
ALIKE = 0.01


@dataclass(frozen=True)
class MuscleRanking:
    """The muscles' shares of the effective inertia, averaged over the poses.

    The effective inertia of a coordinate is its diagonal entry of M + dM, with all other coordinates held (Pai 2010);
    a muscle's share of it is the muscle's own diagonal entry of dM over that. M is of the model whose segments have
    given up the mass.

    ``on_base`` coordinates move the whole model, so that there a muscle's share is little more than its share of the
    mass; pictures leave them out.

    Attributes:
        shares: index muscle, one column per coordinate, values in [0, 1]; sorted by total importance.
        needed: per coordinate, the smallest set of muscles that holds ``fraction`` of all muscles' inertia: a tuple of
            names.
        fraction: that fraction.
        poses: number of poses.
        model: name of the model.
        where: the poses in words.
        on_base: coordinates that move the whole model in ground.
        provenance: what tells how this was made, see :meth:`InertialModel.provenance`.
    """

    shares: pd.DataFrame
    needed: dict[str, tuple[str, ...]]
    fraction: float
    poses: int
    model: str = ""
    where: str = ""
    on_base: tuple[str, ...] = ()
    provenance: Mapping[str, Any] = field(default_factory=dict)

    def to_xarray(self) -> Any:
        """Return the shares as an ``xarray.Dataset`` by muscle and coordinate, with what was assumed.

        Raises:
            MissingPackageError: xarray is not installed.
        """
        from ..._core.xarray import labelled

        labels = {"muscle": list(self.shares.index), "coordinate": list(self.shares.columns)}
        return labelled({"share": (list(labels), self.shares, "1")}, labels, self.provenance, poses=self.poses)

    def summary(self) -> pd.DataFrame:
        """Return per coordinate the share of all muscles, how few hold ``fraction`` of it, and which.

        Printed, the table names the first muscles only; see :meth:`table`.
        """
        return self._printed_table({"which": [", ".join(self.needed[name]) for name in self._affected_coordinates()]})

    def table(self, most: int = 3) -> pd.DataFrame:
        """Return the same to be read: of each coordinate the first ``most`` muscles with their shares, "and n more".

        All shares are in percent of the coordinate's effective inertia. Printed, the table is the one of
        ``opensim-inertia rank``.

        Raises:
            OptionError: ``most`` is below 1.
        """
        if most < 1:
            raise OptionError("most", most, "at least one")
        return self._printed_table(
            {"largest [%]": [self._largest(name, most) for name in self._affected_coordinates()]}
        )

    def plot(
        self,
        path: str | os.PathLike[str] | None = None,
        coordinates: Sequence[str] | None = None,
        most: int = 30,
    ) -> Figure:
        """Draw the shares as a heat map: muscles downwards, coordinates to the right, with the numbers in percent.

        Muscles with the largest shares come first. Rows below the map hold the sums.

        Args:
            path: file to write (.png, .svg or .pdf); None to return the figure only.
            coordinates: names; default: up to 20 of which muscles hold most, without those on the base, and without the
                left side where it is as the right one.
            most: muscles that are shown apart: the first of each coordinate, and those with the largest shares.

        Returns:
            the matplotlib figure.

        Raises:
            UnknownNameError: there is no such coordinate. InertiaError: no muscle has a share.
            OptionError: nothing is asked for, or ``path`` does not end as a picture does.
            OutputError: the picture cannot be written.
        """
        for name in coordinates or ():
            if name not in self.shares.columns:
                raise UnknownNameError("coordinate", name, self.shares.columns)
        if most < 1 or (coordinates is not None and not coordinates):
            raise OptionError("most" if most < 1 else "coordinates", most if most < 1 else coordinates, "at least one")
        if not self._affected_coordinates():
            raise InertiaError("no muscle adds inertia to any coordinate, so there is nothing to draw")
        one_side = coordinates is None and self._is_symmetric()
        names = list(coordinates) if coordinates is not None else self._worth_drawing(one_side)
        shares = self.shares[names]
        candidates = [name for name in shares.index if not (one_side and name.endswith("_l"))]
        ranked = shares.loc[candidates].max(axis=1).sort_values(ascending=False, kind="stable")
        ranked = ranked[ranked > 0]
        first = shares.loc[ranked.index].idxmax(axis=0)  # every coordinate has its own
        chosen = list(dict.fromkeys([*first, *ranked.index]))[:most]
        drawn_muscles = [name for name in ranked.index if name in chosen]
        undrawn = shares.drop(index=drawn_muscles)
        undrawn = undrawn[(undrawn > 0).any(axis=1)]
        sums = [("all muscles", shares.sum(axis=0).to_numpy())]
        if len(undrawn):
            sums.insert(0, (f"{len(undrawn)} other{'s' if len(undrawn) > 1 else ''}", undrawn.sum(axis=0).to_numpy()))
        title = f"{self.model + ': ' if self.model else ''}the muscles' shares of each coordinate's inertia [%]"
        caption = "Share: a muscle's part of the effective inertia, the diagonal of M + dM" + (
            f", {self.where}." if self.where else "."
        )
        left_out = [name for name in self._affected_coordinates() if name not in names]
        if one_side:
            left_out = [name for name in left_out if not name.endswith("_l")]
            caption += " Right side and middle only, the left is the same within 1 %."
        if left_out:
            caption += f" Not shown: {len(left_out)} coordinate{'s' if len(left_out) > 1 else ''}"
            caption += " that move the whole model." if set(left_out) <= set(self.on_base) else "."
        figure = draw_shares(drawn_muscles, names, shares.loc[drawn_muscles].to_numpy(), sums, title, caption)
        return save_picture(figure, path)

    def __repr__(self) -> str:
        table = self.table()
        table["largest [%]"] = table["largest [%]"].map(lambda text: text.ljust(table["largest [%]"].str.len().max()))
        return f"MuscleRanking: {self._headline()}\n{table.to_string(float_format='{:.2f}'.format)}"

    def _repr_html_(self) -> str:
        table = self.table()
        rows = [(name, f"{row.iloc[0]:.2f}", *row.iloc[1:]) for name, row in table.iterrows()]
        return html_table(f"Muscle ranking: {self._headline()}", ["coordinate", *table.columns], rows)

    def _headline(self) -> str:
        parts = [f"model {self.model}"] if self.model else []
        return ", ".join([*parts, f"{len(self.shares)} muscles", self.where or f"{self.poses} poses"])

    def _affected_coordinates(self) -> list[str]:
        """Return the coordinates on which muscles have inertia, joints before those that move the whole model."""
        total = self.shares.sum(axis=0)
        names = [name for name in self.shares.columns if total[name] > 0]
        return sorted(names, key=lambda name: name in self.on_base)

    def _printed_table(self, columns: dict[str, list[str]]) -> pd.DataFrame:
        rows = self._affected_coordinates()
        total = self.shares.sum(axis=0)
        numbers = {
            "muscles' share [%]": [100 * total[name] for name in rows],
            f"muscles for {100 * self.fraction:g} %": [len(self.needed[name]) for name in rows],
        }
        table = pd.DataFrame(numbers | columns, index=pd.Index(rows, name="coordinate"))
        return PrintedFrame(table, partial(_as_text, fraction=self.fraction))

    def _largest(self, coordinate: str, most: int) -> str:
        """Return the first muscles that a coordinate needs, with their shares [%]."""
        needed = self.needed[coordinate]
        return first_of((f"{name} {100 * self.shares.loc[name, coordinate]:.2g}" for name in needed), most)

    def _worth_drawing(self, one_side: bool) -> list[str]:
        names = [name for name in self._affected_coordinates() if not (one_side and name.endswith("_l"))]
        names = [name for name in names if name not in self.on_base] or names
        total = self.shares.sum(axis=0)
        largest = sorted(names, key=lambda name: -total[name])[:MOST_COORDINATES]
        return [name for name in names if name in largest]

    def _is_symmetric(self) -> bool:
        """Tell whether all shares of the left side (``_l``) are those of the right (``_r``)."""
        mirrored = self.shares.rename(index=_other_side, columns=_other_side)
        if set(mirrored.index) != set(self.shares.index) or set(mirrored.columns) != set(self.shares.columns):
            return False
        mirrored = mirrored.loc[self.shares.index, self.shares.columns]
        has_left = any(name.endswith("_l") for name in self.shares.index)
        alike = np.abs(mirrored - self.shares).to_numpy() <= ALIKE * self.shares.to_numpy().max(initial=0.0)
        return bool(has_left and alike.all())


def _other_side(name: str) -> str:
    return name[:-2] + {"_l": "_r", "_r": "_l"}[name[-2:]] if name.endswith(("_l", "_r")) else name


def rank_muscles(
    inertial: InertialModel,
    poses: osim.State | Iterable[osim.State] | Recording | str | os.PathLike[str] | pd.DataFrame | None = None,
    fraction: float = 0.9,
) -> MuscleRanking:
    """Rank muscles by their share of the effective inertia of each coordinate.

    Args:
        inertial: the model.
        poses: states of ``inertial.model``, or a recorded motion (file, DataFrame or :class:`Recording`), of
            which up to 50 rows are used; default: the default pose.
        fraction: how much of all muscles' inertia the smallest set must hold.

    Raises:
        OptionError: ``fraction`` is not in (0, 1]. MotionError: no state is given, or the motion cannot be used.
        ModelError: the model has no coordinates.
    """
    check_inertial(inertial)
    if not 0 < fraction <= 1:
        raise OptionError("fraction", fraction, "a number above 0, at most 1")
    check_moves(inertial)
    run = for_run(inertial)
    states = _states(run, poses)
    names = inertial.coordinate_names
    sums = np.zeros((len(inertial.muscle_names), len(names)))
    count = 0
    mass_matrix = osim.Matrix()
    for state in states:
        terms = terms_at(run, state, True, run.evaluation.notes)
        inertial.model.getMatterSubsystem().calcM(state, mass_matrix)
        effective = np.diag(mass_matrix.to_numpy()) + np.diag(terms.mass_matrix)
        for i, name in enumerate(inertial.muscle_names):
            sums[i] += np.diag(terms.muscles[name].mass_matrix) / effective
        count += 1
    if count == 0:
        raise MotionError("no state to rank muscles at")
    shares = pd.DataFrame(sums / count, index=pd.Index(inertial.muscle_names, name="muscle"), columns=list(names))
    shares = shares.loc[shares.max(axis=1).sort_values(ascending=False, kind="stable").index]
    on_base = base_coordinates(inertial.model, inertial.coordinates)
    return MuscleRanking(
        shares,
        {name: _fewest(shares[name], fraction) for name in names},
        fraction,
        count,
        inertial.model.getName(),
        _in_words(poses, count),
        tuple(name for name, moves_all in zip(names, on_base, strict=True) if moves_all),
        run.provenance(),
    )


def _in_words(source: object, poses: int) -> str:
    """Say at which poses muscles are ranked."""
    if source is None:
        return "at the default pose"
    source = source.motion if isinstance(source, Recording) else source
    if isinstance(source, str | os.PathLike):
        return f"average over {poses} poses of {Path(source).name}"
    return f"average over {poses} poses" if poses > 1 else "at one pose"


def _fewest(share: pd.Series, fraction: float) -> tuple[str, ...]:
    """Return the fewest muscles whose shares add up to ``fraction`` of the total."""
    ordered = share.sort_values(ascending=False, kind="stable")
    total = float(ordered.sum())
    if total <= 0:
        return ()
    running: Array = np.cumsum(ordered.to_numpy())
    count = int(np.searchsorted(running, fraction * total * (1 - 1e-12))) + 1
    return tuple(ordered.index[:count])


def _states(inertial: InertialModel, source: object) -> Iterable[osim.State]:
    if source is None:
        return [inertial.initial_state()]
    if isinstance(source, osim.State):
        return [source]
    if isinstance(source, Recording | str | os.PathLike | pd.DataFrame):
        return _motion_states(inertial, recording_of(source))
    return source  # type: ignore[return-value]


def _motion_states(inertial: InertialModel, recording: Recording) -> Iterable[osim.State]:
    motion = recorded_motion(inertial, recording)
    act_on(motion.findings, MotionError, recording.strict)
    constraint_notes(inertial, motion, motion_name(recording.motion), recording.strict)
    rows = np.unique(np.linspace(0, len(motion) - 1, min(MOST_POSES, len(motion))).round().astype(int))
    return motion_states(inertial, motion.at(rows))


def _as_text(table: pd.DataFrame, fraction: float) -> TextTable:
    """Return a table of :class:`MuscleRanking` to be read."""
    if table.empty:
        return TextTable("Ranking of muscles", [], [], notes=["no muscle adds inertia to any coordinate"])
    percent = f"{100 * fraction:g} %"
    names = "which" in table
    last = "first of them" if names else "first of them, with share [%]"
    head = [["", "all muscles", "muscles", ""], ["coordinate", "[%]", f"for {percent}", last]]
    rows = [
        [str(name), f"{share:.2f}", str(count), first_of(first.split(", "), MOST_PRINTED) if names else first]
        for name, share, count, first in table.itertuples()
    ]
    note = (
        "Shares are of the coordinate's effective inertia. The muscles counted are the fewest that hold "
        f"{percent} of what all muscles add."
    )
    return TextTable("Ranking of muscles", head, rows, (0, 3), [note])
