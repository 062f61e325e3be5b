"""Options as arguments: a method that takes an object of options shows and takes its fields."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps as like
from inspect import Signature, signature
from typing import Any, Concatenate, ParamSpec, TypeVar, cast

from ..options.modelling import ModelOptions

P = ParamSpec("P")
Owner = TypeVar("Owner")
Model = TypeVar("Model")
Masses = TypeVar("Masses")


def taking(
    options: Callable[P, ModelOptions],
) -> Callable[
    [Callable[[Owner, Model, Masses, ModelOptions], None]], Callable[Concatenate[Owner, Model, Masses, P], None]
]:
    """Let a method take the fields of :class:`ModelOptions` as arguments, with their signature and documentation."""

    def decorate(
        method: Callable[[Owner, Model, Masses, ModelOptions], None],
    ) -> Callable[Concatenate[Owner, Model, Masses, P], None]:
        @like(method)
        def taker(self: Owner, model: Model, masses: Any = None, *args: P.args, **kwargs: P.kwargs) -> None:
            method(self, model, masses, options(*args, **kwargs))

        owner, model, masses, _ = signature(method).parameters.values()
        parameters = [owner, model, masses.replace(default=None)]
        taker.__doc__ = options.__doc__
        taker.__signature__ = Signature([*parameters, *signature(options).parameters.values()])  # type: ignore[attr-defined]
        return cast(Any, taker)

    return decorate
