"""The values that options may take, apart from the code that acts on them, so that the command line can list them.

This module imports nothing: ``opensim-inertia --help`` needs neither NumPy nor OpenSim.
"""

#: How muscle mass is strained along a path.
STRAINS = ("aponeurosis", "rigid_tendon", "uniform")
#: Where a belly lies under uniform strain.
BELLIES = ("central", "proximal", "distal")
#: How mass is distributed along a belly.
DISTRIBUTIONS = ("continuous", "points")
#: What segments give up for their muscles.
TRANSFERS = ("conserving", "proportional")
#: What is done where segments are asked for more mass than they can give.
OVERDRAWN = ("error", "scale", "neighbours")
#: How paths pass wrap objects.
WRAPPINGS = ("analytic", "opensim", "neural", "polynomial")
#: Whose paths are fitted by polynomials of their lengths.
FITTED_WRAPPINGS = ("opensim", "analytic", "neural")
#: What is done with muscles whose path cannot carry mass.
UNSUPPORTED = ("error", "massless")
#: Coordinates of joints that turn freely, in simulation and in length polynomials: Euler angles, or unit quaternions.
ROTATIONS = ("euler", "quaternion")
#: Who computes accelerations: OpenSim with the plugin where it can, always, or never.
ENGINES = ("auto", "native", "python")
#: What exported models are for: whatever asks OpenSim for accelerations, or OpenSim's Inverse Dynamics Tool alone.
TOOLS = ("forward", "inverse")
#: What is done about answers that no body makes: refused, or given with a warning.
IMPLAUSIBLE = ("refuse", "warn")
#: The criteria of muscle recruitment, and what settles what min/max leaves open.
CRITERIA = ("polynomial", "soft_saturation", "min_max")
SECONDARIES = ("quadratic", "lexicographic")
#: What a posture makes least.
COSTS = ("activation", "stress", "force")
#: What accelerations are derivatives of: second ones of coordinates, or first ones of speeds.
ACCELERATIONS = ("coordinates", "speeds")
#: Where muscle mass is in inverse dynamics: in the segments, at its place but fixed to them, and sliding.
KINDS = ("lumped", "moved", "inertial")
#: The formats of pictures.
FORMATS = ("png", "svg", "pdf")
#: How the names of results' files begin, by analysis; in the names of recruitment a setup's name takes its place.
PREFIXES = {"inverse dynamics": "inverse_dynamics_", "recruitment": "recruitment_"}
#: The path that the network of one surface learns.
TARGETS = ("analytic", "opensim")
#: Names the folder of the cache of trained networks, in place of the platform's.
CACHE_VARIABLE = "OPENSIM_INERTIA_CACHE"
#: Steps of the optimizer: of the shipped network, of the paper's, and of the network of the spans over one surface.
TRAINING_STEPS = {"ours": 4_000, "paper": 6_400, "span": 6_000}
#: The most mass points of a muscle, and the most poses at which paths are compared: what a computer holds.
MOST_POINTS = 10_000
MOST_POSES = 1_000_000
#: The most fixed steps, or rows, of a simulation.
MOST_STEPS = 100_000_000
