"""What the component refuses: models that were changed, what it cannot see, descriptions that are damaged."""

import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import opensim as osim
import pytest
from oracles import limbs
from oracles.plugin import Native
from oracles.wrap_model import wrap_model

import opensim_inertia as oi
from opensim_inertia.model.plugin.library import signed

pytestmark = [
    pytest.mark.filterwarnings("ignore::opensim_inertia.warnings.ShortBellyWarning"),
]

COMPONENT = "/componentset/inertial_muscles"

#: Of JSON without spaces: a word, a number or name, or what stands between them.
TOKEN = re.compile(r'"[^"]*"|[-+.\w]+|[][{},:]')


@pytest.fixture(scope="module")
def inertial() -> oi.InertialModel:
    return oi.InertialModel(limbs.limbs(), limbs.masses())


def description(model: osim.Model) -> str:
    given = model.getComponent(COMPONENT).getPropertyByName("description")
    return str(osim.PropertyHelper.getValueString(given))


def unsigned(text: str) -> str:
    """The JSON of a description, after its kind, version and checksum."""
    return text.split(" ", 3)[3]


def describe(model: osim.Model, text: str) -> None:
    osim.PropertyHelper.setValueString(text, model.updComponent(COMPONENT).updPropertyByName("description"))


def refused(model: osim.Model) -> str:
    with pytest.raises(RuntimeError) as raised:
        model.initSystem()
    assert "InertialMuscles 'inertial_muscles': " in str(raised.value)
    return str(raised.value)


def scale(model: osim.Model) -> None:
    scales = osim.ScaleSet()
    for name in limbs.SEGMENTS:
        one = osim.Scale()
        one.setSegmentName(name)
        one.setScaleFactors(osim.Vec3(1.1))
        one.setApply(True)
        scales.cloneAndAppend(one)
    model.scale(model.initSystem(), scales, True)


def move_point(model: osim.Model) -> None:
    path = osim.GeometryPath.safeDownCast(model.getMuscles().get("long").getPath())
    osim.PathPoint.safeDownCast(path.getPathPointSet().get(1)).setLocation(osim.Vec3(0.06, -0.1, 0.03))


def add_point(model: osim.Model) -> None:
    model.getMuscles().get("short").addNewPathPoint("new", model.getBodySet().get("thigh"), osim.Vec3(0.0, -0.3, 0.0))


EDITS: dict[str, tuple[Callable[[osim.Model], object], str]] = {
    "mass": (lambda m: m.getBodySet().get("foot").setMass(2.0), "mass of '/bodyset/foot' was .* and is 2"),
    "gravity": (lambda m: m.setGravity(osim.Vec3(0.0, -1.6, 0.0)), "gravity of '/' was 0 -9.80665 0 and is 0 -1.6 0"),
    "fibre": (
        lambda m: m.getMuscles().get("long").setOptimalFiberLength(0.31),
        "optimal_fiber_length of '/forceset/long' was 0.3 and is 0.31",
    ),
    "slack": (
        lambda m: m.getMuscles().get("long").setTendonSlackLength(0.5),
        "tendon_slack_length of '/forceset/long'",
    ),
    "point": (move_point, "location of '/forceset/long/.*long-P2' was 0.05 -0.1 0.03 and is 0.06 -0.1 0.03"),
    "points": (add_point, "'/forceset/short' had 2 path points and wraps and has 3"),
    "scaled": (scale, "and [0-9]+ more changes"),
}


@pytest.mark.parametrize("edit", EDITS)
def test_changed_models(inertial: oi.InertialModel, edit: str) -> None:
    change, message = EDITS[edit]
    model = inertial.native_model()
    if edit == "scaled":
        with pytest.raises(RuntimeError, match=message):
            change(model)  # OpenSim initialises the scaled model itself
        return
    change(model)
    text = refused(model)
    assert re.search(message, text), text
    assert "export it anew" in text


def test_strength_may_be_changed(inertial: oi.InertialModel) -> None:
    model = inertial.native_model()
    model.getMuscles().get("long").setMaxIsometricForce(1.0)
    assert Native(inertial, model).error_at(inertial.initial_state()) < 1e-11


def test_muscles_may_be_taken_out_or_replaced(inertial: oi.InertialModel) -> None:
    """As Moco and CMC do; their mass stays."""
    state = inertial.initial_state()
    moving = np.array([0.1, -0.2, 0.3, 1.0, 2.0, -1.0])
    state.setQ(osim.Vector.createFromMat(moving[:3].copy()))
    state.setU(osim.Vector.createFromMat(moving[3:].copy()))
    expected = inertial.udot(state)
    bare, others = (osim.ModelProcessor(inertial.native_model()) for _ in range(2))
    bare.append(osim.ModOpRemoveMuscles())
    for operator in ("ReplaceMusclesWithDeGrooteFregly2016", "IgnoreActivationDynamics", "IgnoreTendonCompliance"):
        others.append(getattr(osim, f"ModOp{operator}")())
    for processor, muscles in ((bare, 0), (others, 3)):
        native = Native(inertial, processor.process())
        assert native.model.getMuscles().getSize() == muscles
        for muscle in native.model.getMuscles():
            muscle.setAppliesForce(native.state, False)
        assert np.abs(native.udot(0.0, moving) - expected).max() < 1e-11 * np.abs(expected).max()


def test_two_components(inertial: oi.InertialModel) -> None:
    model = inertial.native_model()
    other = osim.OpenSimObject.newInstanceOfType("InertialMuscles")
    other.setName("another")
    part = osim.ModelComponent.safeDownCast(other)
    model.addModelComponent(part)
    part.thisown = other.thisown = False
    with pytest.raises(RuntimeError, match="all inertial muscles of a model must be in one component"):
        model.initSystem()


def test_another_order_of_speeds() -> None:
    """The same coordinates, of a chain whose joints were turned round."""
    given = oi.InertialModel(limbs.limbs(), limbs.masses()).native_model()
    text = unsigned(description(given))
    turned = text.replace('"coordinates":["hip","knee","ankle"]', '"coordinates":["knee","hip","ankle"]')
    assert turned != text
    model = oi.InertialModel(limbs.limbs(), limbs.masses()).native_model()
    describe(model, signed(turned))
    assert "coordinate 'knee' has another place" in refused(model)


def test_inverse_models_are_not_integrated(inertial: oi.InertialModel) -> None:
    model = inertial.native_model("inverse")
    state = model.initSystem()
    with pytest.raises(RuntimeError, match="was exported for .* no accelerations were put into the state"):
        model.realizeDynamics(state)
    for i in range(state.getNU()):
        state.updUDot().set(i, 0.0)
    model.realizeDynamics(state)
    with pytest.raises(RuntimeError, match="was exported for OpenSim's Inverse Dynamics Tool and can do nothing else"):
        model.realizeAcceleration(state)
    with pytest.raises(oi.errors.OptionError, match="tool"):
        inertial.native_model("sideways")


def test_paths_that_opensim_leads() -> None:
    inertial = oi.InertialModel(wrap_model("cylinder"), {"muscle": 0.5}, wrapping="opensim")
    with pytest.raises(oi.errors.UnsupportedPathError, match="muscle 'muscle': its path is OpenSim's own"):
        inertial.native_model()
    with pytest.raises(oi.errors.OptionError, match="OpenSim leads the path of 'muscle'"):
        oi.simulate(oi.Problem(inertial, t_final=0.01), engine="native")


def test_other_versions_and_texts(inertial: oi.InertialModel) -> None:
    for text, message in (
        ("", "it begins with '', not with 'inertial-muscles'"),
        ("something else", "it begins with 'something', not with 'inertial-muscles'"),
        ("inertial-muscles 3 0 end", "version 3 is not the version 7 that this plugin reads"),
        (signed(""), "at character 0, it ends too early"),
        (signed('{"gravity":[0,0,null]}'), "at character 16, a number is expected"),
        (signed('{"gravity":[0,0]}'), "in the description, gravity, 3 numbers are expected, not 2"),
        (signed('{"gravity":[0,0,0],"bodies":[1]}'), "in the description, bodies, a list is expected"),
        (signed("[" * 100000), "the data are nested too deeply"),
    ):
        model = inertial.native_model()
        describe(model, text)
        assert message in refused(model)


def test_changed_text(inertial: oi.InertialModel) -> None:
    text = description(inertial.native_model())
    for damaged in (text[:-1], text[: len(text) // 2], text.replace("0.35", "0.36", 1), text + " more"):
        model = inertial.native_model()
        describe(model, damaged)
        assert "the checksum is wrong" in refused(model)


def test_damaged_descriptions_with_right_checksums(inertial: oi.InertialModel) -> None:
    """Cut off, words changed, huge counts: each is read and works, or is refused; none crashes."""
    words, rng = TOKEN.findall(unsigned(description(inertial.native_model()))), np.random.default_rng(0)
    assert "".join(words) == unsigned(description(inertial.native_model()))
    odd = ["-1", "0", "7", "999999999", "1e308", "NaN", "Infinity", "x", "18446744073709551616", "1.5", '"moving"']
    odd += ["-0.5", "[]", "{}", "[", "}", ",", "null", '"', "[[1],[2,3]]"]
    refusals = 0
    model = inertial.native_model()
    for _ in range(400):
        damaged = list(words)
        at = int(rng.integers(len(words)))
        kind = rng.integers(3)
        if kind == 0:
            del damaged[at:]
        elif kind == 1:
            damaged[at] = str(rng.choice(odd))
        else:
            damaged.insert(at, str(rng.choice(odd)))
        describe(model, signed("".join(damaged)))
        try:
            state = model.initSystem()
            model.realizeAcceleration(state)
        except RuntimeError as error:
            assert "InertialMuscles" in str(error)
            refusals += 1
    assert refusals > 200


def test_many_threads_with_models_of_their_own(inertial: oi.InertialModel) -> None:
    """Each is right whatever the others do."""
    natives = [Native(inertial) for _ in range(4)]
    rng = np.random.default_rng(1)
    states = [np.concatenate([rng.normal(size=6), natives[0].state.getZ().to_numpy()]) for _ in range(20)]
    alone = [natives[0].udot(0.0, y) for y in states]

    def run(native: Native) -> list[np.ndarray]:
        return [native.udot(0.0, y) for y in states]

    with ThreadPoolExecutor(4) as pool:
        for found in pool.map(run, natives):
            assert all(np.array_equal(a, b) for a, b in zip(found, alone, strict=True))
