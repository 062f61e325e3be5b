"""Damage models, motions, loads, setups, mass tables and weight files, and see what the commands make of them.

A case is a family and a seed, which repeats it to the letter. Each runs in a process of its own. It fails if it

* ends by a signal, or has not ended after ``--limit`` seconds, and stock OpenSim does not do so with the same files;
* ends by an exception, or by an exit code that is neither 0 nor 2, or its error is not one line;
* names a temporary file, or leaves one;
* ends by 2, and has written any file all the same, unless it says so, as of a simulation that stopped halfway;
* ends by 0, and a number that it has written is not finite, or larger than 1e12;
* is not damaged (a negative seed), and ends by 2.

    python tests/fuzz/run.py [--undamaged] [--seeds 40] [--first N] [--minutes M] [--families models ...] [--keep DIR]

Without ``--first`` each run has seeds of its own; its first line says which. What it finds becomes a case of the tests.
The last line says how many cases there were, of which so many were ``ok`` and ``refused``, as ``name=value`` pairs.
"""

import os

os.environ["OPENBLAS_NUM_THREADS"] = os.environ["OMP_NUM_THREADS"] = "1"  # processes with threads do not fork safely
os.environ["MPLBACKEND"] = "Agg"

import argparse
import gc
import multiprocessing
import random
import shutil
import sys
import tempfile
import time
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from itertools import count
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from matplotlib.figure import Figure

from fuzz.damage import damaged
from fuzz.isolated import Outcome, isolated
from fuzz.scenes import CASES, write_scene, wrong_in

ERROR = "opensim-inertia: error: "
#: What commands import when they run: once, instead of in every case, where it would be most of the time.
COMMANDS = ("id", "simulate", "masses", "rank", "recruit", "wraps", "check", "fit_lengths", "output")
ANALYSES = ("forward_simulation", "inverse_dynamics", "length_polynomials", "mass_points", "ranking", "recruitment")
IMPORTED = (
    *(f"opensim_inertia.cli.{command}" for command in COMMANDS),
    *(f"opensim_inertia.analyses.{analysis}" for analysis in (*ANALYSES, "wrapping_report")),
    *(f"opensim_inertia.{room}" for room in ("checks", "model", "plotting")),
    "matplotlib.pyplot",
)
TEMPORARY = "of_this_case_only"  # Where a case has its temporary files, so that a message which names one is found
FAILED = 2
DRAWN = 5  # Of so many damaged cases one draws its pictures, which takes longer than all the rest
EVERY = 500  # After so many cases the tally is printed


@dataclass(frozen=True)
class Verdict:
    """What became of a case."""

    family: str
    seed: int
    kind: str
    what: str
    seconds: float


def judge(case: tuple[str, int], limit: float, keep: Path | None, patient: bool = False) -> Verdict:
    """Run a case in a new folder. A negative seed takes one of the family's cases from the end, and does no damage."""
    family, seed = case
    rng = random.Random(f"{family} {seed}")
    what_to_do = rng.choice(CASES[family]) if seed >= 0 else CASES[family][seed]
    folder = Path(tempfile.mkdtemp())
    try:
        shutil.copytree(SCENE, folder, dirs_exist_ok=True)  # made before any case runs
        file = folder / what_to_do.file
        if seed >= 0:
            file.write_bytes(damaged(file.read_bytes(), file.suffix, rng))
        os.mkdir(folder / TEMPORARY)
        outcome = isolated(lambda: _inside(folder, what_to_do.run, seed < 0 or seed % DRAWN == 0), limit)
        if outcome.failure == "hang" and not patient:
            return judge(case, 10 * limit, keep, patient=True)
        kind, what = _verdict(outcome, folder)
        if kind == "refused" and seed < 0:
            kind, what = "failed", f"refused without any damage: {what}"
        if kind == "failed" and outcome.failure.startswith(("signal", "hang")) and what_to_do.stock is not None:
            stock = isolated(lambda: _inside(folder, what_to_do.stock), limit)
            if stock.failure.startswith(("signal", "hang")):
                kind = "stock"
        if kind == "failed" and keep is not None:
            kept = keep / f"{family}-{seed}"
            shutil.copytree(folder, kept, dirs_exist_ok=True)
            (kept / "said.txt").write_text(f"{what}\n{outcome.out}\n{outcome.err}", encoding="utf-8")
        return Verdict(family, seed, kind, f"{what_to_do.file}: {what}", outcome.seconds)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


SCENE = Path(tempfile.gettempdir(), f"fuzz-scene-{os.getpid()}")


def _inside(folder: Path, task: object, drawn: bool = True) -> int:
    """Run a task in a folder, with temporary files of its own and warnings as a user has them."""
    os.chdir(folder)
    tempfile.tempdir = str(folder / TEMPORARY)
    if not drawn:
        Figure.savefig = lambda figure, file, **how: Path(file).touch()  # type: ignore[method-assign]
    assert callable(task)
    return int(task())


def _verdict(outcome: Outcome, folder: Path) -> tuple[str, str]:
    if outcome.failure and not (outcome.failure.startswith(("signal", "hang"))):
        last = [line for line in outcome.err.splitlines() if line.strip()][-1:]
        return "failed", f"{outcome.failure}: {''.join(last)[:300]}"
    if outcome.failure:
        return "failed", outcome.failure
    if "Traceback" in outcome.err:
        return "failed", "a traceback on stderr"
    errors = [line for line in outcome.err.splitlines() if line.startswith(ERROR)]
    said = outcome.out + outcome.err
    if TEMPORARY in said:
        return "failed", "names a temporary file: " + next(line for line in said.splitlines() if TEMPORARY in line)
    left = [path.name for path in (folder / TEMPORARY).iterdir()]
    if left:
        return "failed", f"leaves {left}"
    written = [path.name for path in (folder / "out").rglob("*") if path.is_file()]
    if outcome.code == FAILED and written and "\nwritten to " not in outcome.out:
        return "failed", f"writes {written}, and ends by 2: {''.join(errors)[:200]}"
    if outcome.code == FAILED and len(errors) == 1 and outcome.err.rstrip().endswith(errors[0]):
        return "refused", errors[0]
    if outcome.code != 0:
        return "failed", f"exit code {outcome.code}, {len(errors)} errors: {outcome.err[-300:]!r}"
    wrong = wrong_in(folder / "out", said) if (folder / "out").exists() else []
    return ("failed", "; ".join(wrong)) if wrong else ("ok", "")


def _cases(
    families: list[str], undamaged: bool, first: int, seeds: int, minutes: float | None
) -> Iterator[tuple[str, int]]:
    if undamaged:
        yield from ((family, -1 - i) for family in families for i in range(len(CASES[family])))
    start = time.monotonic()
    for seed in count(first) if minutes is not None else range(first, first + seeds):
        for family in families:
            if minutes is not None and time.monotonic() - start > 60 * minutes:
                return
            yield family, seed


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", type=int, default=40, help="of each family (default: %(default)s)")
    parser.add_argument("--first", type=int, help="first seed, which repeats a run (default: another one each time)")
    parser.add_argument("--minutes", type=float, help="go on for so long, instead of --seeds")
    parser.add_argument("--undamaged", action="store_true", help="first see that all is well without any damage")
    parser.add_argument("--families", nargs="+", choices=list(CASES), default=list(CASES))
    parser.add_argument("--limit", type=float, default=60.0, help="seconds per case (default: %(default)s)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="(default: %(default)s)")
    parser.add_argument("--keep", type=Path, help="where the files of failed cases go")
    args = parser.parse_args()
    warnings.filterwarnings("ignore", category=DeprecationWarning)
    for module in IMPORTED:
        import_module(module)
    first = random.SystemRandom().randrange(10**9) if args.first is None else args.first
    print(f"first={first}", flush=True)
    tally = dict.fromkeys(("ok", "refused", "stock", "failed"), 0)
    slowest = 0.0
    SCENE.mkdir()
    try:
        write_scene(SCENE)
        gc.freeze()  # cases share what is there already, as long as nothing looks through it
        with multiprocessing.get_context("fork").Pool(args.jobs) as pool:
            cases = _cases(args.families, args.undamaged, first, args.seeds, args.minutes)
            for verdict in pool.imap_unordered(partial(judge, limit=args.limit, keep=args.keep), cases):
                tally[verdict.kind] += 1
                slowest = max(slowest, verdict.seconds)
                if sum(tally.values()) % EVERY == 0:
                    print("so far:", *(f"{kind}={n}" for kind, n in tally.items()), flush=True)
                if verdict.kind in ("failed", "stock"):
                    print(f"{verdict.kind}: {verdict.family} {verdict.seed}: {verdict.what}", flush=True)
    finally:
        shutil.rmtree(SCENE)
    print(f"cases={sum(tally.values())}", *(f"{kind}={n}" for kind, n in tally.items()), f"slowest={slowest:.3g}")
    return 1 if tally["failed"] else 0


if __name__ == "__main__":
    sys.exit(main())
