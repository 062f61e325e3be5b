"""The terms dM, h and g_m that muscles with mass add to the equations of motion at one state, and the mass points."""

import numpy as np
from common import output_folder

import opensim_inertia as oi
from opensim_inertia.demo import write_demo

files = write_demo(output_folder("evaluate_terms"))
inertial = oi.InertialModel(files["model"], {"soleus_r": 0.55, "tib_ant_r": 0.16})
print("Mass of segments, and of the muscles in them [kg]:", inertial.segments.round(3), sep="\n")

state = inertial.initial_state()
inertial.model.getCoordinateSet().get("ankle_angle_r").setSpeedValue(state, 5.0)  # [rad/s]
terms = inertial.evaluate(state, per_muscle=True, subtract_frozen=False)
ankle = inertial.coordinate_names.index("ankle_angle_r")
for name, own in terms.muscles.items():
    inertia, h, g = own.added_mass_matrix[ankle, ankle], own.h[ankle], own.gravity[ankle]
    print(f"{name}, at the ankle: dM {inertia:.5f} kg m^2, h {h:.4f} N m, g_m {g:.4f} N m")
print("dM is positive semidefinite:", bool(np.linalg.eigvalsh(terms.added_mass_matrix).min() > -1e-12))

soleus = inertial.mass_points(state)["soleus_r"]  # 20 points that show the continuous mass
print("soleus, first and last mass point [m]:", soleus.positions[[0, -1]].round(4).tolist())
energy = 0.5 * soleus.masses @ (soleus.velocities**2).sum(axis=1)
print(f"soleus, kinetic energy [J]: {terms.muscles['soleus_r'].kinetic_energy:.6f}; of the 20 points: {energy:.6f}")
