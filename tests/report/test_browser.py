"""Pages in Chromium without a window: they open from disk, move, zoom and toggle, and are readable."""

import csv
import io
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

from opensim_inertia.reports import Report, Table
from opensim_inertia.reports.content import Content, Plot

pytestmark = pytest.mark.slow

WIDE, NARROW, PAPER = {"width": 1280, "height": 900}, {"width": 375, "height": 812}, {"width": 703, "height": 900}
LARGE = {"width": 1920, "height": 1080}
SVG = "{http://www.w3.org/2000/svg}"

#: Contrast of all texts with what lies behind them, by WCAG's formula: the smallest, and where.
CONTRAST = """() => {
  const channel = (c) => (c /= 255, c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
  const light = ([r, g, b]) => 0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b);
  const numbers = (text) => text.match(/[\\d.]+/g).map(Number);
  const behind = (node) => {
    for (; node; node = node.parentElement) {
      const colour = numbers(getComputedStyle(node).backgroundColor);
      if (colour.length === 3 || colour[3] > 0.99) return colour;
    }
    return [255, 255, 255];
  };
  let worst = [21, ""];
  for (const node of document.querySelectorAll("body *")) {
    const own = [...node.childNodes].some((child) => child.nodeType === 3 && child.data.trim());
    if (!own || ["SCRIPT", "STYLE", "OPTION", "OPTGROUP", "NOSCRIPT"].includes(node.tagName)) continue;
    const [a, b] = [numbers(getComputedStyle(node).color), behind(node)].map(light);
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (ratio < worst[0]) worst = [ratio, `${node.tagName}.${node.className}: ${node.textContent.slice(0, 30)}`];
  }
  return worst;
}"""

#: How many colours the view has, of a grid of its pixels.
COLOURS = """() => {
  const canvas = document.getElementById("canvas");
  const copy = document.createElement("canvas");
  [copy.width, copy.height] = [canvas.width, canvas.height];
  const context = copy.getContext("2d");
  context.drawImage(canvas, 0, 0);
  const { data } = context.getImageData(0, 0, copy.width, copy.height);
  const found = new Set();
  for (let i = 0; i < data.length; i += 4 * 7) found.add((data[i] << 16) | (data[i + 1] << 8) | data[i + 2]);
  return found.size;
}"""


@pytest.fixture
def visit(browser: Any) -> Iterator[Callable[..., Any]]:
    """Open a page from disk; fail in the end where the console or the network were used."""
    opened, troubles = [], []

    def go(path: Path, size: dict[str, int] = WIDE, scheme: str = "light") -> Any:
        context = browser.new_context(viewport=size, color_scheme=scheme)
        opened.append(context)
        page = context.new_page()
        page.on("console", lambda message: troubles.append(f"console: {message.text}"))
        page.on("pageerror", lambda error: troubles.append(f"error: {error}"))
        page.on("dialog", lambda dialog: troubles.append(f"dialog: {dialog.message}") or dialog.dismiss())
        page.on("request", lambda request: requested.append(request.url))
        page.goto(path.as_uri())
        page.wait_for_selector("html[data-ready]", timeout=60_000)
        return page

    requested: list[str] = []
    yield go
    for context in opened:
        context.close()
    assert troubles == []
    assert [url for url in requested if not url.startswith("file:")] == []
    assert len(requested) == len(opened)


def ink(page: Any, which: int) -> bytes:
    """A picture of a plot, without its legend."""
    page.wait_for_timeout(100)
    shot: bytes = page.locator("#plots .canvas").nth(which).screenshot()
    return shot


@pytest.mark.parametrize(
    ("size", "scheme"), [(WIDE, "light"), (NARROW, "dark"), (LARGE, "dark")], ids=["wide", "narrow", "large"]
)
def test_a_page_opens_from_disk_and_is_readable(
    visit: Callable[..., Any], demo_page: Path, size: Any, scheme: str
) -> None:
    page = visit(demo_page, size, scheme)
    behind = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert (behind == "rgb(255, 255, 255)") == (scheme == "light")
    assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]
    assert page.evaluate(COLOURS) > 50
    ratio, where = page.evaluate(CONTRAST)
    assert ratio >= 4.5, where
    lead = page.locator(".lead").bounding_box()
    assert lead["y"] + lead["height"] < size["height"]  # the answer needs no scrolling
    for control in page.locator("button, select, input").all():
        name = control.evaluate("n => n.getAttribute('aria-label') || n.labels?.[0]?.textContent || n.textContent")
        assert name.strip()
        box = control.bounding_box()
        assert box["x"] >= 0 and box["x"] + box["width"] <= size["width"] + 1
        assert min(box["width"], box["height"]) >= 24  # WCAG 2.2, target size


def test_play_moves_the_time_cursor_and_the_view(visit: Callable[..., Any], demo_page: Path) -> None:
    page = visit(demo_page)
    before = page.inner_text("#now")
    plot, picture = ink(page, 0), page.locator("#canvas").screenshot()
    value = page.locator(".legend .value").first.inner_text()
    page.focus("#play")
    page.keyboard.press("Enter")
    assert page.inner_text("#play") == "Pause"
    page.wait_for_function("told => document.getElementById('now').textContent !== told", arg=before)
    page.wait_for_timeout(300)
    page.keyboard.press("Enter")
    assert page.inner_text("#play") == "Play"
    now = page.inner_text("#now")
    page.wait_for_timeout(200)
    assert page.inner_text("#now") == now != before
    assert ink(page, 0) != plot and page.locator("#canvas").screenshot() != picture
    assert page.locator(".legend .value").first.inner_text() != value


def test_the_legend_toggles(visit: Callable[..., Any], demo_page: Path) -> None:
    page = visit(demo_page)
    for which in range(3):
        button = page.locator("#plots .legend").nth(which).locator("button").first
        button.focus()
        before = ink(page, which)
        page.keyboard.press("Space")
        assert button.get_attribute("aria-pressed") == "false"
        assert ink(page, which) != before
        page.keyboard.press("Space")
        assert button.get_attribute("aria-pressed") == "true" and ink(page, which) == before


def span(page: Any) -> list[float]:
    page.wait_for_timeout(100)
    ends: list[float] = page.locator("[data-from]").evaluate("n => [+n.dataset.from, +n.dataset.to]")
    return ends


def test_dragging_and_buttons_zoom_all_plots(visit: Callable[..., Any], demo_page: Path) -> None:
    page = visit(demo_page)
    plots = [ink(page, which) for which in range(3)]
    over = page.locator("#plots .u-over").first
    over.scroll_into_view_if_needed()
    box = over.bounding_box()
    page.mouse.move(box["x"] + 0.25 * box["width"], box["y"] + 40)
    page.mouse.down()
    page.mouse.move(box["x"] + 0.75 * box["width"], box["y"] + 45, steps=4)
    page.mouse.up()
    assert span(page) == pytest.approx([0.15, 0.45], abs=0.005)
    assert all(ink(page, which) != before for which, before in enumerate(plots))
    page.focus("#zoom-in")
    page.keyboard.press("Enter")
    low, high = span(page)
    assert high - low == pytest.approx(0.15, abs=0.005)
    page.select_option("#panel", index=2)
    assert span(page) == pytest.approx([low, high])  # another coordinate, the same times
    page.click("#zoom-reset")
    assert span(page) == pytest.approx([0.0, 0.6], abs=1e-3)


def test_layers_colours_muscles_and_keys_of_the_view(visit: Callable[..., Any], demo_page: Path) -> None:
    page = visit(demo_page)
    canvas = page.locator("#canvas")
    pictures = [canvas.screenshot()]
    for act in (
        lambda: page.get_by_role("button", name="Bones").click(),
        lambda: page.get_by_role("button", name="Mass points").click(),
        lambda: page.get_by_role("button", name="Wrap surfaces").click(),
        lambda: page.select_option("#colour", "speed"),
        lambda: page.select_option("#muscle", label="soleus_r"),
        lambda: canvas.press("ArrowLeft"),
        lambda: canvas.press("+"),
    ):
        act()
        pictures.append(canvas.screenshot())
        assert pictures[-1] != pictures[-2]
    assert "soleus_r" in page.inner_text("#picked") and "kg in tibia" in page.inner_text("#picked")
    assert page.locator("#colour option[value=activation]").is_disabled()


def test_the_swing_of_bellies_is_magnified(visit: Callable[..., Any], swinging_page: Path, demo_page: Path) -> None:
    page = visit(swinging_page)
    canvas = page.locator("#canvas")
    pictures = [canvas.screenshot()]
    for factor in ("20", "0", "1"):
        page.select_option("#swing", factor)
        pictures.append(canvas.screenshot())
    assert pictures[0] == pictures[3] and len(set(pictures)) == 3
    page.select_option("#muscle", label="soleus_r")
    assert "mm off its path" in page.inner_text("#picked")
    assert visit(demo_page).locator("#swing").count() == 0


def test_hostile_names_stay_text_in_the_browser(
    visit: Callable[..., Any], hostile_page: Path, hostile: tuple[str, ...]
) -> None:
    page = visit(hostile_page)
    for name in hostile:
        page.select_option("#panel", label=name)
        page.select_option("#muscle", label=name)
        assert name in page.inner_text("#picked")
        assert any(name in text for text in page.locator("table").all_text_contents())
    assert page.locator("img").count() == 0 and page.locator("script").count() == 3
    assert any(hostile[1] in text for text in page.locator("#plots .legend").all_inner_texts())


#: What can be used: everything that takes the focus, by a name of its own, in the order of the page.
CONTROLS = """() => [...document.querySelectorAll("a[href], button, select, input, summary, [tabindex='0']")]
  .filter((node) => node.checkVisibility()).map((node, i) => (node.dataset.number = String(i)))"""


def test_the_keyboard_alone_reaches_all(visit: Callable[..., Any], demo_page: Path) -> None:
    page = visit(demo_page)
    controls = page.evaluate(CONTROLS)
    reached = []
    for _ in controls:
        page.keyboard.press("Tab")
        reached.append(page.evaluate("document.activeElement.dataset.number"))
        assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"
    assert len(controls) > 30 and reached == controls


def two_sided(folder: Path) -> Path:
    """A page of two knees over 2 s, whose moments are 100 t (left) and -50 t (right); between 1.5 and 1.8 s is none."""
    times = np.linspace(0, 2, 201)
    answered = (times <= 1.5) | (times >= 1.8)
    left, right = (np.where(answered, slope * times, np.nan) for slope in (100.0, -50.0))
    panels = [
        (name, "Coordinates", [Plot("Moment", "N m", [("moment", values, "inertial")])])
        for name, values in (("knee_l", left), ("knee_r", right))
    ]
    cycles = {"r": [(0.4, 1.2)], "l": [(0.2, 1.0), (1.0, 1.9)]}
    content = Content(
        *("Knees", "", ["A."], [], Table("t", ["a"], [["b"]]), times, panels, {}),
        gaps=[(1.5, 1.8)],
        mass=50.0,
        gait={"cycles": cycles, "offs": {"r": [0.88], "l": [0.7, 1.6]}},
        gait_source="Made up.",
    )
    Report.of(content).save(folder / "knees.html")
    return folder / "knees.html"


def says(page: Any) -> str:
    """What the first plot says of its values, to those who cannot see it as well."""
    text: str = page.locator("#plots .canvas").first.get_attribute("aria-valuetext")
    return text.replace("\u2212", "-")


#: The colours of the first plot's pixels, from a first to a last place along its axis, near its upper edge.
PIXELS = """([first, last]) => {
  const canvas = document.querySelector("#plots canvas");
  const [over, all] = [document.querySelector("#plots .u-over"), canvas].map((node) => node.getBoundingClientRect());
  const scale = canvas.width / all.width;
  const copy = document.createElement("canvas");
  [copy.width, copy.height] = [canvas.width, canvas.height];
  const context = copy.getContext("2d");
  context.drawImage(canvas, 0, 0);
  const [left, right] = [first, last].map((place) => Math.round(scale * (over.left - all.left + place * over.width)));
  const { data } = context.getImageData(left, scale * (over.top - all.top + 3), right - left, scale * over.height - 6);
  return [...new Set(new Uint32Array(data.buffer))].map((n) => [n & 255, (n >> 8) & 255, (n >> 16) & 255, n >>> 24]);
}"""


def point(page: Any, share: float) -> None:
    over = page.locator("#plots .u-over").first
    over.scroll_into_view_if_needed()
    box = over.bounding_box()
    page.mouse.move(box["x"] + share * box["width"], box["y"] + 30)
    page.wait_for_timeout(50)


def test_values_under_the_pointer_over_time_and_gait_cycle(visit: Callable[..., Any], tmp_path: Path) -> None:
    page = visit(two_sided(tmp_path))
    point(page, 0.25)
    assert says(page) == "0.500 s, moment 50"
    page.mouse.move(2, 2)
    page.wait_for_timeout(50)
    assert says(page) == "0.000 s, moment 0"  # the moment that is shown
    holder = page.locator("#plots .canvas").first
    for key in ("PageUp", "ArrowRight"):
        holder.press(key)
    assert says(page) == "0.110 s, moment 11" and page.inner_text("#now") == "0.110 s"
    page.click("#both-sides")
    point(page, 0.6)
    assert says(page) == "1.200 s, moment 120, moment, right -60"
    page.click("#per-kilogram")
    assert "[N m/kg]" in page.inner_text("#plots figcaption")
    point(page, 0.6)
    assert says(page) == "1.200 s, moment 2.4, moment, right -1.2"
    page.select_option("#axis", "0")  # left: 0.2 to 1 s; right: 0.4 to 1.2 s
    point(page, 0.5)
    assert says(page) == "50.0 %, moment 1.2, moment, right -0.8"
    page.click("#per-kilogram")
    page.select_option("#axis", "1")  # left: 1 to 1.9 s, of which 1.5 to 1.8 s has no answer
    point(page, 0.6)
    assert says(page) == "60.0 %, moment \u2013, moment, right -44"
    grey = [0xE2, 0xE2, 0xE2, 0xFF]  # --gap of page.css
    assert grey in page.evaluate(PIXELS, [0.58, 0.62]) and grey not in page.evaluate(PIXELS, [0.1, 0.5])


def test_means_over_cycles_and_charts_are_saved(visit: Callable[..., Any], tmp_path: Path) -> None:
    """The left knee's moment, 100 t, at half of its cycles from 0.2 to 1 s and from 1 to 1.9 s; and without the gap."""
    page = visit(two_sided(tmp_path))
    page.select_option("#axis", "mean")
    files = {}
    for kind in ("CSV", "SVG"):
        with page.expect_download() as download:
            page.get_by_role("button", name=f"Save {kind}").first.click()
        files[download.value.suggested_filename] = Path(download.value.path()).read_text(encoding="utf-8")
    table, drawing = files["knee_l_Moment.csv"], ElementTree.fromstring(files["knee_l_Moment.svg"])
    head, *rows = csv.reader(io.StringIO(table))
    assert head[:2] == ["gait cycle of the left foot [%]", "moment [N m]"] and len(rows) == 201
    at = {float(share): [float(value) if value else np.nan for value in values] for share, *values in rows}
    assert at[50.0] == pytest.approx(102.5 + np.array([0, -1, 1]) * np.std([60, 145], ddof=1), rel=1e-3)
    assert at[70.0] == pytest.approx([76.0, np.nan, np.nan], rel=1e-3, nan_ok=True)
    texts = {"".join(each.itertext()) for each in drawing.iter(f"{SVG}text")}
    assert {"knee_l: Moment [N m]", "moment", "\u00b1 1 SD between cycles", "50", head[0]} <= texts
    assert len([each for each in drawing.iter(f"{SVG}path") if each.get("fill") == "none"]) == 1


def test_the_switch_of_colours_and_paper(visit: Callable[..., Any], demo_page: Path, tmp_path: Path) -> None:
    page = visit(demo_page, PAPER)
    light = [ink(page, 0), page.locator("#canvas").screenshot()]
    page.select_option("#theme", "dark")
    ratio, where = page.evaluate(CONTRAST)
    assert ratio >= 4.5, where
    assert [0xC0, 0x48, 0x00, 0xFF] not in page.evaluate(PIXELS, [0.0, 1.0])
    assert light[0] != ink(page, 0) and light[1] != page.locator("#canvas").screenshot()
    page.emulate_media(media="print")
    page.wait_for_timeout(200)
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    for hidden in ("#player", "#layers", "#zoom-in", "#theme"):
        assert not page.locator(hidden).is_visible(), hidden
    assert [0xC0, 0x48, 0x00, 0xFF] in page.evaluate(PIXELS, [0.0, 1.0])  # --curve-inertial, in the light
    for wide in ("#changes", "#plots canvas", "#canvas"):
        box = page.locator(wide).first.bounding_box()
        assert box["x"] >= 0 and box["x"] + box["width"] <= PAPER["width"], wide
    page.pdf(path=tmp_path / "page.pdf", format="A4")
    assert (tmp_path / "page.pdf").read_bytes().count(b"/Type /Page\n") in range(2, 7)
