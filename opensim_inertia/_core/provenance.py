"""Provenance of results: versions, and checksums of inputs."""

from __future__ import annotations

import hashlib
import json
import math
import os
import platform
from collections.abc import Mapping
from functools import cache
from importlib.machinery import PathFinder
from importlib.util import find_spec, module_from_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from .errors import OPENSIM_ERRORS
from .opensim import osim, quiet
from .options import Options
from .version import VERSION

if TYPE_CHECKING:
    import pandas as pd


def versions() -> dict[str, str]:
    """Return the versions of this package, OpenSim, Python, NumPy and SciPy."""
    own = {"opensim": osim.GetVersion(), "opensim_inertia": VERSION}
    return {"numpy": np.__version__, **own, "python": platform.python_version(), "scipy": _scipy_version()}


@cache
def _scipy_version() -> str:
    """Return the version that SciPy's module ``version`` states; SciPy and ``importlib.metadata`` import slowly."""
    package = find_spec("scipy")
    spec = None if package is None else PathFinder.find_spec("version", package.submodule_search_locations)
    if spec is None or spec.loader is None:
        return "unknown"
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return str(module.version)


def describe_source(source: str | os.PathLike[str] | pd.DataFrame) -> dict[str, Any]:
    """Return name and SHA-256 of a file, or shape and SHA-256 of a table."""
    if isinstance(source, str | os.PathLike):
        path = Path(source)
        return {"file": path.name, "sha256": hashlib.sha256(path.read_bytes()).hexdigest()}
    from pandas.api.types import is_numeric_dtype

    digest = hashlib.sha256()
    for label, column in (("", source.index.to_series()), *source.items()):
        digest.update(f"{label}\n".encode())
        if is_numeric_dtype(column):
            digest.update(column.to_numpy(dtype=float, na_value=np.nan).tobytes())
        else:
            digest.update("\n".join(map(str, column)).encode())
    in_degrees = bool(source.attrs.get("inDegrees", False))
    return {"table": list(source.shape), "in degrees": in_degrees, "sha256": digest.hexdigest()}


def model_checksum(model: osim.Model) -> str:
    """Return the SHA-256 of a model's XML, written with all digits of its numbers."""
    try:
        text = model.dump()
    except OPENSIM_ERRORS:
        initialised = osim.Model(model)  # OpenSim cannot write some old models before initialisation
        with quiet():
            initialised.initSystem()
        text = initialised.dump()
    dumped = text.encode(errors="surrogateescape")  # credits, for example, may not be UTF-8
    return hashlib.sha256(dumped).hexdigest()


def describe_model_file(model: osim.Model, is_as_read: bool) -> dict[str, Any]:
    """Return name and SHA-256 of a model's file, or {} without file; ``is_as_read``: the model equals the file."""
    path = Path(model.getInputFileName())
    if not path.is_file():
        return {}
    sha256 = hashlib.sha256(path.read_bytes()).hexdigest()
    if is_as_read:
        return {"name": model.getName(), "file": path.name, "sha256": sha256}
    return {"file": path.name, "sha256 of the file": sha256}


def stated_options(provenance: Mapping[str, Any]) -> dict[str, Any]:
    """Return a result's options for captions; a mapping from muscles to values is shortened to "given"."""
    options = provenance.get("options", {}).items()
    return {key: "given" if isinstance(value, dict) else value for key, value in options if value is not None}


def model_sentence(provenance: Mapping[str, Any]) -> str:
    """Return a caption sentence with model and options."""
    options = "; ".join(f"{key.replace('_', ' ')}: {value}" for key, value in stated_options(provenance).items())
    mass = f"{provenance['muscles with mass']} muscles with {provenance['muscle mass [kg]']:.3g}\xa0kg"
    return f"Model {provenance['model']['name']}, {mass}; {options}."


def version_sentence(provenance: Mapping[str, Any]) -> str:
    """Return a caption sentence with the package version."""
    return f"opensim_inertia\xa0{provenance['versions']['opensim_inertia']}."


def assumptions_caption(provenance: Mapping[str, Any]) -> str:
    """Return caption sentences with model, options and version."""
    return f"{model_sentence(provenance)} {version_sentence(provenance)}" if provenance else ""


def run_record(provenance: Mapping[str, Any]) -> str:
    """Return a result's provenance as the text of ``run.json``, without the table of muscle masses."""
    record = {key: value for key, value in provenance.items() if key != "masses"}
    return json.dumps(plain(record), indent=2, allow_nan=False) + "\n"


def recorded_options(*objects: Options) -> dict[str, Any]:
    """Return the option values that results record, by key; files become names and checksums."""
    return {key: value for options in objects for key, value in options.to_record(describe_source).items()}


def plain(value: Any) -> Any:
    """Convert a value to JSON types; NaN and infinity become None."""
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
