"""The nearest inertia that a body can have: a body, the nearest one, and nothing else in the file."""

import xml.etree.ElementTree as ElementTree
from pathlib import Path

import numpy as np
import pytest
from scipy.optimize import minimize

import opensim_inertia as oi
from checks.test_bodies import box, pendulum
from opensim_inertia.checks import nearest_inertia
from opensim_inertia.muscles.masses.rigid import (
    THINNEST,
    RigidMass,
    body_mass_properties,
    inertia_problem,
    six_numbers,
)
from opensim_inertia.opensim_model.reading.loading import load_model


def random_inertias(seed: int, count: int) -> list[RigidMass]:
    """Inertias of no body: second moments with one or two negative eigenvalues, in random axes."""
    rng = np.random.default_rng(seed)
    rigids = []
    for _ in range(count):
        axes = np.linalg.qr(rng.normal(size=(3, 3)))[0]
        values = rng.uniform(0.2, 1, 3) * [1, rng.choice([-1, 1]), -1]
        covariance = (axes * values * 0.01) @ axes.T
        rigids.append(RigidMass(2.0, np.zeros(3), np.trace(covariance) * np.eye(3) - covariance))
    return rigids


@pytest.mark.slow
def test_the_nearest_is_a_body_and_none_is_nearer() -> None:
    """Against a search over all bodies L L^T + floor, in the Frobenius norm of second moments."""
    for rigid in random_inertias(3, 5):
        body = nearest_inertia(rigid)
        assert inertia_problem(six_numbers(body.inertia)) is None
        assert body.mass == rigid.mass and (body.center == rigid.center).all()
        floor = float(np.linalg.eigvalsh(body.covariance)[0])
        target = rigid.covariance

        def distance(x: np.ndarray, target: np.ndarray = target, floor: float = floor) -> float:
            factor = np.zeros((3, 3))
            factor[np.tril_indices(3)] = x
            return float(np.sum((factor @ factor.T + floor * np.eye(3) - target) ** 2)) * 1e4

        rng = np.random.default_rng(0)
        best = min(
            minimize(distance, rng.normal(0, 0.1, 6), method="BFGS", options={"gtol": 1e-9}).fun for _ in range(4)
        )
        ours = np.sum((body.covariance - target) ** 2) * 1e4
        assert ours <= best * (1 + 1e-6)  # a search comes near, from above
        assert best <= ours * (1 + 1e-3)  # and there


def test_bodies_stay_above_the_floor() -> None:
    needle = RigidMass(3.0, np.zeros(3), np.diag([0.0, 0.03, 0.03]))
    values = np.linalg.eigvalsh(nearest_inertia(needle).covariance) / needle.mass
    np.testing.assert_allclose(values[:2], THINNEST**2, rtol=1e-9)
    small = RigidMass(0.01, np.zeros(3), np.diag([0.0, 1e-7, 1e-7]))  # 3 mm long: a tenth of that is the floor
    values = np.linalg.eigvalsh(nearest_inertia(small).covariance) / small.mass
    np.testing.assert_allclose(np.sqrt(values[:2]), 0.1 * np.sqrt(values[2]), rtol=1e-9)


def test_only_the_text_of_broken_inertias_changes(tmp_path: Path) -> None:
    model = tmp_path / "model.osim"
    pendulum(3.0, (0.01, 0.02, 0.04)).printToXML(str(model))
    text = model.read_text().replace("\n", "\r\n").replace("<Model ", "<!-- ünïcode > & odd --><Model ")
    model.write_bytes(text.encode())
    (repair,) = oi.repair_model(model, tmp_path / "repaired.osim")
    assert repair.body == "bob" and repair.before == (0.01, 0.02, 0.04, 0.0, 0.0, 0.0)
    before, after = model.read_bytes(), (tmp_path / "repaired.osim").read_bytes()
    lines = [(a, b) for a, b in zip(before.split(b"\n"), after.split(b"\n"), strict=True) if a != b]
    ((old, new),) = lines
    assert b"<inertia>" in old and new.split(b"<inertia>")[0] == old.split(b"<inertia>")[0]
    read = body_mass_properties(load_model(tmp_path / "repaired.osim"), "bob")
    assert six_numbers(read.inertia).tolist() == list(repair.after)
    assert inertia_problem(repair.after) is None and oi.check(tmp_path / "repaired.osim").worst == "note"


def test_a_good_model_is_copied_to_the_byte(tmp_path: Path, opensim_models: Path) -> None:
    model = opensim_models / "Models" / "Arm26" / "arm26.osim"
    assert oi.repair_model(model, tmp_path / "copy.osim") == []
    assert (tmp_path / "copy.osim").read_bytes() == model.read_bytes()


def test_point_masses_and_fixed_bodies_are_left(tmp_path: Path) -> None:
    point = tmp_path / "point.osim"
    pendulum(3.0, (0, 0, 0)).printToXML(str(point))
    assert oi.repair_model(point, tmp_path / "copy.osim") == []


def test_a_published_needle(tmp_path: Path, opensim_models: Path) -> None:
    """The toes of the leg with nine muscles have moments 0, 0, 9.05e-4: the nearest body is a plate across z."""
    model = opensim_models / "Models" / "Leg6Dof9Musc" / "leg6dof9musc.osim"
    (repair,) = oi.repair_model(model, tmp_path / "leg.osim")
    assert repair.body == "toes_r"
    xx, yy, zz, *products = repair.after
    assert xx == yy and zz == pytest.approx(9.0462e-4) and products == [0, 0, 0]
    assert xx == pytest.approx(1.01 * zz / 2, rel=1e-6)  # a tenth as thick as it is wide, which is 4.9 mm
    assert oi.check(tmp_path / "leg.osim", thorough=False).worst is None


def test_files_from_before_opensim_4(tmp_path: Path) -> None:
    """They have an element for each number."""
    old = tmp_path / "old.osim"
    numbers = {"xx": 0.01, "yy": 0.02, "zz": 0.04, "xy": 0, "xz": 0, "yz": 0}
    inertia = "".join(f"<inertia_{axes}>{number}</inertia_{axes}>" for axes, number in numbers.items())
    joint = (
        "<PinJoint name='hinge'><parent_body>ground</parent_body><location_in_parent>0 0 0</location_in_parent>"
        "<orientation_in_parent>0 0 0</orientation_in_parent><location>0 0 0</location><orientation>0 0 0</orientation>"
        "<CoordinateSet><objects><Coordinate name='angle'/></objects></CoordinateSet></PinJoint>"
    )
    old.write_text(
        "<OpenSimDocument Version='30000'><Model name='old'><BodySet><objects>"
        "<Body name='ground'><mass>0</mass><mass_center>0 0 0</mass_center></Body>"
        f"<Body name='bob'><mass>3</mass><mass_center>0 -0.2 0</mass_center>{inertia}<Joint>{joint}</Joint></Body>"
        "</objects></BodySet></Model></OpenSimDocument>"
    )
    (repair,) = oi.repair_model(old, tmp_path / "new.osim")
    assert repair.body == "bob"
    root = ElementTree.parse(tmp_path / "new.osim").getroot()
    bob = next(element for element in root.iter("Body") if element.get("name") == "bob")
    written = [float(bob.findtext(f"inertia_{axes}") or "nan") for axes in numbers]
    assert written == list(repair.after)
    assert inertia_problem(six_numbers(body_mass_properties(load_model(tmp_path / "new.osim"), "bob").inertia)) is None


def test_what_cannot_be_repaired_is_refused(tmp_path: Path) -> None:
    model = tmp_path / "model.osim"
    pendulum(3.0, box(3.0, 0.1, 0.2, 0.3)).printToXML(str(model))
    with pytest.raises(oi.errors.ModelError, match="must be another file"):
        oi.repair_model(model, tmp_path / "." / "model.osim")
    text = model.read_text()
    broken = ElementTree.fromstring(text)
    next(e for e in broken.iter("Body") if e.get("name") == "bob").find("inertia").text = "nan 1 1 0 0 0"  # type: ignore[union-attr]
    model.write_bytes(ElementTree.tostring(broken))
    with pytest.raises(oi.errors.ModelError, match="body 'bob': its mass properties are not finite"):
        oi.repair_model(model, tmp_path / "out.osim")
    assert not (tmp_path / "out.osim").exists()
