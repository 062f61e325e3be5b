"""Reading of models and their states into arrays."""

from .cables import CABLE, Obstacle, as_cable, cable_line, read_obstacles
from .components import constraints_of, model_muscles
from .coordinates import CoordinateTable, base_coordinates, coordinate_of_path, read_coordinates
from .fingerprints import PathFingerprint, parts, properties
from .frames import physical_frame, placement
from .functions import read_function
from .joint_bias import SharedRotations
from .jumps import gaps, motion_jumps, without_jumps
from .kinematics import (
    Arc,
    Kinematics,
    KinematicsRows,
    StateDirections,
    StateKinematics,
    SystemArrays,
    WrappedPath,
    stacked,
)
from .loading import InitialisedModel, copy_model, initialise, load_model, model_of_xml, model_xml
from .moment_arms import MomentArms
from .motion import (
    Motion,
    MotionSource,
    NamedTable,
    load_motion,
    load_poses,
    motion_name,
    named_table,
    recorded_columns,
)
from .motion_columns import check_spelling
from .paths import (
    PATH_LISTS,
    ConditionalPoint,
    FixedPoint,
    MovingFunction,
    MovingPoint,
    MusclePath,
    PathPoint,
    PlacedPoint,
    current_points,
    defined_points,
    geometry_path,
    path_on_bodies,
    placed_points,
    point_places,
    read_path,
)
from .poses import Coupling, corner_poses, couplings, dependent_coordinates, follow_couplers, random_poses
from .recorded_table import RecordedTable
from .rotation_joints import EulerAngles, RotationJoint, read_rotation_joints
from .speed_maps import coordinate_maps
from .states import ModelState, ModelSystem, without_mark
from .turns import continuous

__all__ = [
    "CABLE",
    "PATH_LISTS",
    "Arc",
    "ConditionalPoint",
    "CoordinateTable",
    "Coupling",
    "EulerAngles",
    "FixedPoint",
    "InitialisedModel",
    "Kinematics",
    "KinematicsRows",
    "ModelState",
    "ModelSystem",
    "MomentArms",
    "Motion",
    "MotionSource",
    "MovingFunction",
    "MovingPoint",
    "MusclePath",
    "NamedTable",
    "Obstacle",
    "PathFingerprint",
    "PathPoint",
    "PlacedPoint",
    "RecordedTable",
    "RotationJoint",
    "SharedRotations",
    "StateDirections",
    "StateKinematics",
    "SystemArrays",
    "WrappedPath",
    "as_cable",
    "base_coordinates",
    "cable_line",
    "check_spelling",
    "constraints_of",
    "continuous",
    "coordinate_of_path",
    "coordinate_maps",
    "copy_model",
    "corner_poses",
    "couplings",
    "current_points",
    "defined_points",
    "dependent_coordinates",
    "follow_couplers",
    "gaps",
    "geometry_path",
    "initialise",
    "load_model",
    "load_motion",
    "load_poses",
    "model_muscles",
    "model_of_xml",
    "model_xml",
    "motion_jumps",
    "motion_name",
    "named_table",
    "parts",
    "path_on_bodies",
    "physical_frame",
    "placed_points",
    "placement",
    "point_places",
    "properties",
    "random_poses",
    "read_coordinates",
    "read_function",
    "read_obstacles",
    "read_path",
    "read_rotation_joints",
    "recorded_columns",
    "stacked",
    "without_jumps",
    "without_mark",
]
