"""Provenance of results: versions, and checksums of inputs."""

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
from typing import TYPE_CHECKING, Any

import numpy as np

from .errors import OPENSIM_ERRORS
from .opensim import osim, quiet
from .options import Options

if TYPE_CHECKING:
    import pandas as pd


_version = cache(version)  # reading the metadata takes milliseconds


def versions() -> dict[str, str]:
    """Return the versions of this package and of the packages on which its numbers depend."""
    by_package = {"opensim": osim.GetVersion(), "python": platform.python_version()}
    for name in ("opensim_inertia", "numpy", "scipy"):
        try:
            by_package[name] = _version(name)
        except PackageNotFoundError:
            by_package[name] = "unknown"
    return dict(sorted(by_package.items()))


def describe_source(source: str | os.PathLike[str] | pd.DataFrame) -> dict[str, Any]:
    """Return the name and SHA-256 of a file's bytes, or of a table's numbers."""
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
    """Return the SHA-256 of the file that OpenSim would write of a model: of every property, to the last bit."""
    try:
        text = model.dump()
    except OPENSIM_ERRORS:
        initialised = osim.Model(model)  # OpenSim cannot write some models of old versions before they are initialised
        with quiet():
            initialised.initSystem()
        text = initialised.dump()
    dumped = text.encode(errors="surrogateescape")  # credits, for one, need not be UTF-8
    return hashlib.sha256(dumped).hexdigest()


def describe_model_file(model: osim.Model, is_as_read: bool) -> dict[str, Any]:
    """Return name and SHA-256 of a model's file, without its folder; empty without a file; all if it is as read."""
    path = Path(model.getInputFileName())
    if not path.is_file():
        return {}
    sha256 = hashlib.sha256(path.read_bytes()).hexdigest()
    if is_as_read:
        return {"name": model.getName(), "file": path.name, "sha256": sha256}
    return {"file": path.name, "sha256 of the file": sha256}


def stated_options(provenance: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options of a result by name, for one line of text: "given" stands for values by muscle."""
    options = provenance.get("options", {}).items()
    return {key: "given" if isinstance(value, dict) else value for key, value in options if value is not None}


def model_sentence(provenance: Mapping[str, Any]) -> str:
    """Return a sentence for captions that names the model and options of a result."""
    options = "; ".join(f"{key.replace('_', ' ')}: {value}" for key, value in stated_options(provenance).items())
    mass = f"{provenance['muscles with mass']} muscles with {provenance['muscle mass [kg]']:.3g}\xa0kg"
    return f"Model {provenance['model']['name']}, {mass}; {options}."


def version_sentence(provenance: Mapping[str, Any]) -> str:
    """Return a sentence for captions that names the version of this package that computed a result."""
    return f"opensim_inertia\xa0{provenance['versions']['opensim_inertia']}."


def assumptions_caption(provenance: Mapping[str, Any]) -> str:
    """Return sentences for captions that name a result's model, options and version; empty without provenance."""
    return f"{model_sentence(provenance)} {version_sentence(provenance)}" if provenance else ""


def run_record(provenance: Mapping[str, Any]) -> str:
    """Return the provenance as the JSON text of ``run.json``, without the mass table, which has a file of its own."""
    record = {key: value for key, value in provenance.items() if key != "masses"}
    return json.dumps(plain(record), indent=2, allow_nan=False) + "\n"


def recorded_options(*objects: Options) -> dict[str, Any]:
    """Return the options of some objects as results record them: each under its key, files by name and contents."""
    return {key: value for options in objects for key, value in options.to_record(describe_source).items()}


def plain(value: Any) -> Any:
    """Return a value converted to types that JSON has; numbers that are not finite become None."""
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
