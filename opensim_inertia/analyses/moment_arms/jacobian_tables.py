"""The result of :func:`path_jacobians`: tables of derivatives by joint, each in a stated frame."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy.spatial.transform import Rotation

from ..._core.arrays import Array
from ..._core.checks import check_choice, check_names
from ..._core.choices import SPATIAL_FRAMES, JacobianKind, SpatialFrame
from ..._core.errors import ModelError, RotationError
from ..._core.numerics.rotations import constrained_from_spatial, quaternion_from_spatial
from ..._core.representation import Described, some_names

#: Frames of spatial Jacobians.
ELEMENTS = ("Q0", "Q1", "Q2", "Q3")


@dataclass(frozen=True)
class JointJacobians:
    """The Jacobians at one joint as arrays; parent and body are its frames."""

    kind: str  # the joint's class in OpenSim
    coordinates: tuple[str, ...]  # names of its rotational coordinates
    orientation: Array  # unit quaternion (4,) from body to parent, scalar first and not negative
    parent: Array  # rotation matrix (3, 3) from parent to ground
    euler: Array  # derivatives by the coordinates, (n, muscles)
    spatial: Array  # derivatives by the angular velocity in the parent frame, (3, muscles)


class PathJacobians(Described):
    """Derivatives of path lengths by the rotation of joints, at one state.

    Each method takes the name of a joint and returns a table whose columns are the muscles. Its ``attrs`` say the joint
    and the frame. Lengths that grow have positive derivatives; a muscle's moment is minus its tension times these.

    Attributes:
        model: the model's name.
        muscles: names of the muscles.
        sources: who lays each one's path, "opensim_inertia" or "OpenSim".
        without_rotations: names of the joints that have no rotational coordinates.
    """

    def __init__(
        self,
        model: str,
        muscles: tuple[str, ...],
        sources: tuple[str, ...],
        joints: Mapping[str, JointJacobians],
        without_rotations: tuple[str, ...] = (),
    ) -> None:
        self.model, self.muscles, self.sources = model, muscles, sources
        self.without_rotations = without_rotations
        self._joints = dict(joints)

    @property
    def joints(self) -> tuple[str, ...]:
        """Names of the joints that have rotational coordinates."""
        return tuple(self._joints)

    def description(self) -> dict[str, str]:
        """Return the model, its joints with rotations, and the muscles."""
        return {"model": self.model, "joints": some_names(self.joints), "muscles": some_names(self.muscles)}

    def euler(self, joint: str) -> pd.DataFrame:
        """Return R_E, dl/d(coordinate) [m/rad], by the joint's rotational coordinates.

        For joints whose speeds are the rates of their coordinates these are minus the moment arms that OpenSim reports.
        At a BallJoint, EllipsoidJoint or FreeJoint it reports minus :meth:`spatial` in the parent frame instead.

        Raises:
            UnknownNameError: no joint of this name; ModelError: the joint has no rotations.
        """
        jacobians = self._joint(joint)
        return self._table(jacobians.euler, jacobians.coordinates, joint, "coordinates")

    def spatial(self, joint: str, frame: SpatialFrame = "parent") -> pd.DataFrame:
        """Return R_S (3, muscles) [m/rad], by the child's angular velocity in the parent.

        The child turns about the joint's centre, the origin of its child frame, and its other coordinates are held; an
        EllipsoidJoint's centre moves as it turns.

        Args:
            joint: the joint's name.
            frame: the frame of the components: "parent" and "body" are the joint's parent and child frame.

        Raises:
            OptionError: another frame. Other errors as of :meth:`euler`.
        """
        check_choice("frame", frame, SPATIAL_FRAMES)
        jacobians = self._joint(joint)
        values = jacobians.spatial
        if frame == "ground":
            values = jacobians.parent @ values
        elif frame == "body":
            values = Rotation.from_quat(jacobians.orientation, scalar_first=True).as_matrix().T @ values
        return self._table(values, ("x", "y", "z"), joint, frame)

    def quaternion(self, joint: str) -> pd.DataFrame:
        """Return R_Q (4, muscles) [m], by the elements Q0 to Q3 of :meth:`orientation`; errors as of :meth:`euler`.

        Of all functions of four elements that are the length at unit quaternions, these are the derivatives of the one
        that does not depend on the quaternion's norm. Those by -Q, the same rotation, are minus these.
        """
        jacobians = self._joint(joint)
        return self._table(
            quaternion_from_spatial(jacobians.spatial, jacobians.orientation, "parent"), ELEMENTS, joint, "none"
        )

    def quaternion_constrained(self, joint: str) -> pd.DataFrame:
        """Return R_Q* (3, muscles) [m], by Q1 to Q3, from which Q0 = sqrt(1 - Q1^2 - Q2^2 - Q3^2) follows.

        Raises:
            RotationError: the joint is turned by 180 degrees, where Q0 does not follow. Others as of :meth:`euler`.
        """
        jacobians = self._joint(joint)
        try:
            values = constrained_from_spatial(jacobians.spatial, jacobians.orientation, "parent")
        except RotationError as error:
            raise RotationError(f"joint '{joint}': {error}") from None
        return self._table(values, ELEMENTS[1:], joint, "none")

    def orientation(self, joint: str) -> Array:
        """Return the unit quaternion (4,) of the rotation from the joint's child to its parent frame, Q0 >= 0."""
        return self._joint(joint).orientation.copy()

    def to_frame(self, kind: JacobianKind = "euler") -> pd.DataFrame:
        """Return the Jacobians of all joints in one table.

        Args:
            kind: "euler", "spatial" (in the parent frame) or "quaternion".

        Returns:
            index: joint, and coordinate, axis or element; columns: muscles.
        """
        kinds: dict[JacobianKind, Callable[[str], pd.DataFrame]] = {
            "euler": self.euler,
            "spatial": self.spatial,
            "quaternion": self.quaternion,
        }
        table_of = kinds[check_choice("kind", kind, kinds)]
        if not self.joints:
            return pd.DataFrame(columns=list(self.muscles))
        return pd.concat({joint: table_of(joint) for joint in self.joints}, names=["joint", "by"])

    def _joint(self, name: str) -> JointJacobians:
        if name in self.without_rotations:
            raise ModelError(f"joint '{name}' has no rotations, so that lengths have no derivatives by them")
        check_names("joint", [name], self.joints)
        return self._joints[name]

    def _table(self, values: Array, rows: Sequence[str], joint: str, frame: str) -> pd.DataFrame:
        table = pd.DataFrame(np.array(values), index=list(rows), columns=list(self.muscles))
        table.attrs |= {"joint": joint, "frame": frame}
        return table
