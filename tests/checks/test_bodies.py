"""Bodies that cannot exist, and what is said of them; against bodies whose inertia is known by construction."""

import numpy as np
import opensim as osim
import pytest

import opensim_inertia as oi
from opensim_inertia.checks import Diagnostic
from opensim_inertia.checks import model_errors as model_findings


def pendulum(mass: float, inertia: tuple[float, ...], center: tuple[float, float, float] = (0, -0.2, 0)) -> osim.Model:
    """One body on a hinge, on a base that is welded to ground and has no mass."""
    model = osim.Model()
    model.setName("pendulum")
    base = osim.Body("base", 0.0, osim.Vec3(0), osim.Inertia(0))
    bob = osim.Body("bob", mass, osim.Vec3(*center), osim.Inertia(1))
    bob.setInertia(osim.Inertia(osim.Vec3(*inertia[:3]), osim.Vec3(*(inertia[3:] or (0, 0, 0)))))
    weld = osim.WeldJoint("weld", model.getGround(), base)
    hinge = osim.PinJoint("hinge", base, osim.Vec3(0), osim.Vec3(0), bob, osim.Vec3(0), osim.Vec3(0))
    for each in (base, bob):
        model.addBody(each)
    for joint in (weld, hinge):
        model.addJoint(joint)
    model.finalizeConnections()
    return model


def box(mass: float, a: float, b: float, c: float) -> tuple[float, float, float]:
    return mass / 12 * (b * b + c * c), mass / 12 * (a * a + c * c), mass / 12 * (a * a + b * b)


def said(findings: list[Diagnostic]) -> list[tuple[str, str]]:
    return [(finding.severity, finding.check) for finding in findings]


@pytest.mark.parametrize("edges", [(0.1, 0.4, 0.1), (0.02, 0.5, 0.3), (0.001, 0.3, 0.3)])
def test_a_box_is_a_body(edges: tuple[float, float, float]) -> None:
    """And so is a plate of a millimetre. The massless base, fixed to ground, is nothing to be told."""
    assert model_findings(pendulum(3.0, box(3.0, *edges))) == []
    assert model_findings(pendulum(3.0, (0.0100000, 0.0200000, 0.03000001))) == []  # as rounding prints it


@pytest.mark.parametrize(
    ("inertia", "severity", "check"),
    [
        ((0.01, 0.02, 0.04), "warning", "triangle inequality"),
        ((0.0001, 0.0002, 0.001), "note", "triangle inequality"),
        ((0.01, 0.02, 0.0300001), "note", "triangle inequality"),
        ((0.0, 0.03, 0.03), "note", "inertia"),
        ((-0.002, 0.03, 0.03), "warning", "inertia"),
        ((-0.02, 0.03, 0.03), "warning", "inertia"),
        ((0.03, 0.03, 0.03, 0.0, 0.0, 0.05), "warning", "inertia"),
        ((30.0, 30.0, 30.0), "warning", "inertia against mass"),
        ((3e4, 3e4, 3e4), "error", "inertia against mass"),
        ((1e-5, 1e-5, 1e-5), "warning", "inertia against mass"),
        ((0.0, 0.0, 0.0), "note", "point mass"),
        ((float("nan"), 0.03, 0.03), "error", "numbers"),
    ],
)
def test_inertias_that_no_body_has(inertia: tuple[float, ...], severity: str, check: str) -> None:
    findings = model_findings(pendulum(3.0, inertia))
    assert (severity, check) in said(findings)
    (finding,) = (finding for finding in findings if finding.check == check)
    assert finding.subject == "pendulum, body 'bob'"


def test_a_body_of_hardly_any_mass_is_a_warning_if_its_moments_act() -> None:
    """As in MoBL-ARMS: 0.1 g with 1 kg m^2 has an answer, and the warning gives the size of the effect."""
    findings = model_findings(pendulum(1e-4, (1.0, 1.0, 1.0), (0, -0.05, 0)))
    (finding,) = (finding for finding in findings if finding.check == "placeholder")
    assert finding.severity == "warning"
    assert "adds up to 1 N m" in finding.text


def test_a_negative_moment_may_make_kinetic_energy_negative() -> None:
    """About the hinge, along z, Steiner's part is 3 * 0.2^2 = 0.12: -0.13 is beyond it, and -0.11 is not."""
    findings = {z: said(model_findings(pendulum(3.0, (0.03, 0.03, z)))) for z in (-0.13, -0.11)}
    assert ("warning", "kinetic energy") in findings[-0.13] and ("warning", "kinetic energy") not in findings[-0.11]


def test_a_point_mass_on_its_axis_moves_nothing() -> None:
    findings = model_findings(pendulum(3.0, (0, 0, 0), center=(0, 0, 0.2)))
    assert ("warning", "massless moving body") in said(findings)
    assert "'hinge_coord_0'" in next(f.subject for f in findings if f.check == "massless moving body")


@pytest.mark.parametrize(
    ("mass", "severity"), [(0.5, None), (290.0, None), (400.0, "warning"), (2500.0, "error"), (0.0005, "note")]
)
def test_masses(mass: float, severity: str | None) -> None:
    findings = model_findings(pendulum(mass, box(mass, 0.8, 0.8, 0.8), (0, -0.05, 0)))
    assert [f.severity for f in findings] == ([] if severity is None else [severity])


def test_gravity_is_looked_at() -> None:
    model = pendulum(3.0, box(3.0, 0.1, 0.4, 0.1))
    for gravity, expected in (
        ((0, -9.81, 0), []),
        ((0, -9.80665, 0), []),
        ((0, 0, -9.81), [("note", "gravity")]),
        ((0, 0, 0), [("note", "gravity")]),
        ((0, -1.62, 0), [("warning", "gravity")]),
        ((0, -9806.65, 0), [("error", "gravity")]),
    ):
        model.setGravity(osim.Vec3(*gravity))
        assert said(model_findings(model)) == expected, gravity


def test_the_model_stays_as_it_is() -> None:
    model = pendulum(3.0, (0.01, 0.02, 0.04))
    before = model.dump()
    assert oi.check(model).worst == "warning"
    assert model.dump() == before


@pytest.mark.parametrize("severity", ["note", "warning", "error"])
def test_commands_group_findings_of_a_kind(severity: str) -> None:
    from opensim_inertia.checks import grouped

    alike = [Diagnostic(severity, "inertia", f"m, body '{n}'", "it is none", ("mend it",)) for n in "abcdef"]
    other = Diagnostic("note", "mass", "m, body 'g'", "light")
    first, second = sorted(grouped([other, *alike]), key=lambda f: f.check)
    assert first.subject == "m, body 'a'" and "5 more: body 'b', body 'c', body 'd' and 2 more" in first.text
    assert str(first).endswith("mend it. `opensim-inertia check` lists all") and second == other


def test_a_random_inertia_is_a_bodys_if_and_only_if_masses_make_it() -> None:
    """Points of positive mass make bodies; one of them turned negative and far away makes none."""
    rng = np.random.default_rng(7)
    for _ in range(20):
        masses, places = rng.uniform(0.1, 1, 8), rng.normal(0, 0.1, (8, 3))

        def about_center(masses: np.ndarray, places: np.ndarray = places) -> tuple[float, tuple[float, ...]]:
            arms = places - masses @ places / masses.sum()
            tensor = sum(m * (r @ r * np.eye(3) - np.outer(r, r)) for m, r in zip(masses, arms, strict=True))
            six = (*np.diag(tensor), tensor[0, 1], tensor[0, 2], tensor[1, 2])
            return float(masses.sum()), tuple(float(x) for x in six)

        assert model_findings(pendulum(*about_center(masses), center=(0, -0.05, 0))) == []
        far = places.copy()
        far[0] *= 0.5 / np.linalg.norm(far[0])
        mass, six = about_center(masses * np.where(np.arange(8) == 0, -1, 1) + 0.0, far)
        checks = {check for _, check in said(model_findings(pendulum(abs(mass), six, (0, -0.05, 0))))}
        assert checks & {"inertia", "triangle inequality"}
