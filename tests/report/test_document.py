"""Pages of plain data: every part is there, in its order, and no text becomes HTML."""

import html.parser
from pathlib import Path

import pandas as pd
import pytest

import opensim_inertia as oi
from opensim_inertia.report import Code, Link, Picture, Section, Table, table_of, write_document_page

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
