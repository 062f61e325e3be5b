"""The answer's dependence on where bellies are said to lie, and on how segments give up their mass.

The tables cover three motions, sixteen ways to place the muscles' mass along their paths (three strain models), and
both ways in which segments give it up. They show the changes at the lumped peak of each moment of the right leg because
mass *moved* (it is not where the segment had it) and because it *slides* (it does not stay where it was at the
reference pose).

Masses are those of ``estimate_masses`` (0.6 MPa). For all placements alike, each muscle has one donor, the segment in
which most of it lies by default. A second
argument ``--page docs/placements.md`` rewrites that page's table.
"""

import warnings

import numpy as np
import opensim as osim
import pandas as pd
from common import markdown, output_folder, write_section
from matplotlib.figure import Figure
from motions import recorded_motions

import opensim_inertia as oi
from opensim_inertia.muscles.masses.architecture import default_architecture
from opensim_inertia.muscles.masses.bellies import place_bellies
from opensim_inertia.muscles.masses.stretches import main_segment, read_stretches

COORDINATES = {"hip flexion": "hip_flexion_r", "knee": "knee_angle_r", "ankle": "ankle_angle_r"}
TRANSFERS = ("proportional", "conserving")
COLOURS = {"proportional": "#D55E00", "conserving": "#0072B2"}
STRAINS = ("rigid tendon", "uniform", "aponeurosis")
HAS_SIGN = 0.1  # [N m]; what is smaller counts as no change

UNIFORM = {
    "proximal": "proximal",
    "central": "central",
    "distal": "distal",
    "middle half": (0.25, 0.75),
    "whole path": (0.0, 1.0),
}
APONEUROSES = {  # aponeurosis over the default's, share of the free tendon at the origin
    "none": (0.0, 0.0),
    "half": (0.5, 0.0),
    "default": (1.0, 0.0),
    "1.25 times": (1.25, 0.0),
    "default, free tendon half proximal": (1.0, 0.5),
    "default, free tendon all proximal": (1.0, 1.0),
}


def with_aponeuroses(masses, model, factor, proximal):
    """Return the table with aponeuroses a factor longer, cut at the slack length, and the number of those cut."""
    known = default_architecture(model, masses["muscle"])
    wanted = {name: factor * k.aponeurosis for name, k in known.items()}
    lengths = {name: min(wanted[name], k.slack_length) for name, k in known.items()}
    table = place_bellies(masses, known, dict.fromkeys(known, proximal), lengths)
    return table, sum(wanted[name] > lengths[name] for name in known)


def placements(masses, model):
    """Yield strain models by kind and placement; print which aponeuroses had to be cut."""
    for share in (0.0, 0.25, 0.5, 0.75, 1.0):
        named = f"{share:g} of the tendon proximal"
        yield ("rigid tendon", named), masses, oi.StrainModel("rigid_tendon", proximal_tendon=share)
    for name, belly in UNIFORM.items():
        yield ("uniform", f"belly {name}"), masses, oi.StrainModel("uniform", belly=belly)
    for name, options in APONEUROSES.items():
        table, cut = with_aponeuroses(masses, model, *options)
        if cut:
            print(f"  aponeurosis {name}: {cut} of {len(table)} muscles have no more slack length than aponeurosis")
        yield ("aponeurosis", f"aponeurosis {name}"), table, oi.StrainModel()


def at_peaks(result):
    """Yield moved, sliding and total [N m] at the lumped peak of each coordinate, and the largest sliding."""
    table = result.summary()
    for name, coordinate in COORDINATES.items():
        row = table.loc[coordinate]
        yield (
            name,
            {
                "time": row["peak time"],
                "lumped": row["lumped peak"],
                "moved": row["moved at peak"],
                "sliding": row["sliding at peak"],
                "total": row["difference at peak"],
                "largest sliding": abs(row["largest sliding"]),
            },
        )


def experiment(recorded):
    """Yield all placements and transfers of one motion, as rows."""
    model = osim.Model(str(recorded.model))
    masses = oi.estimate_masses(model)
    masses["segment"] = [main_segment(read_stretches(text)) for text in masses["segment"]]
    rows, wraps = [], None
    print(f"{recorded.name}: {masses['mass'].sum():.2f} kg in {len(masses)} muscles")
    for (strain, placement), table, how in placements(masses, model):
        for transfer in TRANSFERS:
            with warnings.catch_warnings():  # held bellies and remainders are tables of their own
                warnings.simplefilter("ignore", oi.warnings.ShortBellyWarning)
                warnings.simplefilter("ignore", oi.warnings.RemainderWarning)
                inertial = oi.InertialModel(model, table, how, wrapping=oi.Wrapping(plan=wraps), transfer=transfer)
                result = oi.inverse_dynamics(inertial, recorded.recording(), band=False)
            wraps = inertial.wraps
            residual = inertial.segments["residual"].max() if transfer == "conserving" else np.nan
            if (inertial.segments["gives with"] != "").any():  # conserved as a group, but not alone
                residual = np.inf
            for coordinate, values in at_peaks(result):
                labels = {"motion": recorded.name, "coordinate": coordinate, "strain": strain, "placement": placement}
                rows.append({**labels, "transfer": transfer, **values, "largest residual": residual})
    return rows


def sign(values):
    """Return the sign that all values have, "+" or "-", else "both" or "none"."""
    up, down = any(v > HAS_SIGN for v in values), any(v < -HAS_SIGN for v in values)
    return {(True, False): "+", (False, True): "-", (True, True): "both"}.get((up, down), "none")


def span(values):
    """Return the smallest and the largest value [N m] as text."""
    return f"{values.min():+.2f} to {values.max():+.2f}"


def summary(table):
    """Return the range over placements for each motion and coordinate, and whether the sign depends on them."""
    rows = {}
    for key, part in table.groupby(["motion", "coordinate"], sort=False):
        old, new = (part[part["transfer"] == transfer] for transfer in TRANSFERS)
        whole = new[new["largest residual"] == 0]
        rows[key] = {
            "lumped peak": f"{part['lumped'].iloc[0]:.1f}",
            "sliding": span(new["sliding"]),
            "total, proportional": span(old["total"]),
            "total, conserving": span(new["total"]),
            "of these, nothing projected": f"{len(whole)}: {span(whole['total'])}" if len(whole) else "0",
            "moved by projection, at most": f"{new['moved'].abs().max():.2f}",
            "signs: sliding": sign(new["sliding"]),
            "proportional": sign(old["total"]),
            "conserving": sign(new["total"]),
            "not projected": sign(whole["total"]),
        }
    return pd.DataFrame(rows).T.rename_axis(["motion", "coordinate"])


def verdict(table):
    """Say in how many of the peaks with one sign of sliding the total has one, too, and name the others."""
    found = summary(table)
    one = found[found["signs: sliding"].isin(["+", "-"])]
    lines = [f"Sliding has one sign over all placements at {len(one)} of {len(found)} peaks."]
    for column in ("proportional", "conserving", "not projected"):
        failing = [", ".join(key) for key, row in one.iterrows() if row[column] not in (row["signs: sliding"], "none")]
        text = {"not projected": "conserving, where nothing is projected"}.get(column, column)
        which = f" (not {'; '.join(failing)})" if failing else ""
        lines.append(f"* {text}: the total has that sign at {len(one) - len(failing)} of them{which}")
    return "\n".join([lines[0], "", *lines[1:]])


def by_placement(part):
    """Yield one motion's sliding and both totals by placement and coordinate [N m] and [% of lumped peak]."""
    for coordinate, rows in part.groupby("coordinate", sort=False):
        columns = {}
        kinds = {t: rows[rows["transfer"] == t].set_index(["strain", "placement"]) for t in TRANSFERS}
        lumped = abs(rows["lumped"].iloc[0])
        columns[f"{coordinate}: sliding"] = kinds["conserving"]["sliding"].map("{:+.2f}".format)
        for transfer in TRANSFERS:
            total = kinds[transfer]["total"]
            columns[f"total, {transfer}"] = [f"{v:+.2f} ({100 * v / lumped:+.1f} %)" for v in total]
        frame = pd.DataFrame(columns)
        yield coordinate, rows["lumped"].iloc[0], rows["time"].iloc[0], frame


def residuals(part):
    """Return the largest residual of a segment by placement [%].

    It is 0 where every segment is conserved, and infinite where one gives up mass together with its neighbours.
    """
    new = part[(part["transfer"] == "conserving") & (part["coordinate"] == next(iter(COORDINATES)))]
    return 100 * new.set_index(["strain", "placement"])[["largest residual"]].rename(columns=lambda n: f"{n} [%]")


def pages(table):
    """Return Markdown of the summary, of the compact tables, and of everything."""
    short = f"Changes at the lumped peak [N m], over all placements:\n\n{markdown(summary(table))}\n\n{verdict(table)}"
    compact, full = [], []
    for motion, part in table.groupby("motion", sort=False):
        frames = list(by_placement(part))
        peaks = ", ".join(f"{c} {lumped:.1f} N m at {t:.2f} s" for c, lumped, t, _ in frames)
        named = [frame.rename(columns=lambda n, c=c: n.replace("total", c)) for c, _, _, frame in frames]
        joined = pd.concat([*named, residuals(part)], axis=1)
        compact.append(f"**{motion}** (lumped peaks: {peaks})\n\n{markdown(joined)}")
        for coordinate, rows in part.groupby("coordinate", sort=False):
            kept = rows.set_index(["strain", "placement", "transfer"])[["moved", "sliding", "total"]].copy()
            for name in ("moved", "sliding", "total"):
                kept[f"{name} [%]"] = 100 * kept[name] / abs(rows["lumped"].iloc[0])
            full.append(f"## {motion}, {coordinate}: lumped {rows['lumped'].iloc[0]:.1f} N m\n\n{markdown(kept)}")
    return short, "\n\n".join(compact), "\n\n".join(full)


def draw(table, path):
    """Draw the change at the lumped peak by placement, for both transfers, one row of pictures per motion."""
    motions = list(dict.fromkeys(table["motion"]))
    figure = Figure(figsize=(12, 3.5 * len(motions) + 1.2), layout="constrained")
    axes = figure.subplots(len(motions), len(COORDINATES), squeeze=False, sharey=True)
    names = list(dict.fromkeys(zip(table["strain"], table["placement"], strict=True)))
    for row, motion in zip(axes, motions, strict=True):
        for axis, coordinate in zip(row, COORDINATES, strict=True):
            part = table[(table["motion"] == motion) & (table["coordinate"] == coordinate)]
            percent = 100 / part["lumped"].abs().iloc[0]
            slides = part[part["transfer"] == "conserving"]["sliding"].to_numpy() * percent
            axis.plot(slides, range(len(names)), "|", color="0.2", ms=9, mew=1.6, label="of this, sliding", zorder=4)
            for transfer, colour in COLOURS.items():
                new = part[part["transfer"] == transfer]
                total, y = new["total"].to_numpy() * percent, np.arange(len(names))
                hollow = new["largest residual"].to_numpy() > 0
                axis.plot(total, y, "o", ms=5, color=colour, label=f"total, {transfer} transfer")
                axis.plot(total[hollow], y[hollow], "o", ms=3, color="white", label="_projected")
            axis.axvline(0, color="0.7", lw=0.8, zorder=0)
            for y in (4.5, 9.5):
                axis.axhline(y, color="0.85", lw=0.8, zorder=0)
            axis.set_title(f"{motion}: {coordinate}, peak {part['lumped'].iloc[0]:.0f} N m", fontsize=9)
            axis.spines[["top", "right"]].set_visible(False)
        row[0].set_yticks(range(len(names)), [f"{s}: {p.replace('aponeurosis ', '')}" for s, p in names], fontsize=7)
        row[0].invert_yaxis()
    for axis in axes[-1]:
        axis.set_xlabel("change at the peak [% of it]")
    figure.legend(*axes[0, 0].get_legend_handles_labels(), loc="outside upper center", ncols=3, frameon=False)
    figure.supxlabel(
        "White dots: a segment's remainder is projected, or segments give up together",
        fontsize=9,
    )
    figure.savefig(path, dpi=130)


def main():
    motions = recorded_motions()
    folder = output_folder("what_decides_the_answer")
    table = pd.DataFrame([row for recorded in motions for row in experiment(recorded)])
    table.to_csv(folder / "placements.csv", index=False)
    short, compact, full = pages(table)
    print(f"\n{summary(table).to_string()}\n\n{verdict(table)}")
    (folder / "placements.md").write_text(f"{short}\n\n{full}\n", encoding="utf-8")
    draw(table, folder / "placements.png")
    write_section("summary", short)
    write_section("placements", compact)
    print("wrote", folder / "placements.md")


if __name__ == "__main__":
    main()
