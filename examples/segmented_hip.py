"""Four segmented hip muscles of a cadaver, beside the lines along which this package places their mass.

    python examples/segmented_hip.py OUT FOLDER    # a copy of https://github.com/modenaxe/3d-muscles

Modenese and Kohout 2020; the licence of the data is CC BY-NC-SA 2.0 BE: results are lengths, masses and moments only.
Paths get Rajagopal2016's properties, with lengths scaled by the paths', and belly lines the mass of the volume.
"""

import re
import sys
from pathlib import Path

import numpy as np
import opensim as osim
import pandas as pd
from common import markdown, opensim_models, output_folder, write_section
from matplotlib.figure import Figure
from scipy.spatial.transform import Rotation

import opensim_inertia as oi

DENSITY, PARTS, SLABS = 1060.0, 8, 20  # kg/m^3; a triangle has PARTS^2 points
#: Number of file, paths, and Rajagopal2016's muscles for them, which count gluteus medius the other way round.
MUSCLES = {
    "gluteus maximus": (312, ["glut_max1_r", "glut_max2_r", "glut_max3_r"], ["glmax1_r", "glmax2_r", "glmax3_r"]),
    "gluteus medius": (334, ["glut_med1_r", "glut_med2_r", "glut_med3_r"], ["glmed3_r", "glmed2_r", "glmed1_r"]),
    "iliacus": (365, ["iliacus_r"], ["iliacus_r"]),
    "psoas": (415, ["psoas_r"], ["psoas_r"]),
}
SCALED, KEPT = ("TendonSlackLength", "OptimalFiberLength"), ("PennationAngleAtOptimalFiberLength", "MaxIsometricForce")
AXES = {"flexion": 2, "adduction": 0, "rotation": 1}  # of the hip's frame in the pelvis


def read_surface(path):
    """Return the corners (m, 3, 3) [m] of the triangles of a binary surface in VTK's legacy format, in mm."""
    data = path.read_bytes()
    points, faces = re.search(rb"POINTS (\d+) float\n", data), re.search(rb"POLYGONS \d+ (\d+)\n", data)
    corners = np.frombuffer(data, ">f4", 3 * int(points[1]), points.end()).reshape(-1, 3) / 1000.0
    return corners[np.frombuffer(data, ">i4", int(faces[1]), faces.end()).reshape(-1, 4)[:, 1:]]


def filling(triangles):
    """Return points (n, 3) and weights (n,) [m^3] whose sums are integrals over the space, or slabs across x, within a
    closed surface: two points after Gauss for the line from a point of it to z = 0, with the sign of its side.
    """
    ends = ((1 / 3, PARTS), (2 / 3, PARTS - 1))
    u, v = np.array([(i + o, j + o) for o, n in ends for i in range(n) for j in range(n - i)]).T[:, :, None] / PARTS
    a, b, c = triangles.transpose(1, 0, 2)[:, :, None]
    surface = (a + u * (b - a) + v * (c - a)).reshape(-1, 3)
    upward = np.repeat(np.cross(b - a, c - a)[..., 2].ravel() / (2 * PARTS**2), PARTS**2)
    lines = [surface * (1, 1, (1 + side * 3**-0.5) / 2) for side in (-1, 1)]
    return np.vstack(lines), np.tile(upward * surface[:, 2] / 2, 2)


def transform(frame, body, state):
    found = frame.findTransformBetween(state, body)
    return np.array([[found.R().asMat33().get(i, j) for j in range(3)] for i in range(3)]), found.p().to_numpy()


def belly_points(model, like, volumes):
    """Return points and masses on muscles' paths in the images' pose and frame, the hip's frame, default masses."""
    states = [each.initSystem() for each in (model, like)]
    for _, paths, names in MUSCLES.values():
        for muscle, other in zip(map(model.getMuscles().get, paths), map(like.getMuscles().get, names), strict=True):
            ratio = muscle.getLength(states[0]) / other.getLength(states[1])
            for key in (*SCALED, *KEPT):
                getattr(muscle, f"set{key}")(getattr(other, f"get{key}")() * (ratio if key in SCALED else 1))
    table = oi.estimate_masses(model).set_index("muscle")
    default, placed = {}, {}
    for name, (_, paths, _) in MUSCLES.items():
        default[name] = table["mass"][paths].sum()
        table.loc[paths, "mass"] *= DENSITY * volumes[name] / default[name]
    inertial = oi.InertialModel(model, table.reset_index(), points=200)
    model, state = inertial.model, inertial.initial_state()
    model.realizePosition(state)
    joint, pelvis, femur = model.getJointSet().get("hip_r"), *map(model.getBodySet().get, ("pelvis", "femur_r"))
    frame, hip = transform(joint.getParentFrame(), pelvis, state)
    pose = Rotation.from_matrix(frame.T @ transform(joint.getChildFrame(), femur, state)[0]).as_euler("ZXY")
    for name, angle in zip(AXES, pose, strict=True):
        model.getCoordinateSet().get(f"hip_{name}_r").setValue(state, angle)
    model.realizePosition(state)
    turn, shift = transform(model.getGround(), pelvis, state)
    of = inertial.mass_points(state, jacobians=False)
    for name, (_, paths, _) in MUSCLES.items():
        positions = np.vstack([of[path].positions for path in paths]) @ turn.T + shift
        placed[name] = positions, np.hstack([of[path].masses for path in paths])
    return placed, (hip, frame), default


def slab_means(number, points, masses):
    total = np.bincount(number, masses, SLABS)
    sums = np.column_stack([np.bincount(number, masses * x, SLABS) for x in points.T])
    return total, sums / np.where(total == 0, np.nan, total)[:, None]


def compare(triangles, line, line_masses, hip, frame):
    """Return one muscle's row, and by slabs of its longest axis the distance of centroids and the RMS width [mm]."""
    centre = triangles.mean(axis=(0, 1))
    axes = np.linalg.svd((triangles - centre).reshape(-1, 3), full_matrices=False)[2]
    axes *= np.sign([axes[0, 2], 1, axes[0, 2] * np.linalg.det(axes)])[:, None]  # the first one points up
    points, weights = filling((triangles - centre) @ axes.T)
    own, masses = (line - centre) @ axes.T, DENSITY * weights
    ends = np.linspace(points[:, 0].min(), points[:, 0].max(), SLABS + 1)[1:-1]
    slabs, own_slabs = (np.digitize(x[:, 0], ends) for x in (points, own))
    (mass, mean), (own_mass, own_mean) = slab_means(slabs, points, masses), slab_means(own_slabs, own, line_masses)
    off, shared = (points - mean[slabs]) * (0, 1, 1), own_mass > 0
    apart = 1e3 * np.linalg.norm((own_mean - mean)[:, 1:], axis=1)
    width = 1e3 * slab_means(slabs, (off**2).sum(axis=1, keepdims=True), masses)[1][:, 0] ** 0.5
    rms = [f"{np.average(x**2, weights=m) ** 0.5:.1f}" for x, m in ((apart[shared], mass[shared]), (width, mass))]
    row = [f"{1e6 * weights.sum():.0f}", masses.sum(), f"{100 * mass[shared].sum() / mass.sum():.0f}", *rms]
    squares = [m @ (x @ frame) ** 2 for x, m in ((points @ axes + centre - hip, masses), (off @ axes, masses))]
    squares.append(line_masses @ ((line - hip) @ frame) ** 2)
    for axis in AXES.values():
        true, wide, ours = (each.sum() - each[axis] for each in squares)
        row += [f"{1e4 * true:.1f}: {100 * (ours / true - 1):.0f}, {-100 * wide / true:.0f}"]
    return row, apart, width


if __name__ == "__main__":
    like = osim.Model(str(opensim_models() / "Models/Rajagopal/Rajagopal2016.osim"))
    folder = sys.argv[2] if len(sys.argv) > 2 else sys.exit("skipped: give a copy of modenaxe/3d-muscles")
    out = output_folder("segmented_hip")
    file = f"{folder}/_LHDL_hip_r_dataset/_LHDL_hip_r_dataset"
    surfaces = {name: read_surface(Path(f"{file}.{number}.vtk")) for name, (number, *_) in MUSCLES.items()}
    model = osim.Model(f"{folder}/a_MSK_model/a_MSK_model/LHDL_hip_r.osim")
    placed, hip, default = belly_points(model, like, {name: filling(each)[1].sum() for name, each in surfaces.items()})
    figure, rows, share = Figure(figsize=(10, 3), layout="constrained"), {}, 100 * (np.arange(SLABS) + 0.5) / SLABS
    for plot, (name, each) in zip(figure.subplots(1, 4, sharey=True), surfaces.items(), strict=True):
        row, apart, width = compare(each, *placed[name], *hip)
        rows[name] = [*row[:2], default[name], *row[2:]]
        plot.plot(share, width, "k", label="width of the muscle")
        plot.plot(share, apart, "o-", color="#D55E00", label="our line, off its centroid")
        plot.set(title=name, xlabel="up the longest axis [%]", xlim=(0, 100), ylim=(0, None))
    figure.axes[-1].legend(title="[mm]", fontsize=8)
    figure.savefig(out / "segmented_hip.png", dpi=140)
    names = ["volume [cm^3]", "mass [kg]", "default [kg]", "beside our belly [%]", "line off [mm]", "width [mm]"]
    table = pd.DataFrame.from_dict(rows, "index", columns=[*names, *AXES]).rename_axis("muscle")
    print(text := markdown(table))
    write_section("segmented", text)
