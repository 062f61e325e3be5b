"""Pictures: arrays in, figures out, and files of them.

What draws is in ``drawing``, and imports Matplotlib; what is here does not.
"""

from .._core.checks import check_picture
from .._core.choices import FORMATS
from .bellies import DrawnDonor, DrawnMuscle, MassPicture, linear_density
from .thinning import MOST_DRAWN, drawn_rows

__all__ = [
    "FORMATS",
    "MOST_DRAWN",
    "DrawnDonor",
    "DrawnMuscle",
    "MassPicture",
    "check_picture",
    "drawn_rows",
    "linear_density",
]
