"""Muscle inertia at every joint of public models: makes the tables and the picture of the atlas.

    python examples/atlas.py --opensim-models DIR --rajagopal-running DIR --moco-walking DIR --cyclist DIR

rewrites docs/atlas.csv, docs/atlas_files.csv, docs/images/atlas.png, and the tables of docs/atlas.md and README.md.
``atlas.toml`` beside this file lists models, motions and options. The folders are a copy of opensim-models; the
running trial made of its Pipelines/Rajagopal (subject_scaled_run.osim, ik_output_run.mot, grf_run.xml, grf_run.mot);
the walking subject of Moco's example3DWalking; and the 520-muscle model of a cyclist. A second run writes the same
bytes. ``--only NAME`` computes some models and motions, and prints them instead; ``--pages`` writes the tables of
docs/atlas.csv again.
"""

from __future__ import annotations

import argparse
import hashlib
import re
import time
import tomllib
import warnings
from dataclasses import replace
from pathlib import Path

import finger_flick
import numpy as np
import opensim as osim
import pandas as pd
import rat_knee
import running_swing
import shank_muscles_apart
from atlas_page import body, pages, published_table
from common import write_section

import opensim_inertia as oi
from opensim_inertia.analyses.inverse_dynamics import Uncertainty
from opensim_inertia.analyses.inverse_dynamics.summary import PARTS
from opensim_inertia.analyses.ranking.ranking import is_foot_in_air

HERE = Path(__file__).resolve().parent
DOCS = HERE.parent / "docs"
TABLE = DOCS / "atlas.csv"

#: Joints by what coordinates are called; the first that fits.
JOINTS = {
    "ankle": r"^ankle_angle",
    "subtalar": r"^subtalar",
    "toes": r"^mtp",
    "knee": r"^knee_angle",
    "hip flexion": r"^hip_(flexion|angle)",
    "hip adduction": r"^hip_adduction",
    "hip rotation": r"^hip_rotation",
    "head and neck": r"^T1_head_neck",
    "ribs and sternum": r"^(Sternum|T\d+_r)",
    "abdomen": r"^Abs_",
    "trunk": r"^(lumbar|[LT]\d+_[LTS]\d+)",
    "clavicle and scapula": r"^(clav|scapula)",
    "shoulder rotation": r"^(axial_rot|shoulder_rot|arm_rot)",
    "shoulder": r"^(r_shoulder_elev|shoulder_elv|plane_elv|elv_angle|arm_flex|arm_add)",
    "elbow": r"^(r_)?elbow_flex",
    "forearm": r"^pro_sup",
    "wrist": r"^wrist",
}
#: Shares below this are none.
NOTHING = 1e-6


def joint_of(coordinate):
    """Return the joint of a coordinate, for readers."""
    return next((joint for joint, pattern in JOINTS.items() if re.search(pattern, coordinate)), "other")


class Files:
    """Finds the study's files, and keeps a hash of each that was used."""

    def __init__(self, folders):
        self._folders, self.hashes = folders, {}

    def __call__(self, name):
        folder, _, file = name.partition(":")
        path = self._folders[folder] / file
        if not path.is_file():
            raise SystemExit(f"{path} does not exist; --{folder} names another folder")
        self.hashes[name] = hashlib.sha256(path.read_bytes()).hexdigest()[:16]
        return path


def inertial_model(file, options):
    """Return a public model with inertial muscles, as the study says."""
    model = osim.Model(str(file))
    return oi.InertialModel(model, oi.estimate_masses(model), unsupported=options["unsupported"])


def at_poses(study, files, uncertainty):
    """Return a row for each coordinate and model with muscles: sliding share, and estimate by the law."""
    rows = []
    for entry in study["model"]:
        clock = time.process_time()
        ranking = oi.rank_muscles(inertial_model(files(entry["file"]), study["options"]), band=uncertainty)
        by_muscle = ranking.sliding_by_muscle
        for name, row in ranking.sliding.iterrows():
            size = by_muscle[name].abs().sum()
            if name in ranking.on_base or not max(size, abs(row["largest"])) > NOTHING:
                continue
            muscles = by_muscle[name].sort_values(key=np.abs, ascending=False, kind="stable")
            named = [str(m) for m, value in muscles.items() if abs(value) > 0.1 * abs(muscles.iloc[0])][:3]
            rows.append({"joint": joint_of(name), "of": entry["name"], "coordinate": name, **row, "size": size})
            turns = ranking.rotational[ranking.sliding.index.get_loc(name)]
            rows[-1] |= {"muscles": ", ".join(named), "turns": turns}
        print(f"{entry['name']}: {time.process_time() - clock:.1f} s of processor time", flush=True)
    return pd.DataFrame(rows)


def in_motions(study, files, uncertainty):
    """Return a row for each joint's coordinate and motion: changes by muscle inertia, and their parts."""
    rows = []
    for entry in study["motion"]:
        clock = time.process_time()
        inertial = inertial_model(files(entry["model"]), study["options"])
        loads = files(entry["loads"])
        datafile = Path(osim.ExternalLoads(str(loads), True).getDataFileName()).name
        files(re.sub(r"[^:/]+$", datafile, entry["loads"]))  # beside the loads, for its hash
        span = tuple(entry["time_range"]) if "time_range" in entry else None
        recording = oi.Recording(files(entry["file"]), loads, entry["cutoff"], span)
        result = oi.inverse_dynamics(inertial, recording, band=uncertainty, progress=False)
        base = {n for n, moves in zip(result.coordinate_names, result.on_base, strict=True) if moves}
        wobbles = wobble(inertial, recording, entry.get("wobble", ()), study["options"]["bellies"])
        lumped, solved = result.folded_answers()
        for name, row in result.summary().iterrows():
            if name in base or row["unit"] != "N m" or abs(row["largest difference"]) < 1e-6:
                continue
            lower, upper = band = np.array(result.difference_band(name))
            column, in_air = result.coordinate_names.index(name), is_foot_in_air(result, name)
            of_swing = 100 / (np.abs(lumped[in_air, column]).max(initial=0.0) or np.nan)
            at = int(np.nanargmin(np.abs(result.times - row["time of largest"])))
            percent = 100 / abs(row["lumped peak"])
            muscles = result.muscle_table(name).iloc[at].sort_values(key=np.abs, ascending=False, kind="stable")
            rows.append(
                {
                    "joint": joint_of(name),
                    "of": entry["name"],
                    "coordinate": name,
                    "peak": row["lumped peak"],
                    "change": row["largest difference"],
                    "change lower": lower[at],
                    "change upper": upper[at],
                    "of peak [%]": abs(row["largest difference [%]"]),
                    "band [%]": percent * np.nanmax(np.abs(band)),
                    "in swing [%]": of_swing * np.abs(solved - lumped)[in_air, column].max(initial=0.0),
                    "band in swing [%]": of_swing * np.abs(band[:, in_air]).max(initial=0.0),
                    "at peak [%]": abs(row["difference at peak [%]"]),
                    "RMS [%]": 100 * row["difference RMS"] / row["lumped RMS"],
                    **{f"{part} RMS": row[f"{part} RMS"] for part in ("sliding", *PARTS)},
                    "armature explains [%]": 100 * row["armature explains"],
                    "muscles": ", ".join(muscles.index[:3]),
                    **wobbles.get(name, {}),
                }
            )
        print(f"{entry['name']}: {time.process_time() - clock:.1f} s of processor time", flush=True)
    return pd.DataFrame(rows)


def wobble(inertial, recording, cutoffs, bellies):
    """Return by coordinate the largest moment by wobble [% of the largest lumped moment]: with the first frequency and
    damping at the first filter; least and largest over all; and at the last of several filters.
    """
    found = []
    for cutoff in cutoffs:
        for frequency, damping in bellies:
            springs = oi.options.Wobble(frequency=frequency, damping=damping)
            again = replace(recording, cutoff=cutoff)
            result = oi.inverse_dynamics(inertial, again, band=False, per_muscle=False, wobble=springs, progress=False)
            table = result.summary()
            found.append((100 * table["largest wobble"] / table["lumped peak"]).abs())
    if not found:
        return {}
    columns = {"wobble [%]": found[0], "wobble lower [%]": np.minimum.reduce(found)}
    columns |= {"wobble upper [%]": np.maximum.reduce(found)}
    columns |= {"wobble, last filter [%]": found[-len(bellies)]} if len(cutoffs) > 1 else {}
    return pd.DataFrame(columns, index=found[0].index).T.to_dict()


def swinging_ankle(files):
    """Return changes of the ankle moment in the swings of Hamner's running, by source of masses and strain model.

    Means over the swings of both legs: of the largest change [% of the swing's peak] and, after Verheul et al., of the
    changes of both peaks [%] and the RMS [N m].
    """
    folder = "opensim-models:Pipelines/Hamner/"
    scaled = files(folder + "outputReference/subject02_scaled.osim")
    motion = files(folder + "outputReference/ResultsIK/subject02_running_ik.mot")
    grf = oi.read_table(files(folder + "subject02_running_grf.mot"))
    rows = {}
    for name in ("uniform strain, belly central", "aponeuroses, all muscles of the legs"):
        kind, strain = running_swing.STRAINS[name]
        inertial = oi.InertialModel(*running_swing.model_and_masses(scaled, kind), strain)
        recording = oi.Recording(motion, cutoff=running_swing.CUTOFF)
        result = oi.inverse_dynamics(inertial, recording, band=False, progress=False)
        for side in "rl":
            phases = running_swing.swings(grf, side, result.times[-1])
            compared, _ = shank_muscles_apart.compared(result, side, phases)
            largest = running_swing.changes(result, side, phases)[:, 0].mean()
            rows[name, side] = {"largest [%]": largest, **compared}
    return pd.DataFrame(rows).T.groupby(level=0, sort=False).mean()


def flicks():
    """Return the flick [N] at which the finger's simulation breaks, by the flexors' mass [g]."""
    rows = {}
    for grams in (200, 10):
        table = [(t.muscle, grams / 1000, "forearm", "") for t in finger_flick.TENDONS]
        masses = pd.DataFrame(table, columns=["muscle", "mass", "segment", "source"])
        inertial = oi.InertialModel(finger_flick.build_finger(), masses, **finger_flick.MODELS["uniform strain"])
        rows[grams] = finger_flick.threshold(inertial)
    rows[0] = finger_flick.threshold(finger_flick.finger("lumped"))
    return pd.DataFrame({"flick [N]": rows})


def published(files):
    """Return results for published experiments."""
    knee = {
        name: rat_knee.shares(*masses, rat_knee.MUSCLES[rat_knee.BICEPS][0]) for name, masses in rat_knee.SHANKS.items()
    }
    ankles = {}
    for name, file, triceps in (
        ("Gait2392", "Models/Gait2392_Simbody/gait2392_thelen2003muscle.osim", ("soleus_r", "med_gas_r", "lat_gas_r")),
        ("Rajagopal2016", "Models/Rajagopal/Rajagopal2016.osim", ("soleus_r", "gasmed_r", "gaslat_r")),
    ):
        model = osim.Model(str(files("opensim-models:" + file)))
        for kind, how in (("0.6 MPa", {}), ("MRI", {"method": oi.options.Handsfield(1.75)})):
            ranking = oi.rank_muscles(oi.InertialModel(model, oi.estimate_masses(model, **how)), band=False)
            ankles[name, kind] = 100 * ranking.sliding_by_muscle.loc[list(triceps), "ankle_angle_r"].sum()
    return {"knee": pd.DataFrame(knee).T, "ankles": ankles, "swing": swinging_ankle(files), "flick": flicks()}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for name in ("opensim-models", "rajagopal-running", "moco-walking", "cyclist"):
        parser.add_argument(f"--{name}", type=Path, default=Path(), metavar="DIR")
    parser.add_argument("--pages", action="store_true", help="compute nothing")
    parser.add_argument("--only", nargs="+", metavar="NAME", help="models and motions whose names begin so, printed")
    args = parser.parse_args()
    if args.pages:
        write_pages()
        return
    warnings.simplefilter("ignore", oi.warnings.InertiaWarning)
    study = tomllib.loads((HERE / "atlas.toml").read_text(encoding="utf-8"))
    files = Files({name.replace("_", "-"): folder for name, folder in vars(args).items()})
    uncertainty = Uncertainty(draws=study["options"]["draws"])
    if args.only:
        for kind in ("model", "motion"):
            study[kind] = [entry for entry in study[kind] if entry["name"].startswith(tuple(args.only))]
        for table in (at_poses(study, files, uncertainty), in_motions(study, files, uncertainty)):
            print(table.to_string(float_format="%.4g"))
        return
    tables = {"default pose and range": at_poses(study, files, uncertainty)}
    tables["motion"] = in_motions(study, files, uncertainty)
    both = pd.concat(tables, names=["what"]).droplevel(1)
    both.round(9).to_csv(TABLE, float_format="%.6g", lineterminator="\n")
    write_section("published", published_table(published(files)), DOCS / "atlas.md")
    hashes = pd.Series(files.hashes, name="SHA-256").sort_index()
    hashes.to_csv(DOCS / "atlas_files.csv", index_label="file", lineterminator="\n")
    write_pages()


def write_pages():
    """Write the picture, and the tables of the pages, of docs/atlas.csv."""
    atlas = pd.read_csv(TABLE)
    for name, text in pages(atlas).items():
        write_section(name, text, DOCS / "atlas.md")
    write_section("joints", pages(atlas)["joints"], DOCS.parent / "README.md")
    body(atlas, DOCS / "images" / "atlas.png")


if __name__ == "__main__":
    main()
