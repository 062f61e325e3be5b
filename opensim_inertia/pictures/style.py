"""The style of all pictures: colours that stay apart for the colour-blind, and the dress of axes."""

from __future__ import annotations

from matplotlib.axes import Axes

__all__ = ["INK", "KIND_COLORS", "LETTERS_PER_INCH", "PALETTE", "bare"]

#: Blue, vermilion, green, purple, orange, light blue, grey and black (Okabe and Ito).
PALETTE = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#7F7F7F", "#000000")
#: Colours of the answers with muscle mass lumped, moved and sliding.
KIND_COLORS = {"lumped": "0.25", "moved": PALETTE[0], "inertial": PALETTE[1]}
#: Colour of lines and texts beside the data.
INK = "0.25"
#: Letters of a caption per inch of its width, a little less than fit.
LETTERS_PER_INCH = 16.5


def bare(*axes: Axes) -> None:
    """Hide the upper and the right spine of axes."""
    for axis in axes:
        axis.spines[["top", "right"]].set_visible(False)
