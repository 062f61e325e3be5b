"""Pages of plain data: every part is there, in its order, and no text becomes HTML."""

import html.parser
import re
from pathlib import Path

import pandas as pd
import pytest

import opensim_inertia as oi
from opensim_inertia.reports import Code, Link, Picture, Section, Table, table_of, write_document_page
from opensim_inertia.reports.document import asset

NASTY = "<script>alert('1')</script> & \"more\""


class Reader(html.parser.HTMLParser):
    """Collects tags with their attributes, and all text."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.text.append(data)

    def attributes(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.tags if name == tag]


@pytest.fixture
def page(tmp_path: Path) -> Reader:
    file = tmp_path / "page.html"
    frame = pd.DataFrame({"peak": [1.234567891, 2.0], "unit": [NASTY, "N"]}, index=pd.Index(["a", "b"], name="joint"))
    sections = [
        Section("", [NASTY, ["see ", Link(NASTY, "other.html"), "."]]),
        Section("Figures", [Picture("curves.png", NASTY), table_of(frame, "peaks")]),
        Section(
            "Tasks", [Table("tasks", ("trial", ""), [("t1", Link("report", "t1.html"))], "and 3 more"), Code(NASTY)]
        ),
    ]
    write_document_page(file, NASTY, sections)
    return Reader(file.read_text(encoding="utf-8"))


def test_no_text_becomes_html(page: Reader) -> None:
    assert not page.attributes("script")
    assert page.text.count(NASTY) == 6  # title, heading, paragraph, link, cell and code
    assert page.attributes("img") == [{"src": "curves.png", "alt": NASTY}]


def test_all_parts_are_there_in_their_order(page: Reader) -> None:
    visible = [text for text in page.text if text.strip()]
    parts = ["Figures", "peaks", "joint", "1.2346", "2", "Tasks", "trial", "t1", "report", "and 3 more"]
    places = [visible.index(part) for part in parts]
    assert places == sorted(places)
    assert [link["href"] for link in page.attributes("a")] == ["other.html", "t1.html"]


def test_where_a_page_cannot_be_written_nothing_is_left(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    with pytest.raises(oi.errors.OutputError, match="it is a folder"):
        write_document_page(tmp_path / "folder", "title", [])
    assert [path.name for path in tmp_path.iterdir()] == ["folder"]


CSS = asset("page.css")
#: What is written or drawn, and what lies behind it.
SEEN = [("ink", "paper"), ("ink", "tint"), ("soft", "paper"), ("soft", "tint"), ("link", "paper"), ("link", "tint")]
SEEN += [("alert", "alert-tint"), ("ink", "alert-tint"), ("on-act", "act"), ("on-act", "act-over"), ("act", "paper")]
SEEN += [("cursor", "paper"), ("cursor", "gap"), ("soft", "gap"), ("mark", "tint")]
SEEN += [(f"curve-{k}", "paper") for k in ("lumped", "inertial", "others", *range(1, 9))]


def luminance(colour: str) -> float:
    """By WCAG 2.2, of a colour such as #c04800."""
    channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("mode", [0, 1], ids=["light", "dark"])
def test_colours_of_pages_contrast(mode: int) -> None:
    colours = {name: pair.split(", ")[mode] for name, pair in re.findall(r"--([\w-]+): light-dark\((.*?)\)", CSS)}
    for front, behind in SEEN:
        a, b = sorted((luminance(colours[front]), luminance(colours[behind])))
        assert (b + 0.05) / (a + 0.05) >= 4.5, (front, behind)
    assert set(re.findall(r"var\(--([\w-]+)\)", CSS)) <= {*colours, "colour"}
