"""The tables and the picture of the atlas, from the numbers of atlas.py."""

from __future__ import annotations

import textwrap

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
#: Effective inertias [kg m^2] below are those of bodies of 0.1 g, which stand for none.
PLACEHOLDER = 2e-4
#: Rows of README.md's table, and the joints that each counts.
LEGS = {
    "hip, flexion and adduction": ["hip flexion", "hip adduction"],
    "hip, rotation": ["hip rotation"],
    "knee": ["knee"],
    "ankle": ["ankle"],
    "toes": ["toes"],
}
#: Joints of the table of wobble.
WOBBLED = ("hip flexion", "hip adduction", "hip rotation", "knee", "ankle")
#: Shares [%] that the law and the computed value must both be below to say the same, where muscles cancel.
SAME = 0.5


def body(atlas: pd.DataFrame, path: object) -> None:
    """Draw a standing figure with joints coloured by the largest sliding share, as median over models."""
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
    usual = poses_of(atlas)
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
    """Return a Markdown table with texts in the first ``left`` columns and the last."""
    rule = ["---" if i < left or i == len(head) - 1 else "---:" for i in range(len(head))]
    first, *lines = ("| " + " | ".join(row) + " |" for row in [head, *rows])
    return "\n".join([first, f"|{'|'.join(rule)}|", *lines])


def number(value: float, digits: int = 2) -> str:
    """Return a number of some significant digits, without an exponent; "-" for none."""
    if not np.isfinite(value):
        return "-"
    text = f"{value:.{digits}g}"
    return f"{value:.0f}" if "e" in text and abs(value) > 1 else f"{value:.4f}" if "e" in text else text


def poses_of(atlas: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of the atlas at poses, without coordinates that turn nothing but placeholders."""
    return atlas[(atlas["what"] != "motion") & (atlas["inertia"] >= PLACEHOLDER)]


def largest(table: pd.DataFrame, column: str) -> pd.DataFrame:
    """Return, by joint and model or motion, the row of the coordinate with the largest size of a value."""
    order = {joint: i for i, joint in enumerate(dict.fromkeys([*PLACES, *table["joint"]]))}
    rows = table.loc[table[column].abs().groupby([table["joint"].map(order), table["of"]]).idxmax()]
    return rows.reset_index(drop=True)


def span(low: float, high: float) -> str:
    """Return a range [%] of two shares."""
    return number(100 * low) if low == high else f"{number(100 * low)} to {number(100 * high)}"


def shares(atlas: pd.DataFrame) -> str:
    """Return the table of sliding shares by joint over models, each for the coordinate with the largest share."""
    rows = []
    for joint, models in largest(poses_of(atlas), "largest").groupby("joint", sort=False):
        ranges = [("share", "share"), ("lower", "upper"), ("largest", "largest")]
        ends = [span(models[low].min(), models[high].max()) for low, high in ranges]
        rows.append([str(joint), str(len(models)), number(100 * models["share"].median()), *ends])
    head = ["joint", "models", "slides, median [%]", "slides, range [%]", "bands of all [%]", "largest, range [%]"]
    return markdown(head, rows, 1)


def moments(atlas: pd.DataFrame) -> str:
    """Return the table of changes of moments: for each joint and motion, the coordinate that changes most."""
    rows = []
    for _, row in largest(atlas[atlas["what"] == "motion"], "of peak [%]").iterrows():
        numbers = (number(row[column]) for column in ("change", "of peak [%]", "band [%]", "in swing [%]"))
        rows.append([row["joint"], row["of"], number(row["peak"], 3), *numbers, f"`{row['coordinate']}`"])
    head = ["joint", "motion", "lumped peak [N m]", "change [N m]", "of the peak [%]", "band [%]"]
    return markdown([*head, "in swing phase [%]", "coordinate"], rows, 2)


def joints(atlas: pd.DataFrame) -> str:
    """Return README.md's table of the largest changes of the legs' moments, both sides, and a line on wobble."""
    motions = atlas[atlas["what"] == "motion"]
    rows = []
    for name, members in LEGS.items():
        row, bounds = [name], []
        for change, band in (("of peak [%]", "band [%]"), ("in swing [%]", "band in swing [%]")):
            ends = []
            for gait in ("walking", "running"):
                of_gait = motions[motions["joint"].isin(members) & motions["of"].str.contains(gait)]
                ends.append(of_gait[band].max())
                row.append(f"{number(of_gait[change].max())} ({number(ends[-1])})")
            bounds.append(f"{next(bound for bound in (1, 3, 5, 10, 30, 100) if max(ends) < bound)} %")
        rows.append([*row, *bounds])
    gaits = ["walking [%]", "running [%]", "walking, swing phase [%]", "running, swing phase [%]"]
    accepted = "you may neglect sliding if you accept an error of"
    table = markdown(["joint", *gaits, accepted, "and in swing phase of"], rows, 1)
    hips = motions[(motions["joint"] == "hip flexion") & motions["wobble [%]"].notna()]
    times = hips["wobble [%]"] / hips["of peak [%]"]
    line = (
        "Bellies also *wobble* across their paths, as strings do. Wobble changes a runner's hip flexion moment by "
        f"{ends_of(hips['wobble [%]'])} % of its peak, {times.min():.0f} to {times.max():.0f} times as much as sliding "
        "does. Over plausible frequencies, dampings and filters, wobble changes this moment by "
        f"{band_of_wobble(hips)} %. Skin, fat and other soft tissue are not included."
    )
    return f"{table}\n\n{textwrap.fill(line, 120)}"


def ends_of(values: pd.Series) -> str:
    """Return the least and the largest of several values."""
    return " to ".join(dict.fromkeys(number(value) for value in (values.min(), values.max())))


def band_of_wobble(rows: pd.DataFrame) -> str:
    """Return the least and the largest moment by wobble, over frequencies, dampings and filters."""
    return f"{number(rows['wobble lower [%]'].min())} to {number(rows['wobble upper [%]'].max())}"


def wobble(atlas: pd.DataFrame) -> str:
    """Return the table of moments by wobble, over both legs."""
    motions = atlas[(atlas["what"] == "motion") & atlas["wobble [%]"].notna()]
    rows = []
    for joint in WOBBLED:
        for name, legs in motions[motions["joint"] == joint].groupby("of"):
            last = legs["wobble, last filter [%]"]
            values = [ends_of(legs["of peak [%]"]), ends_of(legs["wobble [%]"]), ends_of(last) if last.any() else "-"]
            rows.append([joint, str(name), *values, band_of_wobble(legs)])
    head = ["joint", "motion", "sliding [%]", "wobble [%]", "wobble, filter of 30 Hz [%]", "band of wobble [%]"]
    return markdown(head, rows, 2)


def pages(atlas: pd.DataFrame) -> dict[str, str]:
    """Return the sections of docs/atlas.md that are made of docs/atlas.csv, by name."""
    made = {make.__name__: make(atlas) for make in (joints, shares, moments, wobble)}
    table = poses_of(atlas)
    counted = law(table[table["share"].abs() > 0])
    return made | {"law": markdown(["the law", ""], [[name, f"{value:.3g}"] for name, value in counted.items()], 1)}


def law(table: pd.DataFrame) -> dict[str, float]:
    """Return the accuracy of the law over coordinates [%], by criterion."""

    def share(fits: pd.Series) -> float:
        return 100 * float(fits.mean())

    within = (table["share"] / table["estimate"]).between(0.5, 2.0)
    simple = (table["share"] / table["length rates"]).between(0.5, 2.0)
    small = (100 * table[["share", "estimate"]].abs() < SAME).all(axis=1)
    is_large, cancels = table["share"].abs() >= 0.01, table["share"].abs() < 0.25 * table["size"]
    counted = {
        "coordinates": len(table),
        "within a factor of two [%]": share(within),
        "of those where 1 % or more slides [%]": share(within[is_large]),
        "of those whose muscles do not cancel [%]": share(within[~cancels]),
        f"within a factor of two, or both below {SAME:g} % [%]": share(within | small),
        "by its first term alone [%]": share(simple),
    }
    for joint in ("ankle", "toes", "knee", "elbow", "subtalar", "hip flexion"):
        counted[f"by its first term alone, {joint} [%]"] = share(simple[table["joint"] == joint])
    return counted


def published_table(again: dict[str, object]) -> str:
    """Return the table of published experiments beside our results."""
    swing, flick, knee = again["swing"].map(number), again["flick"]["flick [N]"].map(number), again["knee"].map(number)
    paper, ours = swing.index
    bare, fleshed = knee["biceps [%]"].iloc[:2], knee.iloc[-1]
    largest = swing["largest [%]"]

    def peaks(whose: str) -> str:
        row = swing.loc[whose]
        return f"{row['dorsiflexion [%]']} and {row['plantarflexion [%]']} %, RMS {row['RMS [N m]']} N m"

    rows = [
        [
            "Pai 2010, rat knee, biceps femoris posterior, of the inertia of the shank's bones",
            "45 %",
            f"{bare.iloc[0]} and {bare.iloc[1]} % of bare bones of 0.8 and 0.45 g; of the fleshed shank and foot "
            f"{fleshed['biceps [%]']} %, all thigh muscles {fleshed['thigh muscles [%]']} %",
        ],
        [
            "Pai 2010, human ankle, triceps surae, of the effective inertia",
            "7.6 %",
            ", ".join(f"{number(share)} % ({model}, {masses})" for (model, masses), share in again["ankles"].items()),
        ],
        [
            "Wang et al. 2022, running swing, ankle moment, of the swing's peak",
            "up to 40 %",
            f"{largest[paper]} % with their masses and strain; {largest[ours]} % with all muscles and the defaults",
        ],
        [
            "Verheul et al. 2023, running swing, ankle: peaks of dorsiflexion and plantarflexion",
            "-8 to -18 and 24 to 42 %, RMS 0.8 to 1.6 N m",
            f"{peaks(paper)} with Wang's masses; {peaks(ours)} with the defaults",
        ],
        [
            "Wang et al. 2022, finger flick, steps of 1 ms: force at which the simulation breaks",
            "5 N lumped, 20 N inertial",
            f"{flick[0]} N lumped; {flick[200]} N with the whole muscle's 200 g; {flick[10]} N with one finger's 10 g",
        ],
    ]
    return markdown(["experiment", "published", "ours"], rows, 3)
