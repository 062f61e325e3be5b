"""The page about one task: what was assumed, what muscle inertia changes, and the picture of a single run."""

from __future__ import annotations

import json
from html import escape
from pathlib import Path

from ..files import writing
from ..inverse import InverseDynamicsResult
from ..pictures import save_picture
from ..provenance import plain
from ..recruitment import RecruitmentResult

__all__ = ["STYLE", "page", "write_report"]

STYLE = """
body { font-family: sans-serif; max-width: 72em; margin: 2em auto; padding: 0 1em; color: #222; }
table { border-collapse: collapse; margin: 1em 0; font-size: 90%; }
th, td { padding: 0.2em 0.7em; border-bottom: 1px solid #ddd; text-align: left; }
img { max-width: 100%; }
pre { background: #f6f6f6; padding: 1em; overflow-x: auto; font-size: 85%; }
"""


def page(title: str, body: str) -> str:
    """Return a whole HTML page; ``body`` is HTML, ``title`` a line of plain text."""
    head = f'<meta charset="utf-8"><title>{escape(title)}</title><style>{STYLE}</style>'
    content = f"<h1>{escape(title)}</h1>\n{body}"
    return f'<!DOCTYPE html>\n<html lang="en"><head>{head}</head><body>\n{content}\n</body></html>\n'


def write_report(path: Path, result: InverseDynamicsResult | RecruitmentResult) -> None:
    """Write a page about a result, and its picture beside it; the page last.

    Raises:
        OutputError: they cannot be written.
    """
    picture = path.with_suffix(".png")
    save_picture(result.plot(), picture)
    made = {key: value for key, value in result.provenance.items() if key != "masses"}
    motion = made["motion"].get("file", "a motion")
    table = result.summary().to_html(float_format=lambda value: f"{value:.5g}", border=0)
    body = (
        f'<p><img src="{picture.name}" alt="curves of {escape(motion)}"></p>\n<h2>Peaks</h2>\n{table}\n'
        f"<h2>How it was made</h2>\n<pre>{escape(json.dumps(plain(made), indent=1))}</pre>\n"
        f"<h2>Masses</h2>\n{result.provenance['masses'].to_html(index=False, border=0)}"
    )
    with writing(path) as temporary:
        temporary.write_text(page(f"{made['model']['name']}: {motion}", body), encoding="utf-8")
