"""Models that OpenSim cannot load, and models that lack something: one sentence each."""

from pathlib import Path

import opensim as osim
import pytest

import opensim_inertia as oi
from checks.test_bodies import pendulum

DEFAULTS = (
    '<defaults><Millard2012EquilibriumMuscle name="default"><optimal_fiber_length>0</optimal_fiber_length>'
    "</Millard2012EquilibriumMuscle></defaults>"
)


def text_of(model: osim.Model, path: Path) -> str:
    model.printToXML(str(path))
    return path.read_text()


def test_entries_of_defaults_are_no_muscles(tmp_path: Path) -> None:
    path = tmp_path / "broken.osim"
    text = text_of(pendulum(3.0, (0.03, 0.03, 0.03)), path).replace(
        '<Model name="pendulum">', f"<Model name='x'>{DEFAULTS}"
    )
    path.write_text(text.replace("/bodyset/bob", "/bodyset/bib", 1))
    assert DEFAULTS in path.read_text()
    findings = oi.check(path).findings
    assert {f.severity for f in findings} == {"error"} and not any("default" in f.subject for f in findings)


def test_a_class_that_is_not_registered_needs_its_plugin(tmp_path: Path) -> None:
    path = tmp_path / "unknown.osim"
    model = pendulum(3.0, (0.03, 0.03, 0.03))
    spring = osim.SpringGeneralizedForce("hinge_coord_0")
    model.addForce(spring)
    path.write_text(text_of(model, path).replace("SpringGeneralizedForce", "NoSuchForce"))
    (finding,) = oi.check(path).findings
    assert "the class 'NoSuchForce' is not registered: load the plugin that has it" in finding.text
    with pytest.raises(oi.errors.ModelError, match="load the plugin"):
        oi.InertialModel(path, {})


def test_models_without_coordinates_or_muscles() -> None:
    model = osim.Model()
    model.setName("still")
    assert [(f.severity, f.check) for f in oi.check(model).findings] == [("error", "coordinates"), ("note", "muscles")]
    (finding,) = oi.check(pendulum(3.0, (0.03, 0.03, 0.03))).findings
    assert (finding.severity, finding.check) == ("note", "muscles")


def test_a_speed_that_the_class_does_not_read_is_no_finding(tmp_path: Path) -> None:
    """Schutte's muscle of 1993 has a time scale; OpenSim keeps the inherited speed of 0 and never reads it."""
    model = pendulum(3.0, (0.03, 0.03, 0.03))
    muscle = osim.Thelen2003Muscle("old", 100.0, 0.1, 0.1, 0.0)
    muscle.set_max_contraction_velocity(7.0)
    for name, body, y in (("a", model.getGround(), 0.1), ("b", model.getBodySet().get("bob"), -0.1)):
        muscle.addNewPathPoint(name, body, osim.Vec3(0.05, y, 0))
    model.addForce(muscle)
    model.finalizeConnections()
    path = tmp_path / "old.osim"
    text = text_of(model, path).replace("Thelen2003Muscle", "Schutte1993Muscle_Deprecated")
    path.write_text(text.replace("<max_contraction_velocity>7<", "<max_contraction_velocity>0<"))
    result = oi.check(path)
    assert result.worst in (None, "note") and "_velocity>0<" in path.read_text()
