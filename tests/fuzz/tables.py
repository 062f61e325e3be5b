"""Systematic damage to tables of loads and of motions: how often it changes the answer without a word.

Every kind of damage is done to every column of a public walking trial (Gait10dof18musc), one at a time. An answer is
changed silently if the peak of any coordinate's force changes by more than 2 % of the largest peak among those of its
unit, or of its own if that is smaller, and there is neither an error nor a warning. Nothing is random.

    python tests/fuzz/tables.py path/to/opensim-models
"""

import argparse
import shutil
import sys
import tempfile
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pandas as pd

import opensim_inertia as oi
from opensim_inertia._core.opensim import osim
from opensim_inertia.analyses.inverse_dynamics import InverseDynamicsResult
from opensim_inertia.opensim_model.setups.loads import Loads

ROOT = "Pipelines/Gait10dof18musc"
MODEL, MOTION, LOADS = (
    f"{ROOT}/OutputReference/subject01.osim",
    f"{ROOT}/OutputReference/IK/subject01_walk_IK.mot",
    f"{ROOT}/ExperimentalData/subject01_walk_grf.xml",
)
#: The time that is solved [s]: more than a stride.
SPAN = (0.4, 1.7)
#: A moment at which the damaged row lies [s]: both feet stand.
AT = 0.72
#: Changes of peaks that count.
CHANGED = 0.02

Damage = Callable[[pd.DataFrame], pd.DataFrame]


def _column(label: str, change: Callable[[np.ndarray], np.ndarray]) -> Damage:
    return lambda table: table.assign(**{label: change(table[label].to_numpy())})


def _cell(label: str, change: Callable[[float], float]) -> Damage:
    def damage(table: pd.DataFrame) -> pd.DataFrame:
        table = table.copy()
        row = int(np.searchsorted(table.index, AT))
        table.iloc[row, list(table.columns).index(label)] = change(float(table[label].iloc[row]))
        return table

    return damage


def _times(change: Callable[[np.ndarray], np.ndarray]) -> Damage:
    return lambda table: table.set_axis(pd.Index(change(table.index.to_numpy()), name="time"))


def cases(labels: list[str]) -> Iterator[tuple[str, str, Damage]]:
    """Yield kind, column and damage."""
    for label in labels:
        for factor in (57.29578, 1 / 57.29578, 1000.0, 0.001, -1.0, 0.0, 1e300):
            yield f"column x {factor:.4g}", label, _column(label, lambda x, f=factor: np.clip(f * x, -1e300, 1e300))
        yield "column + 0.3", label, _column(label, lambda x: x + 0.3)
        yield "cell 0", label, _cell(label, lambda _: 0.0)
        yield "cell x -1", label, _cell(label, lambda x: -x)
        yield "cell x 10", label, _cell(label, lambda x: 10 * x)
        yield "cell 1e300", label, _cell(label, lambda _: 1e300)
    yield "times in ms", "time", _times(lambda t: 1000 * t)
    yield "times x 1e-3", "time", _times(lambda t: 0.001 * t)
    yield "times x 1e-12", "time", _times(lambda t: 1e-12 * t)
    yield "frames", "time", _times(lambda t: np.arange(len(t), dtype=float))
    yield "last time 1e30", "time", _times(lambda t: np.append(t[:-1], 1e30))
    yield "20 rows missing", "time", lambda table: table.drop(table.index[slice(*_rows(table, 20))])
    yield "rows repeated", "time", _repeated


def _rows(table: pd.DataFrame, count: int) -> tuple[int, int]:
    row = int(np.searchsorted(table.index, AT))
    return row, row + count


def _repeated(table: pd.DataFrame) -> pd.DataFrame:
    table = table.copy()
    first, last = _rows(table, 20)
    table.iloc[first:last] = table.iloc[first].to_numpy()
    return table


class Trial:
    """The trial, whose motion or loads may be damaged."""

    def __init__(self, root: Path, folder: Path) -> None:
        self.inertial = oi.InertialModel(osim.Model(str(root / MODEL)), {})
        self.motion, self.loads = oi.read_table(root / MOTION), Path(shutil.copy(root / LOADS, folder))
        data = Loads(root / LOADS).data
        self.data, self.table = folder / data.name, oi.read_table(data)
        self.names = [c for c in self.inertial.coordinate_names if not c.startswith("pelvis")]
        self.healthy, said = self.peaks(self.motion, self.table)
        assert not said, said

    def peaks(self, motion: pd.DataFrame, table: pd.DataFrame) -> tuple[pd.Series, str]:
        """Return the peaks of the joints' forces, and what was said."""
        oi.write_table(table, self.data)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            result = oi.inverse_dynamics(
                self.inertial, oi.Recording(motion, self.loads, 6.0, SPAN), band=False, per_muscle=False
            )
        said = [str(w.message) for w in caught if issubclass(w.category, oi.InertiaWarning)]
        return result.lumped[self.columns(result)].abs().max(), said[0] if said else ""

    def columns(self, result: InverseDynamicsResult) -> list[str]:
        """Return the columns of joints."""
        return [label for label in result.lumped.columns if not label.startswith("pelvis")]

    def verdict(self, which: str, damage: Damage) -> tuple[str, str]:
        """Return whether damage is refused, told, harmless or silent, and what was said."""
        motion, table = self.motion, self.table
        attrs = dict(motion.attrs)
        try:
            if which == "motion":
                motion = damage(motion)
                motion.attrs.update(attrs)
            else:
                table = damage(table)
            peaks, said = self.peaks(motion, table)
        except oi.InertiaError as error:
            return "refused", str(error)
        except Exception as error:
            return "traceback", repr(error)
        if said:
            return "told", said
        changed = float(((peaks - self.healthy).abs() / self.healthy).max())
        return ("silent" if changed > CHANGED else "harmless"), f"{100 * changed:.3g} %"


def main() -> int:
    """Run all cases and print a table of them."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("models", type=Path, help="a copy of the repository opensim-models")
    parser.add_argument("--which", nargs="+", choices=["loads", "motion"], default=["loads", "motion"])
    parser.add_argument("--verbose", action="store_true", help="what was said of each case")
    args = parser.parse_args()
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        trial = Trial(args.models, Path(folder))
        for which in args.which:
            labels = [str(label) for label in (trial.table if which == "loads" else trial.motion).columns]
            by_kind: dict[str, Counter[str]] = {}
            for kind, label, damage in cases(labels):
                verdict, said = trial.verdict(which, damage)
                by_kind.setdefault(kind, Counter())[verdict] += 1
                if args.verbose or verdict in ("silent", "traceback"):
                    print(f"{verdict}: {which}, {kind}, {label}: {said}", flush=True)
            columns = ("refused", "told", "harmless", "silent", "traceback")
            print(f"\n{which:20}" + "".join(f"{name:>10}" for name in columns))
            for kind, counts in by_kind.items():
                print(f"{kind:20}" + "".join(f"{counts[name]:10}" for name in columns))
            total = sum(by_kind.values(), Counter())
            print(f"{'all':20}" + "".join(f"{total[name]:10}" for name in columns))
            share = total["silent"] / sum(total.values())
            print(f"silent: {100 * share:.2g} % of {sum(total.values())}")
            failed += share > 0.03 or total["traceback"] > 0
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
