"""Defects of motions and of external loads: each function spoils those of a trial."""

import random
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable

import numpy as np
import pandas as pd

from checks.model_defects import Kind, Plant
from checks.trials import Trial

__all__ = ["LOADS", "MOTIONS", "RUNNING"]


def motion(trial: Trial) -> pd.DataFrame:
    assert trial.motion is not None
    return trial.motion


def forces(trial: Trial) -> pd.DataFrame:
    assert trial.forces is not None
    return trial.forces


def angles(trial: Trial) -> list[str]:
    """Columns of the motion that are rotations."""
    return [c for c in motion(trial).columns if c != "time" and not c.startswith("pelvis_t") or c == "pelvis_tilt"]


def some_angle(trial: Trial, rng: random.Random) -> str:
    """A joint's angle that moves by more than 10 degrees."""
    table = motion(trial)
    return rng.choice([c for c in angles(trial) if np.ptp(table[c]) > 10 and "pelvis" not in c])


def inner_row(table: pd.DataFrame, rng: random.Random) -> int:
    return rng.randrange(15, len(table) - 15)


def columns(trial: Trial, *parts: str) -> list[str]:
    return [c for c in forces(trial).columns if any(part in c for part in parts)]


FEET = ("", "1_")


def loads(trial: Trial) -> ElementTree.ElementTree:
    assert trial.loads is not None
    return trial.loads


def one_angle(change: Callable[[pd.Series], pd.Series | float]) -> Plant:
    """What changes one angle of the motion."""

    def plant(trial: Trial, rng: random.Random) -> None:
        name = rng.choice(angles(trial))
        motion(trial)[name] = change(motion(trial)[name])

    return plant


def all_forces(part: str, *factors: float) -> Plant:
    """What multiplies the columns of forces whose names have a part by one of some factors."""

    def plant(trial: Trial, rng: random.Random) -> None:
        forces(trial)[columns(trial, part)] *= rng.choice(factors)

    return plant


def all_loads(tag: str, text: str) -> Plant:
    """What gives an entry of all loads a text."""

    def plant(trial: Trial, rng: random.Random) -> None:
        for element in loads(trial).iter(tag):
            element.text = text

    return plant


def milliseconds(trial: Trial, rng: random.Random) -> None:
    motion(trial)["time"] *= 1000


def said_to_be_radians(trial: Trial, rng: random.Random) -> None:
    trial.in_degrees = False


def said_to_be_degrees(trial: Trial, rng: random.Random) -> None:
    trial.motion = motion(trial).assign(**{c: np.radians(motion(trial)[c]) for c in angles(trial)})


def one_angle_in_radians_as_degrees(trial: Trial, rng: random.Random) -> None:
    """The whole motion is in radians, but one coordinate."""
    angle_column = some_angle(trial, rng)
    said_to_be_degrees(trial, rng)
    trial.in_degrees = False
    motion(trial)[angle_column] = np.degrees(motion(trial)[angle_column])


def places_in_millimetres(trial: Trial, rng: random.Random) -> None:
    for name in rng.choice((("pelvis_tx", "pelvis_ty"), ("pelvis_ty",), ("pelvis_tx",))):
        motion(trial)[name] *= 1000


def frames(trial: Trial, rng: random.Random) -> None:
    motion(trial)["time"] = np.arange(float(len(motion(trial)))) + rng.randrange(300)


def spike(trial: Trial, rng: random.Random) -> None:
    table = motion(trial)
    table.loc[inner_row(table, rng), some_angle(trial, rng)] += rng.choice((-1, 1)) * rng.uniform(20, 180)


def jump_by_a_turn(trial: Trial, rng: random.Random) -> None:
    table = motion(trial)
    table.loc[inner_row(table, rng) :, some_angle(trial, rng)] += rng.choice((-360, 360))


def gap(trial: Trial, rng: random.Random) -> None:
    table, missing = motion(trial), rng.randrange(8, 25)
    first = rng.randrange(20, len(table) - 20 - missing)
    trial.motion = table.drop(index=range(first, first + missing)).reset_index(drop=True)


def frozen(trial: Trial, rng: random.Random) -> None:
    """Markers were lost, and their last values kept."""
    table, count = motion(trial), rng.randrange(20, 40)
    first = rng.randrange(15, len(table) - 15 - count)
    names = [c for c in table.columns if c != "time"]
    table.loc[first : first + count, names] = table.loc[first, names].to_numpy()


def no_number(trial: Trial, rng: random.Random) -> None:
    text = rng.choice(("nan", "NaN", "inf", "abc"))
    trial.cells["motion", rng.randrange(len(motion(trial))), some_angle(trial, rng)] = text


def reversed_time(trial: Trial, rng: random.Random) -> None:
    """Rows in the wrong order: all, or two of them."""
    table = motion(trial)
    order = np.arange(len(table))[::-1].copy()
    if rng.random() < 0.5:
        order = np.arange(len(table))
        row = inner_row(table, rng)
        order[[row, row + 1]] = order[[row + 1, row]]
    trial.motion = table.iloc[order].reset_index(drop=True)


def same_time_twice(trial: Trial, rng: random.Random) -> None:
    table = motion(trial)
    row = inner_row(table, rng)
    table.loc[row, "time"] = table.loc[row - 1, "time"]


def wrong_columns(trial: Trial, rng: random.Random) -> None:
    """Names of another model, or a prefix that some programs write."""
    prefix = rng.choice(("subject01/", "q_", "angle."))
    trial.motion = motion(trial).rename(columns={c: prefix + c for c in motion(trial).columns if c != "time"})


def two_legs_swapped(trial: Trial, rng: random.Random) -> None:
    """The motion of each leg in the other one's columns, while the loads are as they were."""
    table = motion(trial)
    swapped = {c: table[c[:-1] + {"r": "l", "l": "r"}[c[-1]]] for c in table.columns if c[-2:] in ("_r", "_l")}
    trial.motion = table.assign(**swapped)


def other_axes(trial: Trial, rng: random.Random) -> None:
    for foot in FEET:
        for part in ("force_v", "force_p", "torque_"):
            x, y, z = (f"{foot}ground_{part}{axis}" for axis in "xyz")
            table = forces(trial)
            table[y], table[z] = -table[z].copy(), table[y].copy()
            assert x in table


def point_zero(trial: Trial, rng: random.Random) -> None:
    forces(trial)[columns(trial, f"{rng.choice(('', '1_'))}ground_force_p")] = 0.0


def point_elsewhere(trial: Trial, rng: random.Random) -> None:
    """The laboratory's origin is another one."""
    table = forces(trial)
    for foot in FEET:
        table[f"{foot}ground_force_px"] += rng.choice((-1, 1)) * 0.7
        table[f"{foot}ground_force_pz"] += rng.uniform(-0.3, 0.3)


def points_moved(trial: Trial, rng: random.Random) -> None:
    """The plates' origin is some centimetres off."""
    forces(trial)[columns(trial, "force_px")] += rng.choice((-1, 1)) * rng.uniform(0.05, 0.1)


def plate_too_weak(trial: Trial, rng: random.Random) -> None:
    """The calibration of one plate is off."""
    foot = rng.choice(("ground_", "1_ground_"))
    table = forces(trial)
    table[[label for label in table if label.startswith((f"{foot}force_v", f"{foot}torque"))]] *= rng.uniform(0.7, 0.8)


def times_stretched(trial: Trial, rng: random.Random) -> None:
    """Both clocks have another frame rate than the file says."""
    assert trial.motion is not None
    factor = rng.choice((1.2, 1 / 1.2, 1.25))
    for table in (trial.motion, forces(trial)):
        table["time"] *= factor


def ended_early(trial: Trial, rng: random.Random) -> None:
    table = forces(trial)
    trial.forces = table[table["time"] < rng.uniform(0.5, 2.2)].reset_index(drop=True)


def begun_late(trial: Trial, rng: random.Random) -> None:
    table = forces(trial)
    trial.forces = table[table["time"] > rng.uniform(0.3, 1.5)].reset_index(drop=True)


def loads_later(trial: Trial, rng: random.Random) -> None:
    """The plates' clock is another one."""
    forces(trial)["time"] += rng.choice((-1, 1)) * rng.uniform(0.15, 0.5)


def feet_swapped(trial: Trial, rng: random.Random) -> None:
    for element in loads(trial).iter("applied_to_body"):
        text = (element.text or "").strip()
        element.text = text[:-1] + {"r": "l", "l": "r"}[text[-1]]


def wrong_body(trial: Trial, rng: random.Random) -> None:
    element = rng.choice(list(loads(trial).iter("applied_to_body")))
    element.text = rng.choice(("foot_r", "calcn", "torso", "pelvis", "CALCN_R"))


def no_forces(trial: Trial, rng: random.Random) -> None:
    objects = loads(trial).getroot().find(".//objects")
    assert objects is not None
    objects.clear()


def wrong_identifier(trial: Trial, rng: random.Random) -> None:
    tag = rng.choice(("force_identifier", "point_identifier", "torque_identifier"))
    element = rng.choice(list(loads(trial).iter(tag)))
    element.text = rng.choice(("ground_force_w", "R_ground_force_v", "ground_force", "2_ground_force_p"))


def point_for_force(trial: Trial, rng: random.Random) -> None:
    load = rng.choice(list(loads(trial).iter("ExternalForce")))
    one, other = load.find("force_identifier"), load.find("point_identifier")
    assert one is not None and other is not None
    one.text, other.text = other.text, one.text


def one_foot_lost(trial: Trial, rng: random.Random) -> None:
    """The loads of one foot are left out."""
    objects = loads(trial).getroot().find(".//objects")
    assert objects is not None
    objects.remove(rng.choice(list(objects)))


def spike_of_load(trial: Trial, rng: random.Random) -> None:
    foot = rng.choice(FEET)
    loaded = np.flatnonzero(forces(trial)[f"{foot}ground_force_vy"].to_numpy() > 300)
    row = rng.choice(loaded[20:-20].tolist())
    forces(trial).loc[row, f"{foot}ground_force_v{rng.choice('xyz')}"] += rng.choice((-1, 1)) * rng.uniform(400, 5000)


def no_number_in_loads(trial: Trial, rng: random.Random) -> None:
    column = rng.choice([c for c in forces(trial).columns if c != "time"])
    trial.cells["forces", rng.randrange(len(forces(trial))), column] = rng.choice(("nan", "inf", "-"))


def no_data_file(trial: Trial, rng: random.Random) -> None:
    trial.data_name = rng.choice(("grf.mot", "../forces.mot", "forces"))


def kneecap_in_degrees(trial: Trial, rng: random.Random) -> None:
    """Coupled coordinates of a motion in radians are in degrees: as those of a public walk."""
    table = motion(trial)
    for side in rng.choice((("r",), ("l",), ("r", "l"))):
        table[f"knee_angle_{side}_beta"] = np.degrees(table[f"knee_angle_{side}"])


MOTIONS: dict[str, Kind] = {
    "motion in degrees said to be in radians": (said_to_be_radians, "degrees"),
    "motion in radians said to be in degrees": (said_to_be_degrees, "points"),
    "one coordinate in degrees among radians": (one_angle_in_radians_as_degrees, "degrees"),
    "pelvis in millimetres": (places_in_millimetres, "millimetres"),
    "times of the motion in milliseconds": (milliseconds, "times"),
    "times of the motion as frames": (frames, "times"),
    "spike of a coordinate": (spike, "jumps"),
    "jump by a full turn": (jump_by_a_turn, "ranges"),
    "gap in the motion": (gap, "gaps"),
    "frozen rows of the motion": (frozen, "frozen rows"),
    "cell of the motion that is no number": (no_number, "numbers|reading the motion"),
    "times of the motion not in order": (reversed_time, "numbers"),
    "a time of the motion twice": (same_time_twice, "times"),
    "columns of another model": (wrong_columns, "reading the motion"),
    "legs swapped in the motion": (two_legs_swapped, "bodies"),
    "column of the motion with a turned sign": (one_angle(lambda column: -column), "columns"),
    "column of the motion of zeros": (one_angle(lambda _: 0.0), "still columns"),
    "column of the motion converted twice": (one_angle(np.radians), "columns"),
}
LOADS: dict[str, Kind] = {
    "forces in kilonewtons": (all_forces("force_v", 1e-3), "body weight"),
    "loads 57 times too large": (all_forces("ground", 180 / np.pi), "body weight"),
    "forces in body weights": (all_forces("force_v", 1 / 712, 100 / 712), "body weight|clocks"),
    "forces in pounds": (all_forces("force_v", 0.2248), "clocks"),
    "forces with turned signs": (all_forces("force_v", -1), "body weight"),
    "vertical forces with turned signs": (all_forces("force_vy", -1), "momentum"),
    "loads with other axes": (other_axes, "body weight"),
    "centre of pressure of zeros": (point_zero, "feet on the ground"),
    "centre of pressure in millimetres": (all_forces("force_p", 1000), "points"),
    "centre of pressure from another origin": (point_elsewhere, "feet on the ground"),
    "loads that end early": (ended_early, "times without loads"),
    "loads that begin late": (begun_late, "times without loads"),
    "loads shifted in time": (loads_later, "clocks"),
    "points of all loads moved by centimetres": (points_moved, "points"),
    "forces of one plate too small": (plate_too_weak, "momentum"),
    "times of motion and loads stretched": (times_stretched, "clocks"),
    "times of the loads in milliseconds": (all_forces("time", 1000), "times"),
    "feet swapped": (feet_swapped, "bodies: error"),
    "both loads on one foot": (all_loads("applied_to_body", "calcn_r"), "bodies"),
    "load on a wrong body": (wrong_body, "points|reading the loads"),
    "loads without forces": (no_forces, "reading the loads"),
    "loads with wrong identifiers": (wrong_identifier, "reading the loads"),
    "points in the place of forces": (point_for_force, "points"),
    "loads of one foot left out": (one_foot_lost, "body weight"),
    "spike of a load": (spike_of_load, "jumps"),
    "cell of the loads that is no number": (no_number_in_loads, "reading the loads"),
    "data file of the loads missing": (no_data_file, "reading the loads"),
    "points said to be in the foot": (all_loads("point_expressed_in_body", "calcn_r"), "frames of loads"),
}
#: Of the run: its kneecaps follow the knees, and its loads go on before and after the motion.
RUNNING: dict[str, Kind] = {
    "kneecap in degrees": (kneecap_in_degrees, "followers"),
    "loads of a longer table shifted in time": (loads_later, "bodies"),
}
