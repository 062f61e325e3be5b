"""The page of the atlas, and its picture, of tables that atlas.py computes."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd
from matplotlib.colors import BoundaryNorm, ListedColormap
from matplotlib.figure import Figure

#: Where joints are drawn on a figure 1.8 m tall that stands and faces the reader, by its left and right side [m].
PLACES = {
    "ankle": (0.12, 0.09),
    "subtalar": (0.15, 0.05),
    "toes": (0.20, 0.015),
    "knee": (0.11, 0.50),
    "hip flexion": (0.10, 0.94),
    "hip adduction": (-0.10, 0.94),
    "hip rotation": (-0.11, 0.80),
    "trunk": (-0.001, 1.12),
    "head and neck": (0.0, 1.54),
    "clavicle and scapula": (-0.09, 1.46),
    "shoulder": (0.20, 1.42),
    "shoulder rotation": (-0.22, 1.32),
    "elbow": (0.30, 1.12),
    "forearm": (0.36, 0.98),
}
#: Bounds of the colours [%], and colours from harmless to large.
BOUNDS, COLOURS = (0, 0.3, 1, 3, 10, 100), ("#4575b4", "#91bfdb", "#fee090", "#fc8d59", "#d73027")
#: Shares [%] that the law and the computed value must both be below to say the same, where muscles cancel.
SAME = 0.5


def body(poses: pd.DataFrame, placeholder: float, path: object) -> None:
    """Draw a standing figure whose joints have the colour of the largest share that slides, the median over models."""
    figure = Figure(figsize=(7.2, 7.6), layout="constrained")
    axis = figure.subplots()
    limbs = [
        [(0.0, 1.62), (0.0, 1.0)],
        [(-0.18, 1.44), (0.18, 1.44)],
        [(-0.10, 0.96), (0.10, 0.96)],
        *([(s * 0.10, 0.96), (s * 0.11, 0.50), (s * 0.12, 0.09), (s * 0.20, 0.02)] for s in (-1, 1)),
        *([(s * 0.18, 1.44), (s * 0.30, 1.12), (s * 0.40, 0.86)] for s in (-1, 1)),
    ]
    for limb in limbs:
        axis.plot(*zip(*limb, strict=True), color="0.8", lw=9, solid_capstyle="round", zorder=1)
    axis.plot(0, 1.68, "o", ms=38, color="0.8", zorder=1)
    colours, norm = ListedColormap(COLOURS), BoundaryNorm(BOUNDS, len(COLOURS))
    right = one_side(poses)
    usual = right[right["inertia"] >= placeholder]
    shown = {}
    for joint, place in PLACES.items():
        sizes = 100 * usual.loc[usual["joint"] == joint].groupby("of")["largest"].apply(lambda v: v.abs().max())
        if len(sizes):
            shown[joint] = (*place, float(sizes.median()), sizes.min(), sizes.max(), len(sizes))
    for side in (-1, 1):
        lowest = np.inf
        for joint, (x, y, middle, least, most, count) in sorted(shown.items(), key=lambda item: -item[1][1]):
            if (x < 0) != (side < 0):
                continue
            lowest = min(y, lowest - 0.1)  # of labels, which may not overlap
            axis.plot(x, y, "o", ms=15, color=colours(norm(min(middle, 99.0))), mec="0.25", zorder=2)
            spread = f" ({least:.2g} to {most:.2g})" if count > 1 else ""
            axis.annotate(
                f"{joint}\n{middle:.2g} %{spread}",
                (x, y),
                (0.56 * side, lowest),
                ha="left" if side > 0 else "right",
                va="center",
                fontsize=9,
                arrowprops={"arrowstyle": "-", "color": "0.6", "lw": 0.8, "shrinkB": 8},
            )
    for low, high, colour in zip(BOUNDS, BOUNDS[1:], COLOURS, strict=False):
        axis.plot([], [], "o", ms=10, color=colour, mec="0.25", label=f"{low:g} to {high:g} %")
    axis.legend(title="of the joint's inertia slides", loc="lower left", frameon=False, fontsize=8, title_fontsize=8)
    axis.set_xlim(-1.05, 1.05)
    axis.set_ylim(-0.2, 1.85)
    axis.set_aspect("equal")
    axis.axis("off")
    axis.set_title("Largest share over the range: median over public models (least to largest)", fontsize=10)
    figure.savefig(path, dpi=120, metadata={"Software": None})


def markdown(head: list[str], rows: list[list[str]], left: int) -> str:
    """Return a Markdown table whose first ``left`` columns, and the last, are texts."""
    rule = ["---" if i < left or i == len(head) - 1 else "---:" for i in range(len(head))]
    return "\n".join("| " + " | ".join(row) + " |" for row in [head, rule, *rows])


def number(value: float, digits: int = 2) -> str:
    """Return a number of some significant digits, without an exponent; "-" for none."""
    if not np.isfinite(value):
        return "-"
    text = f"{value:.{digits}g}"
    return f"{value:.0f}" if "e" in text and abs(value) > 1 else f"{value:.4f}" if "e" in text else text


def one_side(table: pd.DataFrame) -> pd.DataFrame:
    """Return a table without left coordinates that have a right one in the same model."""
    right = set(zip(table["of"], table["coordinate"], strict=True))
    mirrored = table["coordinate"].str.replace(r"_l$", "_r", regex=True)
    is_left = table["coordinate"].str.endswith("_l")
    drop = [left and (of, m) in right for left, of, m in zip(is_left, table["of"], mirrored, strict=True)]
    return table[~np.array(drop, dtype=bool)]


def pose_rows(table: pd.DataFrame, order: list[str]) -> list[list[str]]:
    """Return the rows of the table of poses, by joint."""
    ranks = {joint: i for i, joint in enumerate(order)}
    ordered = table.assign(rank=table["joint"].map(ranks)).sort_values(["rank", "of"], kind="stable")
    rows = []
    for row in ordered.itertuples(index=False):
        value = dict(zip(ordered.columns, row, strict=True))
        at = f"{np.degrees(value['at']):.0f} deg" if value["turns"] else f"{number(value['at'])} m"
        band = f"{number(100 * value['lower'])} to {number(100 * value['upper'])}"
        if not np.isfinite(value["lower"]):
            band = "-"
        rows.append(
            [
                value["joint"],
                value["of"],
                f"`{value['coordinate']}`",
                number(100 * value["share"]),
                band,
                f"{number(100 * value['largest'])} at {at}",
                number(100 * value["estimate"]),
                value["muscles"],
            ]
        )
    return rows


def motion_rows(table: pd.DataFrame, order: list[str]) -> list[list[str]]:
    """Return the rows of the table of motions, by joint."""
    ranks = {joint: i for i, joint in enumerate(order)}
    ordered = table.assign(rank=table["joint"].map(ranks)).sort_values(["rank", "of"], kind="stable")
    rows = []
    for _, row in ordered.iterrows():
        parts = " / ".join(number(row[f"{part} RMS"]) for part in ("armature", "coupling", "velocity", "gravity"))
        rows.append(
            [
                row["joint"],
                row["of"],
                f"`{row['coordinate']}`",
                number(row["change"]),
                f"{number(row['change lower'])} to {number(row['change upper'])}",
                number(row["peak"], 3),
                number(row["of peak [%]"]),
                number(row["RMS [%]"]),
                parts,
                number(row["armature explains [%]"]),
                row["muscles"],
            ]
        )
    return rows


def law(table: pd.DataFrame) -> tuple[dict[str, float], pd.DataFrame]:
    """Return how well the law does over coordinates, and the exceptions with their reasons."""
    ratio = table["share"] / table["estimate"]
    within = ratio.between(0.5, 2.0)
    simple = (table["share"] / table["length rates"]).between(0.5, 2.0)
    large = table["share"].abs() >= 0.01
    small = (100 * table[["share", "estimate"]].abs() < SAME).all(axis=1)
    cancels = table["share"].abs() < 0.25 * table["size"]
    wide = {
        "count": len(table),
        "within [%]": 100 * within.mean(),
        "large": int(large.sum()),
        "large within [%]": 100 * within[large].mean(),
        "within or small [%]": 100 * (within | small).mean(),
        "models": table["of"].nunique(),
        "models within": int(within.groupby(table["of"]).all().sum()),
        "not cancelling [%]": 100 * within[~cancels].mean(),
        "simple": 100 * simple.mean(),
    }
    for joint in ("ankle", "toes", "knee", "elbow", "subtalar"):
        wide[f"simple {joint}"] = 100 * simple[table["joint"] == joint].mean()
    out = table[~within].copy()
    out["reason"] = np.where(
        cancels[~within],
        "muscles of both signs cancel: the sum is below a quarter of their sizes",
        np.where(
            small[~within],
            f"both below {SAME:g} %",
            "long bellies over many joints: two rods do not stand for a stretch",
        ),
    )
    return wide, out


def page(
    poses: pd.DataFrame,
    motions: pd.DataFrame,
    again: dict[str, object],
    made: tuple[str, dict[str, str], dict[str, object]],
    placeholder: float,
) -> str:
    """Return the page.

    Args:
        poses, motions: the tables.
        again: published experiments, computed again.
        made: commit, hashes of files, options.
        placeholder: effective inertia below which a coordinate turns a placeholder.
    """
    order = list(dict.fromkeys([*PLACES, *poses["joint"], *motions["joint"]]))
    right = one_side(poses)
    empty = right["inertia"] < placeholder
    table, others = right[~empty], right[empty]
    right = one_side(motions)
    wide, out = law(table[table["share"].abs() > 0])
    code, hashes, options = made

    def spread(joint: str, column: str = "largest") -> str:
        of_joint = table.loc[table["joint"] == joint, column]
        sizes = 100 * of_joint.groupby(table["of"]).apply(lambda v: v.abs().max())
        low, high = number(sizes.min()), number(sizes.max())
        return low if low == high else f"{low} to {high}"

    def change(joint: str, motion: str, column: str = "of peak [%]") -> str:
        values = right.loc[(right["joint"] == joint) & right["of"].str.contains(motion), column]
        return f"{number(values.min())} to {number(values.max())}"

    def most_of_band(*joints: str) -> str:
        rows = right[right["joint"].isin(joints)]
        ends = rows[["change lower", "change upper"]].abs().max(axis=1)
        return number((100 * ends / rows["peak"].abs()).max())

    legs = right.loc[right["joint"].isin(["knee", "hip flexion", "hip adduction"]), "of peak [%]"]
    recordings = len({digest for name, digest in hashes.items() if re.search(r"grf[^/:]*[.](mot|sto)$", name)})
    leg = f"{number(legs.min())} to {number(legs.max())}"
    swing, flick, knee = again["swing"], again["flick"], again["knee"]
    paper, ours = swing.index
    ankles = ", ".join(f"{number(v)} % ({m}, {k})" for (m, k), v in again["ankles"].items())
    bare, fleshed = knee.iloc[[0, 1]], knee.iloc[-1]
    revisited = [
        [
            "Pai 2010, rat knee, biceps femoris posterior",
            "45 % of the inertia of the shank's bones",
            f"{number(bare['biceps [%]'].min())} to {number(bare['biceps [%]'].max())} % over 0.8 to 0.45 g of bare "
            f"bones; {number(fleshed['biceps [%]'])} % over the fleshed shank and foot, all thigh muscles "
            f"{number(fleshed['thigh muscles [%]'])} %",
            "1.66 g, 13.8 mm, shank of 40 mm, kappa 1/3 ([rat_knee.py](../examples/rat_knee.py)): the denominator decides",
        ],
        [
            "Pai 2010, human ankle, triceps surae",
            "7.6 % of the effective inertia",
            ankles,
            "masses by 0.6 MPa or by regressions on MRI; fibres between aponeuroses; 7.6 % needs 1.7 to 2.2 kg of triceps "
            "at kappa 1/3, or a foot half as heavy ([placements](placements.md))",
        ],
        [
            "Wang et al. 2022, running swing, ankle moment",
            "up to 40 %",
            f"{number(swing.loc[paper, 'largest [%]'])} % with their masses and strain; {number(swing.loc[ours, 'largest [%]'])}"
            " % with all muscles of the legs and the defaults",
            "of the swing's peak, mean over swings of Hamner's subject; theirs: 80 % of the shank's mass in four muscles, "
            "uniform strain. The mass decides",
        ],
        [
            "Verheul et al. 2023, running swing, ankle",
            "dorsiflexion 8 to 18 % lower, plantarflexion 24 to 42 % higher, RMS 0.8 to 1.6 N m",
            f"{number(swing.loc[paper, 'dorsiflexion [%]'])} and {number(swing.loc[paper, 'plantarflexion [%]'])} %, RMS "
            f"{number(swing.loc[paper, 'RMS [N m]'])} N m with Wang's masses; {number(swing.loc[ours, 'dorsiflexion [%]'])} and "
            f"{number(swing.loc[ours, 'plantarflexion [%]'])} %, {number(swing.loc[ours, 'RMS [N m]'])} N m with the defaults",
            "their masses are not in the abstract, which alone was read; the plantarflexion peak is 1 N m, so that a small "
            "change is a large share ([more masses](placements.md))",
        ],
        [
            "Wang et al. 2022, finger flick, steps of 1 ms",
            "breaks at 5 N lumped, at 20 N inertial",
            f"lumped {number(flick.loc[0, 'flick [N]'])} N; 200 g {number(flick.loc[200, 'flick [N]'])} N; 10 g fails for another reason",
            f"200 g is the whole muscle, 10 g one finger's part. The paper gives neither the duration nor the bound at which it "
            "calls a simulation broken, on which the inertial force depends more than the lumped one. With 200 g "
            f"{number(flick.loc[200, 'least [%]'])} to "
            f"{number(flick.loc[200, 'most [%]'])} % of the joints' lumped inertia slides, with 10 g {number(flick.loc[10, 'least [%]'])} to "
            f"{number(flick.loc[10, 'most [%]'])} %: more than 100 % means that the muscle has more inertia than what turns. Forward Euler ([finger_flick.py](../examples/finger_flick.py)). With 10 g the "
            f"simulation breaks at {number(flick.loc[10, 'flick [N]'])} N, but the step is not the reason: nothing stops the finger's joints, "
            "and beyond 100 degrees of flexion a tendon through points has no path, so that its moment arm jumps. An accurate "
            f"integration misses {number(flick.loc[10, 'energy error [%]'])} % of the energy there, and with 200 g "
            f"{flick.loc[200, 'energy error [%]']:.0e} %",
        ],
    ]
    files = "\n".join(f"| `{name}` | `{digest}` |" for name, digest in hashes.items())
    exceptions = [
        [
            row["of"],
            f"`{row['coordinate']}`",
            number(100 * row["share"]),
            number(100 * row["estimate"]),
            number(100 * row["size"]),
            row["reason"],
        ]
        for _, row in out.iterrows()
    ]
    return f"""# The atlas: how much muscle inertia matters, joint by joint

May you leave muscle inertia out? This page answers for the joints of {table["of"].nunique()} public models, and for {motions["of"].nunique()} analyses of
{recordings} public recordings of walking and running. One command makes all of its numbers:
[examples/atlas.py](../examples/atlas.py), from the files that [atlas.toml](../examples/atlas.toml) lists.

![A standing figure whose joints are coloured by the share of inertia that slides](images/atlas.png)

## In short

Shares of the inertia are the largest in size over a coordinate's range, from the model in which they are least to the one
in which they are most. A moment's change is the largest at any time of the motion, over the largest lumped moment.

* **Ankles.** A light segment is moved by heavy muscles that lie elsewhere. Of the inertia at the ankle
  {spread("ankle")} % slides, depending on the model. While the foot is in the air, the moment changes by a share of that size
  ([below](#published-numbers-revisited)). The peak in stance, which the ground reaction makes, is so large that the change at any
  time, swing included, is {change("ankle", "running")} % of it in running and {change("ankle", "walking")} % in walking. At toes {spread("toes")} % slides, and the
  moment changes by {change("toes", "")} % of its peak.
* **Knees and elbows.** At most {spread("knee")} % of the inertia slides at the knee, and {spread("elbow")} % at the elbow. The
  moment of the knee changes by {change("knee", "running")} % of its peak in running, and by {change("knee", "walking")} % in walking.
* **Hips.** At most {spread("hip flexion")} % slides in flexion and {spread("hip adduction")} % in adduction, but {spread("hip rotation")} %
  in *rotation*, as little inertia turns about the thigh's own axis. The moment of flexion changes by {change("hip flexion", "running")} %
  of its peak in running and by {change("hip flexion", "walking")} % in walking, that of rotation by {change("hip rotation", "running")} and {change("hip rotation", "walking")} %.
* **Shoulders.** At most {spread("shoulder")} % slides in elevation and its plane, but {spread("shoulder rotation")} % in rotation about
  the arm's own axis, and {spread("clavicle and scapula")} % at clavicle and scapula, light bones under heavy muscles.
* **Trunks.** At most {spread("trunk")} % at the joint where it is most; and {spread("ribs and sternum")} % at a sternum that moves by itself, which few
  models have.

All of these are best estimates. The 95 % bands of masses and of the places of bellies reach {most_of_band("hip flexion", "hip adduction")} % of the peak at
hips in flexion and adduction, {most_of_band("knee")} % at knees, and {most_of_band("ankle")} % at ankles.

### Two questions

**May I leave it out at the elbow of a pitcher?** At elbow flexion, yes, unless you need better than a few percent: at most
{spread("elbow")} % of the inertia slides, over the whole range, in {table.loc[table["joint"] == "elbow", "of"].nunique()} models. No public motion of a throw is among ours, so that
this rests on inertia alone. At knees and hips, where shares are as small, moments of walks and runs changed by {leg} % of
the peak (bands of hips reach {most_of_band("hip flexion", "hip adduction")} %), as other joints move as well: expect as much, and check with your own motion. It is *not* so for the rotation of the upper arm, which a pitcher turns fastest of all
({spread("shoulder rotation")} % of the inertia), nor for the shoulder blade.

**May I leave it out at the ankle of a sprinter?** For the peak moment, which is in stance, yes: at no time, swing included,
does the moment change by more than {change("ankle", "running")} % of that peak in two runs. For the swing, no: {spread("ankle")} % of the inertia slides, and in Hamner's
running at 5 m/s the moment in swing changes by {number(swing.loc[ours, "largest [%]"])} % of the swing's peak ([below](#published-numbers-revisited)). These are
runs, not sprints. The share does not grow with speed while the moment is mainly inertial; the change in N m grows with the
acceleration.

For another joint, search the tables below for it; for your own model, run `opensim-inertia rank model.osim`, for your own
motion add `--motion`, `--external-loads` and `--cutoff`.

## At poses: the share of the inertia that slides

*Slides*: what muscle mass adds to the coordinate's effective inertia because it moves along its path and not with the
segment that held it, over the effective inertia of the lumped model, at the default pose ([definition](theory/sliding.md)).
Negative: mass that hangs across the joint moves less than the segment that held it. *Band*: 95 % over muscle masses and
places of bellies. *Largest*: the largest in size over the coordinate's range, and where. *By hand*: what the
[law](theory/sliding.md#the-law) gives. Only right sides are shown; the [table with all columns](atlas.csv) has the left
sides as well.

{markdown(["joint", "model", "coordinate", "slides [%]", "band [%]", "largest [%]", "by hand [%]", "main muscles"], pose_rows(table, order), 3)}

{len(others)} more coordinates turn nothing but placeholders, bodies of 0.1 g and effective inertias below {1e4 * placeholder:g} kg cm^2
(ribs, abdomen and head of the cyclist): their shares, of up to {number(100 * others["largest"].abs().max())} %, say nothing of muscles.
Shares depend on the muscles and on the published model alone: no segment is rebuilt.

## In motions: what joint moments change by

*Change*: inertial - lumped at the time at which it is largest [N m], with its 95 % band; *of the peak*: over the largest
lumped moment of the motion, which for knees and ankles is in stance, at another time; *RMS*: of the change over that of the
moment. *Parts*: RMS of armature / coupling / velocity / gravity of what slides [N m]
([what they are](theory/sliding.md#parts-of-a-force)). A *tendon armature* is an inertia that resists the rate of a muscle's
length, as some simulators have it; *armature explains* says how much of what slides it accounts for, and is negative where
leaving it out would be nearer. Models are scaled to their subjects, so that those of the walks of Gait10dof18musc and
Gait2392 are not among the models above. These two walks are one recording.

{markdown(["joint", "motion", "coordinate", "change [N m]", "band [N m]", "lumped peak [N m]", "of the peak [%]", "RMS [%]", "parts [N m]", "armature explains [%]", "main muscles"], motion_rows(right, order), 3)}

In the swing of Hamner's running an armature explains {number(swing.loc[ours, "armature explains [%]"])} % of what slides at the ankle, with
all muscles of the legs and the defaults.

## The law

The [law](theory/sliding.md#the-law) makes two straight rods of each stretch of a belly. Of all {wide["count"]} coordinates, at default
poses, placeholders left out, it is within a factor of two of the computed share at **{wide["within [%]"]:.1f} %**. In {wide["models within"]} of {wide["models"]}
models it is at all of them, and where 1 % or more slides at {wide["large within [%]"]:.1f} % of {wide["large"]} coordinates. At {wide["within or small [%]"]:.1f} % it is
within a factor of two, or both values are below {SAME:g} % of the inertia. Where contributions of opposite sign do not cancel, it
is within a factor of two at {wide["not cancelling [%]"]:.1f} %.

Its first term alone, the sum of kappa m r^2 / I, is within a factor of two at {wide["simple"]:.0f} % of all coordinates: at
{wide["simple ankle"]:.0f} % of ankles, {wide["simple toes"]:.0f} % of toes, {wide["simple knee"]:.0f} % of knees, {wide["simple subtalar"]:.0f} % of subtalar joints, {wide["simple elbow"]:.0f} % of elbows, whose muscles' bellies lie
on the near side, and at almost no hip, whose muscles hang across it.

The exceptions of the law, in percent of the inertia; *all muscles*: the sum of the sizes of their parts:

{markdown(["model", "coordinate", "slides", "by hand", "all muscles", "why"], exceptions, 2)}

## Published numbers, revisited

{markdown(["experiment", "published", "ours", "assumptions"], revisited, 4)}

## What this rests on

Masses are estimates (specific tension 0.6 MPa), bellies and tendons those of the [default strain model](theory/strain-models.md);
[limits](limits.md) apply. At shoulders many paths wrap, some with several ways around: their shares are the least certain.
A share of 10 % with a band of 1 to 20 % says that muscles' inertia is not negligible, and not how large it is.

Made by opensim_inertia at commit `{code}` with the options {", ".join(f"`{k} = {v}`" for k, v in options.items())} and package
defaults. The data's files and the first 16 digits of their SHA-256:

| file | SHA-256 |
|---|---|
{files}
"""
