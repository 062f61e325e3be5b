"""Length polynomials against OpenSim's own PolynomialPathFitter: errors on the same poses, numbers of terms, and time.

OpenSim's fitter draws poses around those of walking and fits muscles that span the hip; then the very same poses are
fitted by ``fit_length_polynomials``. Both sets of function-based paths are put into the model, and their lengths and
moment arms compared with OpenSim's own paths. Errors are root mean squares over all muscles [mm]; ``ratio`` is our time
over that of OpenSim's fitter, which uses one thread, both with the reading of paths at all poses; ``rule`` is the
fitter's own rule: "dense" has all terms up to an order, "stepwise" selects terms. ``fine`` are polynomials with
``degree=6, stop=0.005``.

    python benchmarks/length_polynomials.py [--frames 24] [--repetitions 3] [--stepwise]
"""

import argparse
import tempfile
import warnings
from pathlib import Path

import numpy as np
from common import alternate, opensim_models, osim, ratio, report

import opensim_inertia as oi
from opensim_inertia._core.arrays import Array
from opensim_inertia._core.opensim import quiet
from opensim_inertia.analyses.length_polynomials.samples import PathLengths
from opensim_inertia.files import read_table
from opensim_inertia.opensim_model.reading.coordinates import CoordinateTable, read_coordinates
from opensim_inertia.opensim_model.reading.motion import load_motion

MODEL = "Gait2392_Simbody/gait2392_millard2012muscle.osim"
MOTION = "Pipelines/Gait2392_Simbody/subject01_walk1_ik.mot"
MUSCLES = ("glut_max1_r", "glut_med1_r", "psoas_r", "rect_fem_r", "semimem_r", "add_mag1_r", "sar_r", "tfl_r")
SAMPLES = 25
MM = 1e3


def few_muscles(root: Path, folder: Path) -> Path:
    """Write the model with these muscles only."""
    with quiet():
        model = osim.Model(str(root / "Models" / MODEL))
        forces = model.updForceSet()
        for i in reversed(range(forces.getSize())):
            if forces.get(i).getName() not in MUSCLES:
                forces.remove(i)
        model.finalizeConnections()
        model.setName("hip")
        model.printToXML(str(folder / "hip.osim"))
    return folder / "hip.osim"


def opensims_fitter(model: Path, table: osim.TimeSeriesTable, folder: Path, stepwise: bool) -> None:
    """Fit by OpenSim's fitter, at poses that it draws."""
    fitter = osim.PolynomialPathFitter()
    fitter.setModel(osim.ModelProcessor(str(model)))
    fitter.setCoordinateValues(osim.TableProcessor(table))
    fitter.setOutputDirectory(str(folder))
    fitter.setNumSamplesPerFrame(SAMPLES)
    fitter.setNumParallelThreads(1)
    fitter.setUseStepwiseRegression(stepwise)
    with quiet():
        fitter.run()


def terms(file: Path) -> float:
    """Return the mean number of terms of a set's lengths."""
    paths = osim.SetFunctionBasedPaths(str(file))
    found = []
    for i in range(paths.getSize()):
        function = osim.MultivariatePolynomialFunction.safeDownCast(paths.get(i).getLengthFunction())
        found.append(np.count_nonzero(function.getCoefficients().to_numpy()))
    return float(np.mean(found))


def measured(model: osim.Model, q: Array) -> tuple[CoordinateTable, Array, Array]:
    """Return a model's coordinates, and lengths and their derivatives at poses."""
    with quiet():
        coordinates = read_coordinates(model, model.initSystem())
    every = np.tile(np.eye(len(coordinates.names)), (len(q), 1, 1))
    return coordinates, *PathLengths(model, coordinates, MUSCLES).measure(q, every, False)


def errors(model: Path, file: Path, q: Array) -> tuple[float, float]:
    """Return the root mean square errors [mm] of lengths, and of moment arms about coordinates that turn them."""
    _, lengths, slopes = measured(osim.Model(str(model)), q)
    fitted = osim.Model(str(model))
    osim.ModelFactory.replacePathsWithFunctionBasedPaths(fitted, osim.SetFunctionBasedPaths(str(file)))
    _, ours, arms = measured(fitted, q)
    acts = np.abs(slopes).max(axis=0) > 1e-3
    off = (arms - slopes)[:, acts]
    return MM * float(np.sqrt(np.mean((ours - lengths) ** 2))), MM * float(np.sqrt(np.mean(off**2)))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--stepwise", action="store_true", help="its other rule, too, which takes many minutes")
    parser.add_argument("--frames", type=int, default=24, help="rows of the motion, each with 25 poses around it")
    parser.add_argument("--repetitions", type=int, default=3)
    args = parser.parse_args()
    root = opensim_models()
    warnings.simplefilter("ignore", oi.warnings.PathJumpWarning)
    values: dict[str, object] = {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        model = few_muscles(root, folder)
        with quiet():
            loaded = osim.Model(str(model))
            coordinates = read_coordinates(loaded, loaded.initSystem())
        motion = load_motion(root / MOTION, loaded, coordinates.names)
        rows = np.linspace(0, len(motion) - 1, args.frames).round().astype(int)
        labels = [f"{loaded.getCoordinateSet().get(n).getAbsolutePathString()}/value" for n in coordinates.names]
        table = osim.TimeSeriesTable(
            osim.StdVectorDouble(motion.times[rows].tolist()),
            osim.Matrix.createFromMat(motion.q[rows]),
            osim.StdVectorString(labels),
        )
        table.addTableMetaDataString("inDegrees", "no")
        own, fine = folder / "ours.xml", folder / "fine.xml"
        for rule in ("dense", "stepwise") if args.stepwise else ("dense",):
            there = folder / rule
            opensims_fitter(model, table, there, rule == "stepwise")
            sampled = read_table(there / "hip_coordinate_values_sampled.sto")
            q = np.array(sampled[labels])

            def ours(q: Array = q) -> None:
                oi.fit_length_polynomials(str(model), q, progress=False).to_function_based_paths(own)

            def fine_ones(q: Array = q) -> None:
                polynomials = oi.fit_length_polynomials(str(model), q, stop=0.005, degree=6, progress=False)
                polynomials.to_function_based_paths(fine)

            def theirs(stepwise: bool = rule == "stepwise") -> None:
                opensims_fitter(model, table, folder / "again", stepwise)

            times = alternate({"ours": ours, "fine": fine_ones, "theirs": theirs}, args.repetitions)
            values[f"poses_{rule}"] = len(q)
            values[f"ratio_{rule}"] = ratio(times, "ours", "theirs")
            values[f"ratio_{rule}_fine"] = ratio(times, "fine", "theirs")
            for who, file in (("ours", own), ("fine", fine), ("theirs", there / "hip_FunctionBasedPathSet.xml")):
                length, arm = errors(model, file, q)
                values |= {f"{who}_{rule}_terms": terms(file), f"{who}_{rule}_length": length, f"{who}_{rule}_arm": arm}
                told = f"{np.median(times[who]):.2f} s, {terms(file):.1f} terms"
                print(f"{rule}, {who}: {len(q)} poses, {told}, length {length:.3f} mm, arms {arm:.3f} mm")
    report(**values)


if __name__ == "__main__":
    main()
