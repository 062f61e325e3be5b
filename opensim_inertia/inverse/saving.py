"""The files beside the tables of forces: summary, masses, and what tells how a result was made."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from ..files import writing
from ..masses import write_masses
from ..provenance import options_told, run_record

__all__ = ["header_notes", "write_beside"]


def write_beside(folder: Path, prefix: str, summary: pd.DataFrame, made: Mapping[str, Any]) -> dict[str, Path]:
    """Write the summary and the masses (``.csv``) and the provenance (``.json``).

    Args:
        folder: where.
        prefix: of the files' names.
        summary: that of the result.
        made: the provenance; without a mass table there is no file of masses.

    Returns:
        paths by what they hold.

    Raises:
        OutputError: a file cannot be written.
    """
    paths = {"summary": folder / f"{prefix}summary.csv"}
    with writing(paths["summary"]) as temporary:
        summary.to_csv(temporary)
    if "masses" in made:
        paths["masses"] = folder / f"{prefix}masses.csv"
        write_masses(made["masses"], paths["masses"])
    paths["run"] = folder / f"{prefix}run.json"
    with writing(paths["run"]) as temporary:
        temporary.write_text(run_record(made), encoding="utf-8")
    return paths


def header_notes(made: Mapping[str, Any], kind: str) -> dict[str, Any]:
    """Return the assumptions for the header of a ``.sto`` file.

    Args:
        made: the provenance; may be empty.
        kind: where muscle mass is.
    """
    version = made.get("versions", {}).get("opensim_inertia")
    notes = {"opensim_inertia": version} if version else {}
    notes |= {"muscle_mass": kind}
    return notes | {f"option_{key.replace(' ', '_')}": value for key, value in options_told(made).items()}
