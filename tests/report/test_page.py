"""Pages read without a browser: what they say, that they load nothing, and that names in them stay text."""

import base64
import json
import pickle
import zlib
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from models.reaching_arm import arm_masses, reaching_arm, reaching_motion
from numpy.typing import NDArray
from oracles.demo_leg import swing_motion

import opensim_inertia as oi
from opensim_inertia.reports import Link, Report, Table, write_document_page
from opensim_inertia.reports.content import MOST_CODE, Content, Plot, about_the_run, pack

SECTIONS = ["answer", "curves", "view", "assumptions", "warnings"]
VOID = {"meta", "input", "br", "img", "link"}
NASTY = "<script>alert('1')</script> & \"more\""


class Page(HTMLParser):
    """The elements of a page with their attributes, and the text of each kind of element."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.scripts: dict[str | None, str] = {}
        self.text = ""
        self._open: list[str] = []
        self.feed(html)
        self.close()
        assert not self._open, self._open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self._open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self._open and self._open[-1] == tag, (tag, self._open)
        self._open.pop()

    def handle_data(self, data: str) -> None:
        if self._open and self._open[-1] == "script":
            self.scripts[self.elements[-1][1].get("id")] = data
        elif self._open and self._open[-1] != "style":
            self.text += data

    @property
    def data(self) -> dict[str, Any]:
        data: dict[str, Any] = json.loads(self.scripts["data"])
        return data


def read(path: Path) -> Page:
    return Page(path.read_text(encoding="utf-8"))


def unpack(text: str, described: dict[str, Any]) -> NDArray[Any]:
    """Return an array of a page's, as its own script does."""
    raw = np.frombuffer(zlib.decompress(base64.b64decode(text)), dtype=np.uint8)
    shape, size = described["shape"], described["bytes"]
    count = int(np.prod(shape))
    planes = raw[described["at"] : described["at"] + count * size].reshape(size, count)
    steps = np.ascontiguousarray(planes.T).view(f"<u{size}").reshape(shape[0], -1) if count else np.zeros((0, 1))
    codes = np.cumsum(steps, axis=0, dtype=f"u{size}").reshape(shape)
    if "low" not in described:
        return codes
    share = codes / MOST_CODE[size]
    return np.where(codes == MOST_CODE[size] + 1, np.nan, (1 - share) * described["low"] + share * described["high"])


def step_of(described: dict[str, Any]) -> float:
    """Return the distance of two codes; numbers are off by at most half of it."""
    most = MOST_CODE[described["bytes"]]
    return float(described["high"] / most - described["low"] / most)


def minus(value: float) -> str:
    assert abs(value) < 1000
    return f"{value:.3g}".replace("-", "\u2212")


def test_the_page_says_what_changes_and_how_sure_that_is(demo: Any, demo_page: Path) -> None:
    _, result = demo
    page = read(demo_page)
    sections = [attributes["id"] for tag, attributes in page.elements if tag == "section"]
    assert sections == SECTIONS
    ankle = result.summary().loc["ankle_angle_r"]
    before_curves = page.text[: page.text.index("Curves")]
    for column in ("difference at peak", "lumped peak", "lower at peak", "upper at peak", "largest difference"):
        assert minus(ankle[column]) in before_curves, column
    assert "95 % band" in before_curves and "2000 draws" in before_curves
    for fact in ("aponeurosis", "swing.mot", "opensim_inertia", result.provenance["versions"]["opensim"]):
        assert fact in page.text[page.text.index("What was assumed") :], fact
    for muscle in result.muscles:
        assert muscle in page.text


def test_curves_are_the_results_own(demo: Any, demo_page: Path) -> None:
    _, result = demo
    page = read(demo_page)
    data, arrays = page.data, page.scripts["arrays"]
    times = unpack(arrays, data["times"])
    assert np.abs(times - result.times).max() <= 0.51 * step_of(data["times"])
    panels = {panel["name"]: panel["plots"] for panel in data["panels"]}
    forces, change, of_sliding, stack = panels["ankle_angle_r"]
    i = result.coordinate_names.index("ankle_angle_r")
    difference = result.inertial_forces[:, i] - result.lumped_forces[:, i]
    wanted = {
        "lumped (OpenSim)": result.lumped_forces[:, i],
        "inertial muscles": result.inertial_forces[:, i],
        "inertial \u2212 lumped": difference,
    }
    for one in [*forces["series"], *change["series"][:1]]:
        curve = unpack(arrays, one["values"])
        assert np.abs(curve - wanted[one["label"]]).max() <= 0.51 * step_of(one["values"])
    for described, end in zip(change["band"], result.difference_band("ankle_angle_r"), strict=True):
        assert np.abs(unpack(arrays, described) - end).max() <= 0.51 * step_of(described)
    for one in of_sliding["series"]:
        curve = unpack(arrays, one["values"])
        part = result.parts_of_sliding[one["label"]]["ankle_angle_r"]
        assert np.abs(curve - part).max() <= 0.51 * step_of(one["values"])
    parts = [unpack(arrays, one["values"]) for one in stack["series"]]
    tolerance = 0.51 * sum(step_of(one["values"]) for one in stack["series"])
    assert np.abs(np.sum(parts, axis=0) - difference).max() <= tolerance + 1e-9


def test_the_page_loads_nothing(demo_page: Path) -> None:
    page = read(demo_page)
    for tag, attributes in page.elements:
        assert tag not in ("link", "img", "iframe", "object", "embed", "base"), tag
        for name in ("src", "srcset", "href", "action", "poster", "data"):
            value = attributes.get(name)
            assert value is None or value.startswith("#"), (tag, name, value)
        assert not [name for name in attributes if name.startswith("on")], (tag, attributes)
    (policy,) = (a["content"] for t, a in page.elements if t == "meta" and a.get("http-equiv"))
    assert policy is not None and "default-src 'none'" in policy
    html = demo_page.read_text(encoding="utf-8")
    style = html[html.index("<style>") : html.index("</style>")]
    assert "url(" not in style and "@import" not in style


def test_hostile_names_stay_text(hostile: tuple[str, ...], hostile_page: Path, demo_page: Path) -> None:
    page, other = read(hostile_page), read(demo_page)
    assert {tag for tag, _ in page.elements} == {tag for tag, _ in other.elements} | {"ul", "li", "a"}
    assert list(page.scripts) == ["data", "arrays", None]  # no script besides the page's own
    assert page.scripts[None] == other.scripts[None]
    assert not [attributes for _, attributes in page.elements if set(attributes) & {"onerror", "src"}]
    for name in hostile:
        assert name in page.text
        assert name in [panel["name"] for panel in page.data["panels"]]
        assert name in [muscle["name"] for muscle in page.data["scene"]["muscles"]]


def test_the_bundle_keeps_its_licences_and_cannot_end_its_script(demo_page: Path) -> None:
    script = read(demo_page).scripts[None]
    head = script[: script.index("*/")]
    assert head.count("Permission is hereby granted") == 2
    assert "three 0." in head and "uplot 1." in head and "Copyright" in head
    assert "</script" not in script.lower()


def test_without_a_model_the_page_says_how_to_get_a_view(demo: Any, tmp_path: Path) -> None:
    _, result = demo
    report = oi.report(result, tmp_path / "run.html")
    page = read(tmp_path / "run.html")
    assert report.html == (tmp_path / "run.html").read_text(encoding="utf-8")
    assert page.data["scene"] is None
    assert 'oi.report(result, "run.html", inertial)' in page.text
    still = Page(oi.report(replace(result, motion=None), inertial=demo[0]).html)
    assert still.data["scene"] is None and "does not know the motion" in still.text


def test_file_names_that_are_no_utf_8_can_be_written(demo: Any, tmp_path: Path) -> None:
    provenance = {**demo[1].provenance, "motion": {**demo[1].provenance["motion"], "file": "swing\udce4.mot"}}
    oi.report(replace(demo[1], provenance=provenance), tmp_path / "run.html")
    assert "swing?.mot" in read(tmp_path / "run.html").text


def test_the_same_run_gives_the_same_bytes(demo: Any, demo_page: Path) -> None:
    inertial, result = demo
    assert oi.report(result, inertial=inertial).html == demo_page.read_text(encoding="utf-8")


def test_another_model_is_refused(demo: Any) -> None:
    arm = oi.InertialModel(reaching_arm(acting=False), arm_masses())
    with pytest.raises(oi.errors.ModelError, match="other coordinates than the run, such as"):
        oi.report(demo[1], inertial=arm)


def test_a_run_of_one_row_is_a_page_without_motion(demo: Any) -> None:
    inertial, result = demo
    time = float(result.times[20])
    one = oi.inverse_dynamics(inertial, oi.Recording(swing_motion(), time_range=(time, time)), band=False)
    page = Page(oi.report(one, inertial=inertial).html)
    assert page.data["times"]["shape"] == [1] and page.data["scene"]["origins"]["shape"][0] == 1
    assert "This run has no band" in page.text and f"at {time:.4g} s" in page.text


@pytest.fixture(scope="module")
def arm() -> oi.InertialModel:
    """An arm whose muscles act."""
    return oi.InertialModel(reaching_arm(), arm_masses())


def test_a_simulation_with_its_lumped_one(arm: oi.InertialModel) -> None:
    lumped = oi.InertialModel(arm.original_model(), {})
    runs = [oi.simulate(oi.Problem(model, t_final=0.05), "rk45") for model in (arm, lumped)]
    page = Page(oi.report(runs[0], lumped=runs[1]).html)
    names = [panel["name"] for panel in page.data["panels"]]
    assert set(runs[0].layout.coordinate_names) | {"energies", "activations"} <= set(names)
    assert "Muscle inertia changes" in page.text and "There is no band" in page.text
    last = runs[0].coordinates().iloc[-1] - runs[1].coordinates().iloc[-1]
    for name in runs[0].layout.coordinate_names:
        assert minus(np.degrees(last[name])) in page.text, name
    with pytest.raises(oi.errors.ModelError, match="with_model"):
        oi.report(pickle.loads(pickle.dumps(runs[0])))
    assert oi.report(pickle.loads(pickle.dumps(runs[0])), inertial=arm).html == oi.report(runs[0]).html
    alone = Page(oi.report(runs[0]).html)
    assert "One run does not show" in alone.text and alone.data["scene"]["activations"] is not None
    with pytest.raises(oi.errors.OptionError, match="markers='walk.trc': expected None for a result of simulate"):
        oi.report(runs[0], markers="walk.trc")


def test_recruitment_says_what_changes(arm: oi.InertialModel) -> None:
    pytest.importorskip("daqp", reason="DAQP is not installed")
    motion = reaching_motion(rate=25.0)
    result = oi.recruit(
        arm,
        motion,
        kind=("inertial", "lumped"),
        progress=False,
        actuation=oi.Actuation(reserves=50.0),
        outputs=oi.options.RecruitmentOutputs(joints="all"),
    )
    page = Page(oi.report(result, inertial=arm).html)
    table = result.summary().loc[list(result.muscles)]
    worst = table["largest change of control"].abs().idxmax()
    assert f"Muscle inertia changes the activation of {worst} by up to" in page.text
    assert minus(table.loc[worst, "largest change of control"]) in page.text
    data, arrays = page.data, page.scripts["arrays"]
    activations = unpack(arrays, data["scene"]["activations"])
    wanted = result.activations[list(arm.muscle_names)].to_numpy()
    assert np.abs(activations - wanted).max() <= 0.51 * step_of(data["scene"]["activations"])
    assert {panel["group"] for panel in data["panels"]} == {"Muscles", "Overview", "Others", "Joint reactions"}


def test_gait_cycles_of_a_table_and_markers_of_a_file(demo: Any, tmp_path: Path) -> None:
    inertial, result = demo
    events = pd.DataFrame({"time": [0.5, 0.1, 0.35, 9.0], "side": "right", "event": ["Contact", "strike", "off", "ic"]})
    places = np.random.default_rng(3).normal(size=(len(result.times), 2, 3))
    oi.files.write_trc(tmp_path / "walk.trc", result.times, places, ["A", "B"], "mm")
    page = Page(oi.report(result, inertial=inertial, events=events, markers=tmp_path / "walk.trc").html)
    assert page.data["gait"] == {"cycles": {"r": [[0.1, 0.5]]}, "offs": {"r": [0.35]}}
    assert "as the table of gait events has them" in page.text
    scene, arrays = page.data["scene"], page.scripts["arrays"]
    assert scene["markerNames"] == ["A", "B"]
    rows = unpack(arrays, scene["rows"])
    assert np.abs(unpack(arrays, scene["markers"]) - places[rows]).max() <= 0.51 * step_of(scene["markers"])
    # The second file begins in the middle of the run.
    oi.files.write_trc(tmp_path / "walk.trc", result.times + 0.3, places, ["A", "B"])
    scene = (page := Page(oi.report(result, inertial=inertial, markers=tmp_path / "walk.trc").html)).data["scene"]
    markers = unpack(page.scripts["arrays"], scene["markers"])
    assert np.array_equal(np.isnan(markers).all(axis=(1, 2)), result.times < 0.3 - 1e-9)
    oi.files.write_trc(tmp_path / "walk.trc", result.times + 5, places, ["A", "B"])
    with pytest.raises(oi.errors.MotionError, match=r"walk\.trc: .* from 5 to 5\.6 s.* do not overlap"):
        oi.report(result, inertial=inertial, markers=tmp_path / "walk.trc")
    with pytest.raises(oi.errors.MotionError, match=r"its 1 events, from 9 to 9 s, hold no gait cycle between 0 and 0"):
        oi.report(result, events=events[3:])


def test_mass_sides_gaps_and_verdict_reach_the_page(demo: Any) -> None:
    inertial, result = demo
    model = inertial.original_model()
    mass = model.getTotalMass(model.initSystem())
    page = Page(oi.report(result).html)
    assert page.data["mass"] == pytest.approx(mass) and f"divided by {mass:.4g} kg" in page.text
    assert page.data["gait"] is None and page.data["gaps"] == []
    assert {(panel["side"], panel["opposite"]) for panel in page.data["panels"]} == {("r", -1), ("", -1)}
    assert "residuals" not in page.text.lower()  # nothing loads it
    answered = np.ones(len(result.times), bool)
    answered[[0, 1, 10, 11, 12, -1]] = False
    verdict = "residual forces: peak 9 N = 20 % of the largest: beyond 5 %."
    provenance = {**result.provenance, "residuals": {"verdict": verdict, "table": []}}
    about = about_the_run(provenance, result.times, answered)
    assert np.allclose(about["gaps"], result.times[[[0, 2], [9, 13], [-2, -1]]])
    names = ("hip_l", "knee", "hip_r")
    panels = [(name, "g", [Plot("Moment", "N m", [("m", result.times, "")])]) for name in names]
    content = Content("t", answer=["a"], certainty=[], table=Table("c", ["x"], [["y"]]), panels=panels, **about)
    page = Page(Report.of(content).html)
    assert [(panel["side"], panel["opposite"]) for panel in page.data["panels"]] == [("l", 2), ("", -1), ("r", 0)]
    assert "Residuals are beyond their thresholds" in page.text and verdict[1:] in page.text
    assert page.data["gaps"] == [list(gap) for gap in about["gaps"]]


@pytest.mark.parametrize("shape", [(7,), (1, 3), (5, 4, 3), (0, 3), (3, 0)])
def test_numbers_come_back_within_half_a_step(shape: tuple[int, ...]) -> None:
    values = np.random.default_rng(0).normal(scale=3.0, size=shape)
    (first, described), text = pack((np.arange(4.0), values))
    unpacked = unpack(text, described)
    assert unpacked.shape == shape
    if values.size:
        assert step_of(described) == pytest.approx(np.ptp(values) / 65534)
        assert np.abs(unpacked - values).max() <= 0.5001 * step_of(described)
    assert np.allclose(unpack(text, first), np.arange(4.0), atol=3 / 65534)


@pytest.mark.parametrize(
    "values", [[0.0, np.nan, 1.0, np.inf, -2.0, -np.inf], [3.0, 3.0], [np.nan, np.nan], [-1.5e308, 1.5e308]]
)
def test_constant_unknown_and_huge_values(values: list[float]) -> None:
    described, text = pack(np.array(values))
    unpacked, finite = unpack(text, described), np.isfinite(values)
    assert (np.isfinite(unpacked) == finite).all()
    np.testing.assert_allclose(unpacked[finite], np.array(values)[finite], rtol=1e-4, atol=1e-4)


@pytest.fixture
def plain_page(tmp_path: Path) -> Page:
    file = tmp_path / "page.html"
    peaks = Table("peaks", ("joint", "peak", "unit"), [("a", "1.2346", NASTY), ("b", "2", "N")])
    sections = [
        ("", [NASTY, ["see ", Link(NASTY, "other.html"), "."]]),
        ("Figures", [[Link(NASTY, "curves.png")], peaks]),
        ("Tasks", [Table("tasks", ("trial", ""), [("t1", Link("report", "t1.html"))], "and 3 more")]),
    ]
    write_document_page(file, NASTY, sections)
    return read(file)


def test_integers_come_back_exactly() -> None:
    values = np.random.default_rng(1).integers(0, 2**32, (40, 3))
    described, text = pack(values)
    assert (unpack(text, described) == values).all()


def test_no_text_becomes_html(plain_page: Page) -> None:
    assert not plain_page.scripts
    assert plain_page.text.count(NASTY) == 5  # title, heading, paragraph, link and cell
    assert ("img", {"src": "curves.png", "alt": NASTY}) in plain_page.elements
