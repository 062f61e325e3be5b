"""Stability of activation patterns that hold a posture of a human leg (Bunderson et al. 2012, figure 2).

Their hind limb of a cat is not public. Here the right leg of OpenSim's Gait10dof18musc stands on the ball of its foot,
which bears 350 N, with the pelvis held. Muscles have rigid tendons and no activation dynamics, as theirs.
"""

import numpy as np
from common import opensim_models, osim, output_folder

import opensim_inertia as oi

models = opensim_models()
folder = output_folder("stability_of_a_leg")
model = osim.Model(str(models / "Models" / "Gait10dof18musc" / "gait10dof18musc.osim"))
model.initSystem()
for name in ("pelvis_tilt", "pelvis_tx", "pelvis_ty", "lumbar_extension"):
    model.updCoordinateSet().get(name).set_locked(True)
model = oi.stability.without_muscle_states(model)
pose = {"hip_flexion_r": 0.05, "knee_angle_r": -0.2, "ankle_angle_r": 0.15}
ground = {"calcn_r": ((0.12, 0.0, 0.0), (0.0, 350.0, 0.0))}  # point in the foot's frame [m], force in ground [N]
stiffnesses = np.arange(0.0, 10.1, 0.5)

inertial = oi.InertialModel(model, oi.estimate_masses(model), wrapping=oi.Wrapping(warn_wraps=False))
lumped = oi.InertialModel(model, {})
p = oi.equilibrate(inertial, pose, point_forces=ground)
print(p.summary().round(3).to_string())
share = oi.stability.stable_share(p, stiffnesses, patterns=2000)
beside = oi.stability.stable_share(oi.equilibrate(lumped, pose, point_forces=ground), stiffnesses, patterns=2000)
print(share.summary().round(4).to_string())
changed = np.abs(share.share - beside.share)
print(f"with all mass in the segments the share differs by up to {100 * changed.max():.1f} % of the patterns")

share.summary().to_csv(folder / "share.csv")
oi.plot(share, folder / "share.png", others={"all mass in the segments": beside})
oi.plot(p.linearize(intrinsic_stiffness=2.0), folder / "modes.png")
print("wrote", folder)
