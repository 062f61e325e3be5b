"""The result of inverse dynamics: tables, files, a summary and a picture."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ..errors import check_choice
from ..files import write_table

Array = NDArray[np.float64]

KINDS = ("lumped", "moved", "inertial")


@dataclass(frozen=True)
class InverseDynamicsResult:
    """Generalized forces of a motion with muscle mass lumped, moved, and sliding (see :func:`inverse_dynamics`).

    Attributes:
        times: (T,) [s].
        coordinate_names: the nu coordinates, labels of the arrays' columns.
        rotational: per coordinate, whether its force is a moment.
        lumped_forces, moved_forces, inertial_forces: (T, nu) [N m or N].
        missing: coordinates that the motion lacks; they rested at their default value.
    """

    times: Array
    coordinate_names: tuple[str, ...]
    rotational: tuple[bool, ...]
    lumped_forces: Array
    moved_forces: Array
    inertial_forces: Array
    missing: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for array in (self.times, self.lumped_forces, self.moved_forces, self.inertial_forces):
            array.setflags(write=False)

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

    def summary(self) -> pd.DataFrame:
        """One row per coordinate: peak and RMS of both answers, and their difference.

        ``difference`` is the largest absolute difference inertial - lumped over the motion, ``moved`` and ``sliding``
        the largest of its two parts, in the coordinate's unit and, with ``[%]``, relative to the lumped peak.
        """
        lumped, moved, inertial = self.lumped_forces, self.moved_forces, self.inertial_forces
        peak = np.abs(lumped).max(axis=0)
        table = pd.DataFrame(
            {
                "unit": ["N m" if r else "N" for r in self.rotational],
                "lumped peak": peak,
                "inertial peak": np.abs(inertial).max(axis=0),
                "lumped RMS": _rms(lumped),
                "inertial RMS": _rms(inertial),
                "difference RMS": _rms(inertial - lumped),
                "difference": np.abs(inertial - lumped).max(axis=0),
                "moved": np.abs(moved - lumped).max(axis=0),
                "sliding": np.abs(inertial - moved).max(axis=0),
            },
            index=pd.Index(self.coordinate_names, name="coordinate"),
        )
        percent = 100 / np.where(peak > 0, peak, np.nan)
        for name in ("difference", "moved", "sliding"):
            table[f"{name} [%]"] = table[name] * percent
        table["peak change [%]"] = (table["inertial peak"] - table["lumped peak"]) * percent
        return table

    def to_sto(self, path: str | os.PathLike[str], kind: str = "inertial") -> None:
        """Write one of the answers ("inertial", "lumped", "moved") as OpenSim's tool would.

        Raises:
            OutputError: the file cannot be written; nothing is left behind.
        """
        check_choice("kind", kind, KINDS)
        write_table(getattr(self, kind), path, in_degrees=False, name="Inverse Dynamics Generalized Forces")

    def plot(self, path: str | os.PathLike[str] | None = None, coordinates: list[str] | None = None, most: int = 6):  # type: ignore[no-untyped-def]
        """Draw lumped, moved and inertial forces; the ``most`` coordinates that change most, or ``coordinates``.

        Args:
            path: file to write (its suffix chooses the format); None to return the figure only.

        Returns:
            the matplotlib figure.
        """
        from .plot import plot_result

        return plot_result(self, path, coordinates, most)

    def save(self, folder: str | os.PathLike[str], prefix: str = "") -> dict[str, Path]:
        """Write the ``.sto`` of every answer, the summary as ``.csv`` and the plot as ``.png``; return their paths."""
        from ..files import writing

        folder = Path(folder)
        paths = {kind: folder / f"{prefix}{kind}.sto" for kind in KINDS}
        for kind, path in paths.items():
            self.to_sto(path, kind)
        paths["summary"] = folder / f"{prefix}summary.csv"
        with writing(paths["summary"]) as temporary:
            self.summary().to_csv(temporary)
        paths["plot"] = folder / f"{prefix}plot.png"
        self.plot(paths["plot"])
        return paths

    def _frame(self, values: Array) -> pd.DataFrame:
        return pd.DataFrame(values, index=pd.Index(self.times, name="time"), columns=list(self.column_names), copy=True)


def _rms(values: Array) -> Array:
    return np.asarray(np.sqrt((values**2).mean(axis=0)))
