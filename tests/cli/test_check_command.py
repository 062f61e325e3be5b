"""``opensim-inertia check``: its table, its exit codes, JSON, repair; and what other commands say of a model."""

import json
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from oracles.cables import cable_model

import opensim_inertia as oi
from opensim_inertia.checks import CheckResult, Diagnostic


def changed(model: Path, path: Path, body: str, **children: str) -> Path:
    """A copy of a model in which a body's elements have other text."""
    tree = ElementTree.parse(model)
    element = next(e for e in tree.iter("Body") if e.get("name") == body)
    for tag, text in children.items():
        child = element.find(tag)
        assert child is not None
        child.text = text
    tree.write(path)
    return path


@pytest.fixture
def leg(opensim_models: Path) -> Path:
    return opensim_models / "Models" / "Leg6Dof9Musc" / "leg6dof9musc.osim"


@pytest.fixture
def gait(opensim_models: Path) -> Path:
    return opensim_models / "Models" / "Gait10dof18musc" / "gait10dof18musc.osim"


@pytest.fixture
def walk(opensim_models: Path) -> tuple[Path, ...]:
    folder = opensim_models / "Pipelines" / "Gait10dof18musc"
    return (
        folder / "OutputReference" / "subject01.osim",
        folder / "OutputReference" / "IK" / "subject01_walk_IK.mot",
        folder / "ExperimentalData" / "subject01_walk_grf.xml",
    )


def test_a_good_model_ends_with_0(cli, gait: Path) -> None:
    outcome = cli("check", gait)
    assert (outcome.code, outcome.err) == (0, "")
    assert outcome.out.splitlines()[0] == f"model: {gait}"
    assert outcome.out.splitlines()[-1] == "no problems found"
    assert list(Path.cwd().iterdir()) == []


def test_warnings_end_with_1_and_errors_with_2(cli, gait: Path, leg: Path, tmp_path: Path) -> None:
    harmless = cli("check", leg, "--quick")
    assert (harmless.code, harmless.err) == (0, "")
    assert harmless.out.startswith(f"model: {leg}\n\nnote     inertia: body 'toes_r': ")
    doubtful = cli("check", changed(gait, tmp_path / "doubtful.osim", "femur_r", inertia="-1 1 1 0 0 0"), "--quick")
    assert (doubtful.code, doubtful.err) == (1, "")
    assert doubtful.out.endswith("results would be doubtful\n")
    broken = cli("check", changed(gait, tmp_path / "broken.osim", "femur_r", inertia="4e5 4e5 4e5 0 0 0"))
    assert (broken.code, broken.err) == (2, "") and "results would mean nothing" in broken.out
    assert broken.out.count("error    inertia against mass") == 1 and "broken.osim, body 'femur_r'" in broken.out


def test_a_name_that_is_no_utf8_is_escaped_in_json(tmp_path: Path) -> None:
    finding = Diagnostic("warning", "points", "the load '\udce9'", "acts far away", ())
    CheckResult((finding,), {}, ("loads",)).to_json(tmp_path / "findings.json")
    (written,) = json.loads((tmp_path / "findings.json").read_text(encoding="utf-8"))["findings"]
    assert written["place"] == finding.subject


def test_a_setup_names_what_is_looked_at(cli, walk: tuple[Path, ...], tmp_path: Path) -> None:
    model, motion, loads = walk
    setup = tmp_path / "setup.xml"
    setup.write_text(
        "<OpenSimDocument Version='30000'><InverseDynamicsTool name='walk'>"
        f"<model_file>{model}</model_file><coordinates_file>{motion}</coordinates_file>"
        f"<external_loads_file>{loads}</external_loads_file>"
        "<lowpass_cutoff_frequency_for_coordinates>6</lowpass_cutoff_frequency_for_coordinates>"
        "<time_range>0.5 2</time_range></InverseDynamicsTool></OpenSimDocument>"
    )
    outcome = cli("check", setup)
    assert (outcome.code, outcome.err) == (0, "")
    assert outcome.out.splitlines()[:3] == [f"model: {model}", f"motion: {motion}", f"external loads: {loads}"]
    spoilt = tmp_path / "spoilt.mot"
    spoilt.write_text(motion.read_text().replace("inDegrees=yes", "inDegrees=no"))
    outcome = cli("check", setup, "--motion", spoilt)
    assert outcome.code == 2 and "degrees" in outcome.out


def test_forces_that_a_setup_lets_act_are_named(cli, walk: tuple[Path, ...], tmp_path: Path) -> None:
    """Muscles act where a setup excludes nothing; a name that is no force is a finding."""
    for excluded, expected in (("", "18 muscles ("), ("none_such", "unknown force to exclude 'none_such'")):
        setup = tmp_path / "setup.xml"
        setup.write_text(
            "<OpenSimDocument Version='30000'><InverseDynamicsTool name='walk'>"
            f"<model_file>{walk[0]}</model_file><coordinates_file>{walk[1]}</coordinates_file>"
            f"<forces_to_exclude>{excluded}</forces_to_exclude></InverseDynamicsTool></OpenSimDocument>"
        )
        assert expected in " ".join(cli("check", setup, "--quick").out.split())


@pytest.mark.parametrize(
    ("kind", "size", "reason"),
    [
        ("cylinder", 0.03, None),
        ("cylinder", -0.03, "of size -0.03 m, has no extent; radii must be positive"),
        ("torus", (0.05, 0.01), "of class ContactTorus is not one of ContactCylinder, ContactSphere, ContactEllipsoid"),
    ],
)
def test_cables_are_judged_alike(cli, tmp_path: Path, kind: str, size: float, reason: str | None) -> None:
    model = cable_model(kind, size, (0.0, 0.03, 0.0))
    model.finalizeConnections()
    file, motion = tmp_path / "cable.osim", tmp_path / "still.mot"
    model.printToXML(str(file))
    shifts = {f"translation{i}": 0.001 * np.arange(20) for i in (1, 2, 3)}
    oi.write_table(pd.DataFrame(shifts, index=np.arange(20) / 100), motion, in_degrees=False)
    id_command = ("id", "--model", file, "--motion", motion, "--no-band", "--no-picture")
    commands = [("check", file, "--quick", "--all"), ("masses", file), (*id_command, "--out", "one")]
    outcomes = [cli(*command) for command in commands]
    assert {outcome.code for outcome in outcomes} == {0 if reason is None else 2}
    for outcome in outcomes if reason else ():
        assert reason in " ".join((outcome.out + outcome.err).split())
    for command in (("masses", file), (*id_command, "--out", "two")):
        outcome = cli(*command, "--unsupported", "massless")
        assert outcome.code == 0 and ("massless, their paths cannot carry mass: muscle" in outcome.out) == bool(reason)


def test_json_in_place_of_the_table_or_in_a_file(cli, leg: Path) -> None:
    printed = cli("check", leg, "--quick", "--json")
    content = json.loads(printed.out)
    assert printed.code == 0 and content["worst"] == "note" and content["counts"]["note"] == 1
    assert content["inputs"] == {"model": str(leg)} and content["tests"] == ["model"]
    (finding,) = content["findings"]
    assert set(finding) == {"severity", "check", "place", "text", "cure"}
    assert finding["place"] == "leg6dof9musc.osim, body 'toes_r'" and "--repair" in finding["cure"]
    written = cli("check", leg, "--quick", "--json", "findings.json")
    assert json.loads(Path("findings.json").read_text()) == content
    assert "written to findings.json: the findings as JSON" in written.out and written.code == 0


def test_repair_lists_what_it_changes(cli, leg: Path) -> None:
    outcome = cli("check", leg, "--quick", "--repair", "leg.osim")
    assert outcome.code == 0 and "written to leg.osim: the model with new inertias" in outcome.out
    lines = outcome.out.splitlines()
    head = next(number for number, line in enumerate(lines) if line.startswith("body "))
    old, new = (line.split() for line in lines[head + 1 : head + 3])
    assert old[:5] == ["toes_r", "old", "0", "0", "0.00090462"]
    assert new[0] == "new" and float(new[1]) > 4e-4
    assert cli("check", "leg.osim", "--quick").code == 0
    as_json = json.loads(cli("check", leg, "--quick", "--json", "--repair", "again.osim").out)
    assert as_json["repairs"][0]["body"] == "toes_r" and as_json["repairs"][0]["before"][2] == 0.00090462


def test_repair_says_what_it_does_not_cure(cli, gait: Path, tmp_path: Path) -> None:
    """Moments of a body of hardly any mass may be meant, as an armature: no nearest body takes their place."""
    phantom = changed(gait, tmp_path / "phantom.osim", "toes_r", mass="0.0001", inertia="1 1 1 0 0 0")
    outcome = cli("check", phantom, "--quick", "--repair", "out.osim")
    assert outcome.code == 1 and "not repaired, see the cures above: 'placeholder'" in outcome.out


def test_what_is_given_wrongly_is_one_line(refused, cli, leg: Path, demo, tmp_path: Path) -> None:
    assert "file does not exist" in refused("check", "absent.osim")
    assert f"lge.osim: file does not exist; did you mean '{leg.name}'?" in refused("check", leg.with_name("lge.osim"))
    assert f"did you mean '{leg.name}'?" in refused("check", leg.with_suffix(".osm"))
    assert "did you mean" not in refused("check", leg.with_suffix(".mot"))  # of another kind
    folder = leg.parent.with_name(leg.parent.name[:-1])
    message = f"file does not exist; there is no '{folder.name}' in {folder.parent}, did you mean '{leg.parent.name}'"
    assert message in refused("check", folder / leg.name)
    assert "--model has no effect here" in refused("check", leg, "--model", leg)
    assert "is an input of this command" in refused("check", leg, "--quick", "--repair", leg)
    other = tmp_path / "scale.xml"
    other.write_text("<OpenSimDocument Version='30000'><ScaleTool name='s'/></OpenSimDocument>")
    assert "it holds <ScaleTool>; expected a model, or a setup of" in refused("check", other)
    text = tmp_path / "text.xml"
    text.write_text("setup")
    assert "is not a well-formed XML file" in refused("check", text)


def test_a_model_that_opensim_cannot_read_is_a_finding(cli, gait: Path, tmp_path: Path) -> None:
    damaged = tmp_path / "damaged.osim"
    damaged.write_text(gait.read_text().replace("/bodyset/tibia_r<", "/bodyset/tibbia_r<", 1))
    outcome = cli("check", damaged)
    assert (outcome.code, outcome.err) == (2, "")
    table = " ".join(outcome.out.split())
    assert "it names the body 'tibbia_r', which is not there" in table
    assert "did you mean 'tibia_r'" in table
    damaged.write_text("no model")
    outcome = cli("check", damaged)
    assert (outcome.code, outcome.err) == (2, "") and "reading the model" in outcome.out


def test_commands_refuse_a_model_with_errors_and_say_why(refused, walk: tuple[Path, ...], tmp_path: Path) -> None:
    model = changed(walk[0], tmp_path / "broken.osim", "tibia_l", inertia="4e4 4e4 4e4 0 0 0")
    message = refused("id", "--model", model, "--motion", walk[1])
    assert "body 'tibia_l': its moments, up to 4e+04 kg m^2" in message and "kg m^2" in message
    assert message == refused("simulate", model)


@pytest.mark.slow
def test_commands_warn_once_of_each_kind_and_keep_it(cli, walk: tuple[Path, ...], tmp_path: Path) -> None:
    model = walk[0]
    for body in ("femur_l", "femur_r"):
        model = changed(model, tmp_path / "doubtful.osim", body, inertia="0.17 0.01 0.19 0 0 0")
    outcome = cli(
        *("id", "--model", model, "--motion", walk[1], "--cutoff", "6", "--time-range", "1", "1.1"),
        *("--no-band", "--muscles", "soleus_*", "--out", "results"),
    )
    assert outcome.code == 0 and outcome.err.count("warning") == 1
    assert "body 'femur_r': its principal moments" in outcome.err and "1 more: body 'femur_l'" in outcome.err
    record = json.loads(Path("results/inverse_dynamics_run.json").read_text())
    assert any("break the triangle inequality" in sentence for sentence in record["warnings"])
