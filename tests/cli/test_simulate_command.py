"""``opensim-inertia simulate``: a model, setups of OpenSim's Forward Tool, what is written and what is refused."""

import signal
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from cli.test_id import names
from models.ball_pendulum import build_ball_pendulum
from oracles.muscle_machines import hinge, millard, schutte

from opensim_inertia import read_table
from opensim_inertia._core.opensim import osim, quiet

FILES = {f"simulation_{what}" for what in ("states.sto", "energy.csv", "work.csv", "run.json", "plot.png")}
SAME_MOTION = 1e-6  # Two integrators of other orders at 1e-9, and steps of the tool that differ from ours

SETUP = """<?xml version="1.0" encoding="UTF-8" ?>
<OpenSimDocument Version="40000"><ForwardTool name="swing">
<model_file>{model}</model_file><results_directory>made</results_directory>
<initial_time>0.1</initial_time><final_time>0.3</final_time><states_file>start.sto</states_file>
<solve_for_equilibrium_for_auxiliary_states>true</solve_for_equilibrium_for_auxiliary_states>
<integrator_error_tolerance>1e-9</integrator_error_tolerance>
<ControllerSet><objects><ControlSetController><controls_file>controls.sto</controls_file></ControlSetController>
</objects></ControllerSet></ForwardTool></OpenSimDocument>
"""


@pytest.fixture
def model(tmp_path: Path) -> Path:
    file = tmp_path / "hinge.osim"
    with quiet():
        made = hinge(millard())
        motor = osim.CoordinateActuator("angle")
        motor.setName("motor")
        motor.setOptimalForce(1.0)
        made.addForce(motor)
        made.finalizeConnections()
        made.printToXML(str(file))
    return file


@pytest.fixture
def setup(tmp_path: Path, model: Path) -> Path:
    (tmp_path / "start.sto").write_text(
        "states\nversion=1\nnRows=2\nnColumns=3\ninDegrees=no\nendheader\n"
        "time\t/jointset/pin/angle/value\t/jointset/pin/angle/speed\n0.1\t0.4\t-1.0\n0.5\t0.5\t0.0\n"
    )
    times = np.linspace(0, 0.5, 51)
    rows = "\n".join(f"{t:.17g}\t{0.3 + 0.2 * np.sin(9 * t):.17g}" for t in times.tolist())
    (tmp_path / "controls.sto").write_text(
        f"controls\nversion=1\nnRows={len(times)}\nnColumns=2\ninDegrees=no\nendheader\ntime\tmuscle\n{rows}\n"
    )
    file = tmp_path / "forward.xml"
    file.write_text(SETUP.format(model=model.name))
    return file


def test_a_model_alone(cli: Callable, model: Path) -> None:
    done = cli("simulate", model, "--excite", "mus*=0.4", "--t-final", "0.1", "--trc", "--report-step", "0.02")
    assert (done.code, done.err) == (0, "")
    folder = Path("hinge_simulation")
    assert names(folder) == FILES | {"simulation_mass_points.trc"}
    assert names(Path()) == {"hinge_simulation"}
    states = read_table(folder / "simulation_states.sto")
    assert states.index.tolist() == pytest.approx([0, 0.02, 0.04, 0.06, 0.08, 0.1])
    energy = pd.read_csv(folder / "simulation_energy.csv", index_col=0)
    assert {"kinetic", "potential", "total", "kinetic_muscles"} <= set(energy.columns)
    work = pd.read_csv(folder / "simulation_work.csv", index_col=0)
    assert list(work.columns) == ["muscle", "forces"]
    assert "angle" in done.out and "1 muscle with mass" in done.out


def ours_and_the_tools(cli: Callable, setup: Path) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The states that this package writes without muscle mass, and those of the Forward Tool."""
    masses = setup.with_name("none.csv")
    masses.write_text("muscle,mass,segment,source\n")
    done = cli("simulate", "--setup", setup, "--masses", masses, "--integrator", "dop853", "--accuracy", "1e-10")
    assert (done.code, done.err) == (0, "")
    with quiet():
        tool = osim.ForwardTool(str(setup), True, True)
        tool.setResultsDir(str(setup.with_name("tool")))
        assert tool.run()
    return tuple(read_table(setup.parent / name) for name in ("made/simulation_states.sto", "tool/swing_states.sto"))


@pytest.mark.slow
def test_a_setup_without_muscle_mass_is_the_forward_tools_own_motion(cli: Callable, setup: Path) -> None:
    ours, theirs = ours_and_the_tools(cli, setup)
    assert ours.index[0] == theirs.index[0] == 0.1
    end = ours.iloc[-1]
    assert np.abs(end - ours.iloc[0])["/jointset/pin/angle/value"] > 0.05, "it moves"
    for column in theirs.columns:
        assert end[column] == pytest.approx(theirs[column].iloc[-1], abs=SAME_MOTION), column


CORRECTION = "<CorrectionController name='k'>{}<kp>30</kp></CorrectionController>"


def corrected(setup: Path, written: str) -> None:
    setup.write_text(setup.read_text().replace("</objects></ControllerSet>", f"{written}</objects></ControllerSet>"))


@pytest.mark.slow
def test_corrections_towards_the_states_file_are_the_forward_tools(cli: Callable, setup: Path) -> None:
    corrected(setup, CORRECTION.format(""))
    ours, theirs = ours_and_the_tools(cli, setup)
    for column in ("/jointset/pin/angle/value", "/jointset/pin/angle/speed"):
        assert ours[column].iloc[-1] == pytest.approx(theirs[column].iloc[-1], abs=SAME_MOTION)
    corrected(setup, "")
    setup.write_text(setup.read_text().replace("<kp>30", "<enabled>false</enabled><kp>30"))
    assert cli("simulate", "--setup", setup, "--masses", setup.with_name("none.csv"), "--out", "free").code == 0
    free = read_table(Path("free/simulation_states.sto"))
    assert abs(free.iloc[-1, 0] - ours.iloc[-1, 0]) > 1e-2, "the correction does something"


def test_corrections_that_cannot_be_made_are_named(refused: Callable, setup: Path) -> None:
    corrected(setup, CORRECTION.format(""))
    states = setup.parent / "start.sto"
    states.write_text(states.read_text().replace("angle/speed", "angle/sped"))
    assert "sped" in refused("simulate", "--setup", setup)
    setup.write_text(setup.read_text().replace("<states_file>start.sto</states_file>", ""))
    assert "CorrectionController 'k' needs a states_file" in refused("simulate", "--setup", setup)
    corrected(setup, CORRECTION.format(""))
    assert "has 2 CorrectionControllers" in refused("simulate", "--setup", setup)


@pytest.mark.slow
def test_lumped_beside_inertial(cli: Callable, setup: Path, tmp_path: Path) -> None:
    done = cli("simulate", "--setup", setup, "--lumped", "--report", "--out", "results")
    assert (done.code, done.err) == (0, "")
    assert names(Path("results")) == FILES | {"simulation_lumped_states.sto", "simulation_report.html"}
    page = Path("results/simulation_report.html").read_text(encoding="utf-8")
    assert "Muscle inertia changes" in page and "lumped (OpenSim)" in page
    inertial, lumped = (read_table(Path("results") / f"simulation_{x}states.sto") for x in ("", "lumped_"))
    # the rod's mass, centre and inertia are the same where it hangs: what differs is what slides, above the tolerance
    assert abs(inertial.iloc[-1, 0] - lumped.iloc[-1, 0]) > 1e-5


@pytest.mark.slow
def test_bellies_swing_and_go_on_from_a_file(cli: Callable, model: Path) -> None:
    """Displacements are in the states, from which another simulation takes them up; without --wobble it says so."""
    swinging = ("--wobble", "--wobble-tension", "0", "--report-step", "0.05")
    assert cli("simulate", model, *swinging, "--t-final", "0.1", "--out", "whole").code == 0
    file = Path("whole") / "simulation_states.sto"
    whole = read_table(file)
    swings = [name for name in whole.columns if name.startswith("/wobble/")]
    assert len(swings) == 4 and "kinetic_wobble" in pd.read_csv("whole/simulation_energy.csv").columns
    again = ("simulate", model, "--states", file, "--t-start", "0.05", "--t-final", "0.1", "--report-step", "0.05")
    assert cli(*again, *swinging[:3], "--out", "second").code == 0
    second = read_table(Path("second") / "simulation_states.sto")
    np.testing.assert_array_equal(second[swings].iloc[0], whole[swings].iloc[1])
    np.testing.assert_allclose(second.iloc[-1], whole.iloc[-1], rtol=0, atol=1e-4)
    done = cli(*again, "--out", "rigid")
    assert done.code == 0 and "displacements of mass that wobbles in simulation_states.sto are left out" in done.out


def test_rotations_by_quaternions(cli: Callable, tmp_path: Path) -> None:
    """A rod that starts in gimbal lock, from which Euler angles do not lead."""
    with quiet():
        build_ball_pendulum(((0.3, np.pi / 2, 0.2), (0.1, 0.2, 0.3)))[0].printToXML(str(tmp_path / "rods.osim"))
    options = ("--t-final", "0.1", "--integrator", "sdirk2", "--step", "0.005", "--rotations", "quaternion")
    done = cli("simulate", tmp_path / "rods.osim", *options, "--out", "made")
    assert (done.code, done.err) == (0, "")
    energy = pd.read_csv("made/simulation_energy.csv", index_col=0)
    assert np.ptp(energy["total"]) < 1e-3 < np.ptp(energy["kinetic"])


def test_options_go_before_the_setup(cli: Callable, setup: Path) -> None:
    done = cli(
        "simulate", "--setup", setup, "--t-final", "0.12", "--integrator", "sdirk2", "--step", "0.005", "--out", "r"
    )
    assert (done.code, done.err) == (0, "")
    states = read_table(Path("r/simulation_states.sto"))
    np.testing.assert_allclose(states.index, [0.1, 0.105, 0.11, 0.115, 0.12])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["missing.osim"], "missing.osim' does not exist"),
        ([], "give the model"),
        (["--setup", "missing.xml"], "setup file does not exist"),
        (["MODEL", "--integrator", "rk4"], "rk45"),
        (["MODEL", "--t-final", "-1"], "a time after the start, 0 s"),
        (["MODEL", "--t-start", "2"], "a time after the start, 2 s"),
        (["MODEL", "--step", "0"], "--step 0.0: expected a number above 0"),
        (["MODEL", "--excite", "mussel=1"], "did you mean 'muscle'"),
        (["MODEL", "--excite", "muscle=much"], "a name and 1 finite number"),
        (["MODEL", "--states", "missing.sto"], "states file does not exist"),
        (["MODEL", "--external-loads", "missing.xml"], "external loads file does not exist"),
    ],
)
def test_what_is_refused(refused: Callable, model: Path, arguments: list[str], message: str) -> None:
    assert message in refused("simulate", *(model if a == "MODEL" else a for a in arguments))


def test_what_was_done_until_divergence_is_kept(cli: Callable, model: Path) -> None:
    done = cli("simulate", model, "--excite", "motor=1e5", "--t-final", "20", "--out", "r")
    assert done.code == 2
    assert "'angle' runs away" in done.err and "at time" in done.err
    states = read_table(Path("r/simulation_states.sto"))
    assert np.isfinite(states.to_numpy()).all() and states.index[-1] < 20
    assert names(Path("r")) == FILES


def test_states_are_kept_where_a_later_part_fails(cli: Callable, tmp_path: Path) -> None:
    """The place of a rod that hangs at a height of 1e308 m is a number, its potential energy is not."""
    made = hinge(millard())
    made.updForceSet().clearAndDestroy()
    made.updJointSet().get("pin").upd_frames(0).set_translation(osim.Vec3(0, 1e308, 0))
    made.printToXML(str(tmp_path / "high.osim"))
    (tmp_path / "masses.csv").write_text("muscle,mass\n")
    given = ("simulate", tmp_path / "high.osim", "--masses", tmp_path / "masses.csv", "--t-final", "1e-3")
    with np.errstate(over="ignore"):  # for a user that is a warning of NumPy's; here it would be an error
        done = cli(*given, "--integrator", "rk45", "--out", "r")
    assert done.code == 2
    assert "warning: simulation_energy.csv is not written: column 'potential' is inf at time 0 s (row 1)" in done.err
    assert "error: the simulation is written, but without simulation_energy.csv" in done.err
    assert np.isfinite(read_table(Path("r/simulation_states.sto")).to_numpy()).all()
    assert "simulation_energy.csv" not in names(Path("r")) and "simulation_energy.csv" not in done.out


def test_a_muscle_without_energy_simulates(cli: Callable, tmp_path: Path) -> None:
    hinge(schutte()).printToXML(str(tmp_path / "old.osim"))
    done = cli("simulate", tmp_path / "old.osim", "--t-final", "0.02", "--out", "r")
    assert done.code == 0 and names(Path("r")) == FILES
    assert done.err.count("leaves out muscle: OpenSim does not compute it") == 1
    assert np.isfinite(pd.read_csv("r/simulation_energy.csv").to_numpy()).all()


@pytest.mark.parametrize("integrator", ["auto", "rk45"])
def test_a_start_without_rates_is_kept(cli: Callable, tmp_path: Path, integrator: str) -> None:
    """A rod that nothing resists to turn: there is one row."""
    made = hinge(millard())
    rod = made.updBodySet().get("rod")
    rod.setMassCenter(osim.Vec3(0))
    rod.setInertia(osim.Inertia(0))
    made.printToXML(str(tmp_path / "light.osim"))
    (tmp_path / "masses.csv").write_text("muscle,mass\n")
    given = ("simulate", tmp_path / "light.osim", "--masses", tmp_path / "masses.csv", "--integrator", integrator)
    done = cli(*given, "--out", "r")
    assert done.code == 2 and "a body that can move has no mass or inertia" in done.err
    assert len(read_table(Path("r/simulation_states.sto"))) == 1


@pytest.mark.slow
def test_what_was_done_until_ctrl_c_is_kept(start: Callable, model: Path, tmp_path: Path) -> None:
    program = start("simulate", model, "--integrator", "sdirk2", "--step", "1e-5", "--t-final", "100", "--out", "r")
    assert "integrator" in program.stdout.readline() + program.stdout.readline()
    time.sleep(3)
    program.send_signal(signal.SIGINT)
    out, err = program.communicate(timeout=60)
    assert program.returncode == 130
    assert "interrupted at" in err and "Traceback" not in err
    assert "until" in out
    states = read_table(tmp_path / "r" / "simulation_states.sto")
    assert 0 < states.index[-1] < 100


def test_a_segment_without_enough_inertia_is_refused_and_has_a_remedy(
    cli: Callable, refused: Callable, model: Path
) -> None:
    masses = model.with_name("masses.csv")
    masses.write_text("muscle,mass,segment\nmuscle,100,rod\n")
    simulation = ("simulate", model, "--masses", masses, "--t-final", "0.01")
    said = refused(*simulation)
    assert "'rod' publishes" in said and "--add-missing-inertia adds" in said
    done = cli(*simulation, "--add-missing-inertia")
    assert done.code == 0, done.err
