"""Parts that tests add to a model: muscles without path points, and bodies welded to a segment."""

import numpy as np

from opensim_inertia._core.opensim import osim
from opensim_inertia.muscles.masses.rigid import RigidMass


def add_pathless_muscle(model: osim.Model) -> None:
    """A muscle ``pathless`` whose length is a function of the first joint's coordinate."""
    muscle = osim.Millard2012EquilibriumMuscle("pathless", 1000.0, 0.1, 0.1, 0.0)
    path = osim.FunctionBasedPath()
    path.appendCoordinatePath("/jointset/joint0/" + model.getJointSet().get(0).get_coordinates(0).getName())
    path.setLengthFunction(osim.LinearFunction(0.01, 0.3))
    muscle.set_path(path)
    model.addForce(muscle)
    model.finalizeConnections()


def weld(model: osim.Model, segment: str, pseudo_inertia: np.ndarray) -> None:
    """A body of a pseudo-inertia (4, 4) in a segment's frame, welded to it; connections are not finalized."""
    rigid = RigidMass.from_pseudo_inertia(pseudo_inertia)
    i = rigid.inertia
    inertia = osim.Inertia(i[0, 0], i[1, 1], i[2, 2], i[0, 1], i[0, 2], i[1, 2])
    body = osim.Body(f"{segment}_welded", rigid.mass, osim.Vec3(*rigid.center), inertia)
    model.addBody(body)
    model.addJoint(osim.WeldJoint(f"{segment}_weld", model.getBodySet().get(segment), body))
