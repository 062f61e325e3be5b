"""Allowed values of options: for each option, a Literal type and a tuple of its values."""

from typing import Literal, get_args

#: Forces of a model that inverse dynamics ignores by default.
NO_ACTUATORS: tuple[str, ...] = ("Actuators",)

#: How a path's length change is distributed along the path.
Strain = Literal["aponeurosis", "rigid_tendon", "uniform"]
STRAINS: tuple[Strain, ...] = get_args(Strain)
STRAINS_IN_WORDS = {
    "aponeurosis": "fibres between aponeuroses",
    "rigid_tendon": "rigid tendons without aponeurosis",
    "uniform": "uniform strain",
}
#: Where a belly lies under uniform strain.
BellyPlace = Literal["central", "proximal", "distal"]
BELLIES: tuple[BellyPlace, ...] = get_args(BellyPlace)
#: How mass is distributed along a belly.
Distribution = Literal["continuous", "points"]
DISTRIBUTIONS: tuple[Distribution, ...] = get_args(Distribution)
#: Estimates of muscle mass, and all sources of masses.
Estimate = Literal["specific_tension", "handsfield"]
ESTIMATES: tuple[Estimate, ...] = get_args(Estimate)
MassSource = Literal[Estimate, "table"]
MASS_SOURCES: tuple[MassSource, ...] = get_args(MassSource)
#: Methods for paths over wrap objects.
WrappingKind = Literal["analytic", "opensim", "neural"]
WRAPPINGS: tuple[WrappingKind, ...] = get_args(WrappingKind)
#: Treatment of muscles with an unsupported path element.
Unsupported = Literal["error", "massless"]
UNSUPPORTED: tuple[Unsupported, ...] = get_args(Unsupported)
#: Coordinates of ball and free joints in simulations and length polynomials: Euler angles or unit quaternions.
Rotations = Literal["euler", "quaternion"]
ROTATIONS: tuple[Rotations, ...] = get_args(Rotations)
#: Engine for accelerations: the plugin if possible, always the plugin, or Python.
EngineName = Literal["auto", "native", "python"]
ENGINES: tuple[EngineName, ...] = get_args(EngineName)
#: Purpose of exported models: all tools that compute accelerations, or the Inverse Dynamics Tool alone.
Tool = Literal["forward", "inverse"]
TOOLS: tuple[Tool, ...] = get_args(Tool)
#: Treatment of implausible results: an error or a warning.
Implausible = Literal["refuse", "warn"]
IMPLAUSIBLE: tuple[Implausible, ...] = get_args(Implausible)
#: Criteria of muscle recruitment, and secondary criteria for non-unique optima of min/max.
CriterionName = Literal["polynomial", "soft_saturation", "min_max"]
Secondary = Literal["quadratic", "lexicographic"]
SECONDARIES: tuple[Secondary, ...] = get_args(Secondary)
#: Body of a joint on which a reaction acts, and the frame of its components.
Side = Literal["child", "parent"]
SIDES: tuple[Side, ...] = get_args(Side)
ReactionFrame = Literal[Side, "ground"]
REACTION_FRAMES: tuple[ReactionFrame, ...] = get_args(ReactionFrame)
#: The quantity that a posture minimises.
PostureCost = Literal["activation", "stress", "force"]
COSTS: tuple[PostureCost, ...] = get_args(PostureCost)
#: The source of accelerations: second derivatives of coordinates, or first derivatives of speeds.
Accelerations = Literal["coordinates", "speeds"]
ACCELERATIONS: tuple[Accelerations, ...] = get_args(Accelerations)
#: Place of muscle mass in inverse dynamics: in the segments, or sliding along paths.
Kind = Literal["lumped", "inertial"]
KINDS: tuple[Kind, ...] = get_args(Kind)
#: The formats of pictures.
FORMATS = ("png", "svg", "pdf")
#: Prefixes of result files, by analysis; a setup's name replaces the prefix of recruitment.
PREFIXES = {"inverse dynamics": "inverse_dynamics_", "recruitment": "recruitment_"}
#: Variables of a muscle-length Jacobian, and frames of angular velocities.
JacobianKind = Literal["euler", "spatial", "quaternion"]
SpatialFrame = Literal["parent", "ground", "body"]
SPATIAL_FRAMES: tuple[SpatialFrame, ...] = get_args(SpatialFrame)
#: SciPy's methods for optimising parameters.
SearchMethod = Literal["L-BFGS-B", "trust-constr"]
SEARCH_METHODS: tuple[SearchMethod, ...] = get_args(SearchMethod)
#: Environment variable that names the cache folder.
CACHE_VARIABLE = "OPENSIM_INERTIA_CACHE"
#: Request to survey the model's wraps again despite a cached plan.
ANEW = "anew"
#: Largest numbers of mass points per muscle and of compared poses, limited by memory.
MOST_POINTS = 10_000
MOST_POSES = 1_000_000
#: Largest number of fixed time steps, or frames, of a simulation.
MOST_STEPS = 100_000_000
