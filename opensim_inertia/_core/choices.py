"""The values that options may take, each a type and a checked tuple, apart from the code that acts on them."""

from typing import Literal, get_args

#: Forces of a model that do not act in inverse dynamics by default.
NO_ACTUATORS: tuple[str, ...] = ("Actuators",)

#: How muscle mass is strained along a path.
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
#: How muscle masses are estimated, and all sources that they may have.
Estimate = Literal["specific_tension", "handsfield"]
ESTIMATES: tuple[Estimate, ...] = get_args(Estimate)
MassSource = Literal[Estimate, "table"]
MASS_SOURCES: tuple[MassSource, ...] = get_args(MassSource)
#: How paths pass wrap objects.
WrappingKind = Literal["analytic", "opensim", "neural"]
WRAPPINGS: tuple[WrappingKind, ...] = get_args(WrappingKind)
#: Treatment of muscles with a path that cannot carry mass.
Unsupported = Literal["error", "massless"]
UNSUPPORTED: tuple[Unsupported, ...] = get_args(Unsupported)
#: Coordinates of joints that turn freely, in simulation and in length polynomials: Euler angles, or unit quaternions.
Rotations = Literal["euler", "quaternion"]
ROTATIONS: tuple[Rotations, ...] = get_args(Rotations)
#: The engine of accelerations: OpenSim with the plugin where it can, always, or never.
EngineName = Literal["auto", "native", "python"]
ENGINES: tuple[EngineName, ...] = get_args(EngineName)
#: The use of exported models: all tools that compute accelerations, or OpenSim's Inverse Dynamics Tool alone.
Tool = Literal["forward", "inverse"]
TOOLS: tuple[Tool, ...] = get_args(Tool)
#: Treatment of implausible answers: refused, or given with a warning.
Implausible = Literal["refuse", "warn"]
IMPLAUSIBLE: tuple[Implausible, ...] = get_args(Implausible)
#: The criteria of muscle recruitment, and second criteria for equal optima of min/max.
CriterionName = Literal["polynomial", "soft_saturation", "min_max"]
Secondary = Literal["quadratic", "lexicographic"]
SECONDARIES: tuple[Secondary, ...] = get_args(Secondary)
#: On which of a joint's bodies a reaction acts, and in which axes it is.
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
#: Where muscle mass is in inverse dynamics: in the segments, or sliding along the muscles' paths.
Kind = Literal["lumped", "inertial"]
KINDS: tuple[Kind, ...] = get_args(Kind)
#: The formats of pictures.
FORMATS = ("png", "svg", "pdf")
#: How the names of results' files begin, by analysis; in the names of recruitment a setup's name takes its place.
PREFIXES = {"inverse dynamics": "inverse_dynamics_", "recruitment": "recruitment_"}
#: What a Jacobian of muscle lengths is by, and the frames of one by angular velocity.
JacobianKind = Literal["euler", "spatial", "quaternion"]
SpatialFrame = Literal["parent", "ground", "body"]
SPATIAL_FRAMES: tuple[SpatialFrame, ...] = get_args(SpatialFrame)
#: SciPy's methods for optimising parameters.
SearchMethod = Literal["L-BFGS-B", "trust-constr"]
SEARCH_METHODS: tuple[SearchMethod, ...] = get_args(SearchMethod)
#: Names the folder of the cache, in place of the platform's.
CACHE_VARIABLE = "OPENSIM_INERTIA_CACHE"
#: In place of a plan of wraps: look at OpenSim's paths even where the plan is in the cache.
ANEW = "anew"
#: The most mass points of a muscle, and the most poses at which paths are compared: what a computer holds.
MOST_POINTS = 10_000
MOST_POSES = 1_000_000
#: The most fixed steps, or rows, of a simulation.
MOST_STEPS = 100_000_000
