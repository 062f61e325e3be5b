"""Provenance of results: versions, and what tells one input from another."""

from __future__ import annotations

import hashlib
import json
import math
import os
import platform
from collections.abc import Mapping
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from .errors import OPENSIM_ERRORS
from .opensim import osim, quiet
from .options import Options

__all__ = [
    "describe_model",
    "describe_source",
    "model_told",
    "options_told",
    "plain",
    "recorded_options",
    "run_record",
    "told",
    "version_told",
    "versions",
]


def versions() -> dict[str, str]:
    """Return the versions of this package and of what its numbers depend on."""
    found = {"opensim": osim.GetVersion(), "python": platform.python_version()}
    found |= {name: _installed(name) for name in ("opensim_inertia", "numpy", "scipy")}
    return dict(sorted(found.items()))


@cache  # reading the metadata takes milliseconds
def _installed(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "unknown"


def describe_source(source: str | os.PathLike[str] | pd.DataFrame) -> dict[str, Any]:
    """Return the name and SHA-256 of a file's bytes, or of a table's numbers."""
    if isinstance(source, pd.DataFrame):
        told = hashlib.sha256()
        for label, column in (("", source.index.to_series()), *source.items()):
            told.update(f"{label}\n".encode())
            if pd.api.types.is_numeric_dtype(column):
                told.update(column.to_numpy(dtype=float, na_value=np.nan).tobytes())
            else:
                told.update("\n".join(map(str, column)).encode())
        in_degrees = bool(source.attrs.get("inDegrees", False))
        return {"table": list(source.shape), "in degrees": in_degrees, "sha256": told.hexdigest()}
    path = Path(source)
    return {"file": path.name, "sha256": hashlib.sha256(path.read_bytes()).hexdigest()}


def describe_model(model: osim.Model) -> dict[str, Any]:
    """Return the name of a model and SHA-256 of what OpenSim would write to a file."""
    try:
        text = model.dump()
    except OPENSIM_ERRORS:
        initialised = osim.Model(model)  # OpenSim cannot write some models of old versions before they are initialised
        with quiet():
            initialised.initSystem()
        text = initialised.dump()
    dumped = text.encode(errors="surrogateescape")  # credits, for one, need not be UTF-8
    return {"name": model.getName(), "sha256": hashlib.sha256(dumped).hexdigest()}


def options_told(made: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options with which a result was made, by name, for one line of text: "given" for those by muscle."""
    options = made.get("options", {}).items()
    return {key: "given" if isinstance(value, dict) else value for key, value in options if value is not None}


def model_told(made: Mapping[str, Any]) -> str:
    """Return which model and options a result was made with, as a sentence for captions."""
    options = "; ".join(f"{key.replace('_', ' ')}: {value}" for key, value in options_told(made).items())
    mass = f"{made['muscles with mass']} muscles with {made['muscle mass [kg]']:.3g}\xa0kg"
    return f"Model {made['model']['name']}, {mass}; {options}."


def version_told(made: Mapping[str, Any]) -> str:
    """Return with which version a result was made, as a sentence for captions."""
    return f"opensim_inertia\xa0{made['versions']['opensim_inertia']}."


def told(made: Mapping[str, Any]) -> str:
    """Return with which model, options and version a result was made, in sentences for captions; empty if unknown."""
    return f"{model_told(made)} {version_told(made)}" if made else ""


def run_record(made: Mapping[str, Any]) -> str:
    """Return the text of a run's ``.json``: how a result was made, but for the mass table, which has its own file."""
    record = {key: value for key, value in made.items() if key != "masses"}
    return json.dumps(plain(record), indent=2, allow_nan=False) + "\n"


def recorded_options(*objects: Options) -> dict[str, Any]:
    """Return the options of some objects as results record them: each under its key, files by name and contents."""
    return {key: value for options in objects for key, value in options.to_record(describe_source).items()}


def plain(value: Any) -> Any:
    """Return the same as numbers, texts, lists and dicts that JSON knows; what is not a finite number is None."""
    if isinstance(value, dict):
        return {str(k): plain(v) for k, v in value.items()}
    if isinstance(value, list | tuple | set):
        return [plain(v) for v in value]
    if isinstance(value, np.ndarray | np.generic):
        return plain(value.tolist())
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value
