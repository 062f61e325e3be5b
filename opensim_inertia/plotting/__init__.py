"""Pictures of results: :func:`plot` draws the usual one of any result, and the other functions a certain one each.

All of them return Matplotlib's figure, and write it to ``path`` (.png, .svg or .pdf) if one is given.
"""

from .choosing import plot
from .forces import plot_forces, plot_muscles
from .masses import plot_bellies, plot_masses
from .motion import plot_motion
from .polynomials import plot_moment_arms, plot_terms
from .recruitment import plot_activations, plot_bounds, plot_criteria, plot_reactions
from .shares import plot_shares
from .stability import plot_eigenvalues, plot_modes, plot_share
from .touch import plot_touch

__all__ = [
    "plot",
    "plot_activations",
    "plot_bellies",
    "plot_bounds",
    "plot_criteria",
    "plot_eigenvalues",
    "plot_forces",
    "plot_masses",
    "plot_modes",
    "plot_moment_arms",
    "plot_motion",
    "plot_muscles",
    "plot_reactions",
    "plot_share",
    "plot_shares",
    "plot_terms",
    "plot_touch",
]
