from .bellies import DrawnDonor, DrawnMuscle, MassPicture, linear_density
from .rows import draw_rows
from .saving import FORMATS, check_picture, save_pictures
from .skeleton import draw_skeleton

__all__ = [
    "FORMATS",
    "DrawnDonor",
    "DrawnMuscle",
    "MassPicture",
    "check_picture",
    "draw_rows",
    "draw_skeleton",
    "linear_density",
    "save_pictures",
]
