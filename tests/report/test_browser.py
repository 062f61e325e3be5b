"""Pages in Chromium without a window: they open from disk, move, zoom and toggle, and are readable."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import opensim_inertia as oi
from opensim_inertia.demo import swing_motion

pytestmark = pytest.mark.slow

WIDE, NARROW = {"width": 1280, "height": 900}, {"width": 390, "height": 844}

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

    def go(path: Path, size: dict[str, int] = WIDE) -> Any:
        context = browser.new_context(viewport=size)
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


@pytest.mark.parametrize("size", [WIDE, NARROW], ids=["wide", "narrow"])
def test_a_page_opens_from_disk_and_is_readable(visit: Callable[..., Any], demo_page: Path, size: Any) -> None:
    page = visit(demo_page, size)
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


def test_scrubbing_and_clicking_a_plot_set_the_time(visit: Callable[..., Any], demo_page: Path) -> None:
    page = visit(demo_page)
    page.focus("#time")
    page.keyboard.press("Home")
    assert page.inner_text("#now") == "0.000 s"
    page.keyboard.press("End")
    last = page.inner_text("#now")
    assert last == "0.600 s"
    over = page.locator("#plots .u-over").first
    over.scroll_into_view_if_needed()
    box = over.bounding_box()
    page.mouse.click(box["x"] + 0.5 * box["width"], box["y"] + 20)
    assert float(page.inner_text("#now").split()[0]) == pytest.approx(0.3, abs=0.005)


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
    assert "soleus_r" in page.inner_text("#picked") and "kg from tibia" in page.inner_text("#picked")
    assert page.locator("#colour option[value=activation]").is_disabled()


def test_hostile_names_stay_text_in_the_browser(
    visit: Callable[..., Any], hostile_page: Path, hostile: tuple[str, ...]
) -> None:
    page = visit(hostile_page)
    for name in hostile:
        page.select_option("#panel", label=name)
        page.select_option("#muscle", label=name)
        assert name in page.inner_text("#picked")
        assert name in page.inner_text("#changes")
    assert page.locator("img").count() == 0 and page.locator("script").count() == 3
    assert hostile[1] in page.locator("#plots .legend").nth(2).inner_text()


def test_one_row_and_no_view(visit: Callable[..., Any], demo: Any, tmp_path: Path) -> None:
    inertial, result = demo
    time = float(result.times[20])
    one = oi.inverse_dynamics(inertial, oi.Recording(swing_motion(), time_range=(time, time)))
    assert len(one.times) == 1
    one.report(tmp_path / "one.html", inertial)
    page = visit(tmp_path / "one.html")
    assert page.evaluate(COLOURS) > 50 and page.locator("#play").count() == 0
    assert page.locator("#plots figure").count() >= 2
    one.report(tmp_path / "plain.html")
    page = visit(tmp_path / "plain.html")
    assert page.locator("canvas#canvas").count() == 0 and "no three-dimensional view" in page.inner_text("#view")


def test_the_frame_of_a_notebook(visit: Callable[..., Any], demo: Any, tmp_path: Path) -> None:
    (tmp_path / "notebook.html").write_text(
        f"<!DOCTYPE html><html data-ready><meta charset=utf-8>{demo[1].report()._repr_html_()}</html>", encoding="utf-8"
    )
    page = visit(tmp_path / "notebook.html")
    frame = page.frame_locator("iframe")
    frame.locator("html[data-ready]").wait_for(timeout=60_000)
    assert frame.locator("#plots figure").count() == 3
