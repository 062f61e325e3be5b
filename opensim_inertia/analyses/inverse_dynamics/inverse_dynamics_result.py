"""Results of inverse dynamics, as arrays, tables and files."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ..._core.arrays import Array, large_zeros, release
from ..._core.choices import PREFIXES
from ..._core.errors import MotionError, OptionError
from ..._core.provenance import stated_options
from ...files.tables import Table, write_table
from ...opensim_model.reading.coordinates import Coupling
from ...opensim_model.setups.loads import cycles_of, gait_cycles
from ...options.recording import Uncertainty
from ..result import DIVIDED, File, MotionResult, Variable, printed
from .band import BandParts, Bellies, DifferenceParts, MuscleParts, band, parts_at
from .residuals import BaseRecord, residual_rows, residual_table
from .summary import PARTS, check_coordinate, fold, largest_change, most_changed, summarise, summary_as_text

if TYPE_CHECKING:
    import pandas as pd

    from .wobble import WobbleRecord

#: Titles in the headers of files; the first is OpenSim's own.
TITLE, TITLE_OF_WOBBLE = "Inverse Dynamics Generalized Forces", "Generalized Forces of Wobble"
#: Number of rows whose bands are computed at once.
FRAMES = 4096
#: Suffixes of curves' names.
CURVES = ("lumped", "inertial", "difference", "difference_lower", "difference_upper")


@dataclass(frozen=True, eq=False, repr=False)
class InverseDynamicsResult(MotionResult):
    """Generalized forces of a motion, with lumped and with sliding muscle mass (see :func:`inverse_dynamics`).

    Attributes:
        lumped_forces, inertial_forces: (T, nu) [N m or N].
        called_moments: per coordinate, whether OpenSim's tool calls its force a moment, whatever it is; empty: as
            ``rotational``.
        base: motion and loads of a free base, for :meth:`residuals`; None where there is none.
        missing: coordinates that the motion lacks; they rested at their default value.
        on_base: per coordinate, whether it moves the whole model in ground.
        couplings: coordinates that follow others by couplers.
        muscles: names of the muscles with mass; empty where their parts were not kept.
        parts: each muscle's change; None where they were not kept.
        sliding_parts: parts of inertial - lumped, (4, T, nu), see :attr:`parts_of_sliding`; None where unknown.
        band_parts: further data of the band; None for no band.
        uncertainty: covered by the band; None for no band.
        doubtful: (T, nu), which forces jumps of the recording or of OpenSim's own paths change, or no body makes; peaks
            and means leave them out.
        wobble: its part of the inertial forces, and how far masses move; None where nothing wobbles.
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
        """Return the model, the motion, its time steps and the uncertainty band's level as text."""
        level = "none" if self.uncertainty is None else f"{100 * self.uncertainty.level:g} %"
        return {**super().description(), "band": level}

    @property
    def column_names(self) -> tuple[str, ...]:
        """Names of forces in files: ``<coordinate>_moment`` or ``<coordinate>_force``, as OpenSim's tool names them.

        OpenSim goes by the coordinate's motion type. If this is "coupled", the name may differ from the unit in
        :attr:`units`.
        """
        is_moment = self.called_moments or self.rotational
        return tuple(f"{n}_{'moment' if c else 'force'}" for n, c in zip(self.coordinate_names, is_moment, strict=True))

    @property
    def lumped(self) -> pd.DataFrame:
        """Generalized forces with lumped mass: index time [s], a column per coordinate."""
        return self._table(self.lumped_forces, self.coordinate_names)

    @property
    def inertial(self) -> pd.DataFrame:
        """Generalized forces with muscle mass that slides along the paths."""
        return self._table(self.inertial_forces, self.coordinate_names)

    @property
    def difference(self) -> pd.DataFrame:
        """Changes of generalized forces by muscle inertia: inertial - lumped."""
        return self._table(self.inertial_forces - self.lumped_forces, self.coordinate_names)

    @property
    def parts_of_sliding(self) -> pd.DataFrame:
        """Four parts of inertial - lumped: armature, coupling, velocity and gravity; columns (part, coordinate).

        Without wobble, the four parts add up to the difference (docs/theory/sliding.md). ``armature`` is the force of
        the muscles' length rates alone, as of a tendon armature. ``coupling`` and ``velocity`` are the other forces of
        accelerations and velocities. The fourth is ``gravity``.
        """
        if self.sliding_parts is None:
            raise OptionError("sliding_parts", None, "a result of inverse_dynamics")
        import pandas as pd

        tables = [self._table(part, self.coordinate_names) for part in self.sliding_parts]
        return pd.concat(dict(zip(PARTS, tables, strict=True)), axis=1)

    def curves(self) -> pd.DataFrame:
        """Return lumped, inertial and difference curves in one table, index time [s]; doubtful forces are NaN.

        The columns ``percent_r`` and ``percent_l`` are per cent of the gait cycle, for sides with whole cycles; NaN
        outside the cycles. Each independent coordinate has ``<coordinate>_lumped``, ``_inertial``, ``_difference``, and
        with a band around the difference, ``_difference_lower`` and ``_difference_upper`` [N m or N]. Forces on coupled
        coordinates are projected onto independent ones.
        """
        table = self._curves()
        return self._table(table.values, table.labels)

    def _curves(self) -> Table:
        bands = () if self.uncertainty is None else self._difference_bands
        lumped, inertial = self.folded_answers(doubtful=np.nan)
        curves = dict(zip(CURVES, (lumped, inertial, inertial - lumped, *bands), strict=False))
        labels = [f"percent_{side}" for side in self._gait_cycles]
        labels += [f"{self.coordinate_names[i]}_{curve}" for i in self.independent for curve in curves]
        values, first = np.full((len(self.times), len(labels)), np.nan), len(self._gait_cycles)
        for percent, cycles in zip(values.T, self._gait_cycles.values(), strict=False):
            for start, end in cycles:
                within = (self.times >= start) & (self.times <= end)
                percent[within] = 100.0 * (self.times[within] - start) / (end - start)
        for k, curve in enumerate(curves.values(), start=first):
            np.copyto(
                values[:, k :: len(curves)], curve[:, self.independent], where=~self.doubtful[:, self.independent]
            )
        return Table(self.times, tuple(labels), values)

    def cycles(self, points: int = 101) -> pd.DataFrame:
        """Return mean curves over gait cycles, see :meth:`curves`; the index is per cent of the cycle.

        Standard deviations between cycles are in columns ending with ``_sd``. A coordinate is averaged over the cycles
        of its side; without a side, over the right cycles, or the left ones if there are no right ones. The band is the
        mean of the bands.

        Args:
            points: number of evenly spaced points of the cycle.

        Raises:
            MotionError: the motion has no whole gait cycle.
        """
        import pandas as pd

        if not self._gait_cycles:
            raise MotionError("the motion has no gait cycle: expected two contacts of one foot at least")
        found: dict[str, Array] = {}
        curves, places = self.curves(), np.linspace(0.0, 100.0, points)
        for i in self.independent:
            names = [n for n in (f"{self.coordinate_names[i]}_{curve}" for curve in CURVES) if n in curves]
            times = [start + (end - start) * places / 100.0 for start, end in self.cycles_of(self.coordinate_names[i])]
            values = [[np.interp(each, self.times, curves[name]) for name in names] for each in times]
            known = np.ma.masked_invalid(values)
            found |= dict(zip(names, known.mean(axis=0).filled(np.nan), strict=True))
            deviations = known.std(axis=0, ddof=1).filled(np.nan)
            found |= {f"{name}_sd": each for name, each in zip(names[:3], deviations, strict=False)}
        return pd.DataFrame(found, index=pd.Index(places, name="percent"))

    def cycles_of(self, coordinate: str) -> Sequence[tuple[float, float]]:
        """Return the first and last time [s] of each gait cycle over which :meth:`cycles` averages a coordinate."""
        return cycles_of(coordinate, self._gait_cycles)

    @cached_property
    def _gait_cycles(self) -> dict[str, Sequence[tuple[float, float]]]:
        times = self.times[self.answered]
        return gait_cycles(self.provenance.get("gait events", ()), (times[0], times[-1])) if len(times) else {}

    def per_kg(self) -> InverseDynamicsResult:
        """Return a copy with forces divided by the model's mass, muscles included [N m/kg or N/kg].

        Raises:
            OptionError: the mass is not in the provenance, or forces are already divided.
        """
        if (mass := self.provenance.get("mass of the model [kg]")) is None:
            raise OptionError("per_kg", None, "a result of inverse_dynamics")

        def divided(values: Array | None) -> Any:
            return None if values is None else np.divide(values, mass, out=large_zeros(values.shape))

        def fields_divided(of: Any, *names: str) -> Any:
            return None if of is None else replace(of, **{name: divided(getattr(of, name)) for name in names})

        facts = {key: value for key, value in self.provenance.items() if key != "mass of the model [kg]"}
        return replace(
            fields_divided(self, "lumped_forces", "inertial_forces", "sliding_parts"),
            parts=fields_divided(self.parts, "own", "of_masses", "of_wobble"),
            band_parts=fields_divided(self.band_parts, "own"),
            wobble=fields_divided(self.wobble, "forces", "lower", "upper", "of_masses"),
            provenance=facts | {DIVIDED: mass},
        )

    def variables(self) -> dict[str, Variable]:
        """Return named arrays: forces, bands of their difference, muscles' contributions to the difference, wobble."""
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
        """Lower and upper ends of the band around the force difference inertial - lumped, (2, T, nu)."""
        ends, answered = np.full((2, *self.lumped_forces.shape), np.nan), np.flatnonzero(self.answered)
        for start in range(0, len(answered), FRAMES):
            rows = answered[start : start + FRAMES]
            for i in self.independent:
                ends[:, rows, i] = self._band(rows, i)
            release(self._muscle_parts.own)
        ends.setflags(write=False)
        return ends

    @property
    def per_muscle(self) -> Array:
        """Each muscle's part (muscles, T, nu) [N m or N] of inertial - lumped; masses on springs are excluded.

        Raises:
            OptionError: parts of single muscles were not kept.
        """
        return self._muscle_parts.total.swapaxes(0, 1)

    def muscle_table(self, coordinate: str) -> pd.DataFrame:
        """Return each muscle's part of a coordinate's inertial - lumped force: index time [s], one column per muscle.

        The last column, ``masses on springs``, is the part of other wobbling masses. The columns sum to inertial -
        lumped. Forces on coordinates coupled to this one are included.

        Raises:
            UnknownNameError: no coordinate has this name. OptionError: the coordinate is coupled to another one, or
                parts were not kept.
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
        """Return the part of one coordinate's force that wobble adds: index time [s]; columns wobble, lower, upper.

        Lower and upper are the bounds over the options' frequencies and dampings; without a band they equal wobble.
        Forces on coordinates coupled to this one are included.

        Raises:
            UnknownNameError: no coordinate has this name. OptionError: the coordinate is coupled to another one, or
                nothing wobbles.
        """
        if (wobble := self.wobble) is None:
            raise OptionError("wobble", False, "a result in whose computation something wobbles")
        i = self._index(coordinate)
        added = self.folded(wobble.forces)[:, i]
        low, high = (added if x is None else added + self.folded(x)[:, i] for x in (wobble.lower, wobble.upper))
        return self._table(np.stack([added, low, high], axis=1), ["wobble", "lower", "upper"])

    def difference_band(self, coordinate: str, rows: NDArray[np.intp] | None = None) -> tuple[Array, Array]:
        """Return lower and upper ends (R,) of the band around a coordinate's inertial - lumped force [N m or N].

        Forces on coordinates coupled to this one are included.

        Args:
            coordinate: its name.
            rows: indices (R,) of rows; default: all T.

        Raises:
            UnknownNameError: no coordinate has this name. OptionError: the coordinate is coupled to another one, or
                there is no band.
        """
        i, at = self._index(coordinate), np.arange(len(self.times)) if rows is None else rows
        if "_difference_bands" in vars(self):
            lower, upper = self._difference_bands[:, at, i]
            return lower, upper
        answered, (lower, upper) = self.answered[at], np.full((2, len(at)), np.nan)
        lower[answered], upper[answered] = self._band(at[answered], i)
        return lower, upper

    def _band(self, rows: NDArray[np.intp], columns: Any) -> tuple[Array, Array]:
        """Return the lower and upper end (n,) of the band around inertial - lumped at rows and columns (n,)."""
        if self.uncertainty is None:
            raise OptionError("band", False, "a result that was computed with a band")
        lower, upper = band(self._parts_at(rows, columns), self.uncertainty, self.bellies)
        if (of_masses := self._muscle_parts.of_masses) is not None:
            lower, upper = (x + self.folded(of_masses)[rows, columns] for x in (lower, upper))
        if self.wobble is not None and self.wobble.lower is not None and self.wobble.upper is not None:
            lower = lower + self.folded(self.wobble.lower)[rows, columns]
            upper = upper + self.folded(self.wobble.upper)[rows, columns]
        return lower, upper

    def difference_parts(self, coordinate: str) -> DifferenceParts:
        """Return muscles' contributions to a coordinate's inertial - lumped force, for the computation of bands.

        Raises:
            UnknownNameError, OptionError: see :meth:`muscle_table`.
        """
        rows, column = np.flatnonzero(self.answered), self._index(coordinate)
        return self._parts_at(rows, column)

    def _parts_at(self, rows: NDArray[np.intp], columns: Any) -> DifferenceParts:
        muscles = parts_at(self._muscle_parts.at, self.couplings, rows, columns)
        strands = self.band_parts if muscles.any() else None  # see band
        return DifferenceParts(muscles, None if strands is None else strands.at(self.couplings, rows, columns))

    @property
    def independent(self) -> list[int]:
        """Indices of independent coordinates; coordinates that move the whole model come last."""
        followers = {c.dependent for c in self.couplings}
        on_base = self.on_base or (False,) * len(self.coordinate_names)
        return sorted((i for i in range(len(self.coordinate_names)) if i not in followers), key=lambda i: on_base[i])

    def folded(self, forces: Array) -> Array:
        """Return forces (..., T, nu) projected onto independent coordinates; coupled coordinates get 0."""
        return fold(forces, self.couplings)

    def folded_answers(self, rows: Any = slice(None), doubtful: float | None = None) -> tuple[Array, Array]:
        """Return :meth:`folded` lumped and inertial forces at ``rows``; number ``doubtful`` replaces doubtful ones."""
        lumped, inertial = (self.folded(forces)[rows] for forces in (self.lumped_forces, self.inertial_forces))
        if doubtful is not None and self.doubtful.any():
            lumped, inertial = (np.where(self.doubtful[rows], doubtful, each) for each in (lumped, inertial))
        return lumped, inertial

    @property
    def peak_rows(self) -> NDArray[np.intp]:
        """Row (nu,) of each coordinate's largest lumped force, projected by :meth:`folded`, without doubtful forces."""
        return self._largest_rows(self.lumped_forces)

    def _largest_rows(self, forces: Array) -> NDArray[np.intp]:
        rows = np.flatnonzero(self.answered)
        sizes = np.abs(self.folded(forces)[rows])
        return np.asarray(rows[np.where(self.doubtful[rows], -1.0, sizes).argmax(axis=0)])

    def summary(self) -> pd.DataFrame:
        """Return signed force changes by muscle inertia, one row per coordinate; see :func:`~.summary.summarise`.

        Joints come before coordinates that move the whole model. Forces on coupled coordinates are projected onto
        independent ones. The table has all columns; printed, it looks like that of ``opensim-inertia id --all
        --explain``.
        """
        return printed(self.summary_rows, partial(summary_as_text, **self._about_summary))

    def summary_text(self, everything: bool = False, explain: bool = False) -> str:
        """Return the summary as text, like ``opensim-inertia id`` with ``--all`` (everything) and ``--explain``."""
        return summary_as_text(self.summary_rows, **self._about_summary, everything=everything, explain=explain).text()

    @property
    def largest_change(self) -> str:
        """The largest change of a joint moment by muscle inertia, as a sentence."""
        return largest_change(self.summary_rows, self._about_summary["on_base"], self._about_summary["level"])

    @property
    def _about_summary(self) -> dict[str, Any]:
        on_base = [name for name, is_so in zip(self.coordinate_names, self.on_base, strict=False) if is_so]
        return {"missing": self.missing, "on_base": on_base, "level": (self.uncertainty or Uncertainty()).level}

    @cached_property
    def summary_rows(self) -> list[dict[str, Any]]:
        """Rows of the table of :meth:`summary`, as dictionaries by column."""
        ends = None
        if self.uncertainty is not None:
            largest = self._largest_rows(self.inertial_forces - self.lumped_forces)
            rows, columns = np.concatenate([self.peak_rows, largest]), np.tile(np.arange(len(largest)), 2)
            both = np.split(np.array(self._band(rows, columns)), 2, axis=1)
            ends = dict(zip(("peak", "largest"), both, strict=True))
        answers = self.folded_answers(self.answered)
        wobble = None if self.wobble is None else self.folded(self.wobble.forces)[self.answered]
        parts = None if self.sliding_parts is None else self.folded(self.sliding_parts)[:, self.answered]
        about = self.times[self.answered], self.coordinate_names, self.units, self.independent
        return summarise(*about, *answers, ends, wobble, parts, self.doubtful[self.answered])

    def residuals(self) -> pd.DataFrame:
        """Return residual forces and moments at the base [N, N m], and the thresholds of Hicks et al. (2015).

        Residuals act on a free base such as a pelvis, in ground; neither muscles nor measured loads exert them. There
        is one row per muscle mass ("lumped", "inertial") and component ("force x", ..., "force" for the norm). Shares
        and thresholds of forces refer to the largest net external force, those of moments to this force times the
        height of the centre of mass. The verdict is on the peak. The table is empty without external loads or a single
        free base.
        """
        return residual_table(self.residual_rows())

    def residual_rows(self) -> dict[tuple[str, str], dict[str, Any]]:
        """Return rows of the table :meth:`residuals` by kind of muscle mass ("lumped", "inertial") and component."""
        rows = self.answered
        answers = {"lumped": self.lumped_forces, "inertial": self.inertial_forces}
        mass = self.provenance.get(DIVIDED, 1.0)
        forces = {kind: mass * np.where(self.doubtful[rows], np.nan, each[rows]) for kind, each in answers.items()}
        return residual_rows(self.base, self.times[rows], forces)

    def muscles_to_sto(self, path: str | os.PathLike[str], coordinate: str) -> None:
        """Write :meth:`muscle_table` as a ``.sto`` file."""
        title, notes = f"{coordinate} inertial - lumped by muscle", self._file_notes("inertial")
        write_table(self._of_muscles(coordinate), path, in_degrees=False, name=title, notes=notes, gaps=True)

    def files(self) -> dict[str, File]:
        """Return the files of lumped and inertial forces, curves, wobble and summary."""
        forces, found = {"lumped": self.lumped_forces, "inertial": self.inertial_forces}, dict[str, File]()
        forces |= {} if self.wobble is None else {"wobble": self.wobble.forces}
        for kind, values in forces.items():
            title = TITLE_OF_WOBBLE if kind == "wobble" else TITLE
            found[kind] = f"{kind}.sto", Table(self.times, self.column_names, values), title, self._file_notes(kind)
        summary: File = ("summary.csv", self.summary_rows, "", {})  # before the curves take memory
        curves = self._curves()
        found["curves"] = ("curves.csv", curves, "", {})
        found["curves.sto"] = ("curves.sto", curves, TITLE, self._file_notes("lumped, inertial, difference"))
        if self.wobble is not None:
            found["swings"] = ("wobble.csv", self.wobble.table, "", {})
        return found | {"summary": summary}

    def _file_notes(self, kind: str) -> dict[str, Any]:
        """Return notes for the header of a ``.sto`` file: version, muscle mass ``kind`` and options."""
        version = self.provenance.get("versions", {}).get("opensim_inertia")
        notes = ({"opensim_inertia": version} if version else {}) | {"muscle_mass": kind}
        notes |= {"divided_by_kg": self.provenance[DIVIDED]} if DIVIDED in self.provenance else {}
        options = stated_options(self.provenance)
        return notes | {f"option_{key.replace(' ', '_')}": value for key, value in options.items()}

    @property
    def bellies(self) -> Bellies | None:
        """Muscles with belly positions that vary between draws of the band; None without a band."""
        return None if self.band_parts is None else self.band_parts.bellies

    @property
    def _muscle_parts(self) -> MuscleParts:
        if self.parts is None:
            raise OptionError("per_muscle", False, "a result that kept the parts of single muscles")
        return self.parts

    def most_changed(self, most: int) -> list[str]:
        """Return names of coordinates for plots: main joints first, then coordinates with the largest force changes."""
        lumped, inertial = self.folded_answers(self.answered, 0.0)
        on_base = self.on_base or (False,) * len(self.coordinate_names)
        return most_changed(self.coordinate_names, self.rotational, on_base, self.independent, lumped, inertial, most)

    def _index(self, coordinate: str) -> int:
        return check_coordinate(coordinate, self.coordinate_names, self.couplings)
