"""The result of inverse dynamics: arrays and names, and the tables and files that they make."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ..._core.arrays import Array
from ..._core.checks import check_choice
from ..._core.choices import KINDS, PREFIXES, Kind
from ..._core.errors import OptionError
from ..._core.provenance import stated_options
from ...files.tables import Table, write_table
from ...opensim_model.reading.coordinates import Coupling
from ...options.recording import Uncertainty
from ..result import File, MotionResult, Variable, printed
from .band import BandParts, Bellies, DifferenceParts, MuscleParts, band, difference_parts, parts_at
from .residuals import BaseRecord, residual_rows, residual_table
from .summary import PARTS, check_coordinate, fold, most_changed, summarise, summary_as_text

if TYPE_CHECKING:
    import pandas as pd

    from .wobble import WobbleRecord

#: First lines of the headers of files; the first is OpenSim's own.
TITLE, TITLE_OF_WOBBLE = "Inverse Dynamics Generalized Forces", "Generalized Forces of Wobble"


@dataclass(frozen=True, repr=False)
class InverseDynamicsResult(MotionResult):
    """The generalized forces of a motion with muscle mass lumped and sliding (see :func:`inverse_dynamics`).

    Attributes:
        lumped_forces, inertial_forces: (T, nu) [N m or N].
        called_moments: per coordinate, whether OpenSim's tool calls its force a moment, whatever it is; empty: as
            ``rotational``.
        base: how a free base moves and what loads it, for :meth:`residuals`; None where there is none.
        missing: coordinates that the motion lacks; they rested at their default value.
        on_base: per coordinate, whether it moves the whole model in ground.
        couplings: coordinates that follow others by couplers.
        muscles: names of the muscles with mass; empty where their parts were not kept.
        parts: what each muscle changes; None where that was not kept.
        sliding_parts: what makes inertial - lumped, (4, T, nu), see :attr:`parts_of_sliding`; None where it is unknown.
        band_parts: what else the band is made of; None for no band.
        uncertainty: what the band covers; None for no band.
        doubtful: (T, nu), which forces jumps of the recording change, or no body makes; peaks and means leave them out.
        wobble: what swinging adds to the inertial forces, and how far masses swing; None where nothing swings.
    """

    lumped_forces: Array
    inertial_forces: Array
    missing: tuple[str, ...] = ()
    on_base: tuple[bool, ...] = ()
    couplings: tuple[Coupling, ...] = ()
    muscles: tuple[str, ...] = ()
    parts: MuscleParts | None = None
    band_parts: BandParts | None = None
    uncertainty: Uncertainty | None = None
    called_moments: tuple[bool, ...] = ()
    base: BaseRecord | None = None
    wobble: WobbleRecord | None = None
    sliding_parts: Array | None = None
    doubtful: NDArray[np.bool_] = None  # type: ignore[assignment]  # none
    prefix: ClassVar[str] = PREFIXES["inverse dynamics"]

    def __post_init__(self) -> None:
        if self.doubtful is None:
            object.__setattr__(self, "doubtful", np.zeros(self.lumped_forces.shape, dtype=bool))
        super().__post_init__()

    def description(self) -> Mapping[str, str]:
        """Return the model, the trial, the rows and the band."""
        level = "none" if self.uncertainty is None else f"{100 * self.uncertainty.level:g} %"
        return {**super().description(), "band": level}

    @property
    def column_names(self) -> tuple[str, ...]:
        """OpenSim's names: ``<coordinate>_moment`` or ``_force``, by the coordinates' motion types as OpenSim's tool.

        What is a moment has the unit N m in :attr:`units`; of coordinates of the type "coupled" both may differ.
        """
        is_moment = self.called_moments or self.rotational
        return tuple(f"{n}_{'moment' if c else 'force'}" for n, c in zip(self.coordinate_names, is_moment, strict=True))

    @property
    def lumped(self) -> pd.DataFrame:
        """The generalized forces with lumped mass: index time [s], OpenSim's column names."""
        return self._table(self.lumped_forces, self.column_names)

    @property
    def inertial(self) -> pd.DataFrame:
        """The generalized forces with muscle mass that slides along the paths."""
        return self._table(self.inertial_forces, self.column_names)

    @property
    def difference(self) -> pd.DataFrame:
        """The change by sliding muscles: inertial - lumped."""
        return self._table(self.inertial_forces - self.lumped_forces, self.column_names)

    @property
    def parts_of_sliding(self) -> pd.DataFrame:
        """Parts of inertial - lumped without swinging: index time [s], columns (part, OpenSim's name).

        ``armature`` is the force of the muscles' length rates alone, as of a tendon armature. ``coupling`` and
        ``velocity`` are the other forces of accelerations and velocities. ``gravity`` is the last of the four parts,
        which add up (docs/theory/sliding.md).
        """
        if self.sliding_parts is None:
            raise OptionError("sliding_parts", None, "a result of inverse_dynamics")
        return self._beside(dict(zip(PARTS, self.sliding_parts, strict=True)))

    def to_dataframe(self) -> pd.DataFrame:
        """Return both answers side by side; columns (kind, OpenSim's name)."""
        return self._beside({"lumped": self.lumped_forces, "inertial": self.inertial_forces})

    def _beside(self, forces: Mapping[str, Array]) -> pd.DataFrame:
        import pandas as pd

        return pd.concat({name: self._table(each, self.column_names) for name, each in forces.items()}, axis=1)

    def variables(self) -> dict[str, Variable]:
        """Return the answers, bands around inertial - lumped, muscles' parts and swings."""
        time = {"time": self.times}
        dims = time | {"coordinate": list(self.coordinate_names)}
        found: dict[str, Variable] = {
            "lumped": (dims, self.lumped_forces, ""),
            "inertial": (dims, self.inertial_forces, ""),
            "answered": (time, self.answered, "1"),
            "doubtful": (dims, self.doubtful, "1"),
        }
        if self.uncertainty:
            found["difference_lower"] = (dims, lambda: self._difference_bands[0], "")
            found["difference_upper"] = (dims, lambda: self._difference_bands[1], "")
        if self.parts is not None:
            found["per_muscle"] = ({"muscle": list(self.muscles), **dims}, lambda: self.per_muscle, "")
        if (wobble := self.wobble) is not None:
            found["wobble"] = (dims, wobble.forces, "")
            if wobble.lower is not None and wobble.upper is not None:
                found["wobble_lower"] = (dims, wobble.forces + wobble.lower, "")
                found["wobble_upper"] = (dims, wobble.forces + wobble.upper, "")
            axes = {"swinging": list(wobble.names), **time, "axis": list("xyz")}
            found["displacement"] = (axes, wobble.displacements.swapaxes(0, 1), "m")
        return found

    @cached_property
    def _difference_bands(self) -> Array:
        ends = np.full((2, *self.lumped_forces.shape), np.nan)
        for i in self.independent:
            ends[..., i] = self.difference_band(self.coordinate_names[i])
        return ends

    @property
    def per_muscle(self) -> Array:
        """Each muscle's part of inertial - lumped, (muscles, T, nu) [N m or N], without masses on springs.

        Raises:
            OptionError: the parts of single muscles were not kept.
        """
        return self._muscle_parts.total.swapaxes(0, 1)

    def muscle_table(self, coordinate: str) -> pd.DataFrame:
        """Return each muscle's part of one coordinate's force: index time [s], a column per muscle.

        The last column, ``masses on springs``, is the part of other swinging masses. The columns sum to inertial -
        lumped. Forces on coordinates that follow this one by a coupler are included.

        Raises:
            UnknownNameError: there is no such coordinate. OptionError: it follows another one, or the parts were not
                kept.
        """
        table = self._of_muscles(coordinate)
        return self._table(table.values, table.labels)

    def _of_muscles(self, coordinate: str) -> Table:
        i = self._index(coordinate)
        values = parts_at(self._muscle_parts.at, self.couplings, np.arange(len(self.times)), i).T
        if (of_masses := self._muscle_parts.of_masses) is None or not of_masses.any():
            return Table(self.times, self.muscles, values)
        values = np.column_stack([values, self.folded(of_masses)[:, i]])
        return Table(self.times, (*self.muscles, "masses on springs"), values)

    def wobble_table(self, coordinate: str) -> pd.DataFrame:
        """Return the part of one coordinate's force that swinging adds: index time [s]; columns wobble, lower, upper.

        Lower and upper are the ends over the options' frequencies and dampings; without a band they equal wobble.
        Forces on coordinates that follow this one by a coupler are included.

        Raises:
            UnknownNameError: there is no such coordinate. OptionError: it follows another one, or nothing swings.
        """
        if (wobble := self.wobble) is None:
            raise OptionError("wobble", False, "a result in whose computation something swings")
        i = self._index(coordinate)
        added = self.folded(wobble.forces)[:, i]
        low, high = (added if x is None else added + self.folded(x)[:, i] for x in (wobble.lower, wobble.upper))
        return self._table(np.stack([added, low, high], axis=1), ["wobble", "lower", "upper"])

    def band(self, coordinate: str) -> pd.DataFrame:
        """Return the band around one coordinate's inertial force: index time [s]; columns inertial, lower, upper.

        Coordinates that follow this one by a coupler are folded into it.

        Raises:
            UnknownNameError: there is no such coordinate. OptionError: it follows another one, or there is no band.
        """
        i = self._index(coordinate)
        lumped, inertial = (self.folded(forces)[:, i] for forces in (self.lumped_forces, self.inertial_forces))
        lower, upper = self.difference_band(coordinate)
        values = np.stack([inertial, lumped + lower, lumped + upper], axis=1)
        return self._table(values, ["inertial", "lower", "upper"])

    def difference_band(self, coordinate: str, rows: NDArray[np.intp] | None = None) -> tuple[Array, Array]:
        """Return the lower and upper end of the band around inertial - lumped; otherwise as :meth:`band`.

        Args:
            coordinate: its name.
            rows: numbers (R,) of the rows at which it is computed, from 0; default: all T.
        """
        rows = np.arange(len(self.times)) if rows is None else rows
        answered = self.answered[rows]
        lower, upper = np.full((2, len(rows)), np.nan)
        lower[answered], upper[answered] = self._band(rows[answered], self._index(coordinate))
        return lower, upper

    def band_at(self, rows: NDArray[np.intp]) -> tuple[Array, Array]:
        """Return ends (nu,) of the band around inertial - lumped, each coordinate at a row of its own, folded."""
        return self._band(rows, np.arange(len(self.coordinate_names)))

    def _band(self, rows: NDArray[np.intp], columns: Any) -> tuple[Array, Array]:
        if self.uncertainty is None:
            raise OptionError("band", False, "a result that was computed with a band")
        parts = difference_parts(self._muscle_parts, self.band_parts, self.couplings, rows, columns)
        lower, upper = band(parts, self.uncertainty, self.bellies)
        if (of_masses := self._muscle_parts.of_masses) is not None:
            lower, upper = (x + self.folded(of_masses)[rows, columns] for x in (lower, upper))
        if self.wobble is not None and self.wobble.lower is not None and self.wobble.upper is not None:
            lower = lower + self.folded(self.wobble.lower)[rows, columns]
            upper = upper + self.folded(self.wobble.upper)[rows, columns]
        return lower, upper

    def difference_parts(self, coordinate: str) -> DifferenceParts:
        """Return parts of a coordinate's inertial - lumped for any masses and bellies, at rows with an answer.

        Raises:
            UnknownNameError, OptionError: as :meth:`muscle_table`.
        """
        rows, column = np.flatnonzero(self.answered), self._index(coordinate)
        return difference_parts(self._muscle_parts, self.band_parts, self.couplings, rows, column)

    @property
    def independent(self) -> list[int]:
        """The coordinates that follow no other one by a coupler, joints before those that move the whole model."""
        followers = {c.dependent for c in self.couplings}
        on_base = self.on_base or (False,) * len(self.coordinate_names)
        return sorted((i for i in range(len(self.coordinate_names)) if i not in followers), key=lambda i: on_base[i])

    def folded(self, forces: Array) -> Array:
        """Return forces (..., T, nu) projected onto independent coordinates; coupled ones get 0."""
        return fold(forces, self.couplings)

    def folded_answers(self, rows: Any = slice(None), doubtful: float | None = None) -> tuple[Array, Array]:
        """Return lumped and inertial forces at some rows, folded; a number in place of doubtful ones, if given."""
        lumped, inertial = (self.folded(forces)[rows] for forces in (self.lumped_forces, self.inertial_forces))
        if doubtful is not None and self.doubtful.any():
            lumped, inertial = (np.where(self.doubtful[rows], doubtful, each) for each in (lumped, inertial))
        return lumped, inertial

    @property
    def peak_rows(self) -> NDArray[np.intp]:
        """The rows (nu,) at which the lumped forces, folded, are largest, those that are doubtful aside."""
        rows = np.flatnonzero(self.answered)
        sizes = np.abs(self.folded_answers(rows)[0])
        return np.asarray(rows[np.where(self.doubtful[rows], -1.0, sizes).argmax(axis=0)])

    def summary(self) -> pd.DataFrame:
        """Return signed changes by muscle inertia, one row per coordinate; see :func:`~.summary.summarise`.

        Joints come before coordinates that move the whole model. Coordinates that follow one by a coupler are folded
        into it. Printed, the table is the one of ``opensim-inertia id``; it has all columns for computing.
        """
        return printed(self.summary_rows, partial(summary_as_text, missing=self.missing))

    def summary_text(self) -> str:
        """Return the summary as ``opensim-inertia id`` prints it."""
        return summary_as_text(self.summary_rows, self.missing).text()

    @cached_property
    def summary_rows(self) -> list[dict[str, Any]]:
        """The rows of :meth:`summary`."""
        ends = None if self.uncertainty is None else self.band_at(self.peak_rows)
        answers = self.folded_answers(self.answered)
        wobble = None if self.wobble is None else self.folded(self.wobble.forces)[self.answered]
        parts = None if self.sliding_parts is None else self.folded(self.sliding_parts)[:, self.answered]
        about = self.times[self.answered], self.coordinate_names, self.rotational, self.independent
        return summarise(*about, *answers, ends, wobble, parts, self.doubtful[self.answered])

    def residuals(self) -> pd.DataFrame:
        """Return residual forces and moments on the base against thresholds of Hicks et al. (2015).

        They are what neither muscles nor measured loads exert on a free base such as a pelvis: in ground, one row for
        each place of muscle mass ("lumped", "inertial") and component ("force x", "force" for the size, ...). Shares
        and thresholds are of the largest net external force, for moments times the height of the centre of mass; the
        verdict is that of the peak. Empty where no external loads act, or not one free body carries the model.
        """
        return residual_table(self.residual_rows())

    def residual_rows(self) -> dict[tuple[str, str], dict[str, Any]]:
        """Return the rows of :meth:`residuals` by mass and component."""
        rows = self.answered
        answers = {"lumped": self.lumped_forces, "inertial": self.inertial_forces}
        forces = {kind: np.where(self.doubtful[rows], np.nan, each[rows]) for kind, each in answers.items()}
        return residual_rows(self.base, self.times[rows], forces)

    def to_sto(self, path: str | os.PathLike[str], kind: Kind = "inertial") -> None:
        """Write one of the answers ("inertial", "lumped") as OpenSim's tool would.

        Raises:
            OutputError: the file cannot be written; nothing is left behind.
        """
        forces = getattr(self, f"{check_choice('kind', kind, KINDS)}_forces")
        self._to_sto(Table(self.times, self.column_names, forces), path, TITLE, kind)

    def muscles_to_sto(self, path: str | os.PathLike[str], coordinate: str) -> None:
        """Write what each muscle adds to one coordinate's force, see :meth:`muscle_table`."""
        self._to_sto(self._of_muscles(coordinate), path, f"{coordinate} inertial - lumped by muscle", "inertial")

    def files(self) -> dict[str, File]:
        """Return both answers, the wobble and the summary."""
        forces, found = {"lumped": self.lumped_forces, "inertial": self.inertial_forces}, dict[str, File]()
        forces |= {} if self.wobble is None else {"wobble": self.wobble.forces}
        for kind, values in forces.items():
            title = TITLE_OF_WOBBLE if kind == "wobble" else TITLE
            found[kind] = f"{kind}.sto", Table(self.times, self.column_names, values), title, self._file_notes(kind)
        if self.wobble is not None:
            found["swings"] = ("wobble.csv", self.wobble.table, "", {})
        return found | {"summary": ("summary.csv", self.summary_rows, "", {})}

    def _to_sto(self, table: Table, path: str | os.PathLike[str], title: str, kind: str) -> None:
        write_table(table, path, in_degrees=False, name=title, notes=self._file_notes(kind), gaps=True)

    def _file_notes(self, kind: str) -> dict[str, Any]:
        """Return what the header of a ``.sto`` file says."""
        version = self.provenance.get("versions", {}).get("opensim_inertia")
        notes = ({"opensim_inertia": version} if version else {}) | {"muscle_mass": kind}
        options = stated_options(self.provenance)
        return notes | {f"option_{key.replace(' ', '_')}": value for key, value in options.items()}

    @property
    def bellies(self) -> Bellies | None:
        """The bellies whose places the band covers; None for no band."""
        return None if self.band_parts is None else self.band_parts.bellies

    @property
    def _muscle_parts(self) -> MuscleParts:
        if self.parts is None:
            raise OptionError("per_muscle", False, "a result that kept the parts of single muscles")
        return self.parts

    def most_changed(self, most: int) -> list[str]:
        """Return coordinates that readers look for first, and then those that muscle inertia changes most."""
        lumped, inertial = self.folded_answers(self.answered, 0.0)
        on_base = self.on_base or (False,) * len(self.coordinate_names)
        return most_changed(self.coordinate_names, self.rotational, on_base, self.independent, lumped, inertial, most)

    def _index(self, coordinate: str) -> int:
        return check_coordinate(coordinate, self.coordinate_names, self.couplings)
