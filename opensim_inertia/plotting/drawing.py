"""All that draws, and needs Matplotlib for it."""

from .forces import ForceTraces, draw_forces, draw_muscle_forces
from .length_polynomials import DrawnCurves, draw_curves, draw_term_errors
from .means import DrawnMean, draw_means
from .recruitment import draw_activations, draw_bounds, draw_criteria, draw_reactions
from .rows import draw_rows
from .saving import save_picture, save_pictures
from .shares import draw_shares
from .skeleton import draw_skeleton
from .stability import ModePicture, draw_eigenvalues, draw_modes, draw_share

__all__ = [
    "DrawnCurves",
    "DrawnMean",
    "ForceTraces",
    "ModePicture",
    "draw_activations",
    "draw_bounds",
    "draw_criteria",
    "draw_curves",
    "draw_eigenvalues",
    "draw_forces",
    "draw_means",
    "draw_modes",
    "draw_muscle_forces",
    "draw_reactions",
    "draw_rows",
    "draw_share",
    "draw_shares",
    "draw_skeleton",
    "draw_term_errors",
    "save_picture",
    "save_pictures",
]
