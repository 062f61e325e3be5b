"""Pictures: arrays in, figures out, and files of them.

Matplotlib is imported at the first use of a name that needs it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .._core.checks import check_picture
from .._core.choices import FORMATS
from .bellies import DrawnDonor, DrawnMuscle, MassPicture, linear_density
from .thinning import MOST_DRAWN, drawn_rows

if TYPE_CHECKING:
    from .drawing import (
        DrawnCurves as DrawnCurves,
    )
    from .drawing import (
        DrawnMean as DrawnMean,
    )
    from .drawing import (
        ForceTraces as ForceTraces,
    )
    from .drawing import (
        ModePicture as ModePicture,
    )
    from .drawing import (
        draw_activations as draw_activations,
    )
    from .drawing import (
        draw_bounds as draw_bounds,
    )
    from .drawing import (
        draw_criteria as draw_criteria,
    )
    from .drawing import (
        draw_curves as draw_curves,
    )
    from .drawing import (
        draw_eigenvalues as draw_eigenvalues,
    )
    from .drawing import (
        draw_forces as draw_forces,
    )
    from .drawing import (
        draw_means as draw_means,
    )
    from .drawing import (
        draw_modes as draw_modes,
    )
    from .drawing import (
        draw_muscle_forces as draw_muscle_forces,
    )
    from .drawing import (
        draw_reactions as draw_reactions,
    )
    from .drawing import (
        draw_rows as draw_rows,
    )
    from .drawing import (
        draw_share as draw_share,
    )
    from .drawing import (
        draw_shares as draw_shares,
    )
    from .drawing import (
        draw_skeleton as draw_skeleton,
    )
    from .drawing import (
        draw_term_errors as draw_term_errors,
    )
    from .drawing import (
        save_picture as save_picture,
    )
    from .drawing import (
        save_pictures as save_pictures,
    )

__all__ = [
    "FORMATS",
    "MOST_DRAWN",
    "DrawnCurves",
    "DrawnDonor",
    "DrawnMean",
    "DrawnMuscle",
    "ForceTraces",
    "MassPicture",
    "ModePicture",
    "check_picture",
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
    "drawn_rows",
    "linear_density",
    "save_picture",
    "save_pictures",
]


def __getattr__(name: str) -> Any:
    """Return a name that needs Matplotlib."""
    if name not in __all__:
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
    from . import drawing

    return vars(drawing)[name]
