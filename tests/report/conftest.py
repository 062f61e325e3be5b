"""What the tests of reports share: a run of the demo, its page, and a browser where there is one."""

import importlib
import os
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from oracles.demo_leg import swing_motion

import opensim_inertia as oi
from opensim_inertia.analyses.inverse_dynamics import InverseDynamicsResult
from opensim_inertia.demo import write_demo
from opensim_inertia.model.recorded_motion import motion_states
from opensim_inertia.reports import Report
from opensim_inertia.reports.results import inverse_dynamics_content
from opensim_inertia.reports.scene import build_scene

#: Names that would do something if a page took them for markup.
HOSTILE = "<script>alert(1)</script>", "</script><img src=x onerror=alert(2)>", "&lt;b&gt;'\"`${3}"


@pytest.fixture(scope="session")
def demo(tmp_path_factory: pytest.TempPathFactory) -> tuple[oi.InertialModel, InverseDynamicsResult]:
    """The demo's model with its muscles' mass, and its inverse dynamics."""
    paths = write_demo(tmp_path_factory.mktemp("demo"))
    inertial = oi.InertialModel(paths["model"], paths["masses"])
    return inertial, oi.inverse_dynamics(inertial, paths["motion"])


@pytest.fixture(scope="session")
def demo_page(tmp_path_factory: pytest.TempPathFactory, demo: Any) -> Path:
    """The demo's report with its view, as a file."""
    inertial, result = demo
    path = tmp_path_factory.mktemp("page") / "run.html"
    oi.report(result, path, inertial)
    return path


@pytest.fixture(scope="session")
def swinging_page(tmp_path_factory: pytest.TempPathFactory, demo: Any) -> Path:
    """The same where bellies swing, as a file."""
    wobble = oi.options.Wobble(frequency=8.0)
    path = tmp_path_factory.mktemp("page") / "swinging.html"
    oi.report(oi.inverse_dynamics(demo[0], swing_motion(), band=False, wobble=wobble), path, demo[0])
    return path


@pytest.fixture(scope="session")
def hostile() -> tuple[str, ...]:
    """Names that would do something if a page took them for markup."""
    return HOSTILE


@pytest.fixture(scope="session")
def hostile_page(tmp_path_factory: pytest.TempPathFactory, demo: Any) -> Path:
    """A report whose model, coordinates, muscles, bodies, warnings and files have such names."""
    inertial, result = demo
    names = (*HOSTILE, *result.coordinate_names[3:])
    provenance = dict(result.provenance)
    provenance["model"] = {**provenance["model"], "name": HOSTILE[0]}
    provenance["motion"] = {**provenance["motion"], "file": HOSTILE[1]}
    provenance["warnings"] = list(HOSTILE)
    provenance["masses"] = provenance["masses"] | {"muscle": [HOSTILE[0], *provenance["masses"]["muscle"][1:]]}
    bad = replace(result, coordinate_names=names, muscles=(*HOSTILE, *result.muscles[3:]), provenance=provenance)
    scene = build_scene(inertial, motion_states(inertial, result.motion), np.arange(len(result.times)))
    muscles = [{**m, "name": HOSTILE[i % 3], "donor": HOSTILE[0]} for i, m in enumerate(scene["muscles"])]
    content = inverse_dynamics_content(bad)
    content = replace(content, panels=sorted(content.panels, key=lambda panel: panel[0] not in HOSTILE))
    path = tmp_path_factory.mktemp("hostile") / "run.html"
    Report.of(content, {**scene, "muscles": muscles, "notes": HOSTILE}).save(path)
    return path


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """Chromium without a window.

    Skips where Playwright or Chromium are missing; fails instead where ``OPENSIM_INERTIA_REQUIRE_BROWSER`` is 1.
    """
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    if os.environ.get("OPENSIM_INERTIA_REQUIRE_BROWSER") != "1":
        pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
        if chromium is None:
            pytest.skip("Chromium is not installed")
    playwright = importlib.import_module("playwright.sync_api")
    options = ["--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"]
    with playwright.sync_playwright() as running:
        started = running.chromium.launch(executable_path=chromium, args=options)
        yield started
        started.close()
