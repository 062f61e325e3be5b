"""The options of commands that let bellies swing across their paths."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from .arguments import add_options, refuse

if TYPE_CHECKING:
    from ..options import Wobble

__all__ = ["add_wobble_options", "wobble_of_arguments"]


def add_wobble_options(parser: argparse.ArgumentParser) -> None:
    """Add a group of arguments, ``--wobble`` among them."""
    from ..options import Wobble
    from ..options.wobble import SWITCH

    swinging = parser.add_argument_group("bellies that swing across their paths")
    flag, about = SWITCH.argument()
    swinging.add_argument(flag, **about)
    add_options(swinging, Wobble)


def wobble_of_arguments(args: argparse.Namespace) -> Wobble | None:
    """Return how bellies swing, None where they do not; refuse options that would have no effect."""
    from ..options import Wobble

    if not args.wobble:
        for entry in Wobble.asked().values():
            if entry.keyword in args:
                refuse(args, entry.keyword, "it needs --wobble")
        return None
    return Wobble.of(vars(args))
