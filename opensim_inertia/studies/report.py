"""The page about one task: what was assumed, what muscle inertia changes, and the picture of a single run."""

from __future__ import annotations

import json
from pathlib import Path

from .._core.provenance import plain
from ..analyses.inverse_dynamics import InverseDynamicsResult
from ..analyses.recruitment import RecruitmentResult
from ..reports import Code, Picture, Section, table_of, write_document_page

__all__ = ["write_report"]


def write_report(path: Path, result: InverseDynamicsResult | RecruitmentResult) -> None:
    """Write a page about a result, and its picture beside it; the page last."""
    from ..plotting import plot

    picture = path.with_suffix(".png")
    plot(result, picture)
    origin = {key: value for key, value in result.provenance.items() if key != "masses"}
    motion = origin["motion"].get("file", "a motion")
    sections = [
        Section("", [Picture(picture.name, f"curves of {motion}")]),
        Section("Peaks", [table_of(result.summary(), "Summary of the run")]),
        Section("How it was made", [Code(json.dumps(plain(origin), indent=1))]),
        Section(
            "Masses",
            [table_of(result.provenance["masses"], "Masses, donor segments and bellies that were used", index=False)],
        ),
    ]
    write_document_page(path, f"{origin['model']['name']}: {motion}", sections)
