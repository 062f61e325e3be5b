"""Defects planted into a good model, its motion and its loads, each of which `check` must find.

``python tests/checks/planted.py`` plants every kind ten times, with other places and sizes, and prints how many of
them are found. The good trial is the walk of Gait10dof18musc; kinds that need wrap objects go into Arm26, and those
that need a coupled coordinate into a run of Rajagopal's model, where that is at hand.
"""

import argparse
import random
import re
import shutil
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from checks.model_defects import MODELS, NOTED, WRAPS, Kind
from checks.recording_defects import LOADS, MOTIONS, RUNNING
from checks.trials import Trial, model_of_walk, run, walk, wrapped
from opensim_inertia.checks import Diagnostic

VARIANTS = 10


def kinds() -> dict[str, tuple[Callable[[Path], Trial], Kind]]:
    groups = ((model_of_walk, MODELS), (wrapped, WRAPS), (walk, MOTIONS), (walk, LOADS), (run, RUNNING))
    return {name: (trial, kind) for trial, plants in groups for name, kind in plants.items()}


def new_findings(kind: str, seed: int, folder: Path) -> list[Diagnostic]:
    """Plant one defect, and return what its checks find that is no note, or may be one."""
    make, (plant, checks) = kinds()[kind]
    trial = make(folder)
    plant(trial, random.Random(f"{kind} {seed}"))
    findings = trial.check(thorough=make is model_of_walk).findings
    fitting = [f for f in findings if re.fullmatch(rf"(?:{checks})(?:: \w+)?", f"{f.check}: {f.severity}")]
    return [f for f in fitting if f.severity != "note" or kind in NOTED]


def main() -> int:
    """Plant every kind several times, and print how many are found."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--variants", type=int, default=VARIANTS)
    parser.add_argument("--only", default="", help="kinds whose names contain this")
    args = parser.parse_args()
    missed = 0
    for kind in kinds():
        if args.only not in kind:
            continue
        numbers = []
        for seed in range(args.variants):
            folder = Path(tempfile.mkdtemp())
            try:
                findings = new_findings(kind, seed, folder)
            finally:
                shutil.rmtree(folder)
            if not findings:
                numbers.append(seed)
        missed += len(numbers)
        lost_text = f"   missed: {numbers}" if numbers else ""
        found_count = args.variants - len(numbers)
        print(f"{kind:46s} {found_count:3d} of {args.variants}{lost_text}", flush=True)
    print(f"{len(kinds())} kinds, {missed} missed")
    return 1 if missed else 0


if __name__ == "__main__":
    raise SystemExit(main())
