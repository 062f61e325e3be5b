"""Errors that are raised in another process arrive as they are: of the same class, with the same message."""

from __future__ import annotations

import copy
import os
import pickle
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

import opensim_inertia as oi

JOBS = """
    import multiprocessing, re
    from concurrent.futures import ProcessPoolExecutor
    import opensim_inertia as oi
    from opensim_inertia._core.opensim import osim
    from opensim_inertia.demo import FILES

    def motion(inertial):
        return oi.simulate(oi.Problem(inertial, t_final=1e-3)).coordinates()

    def accelerated(inertial):
        return inertial.udot(inertial.initial_state())

    def job(number):
        leg = osim.Model(str(FILES["model"]))
        masses = oi.estimate_masses(leg)
        inertial = oi.InertialModel(leg, masses)
        [
            lambda: oi.InertialModel(leg, {"soleos": 0.1}),
            lambda: accelerated(oi.InertialModel(leg, masses.assign(mass=90.0))),
            lambda: oi.InertialModel("missing.osim", masses),
            lambda: oi.InertialModel(leg, "missing.csv"),
            lambda: oi.InertialModel(leg, {"soleus": -1.0}),
            lambda: oi.simulate(oi.Problem(inertial, t_final=0.1, forces=[lambda: 0])),
            lambda: oi.simulate(oi.Problem(inertial, t_final=0.1, excitations={"soleus": lambda t: None})),
            lambda: oi.simulate(oi.Problem(inertial, t_final=5.0, forces={"knee_angle_r": 1e12})),
            lambda: oi.inverse_dynamics(inertial, motion(inertial).iloc[:0]),
        ][number]()

    def outcome(call):
        try:
            call()
        except oi.InertiaError as error:
            return type(error), re.sub("0x[0-9a-f]+", "", str(error))

    if __name__ == "__main__":
        expected = [outcome(lambda: job(number)) for number in range(9)]
        assert all(expected), expected
        print(len({kind for kind, _ in expected}), "kinds")
        with multiprocessing.get_context("fork").Pool(2) as pool:
            results = [pool.apply_async(job, (number,)) for number in range(9)]
            assert [outcome(lambda: result.get(60)) for result in results] == expected
        for way in ("fork", "spawn"):
            with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context(way)) as pool:
                results = [pool.submit(job, number) for number in range(9)]
                assert [outcome(lambda: result.result(120)) for result in results] == expected, way
            print(way)
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="there is no fork")
def test_pools_pass_on_errors(tmp_path: Path) -> None:
    script = tmp_path / "jobs.py"
    script.write_text(textwrap.dedent(JOBS))
    environment = {**os.environ, "PYTHONPATH": str(Path(oi.__file__).parents[1])}
    done = subprocess.run(
        [sys.executable, "-W", "ignore", str(script)],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
        env=environment,
        cwd=tmp_path,
    )
    assert done.stdout.split() == ["8", "kinds", "fork", "spawn"], done.stdout + done.stderr


def test_values_that_cannot_be_sent_are_shown() -> None:
    error = oi.errors.OptionError("forces", [test_pools_pass_on_errors, lambda: 0], "numbers")
    for made in (pickle.loads(pickle.dumps(error)), copy.deepcopy(error)):
        assert str(made) == str(error) and "<lambda>" in str(made) and made.option == "forces"
