"""The files of a result of inverse dynamics."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

import pandas as pd

from ..._core.choices import KINDS, Kind
from ..._core.provenance import run_record, stated_options
from ...files.atomic import writing
from ...muscles.masses import write_masses

__all__ = ["file_notes", "save_files"]


class _Saved(Protocol):
    """Methods of a result that :func:`save_files` needs."""

    @property
    def provenance(self) -> Mapping[str, Any]: ...

    @property
    def wobble(self) -> Any: ...

    def to_sto(self, path: Path, kind: Kind = ...) -> None: ...

    def wobble_to_sto(self, path: Path) -> None: ...

    def summary(self) -> pd.DataFrame: ...

    def plot(self, path: Path | None = ..., coordinates: Sequence[str] | None = ...) -> Any: ...


def file_notes(provenance: Mapping[str, Any], kind: str) -> dict[str, Any]:
    """Return the assumptions for the header of a ``.sto`` file of one kind of answer."""
    version = provenance.get("versions", {}).get("opensim_inertia")
    notes = ({"opensim_inertia": version} if version else {}) | {"muscle_mass": kind}
    options = stated_options(provenance)
    return notes | {f"option_{key.replace(' ', '_')}": value for key, value in options.items()}


def save_files(
    result: _Saved, folder: Path, prefix: str, picture: str | None, coordinates: Sequence[str] | None
) -> dict[str, Path]:
    """Write all files of a result, and return their paths by content.

    Args:
        result: what is written.
        folder: where.
        prefix: of the files' names.
        picture: "png", "svg" or "pdf"; None for no picture.
        coordinates: those that the picture shows; None for the usual ones.
    """
    paths: dict[str, Path] = {kind: folder / f"{prefix}{kind}.sto" for kind in KINDS}
    for kind in KINDS:
        result.to_sto(paths[kind], kind)
    if result.wobble is not None:
        paths["wobble"], paths["swings"] = folder / f"{prefix}wobble.sto", folder / f"{prefix}wobble.csv"
        result.wobble_to_sto(paths["wobble"])
        with writing(paths["swings"]) as temporary:
            result.wobble.table.to_csv(temporary)
    paths["summary"] = folder / f"{prefix}summary.csv"
    with writing(paths["summary"]) as temporary:
        result.summary().to_csv(temporary)
    if picture is not None:
        paths["plot"] = folder / f"{prefix}plot.{picture}"
        result.plot(paths["plot"], coordinates)
    if "masses" in result.provenance:
        paths["masses"] = folder / f"{prefix}masses.csv"
        write_masses(result.provenance["masses"], paths["masses"])
    paths["run"] = folder / f"{prefix}run.json"
    with writing(paths["run"]) as temporary:
        temporary.write_text(run_record(result.provenance), encoding="utf-8")
    return paths
