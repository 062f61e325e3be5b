"""The result of inverse dynamics: arrays and names, and the tables, files and pictures that they make."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ..arrays import Array
from ..checks import check_choice
from ..errors import OptionError, UnknownNameError
from ..files import write_table, writing
from ..masses import write_masses
from ..pictures import FORMATS
from ..provenance import options_told, plain
from ..reading import Coupling
from .summary import summarise
from .uncertainty import Uncertainty, band

KINDS = ("lumped", "moved", "inertial")


def check_coordinate(name: str, names: Sequence[str], couplings: Sequence[Coupling], where: str = "") -> int:
    """The place of a coordinate among ``names`` on which forces act by themselves.

    Raises:
        UnknownNameError: there is no such coordinate. OptionError: it follows another one, to which its force counts.
    """
    if name not in names:
        raise UnknownNameError("coordinate", name, names, where)
    i = list(names).index(name)
    for coupling in couplings:
        if coupling.dependent == i:
            leading = names[coupling.independent]
            raise OptionError("coordinate", name, f"'{leading}', which it follows by a coupler: forces add up there")
    return i


@dataclass(frozen=True)
class MuscleParts:
    """What single muscles add to generalized forces [N m or N].

    Attributes:
        total: inertial less lumped, (T, muscles, nu).
        excess: what segments have that could not be conserved, no single muscle's, (T, nu).
    """

    total: Array
    excess: Array


@dataclass(frozen=True)
class PlacementVariant:
    """How these change where aponeuroses are of another length; linear between its rows.

    Attributes:
        factor: of the length.
        rows: numbers (R,) of the motion's rows at which it is known, the first and the last among them.
        muscles: numbers (V,) of the muscles that change.
        change: of ``total``, (R, V, nu).
        excess_change: of ``excess``, (R, nu).
    """

    factor: float
    rows: NDArray[np.intp]
    muscles: NDArray[np.intp]
    change: Array
    excess_change: Array

    def at(self, rows: NDArray[np.intp], columns: Any, muscles: int) -> tuple[Array, Array]:
        """Changes at pairs (n,) of a row and a coordinate, (muscles, n) and (n,)."""
        after = np.clip(np.searchsorted(self.rows, rows, side="left"), 1 if len(self.rows) > 1 else 0, None)
        before = np.maximum(after - 1, 0)
        width = np.maximum(self.rows[after] - self.rows[before], 1)
        share = (rows - self.rows[before]) / width
        own = np.zeros((muscles, len(rows)))
        change = (1 - share)[:, None] * self.change[before, :, columns] + share[:, None] * self.change[
            after, :, columns
        ]
        own[self.muscles] = change.T
        rest = (1 - share) * self.excess_change[before, columns] + share * self.excess_change[after, columns]
        return own, rest


@dataclass(frozen=True)
class InverseDynamicsResult:
    """Generalized forces of a motion with muscle mass lumped, moved, and sliding (see :func:`inverse_dynamics`).

    Attributes:
        times: (T,) [s].
        coordinate_names: the nu coordinates, labels of the arrays' columns.
        rotational: per coordinate, whether its force is a moment.
        lumped_forces, moved_forces, inertial_forces: (T, nu) [N m or N].
        missing: coordinates that the motion lacks; they rested at their default value.
        on_base: per coordinate, whether it moves the whole model in ground.
        couplings: coordinates that follow others by couplers.
        muscles: names of the muscles with mass; empty where their parts were not kept.
        parts: what each muscle adds; None where that was not kept.
        variants: how that changes with aponeuroses that are shorter and longer, for the band.
        uncertainty: what the band covers; None for no band.
        provenance: versions, options and inputs, as JSON knows them; "masses" is the mass table.
    """

    times: Array
    coordinate_names: tuple[str, ...]
    rotational: tuple[bool, ...]
    lumped_forces: Array
    moved_forces: Array
    inertial_forces: Array
    missing: tuple[str, ...] = ()
    on_base: tuple[bool, ...] = ()
    couplings: tuple[Coupling, ...] = ()
    muscles: tuple[str, ...] = ()
    parts: MuscleParts | None = None
    variants: tuple[PlacementVariant, ...] = ()
    uncertainty: Uncertainty | None = None
    provenance: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for array in (self.times, self.lumped_forces, self.moved_forces, self.inertial_forces):
            array.setflags(write=False)

    # -- the three answers ---------------------------------------------------------------------------------------

    @property
    def column_names(self) -> tuple[str, ...]:
        """OpenSim's names: ``<coordinate>_moment`` for rotational coordinates, ``<coordinate>_force`` for others."""
        return tuple(
            f"{n}_{'moment' if r else 'force'}" for n, r in zip(self.coordinate_names, self.rotational, strict=True)
        )

    @property
    def lumped(self) -> pd.DataFrame:
        """Generalized forces with lumped mass: index time [s], OpenSim's column names."""
        return self._frame(self.lumped_forces)

    @property
    def moved(self) -> pd.DataFrame:
        """Generalized forces with muscle mass at its place but fixed to the segments."""
        return self._frame(self.moved_forces)

    @property
    def inertial(self) -> pd.DataFrame:
        """Generalized forces with muscle mass that slides along the paths."""
        return self._frame(self.inertial_forces)

    def to_dataframe(self) -> pd.DataFrame:
        """All three side by side; columns (kind, OpenSim's name)."""
        return pd.concat({kind: getattr(self, kind) for kind in KINDS}, axis=1)

    # -- what single muscles make of it --------------------------------------------------------------------------

    @property
    def per_muscle(self) -> Array:
        """What each muscle adds to inertial - lumped, (muscles, T, nu) [N m or N]; their sum is all but ``excess``.

        Raises:
            OptionError: the parts of single muscles were not kept.
        """
        return self._kept.total.swapaxes(0, 1)

    def muscle_table(self, coordinate: str) -> pd.DataFrame:
        """What each muscle adds to one coordinate's force: index time [s], a column per muscle.

        A last column, ``remainders``, is what segments that could not be conserved add; the columns sum to inertial -
        lumped. Coordinates that follow this one by a coupler are folded into it.

        Raises:
            UnknownNameError: there is no such coordinate. OptionError: it follows another one, or the parts were not
                kept.
        """
        i = self._index(coordinate)
        own, rest = self._parts_at(np.arange(len(self.times)), i, None)
        columns = np.vstack([own, rest]).T
        return pd.DataFrame(columns, index=self._time_index(), columns=[*self.muscles, "remainders"])

    def band(self, coordinate: str) -> pd.DataFrame:
        """The band around one coordinate's inertial force: index time [s]; columns inertial, lower, upper.

        Coordinates that follow this one by a coupler are folded into it.

        Raises:
            UnknownNameError: there is no such coordinate. OptionError: it follows another one, or there is no band.
        """
        i = self._index(coordinate)
        lumped, inertial = (self.folded(forces)[:, i] for forces in (self.lumped_forces, self.inertial_forces))
        lower, upper = self.difference_band(coordinate)
        return pd.DataFrame(
            {"inertial": inertial, "lower": lumped + lower, "upper": lumped + upper}, index=self._time_index()
        )

    def difference_band(self, coordinate: str) -> tuple[Array, Array]:
        """Lower and upper end (T,) of the band around inertial - lumped; otherwise as :meth:`band`."""
        i = self._index(coordinate)
        return self._band(np.arange(len(self.times)), i)

    def band_at(self, rows: NDArray[np.intp]) -> tuple[Array, Array]:
        """Ends (nu,) of the band around inertial - lumped, every coordinate at a row of its own (nu,), folded."""
        return self._band(rows, np.arange(len(self.coordinate_names)))

    def _band(self, rows: NDArray[np.intp], columns: Any) -> tuple[Array, Array]:
        if self.uncertainty is None:
            raise OptionError("band", False, "a result that was computed with a band")
        nominal, rest = self._parts_at(rows, columns, None)
        differences, rests = [nominal], [rest]
        for place, variant in zip((0, 2), self.variants, strict=bool(self.variants)):
            change, excess = self._parts_at(rows, columns, variant)
            differences.insert(place, nominal + change)
            rests.insert(place, rest + excess)
        return band(np.stack(differences), np.stack(rests), self.uncertainty)

    def _parts_at(self, rows: NDArray[np.intp], columns: Any, variant: PlacementVariant | None) -> tuple[Array, Array]:
        """Parts of muscles (muscles, n) and of none (n,), or a variant's change of these, at rows of coordinates."""
        kept = self._kept

        def read(at: NDArray[np.intp], of: Any) -> tuple[Array, Array]:
            if variant is None:
                return kept.total[at, :, of].T, kept.excess[at, of]
            return variant.at(at, of, kept.total.shape[1])

        own, rest = read(rows, columns)
        for c in self.couplings:
            mine = np.flatnonzero(np.broadcast_to(columns, rows.shape) == c.independent)
            if len(mine):
                at = rows[mine]
                add_own, add_rest = read(at, c.dependent)
                own, rest = own.copy(), rest.copy()
                own[:, mine] += c.slopes[at] * add_own
                rest[mine] += c.slopes[at] * add_rest
        return own, rest

    # -- tables and files ----------------------------------------------------------------------------------------

    @property
    def independent(self) -> list[int]:
        """Coordinates that follow no other one by a coupler, joints before those that move the whole model."""
        followers = {c.dependent for c in self.couplings}
        on_base = self.on_base or (False,) * len(self.coordinate_names)
        return sorted((i for i in range(len(self.coordinate_names)) if i not in followers), key=lambda i: on_base[i])

    def folded(self, forces: Array) -> Array:
        """Forces (..., T, nu) in which what acts on coordinates that follow others acts on these; followers get 0."""
        if not self.couplings:
            return forces
        forces = forces.copy()
        for coupling in self.couplings:
            forces[..., coupling.independent] += coupling.slopes * forces[..., coupling.dependent]
        forces[..., [c.dependent for c in self.couplings]] = 0.0
        return forces

    @property
    def peak_rows(self) -> NDArray[np.intp]:
        """Rows (nu,) at which the lumped forces, folded, are largest."""
        return np.asarray(np.abs(self.folded(self.lumped_forces)).argmax(axis=0))

    def summary(self) -> pd.DataFrame:
        """One row per coordinate: what muscle inertia changes, signed; see :func:`~.summary.summarise`."""
        return summarise(self)

    def to_sto(self, path: str | os.PathLike[str], kind: str = "inertial") -> None:
        """Write one of the answers ("inertial", "lumped", "moved") as OpenSim's tool would.

        Raises:
            OutputError: the file cannot be written; nothing is left behind.
        """
        check_choice("kind", kind, KINDS)
        name = "Inverse Dynamics Generalized Forces"
        write_table(getattr(self, kind), path, in_degrees=False, name=name, notes=self._notes(kind))

    def muscles_to_sto(self, path: str | os.PathLike[str], coordinate: str) -> None:
        """Write what each muscle adds to one coordinate's force, see :meth:`muscle_table`."""
        name = f"{coordinate} inertial - lumped by muscle"
        write_table(self.muscle_table(coordinate), path, in_degrees=False, name=name, notes=self._notes("inertial"))

    def plot(self, path: str | os.PathLike[str] | None = None, coordinates: list[str] | None = None, most: int = 6):  # type: ignore[no-untyped-def]
        """Draw lumped and inertial forces, and below them their difference with its band.

        Args:
            path: file to write (.png, .svg or .pdf); None to return the figure only.
            coordinates: names; default: the ``most`` that change most, knee and ankle among them, of one side.

        Returns:
            the matplotlib figure.
        """
        from .plot import plot_result

        for name in coordinates or ():
            self._index(name)
        return plot_result(self, path, coordinates, most)

    def plot_muscles(self, coordinate: str, path: str | os.PathLike[str] | None = None, most: int = 8):  # type: ignore[no-untyped-def]
        """Draw which muscles change one coordinate's force, and when: stacked, and as a heat map.

        Args:
            coordinate: name.
            path: file to write (.png, .svg or .pdf); None to return the figure only.
            most: muscles that are shown apart.

        Returns:
            the matplotlib figure.
        """
        from .plot_muscles import plot_muscles

        return plot_muscles(self, coordinate, path, most)

    def save(self, folder: str | os.PathLike[str], prefix: str = "", picture: str = "png") -> dict[str, Path]:
        """Write every answer (``.sto``), summary (``.csv``), picture, masses (``.csv``) and provenance (``.json``).

        Args:
            folder: where.
            prefix: of the files' names.
            picture: "png", "svg" or "pdf".

        Returns:
            paths by what they hold.
        """
        check_choice("picture", picture, FORMATS)
        folder = Path(folder)
        paths = {kind: folder / f"{prefix}{kind}.sto" for kind in KINDS}
        for kind, path in paths.items():
            self.to_sto(path, kind)
        paths["summary"] = folder / f"{prefix}summary.csv"
        with writing(paths["summary"]) as temporary:
            self.summary().to_csv(temporary)
        paths["plot"] = folder / f"{prefix}plot.{picture}"
        self.plot(paths["plot"])
        if "masses" in self.provenance:
            paths["masses"] = folder / f"{prefix}masses.csv"
            write_masses(self.provenance["masses"], paths["masses"])
        paths["run"] = folder / f"{prefix}run.json"
        record = {key: value for key, value in self.provenance.items() if key != "masses"}
        with writing(paths["run"]) as temporary:
            temporary.write_text(json.dumps(plain(record), indent=2, allow_nan=False) + "\n", encoding="utf-8")
        return paths

    def _notes(self, kind: str) -> dict[str, Any]:
        """Assumptions for the header of a ``.sto`` file."""
        made = self.provenance.get("versions", {}).get("opensim_inertia")
        notes = {"opensim_inertia": made} if made else {}
        notes |= {"muscle_mass": kind}
        told = options_told(self.provenance)
        return notes | {f"option_{key.replace(' ', '_')}": value for key, value in told.items()}

    @property
    def _kept(self) -> MuscleParts:
        if self.parts is None:
            raise OptionError("per_muscle", False, "a result that kept the parts of single muscles")
        return self.parts

    def _index(self, coordinate: str) -> int:
        return check_coordinate(coordinate, self.coordinate_names, self.couplings)

    def _time_index(self) -> pd.Index:
        return pd.Index(self.times, name="time")

    def _frame(self, values: Array) -> pd.DataFrame:
        return pd.DataFrame(values, index=self._time_index(), columns=list(self.column_names), copy=True)
