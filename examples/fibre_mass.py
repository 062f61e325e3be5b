"""Fibres with mass that stretch by their own forces, beside fibres with equal stretch.

Here all fibres of a muscle stretch alike, and OpenSim computes their force. Günther et al. 2012 (Comput Math Methods
Med, 848630) and Ross et al. 2020 (J Exp Biol 223, jeb224410) put masses between contractile parts, whose strain then
follows from their forces. So does this chain from ground to an end that is moved: masses on sliders, and between them
Millard's muscles without tendon. The end oscillates under changing excitation, and tensions at both ends are compared
with the force of one muscle, whose inertia this package adds. Or the end shortens suddenly, and the origin's force
levels off at a time that grows with the square of the length.
"""

import numpy as np
import pandas as pd
from common import osim, output_folder

import opensim_inertia as oi

STRESS, DENSITY, AREA = 0.3e6, 1060.0, 1e-4  # Pa, kg/m^3, m^2; nothing depends on the area
PARTS = 8  # masses of the chain
MEAN, AMPLITUDE = 0.9, 0.1  # of the oscillating length, over the optimal fibre length
SPEED = 1.0  # of the sudden shortening [optimal fibre lengths / s]
LENGTHS, FREQUENCIES = (0.02, 0.1, 0.2), (2.0, 5.0)  # m, Hz


def chain(length, end, masses=PARTS, activation=1.0):
    """Return a muscle of an optimal fibre length [m], whose end is at a function of time, with masses in the middles of
    equal stretches; without them it is one muscle with mass along it.
    """
    model, mass = osim.Model(), DENSITY * AREA * length
    body, start = model.getGround(), 0.0
    for i, place in enumerate([*(np.arange(masses) + 0.5) / max(masses, 1), 1.0]):
        before, body = body, osim.Body(f"mass{i}", mass / max(masses, 1), osim.Vec3(0), osim.Inertia(1e-6))
        slider = osim.SliderJoint(f"slider{i}", model.getGround(), body)
        slider.updCoordinate().setName(f"x{i}")
        slider.updCoordinate().setDefaultValue(MEAN * length * place)
        model.addBody(body)
        model.addJoint(slider)
        part = osim.Millard2012EquilibriumMuscle(f"part{i}", STRESS * AREA, length * (place - start), 1e-9, 0.0)
        part.set_ignore_tendon_compliance(True)
        part.set_fiber_damping(0.0)
        part.set_default_activation(activation)
        part.addNewPathPoint("from", before, osim.Vec3(0))
        part.addNewPathPoint("to", body, osim.Vec3(0))
        model.addForce(part)
        start = place
    slider.updCoordinate().setPrescribedFunction(end)
    slider.updCoordinate().setDefaultIsPrescribed(True)
    model.finalizeConnections()
    table = pd.DataFrame({"muscle": ["part0"], "mass": mass, "segment": ""})
    return oi.InertialModel(model, table[: 0 if masses else 1], oi.StrainModel("uniform", belly=(0.0, 1.0)))


def tensions(inertial, time, excitation, step):
    """Return times [s] and the tensions at origin and moved end (T, 2) [N]."""
    parts = inertial.model.getMuscles()
    problem = oi.Problem(inertial, t_final=time, excitations={part.getName(): excitation for part in parts})
    motion = oi.simulate(problem, oi.integrators.BDF(accuracy=1e-9), report_step=step, progress=False)
    found = []
    for state in motion.states():
        inertial.model.realizeAcceleration(state)
        pulls = [part.getActuation(state) for part in parts]
        inertia = inertial.evaluate(state).added_mass_matrix[-1, -1] * state.getUDot().to_numpy()[-1]  # m / 3 a
        found.append((pulls[0] - inertia / 2, pulls[-1] + inertia))
    return motion.times, np.array(found)


def oscillate(length, frequency, masses=PARTS):
    """Return tensions (T, 2) [N] in the second cycle, and its work of shortening [J]."""
    omega = 2 * np.pi * frequency

    def excitation(t):
        return 0.55 - 0.45 * np.cos(omega * t)

    inertial = chain(length, osim.Sine(AMPLITUDE * length, omega, 0.0, MEAN * length), masses, excitation(0.0))
    times, found = (x[-201:] for x in tensions(inertial, 2 / frequency, excitation, 1 / frequency / 200))
    return found, -np.trapezoid(found[:, 1], AMPLITUDE * length * np.sin(omega * times))


def release(length, speed=SPEED):
    """Return times [s] and the chain's tensions (T, 2) [N] after its end starts to shorten at a speed [lengths / s]."""
    scale = DENSITY * length**2 / STRESS  # s, if force falls to nothing at about one length / s
    return tensions(chain(length, osim.LinearFunction(-speed * length, MEAN * length)), 5 * scale, 1.0, 0.01 * scale)


def main():
    folder = output_folder("fibre_mass")
    rows = []
    for length in LENGTHS:
        times, found = release(length)
        left = np.abs(found[:, 0] - found[-1, 0]) > 0.05 * abs(found[0, 0] - found[-1, 0])
        rows.append({"fibres [mm]": 1e3 * length, "levels off after [ms]": 1e3 * times[np.flatnonzero(left)[-1] + 1]})
        for frequency in FREQUENCIES:
            (found, work), (alike, whole) = (oscillate(length, frequency, masses) for masses in (PARTS, 0))
            rows[-1][f"tensions at {frequency:g} Hz [%]"] = 100 * np.abs(found - alike).max() / alike.max()
            rows[-1][f"work at {frequency:g} Hz [%]"] = 100 * (work - whole) / abs(whole)
    table = pd.DataFrame(rows).set_index("fibres [mm]")
    print("chain of masses, less fibres that stretch alike\n" + table.map("{:.2g}".format).to_string())
    table.to_csv(folder / "fibre_mass.csv")
    print("wrote", folder)


if __name__ == "__main__":
    main()
