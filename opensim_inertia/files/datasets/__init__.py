"""Public models with motions and loads, downloaded once and verified: ``oi.datasets.fetch("gait2392")``."""

from __future__ import annotations

import hashlib
import json
import os
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from ..._core.checks import check_names
from ..._core.errors import ChecksumError, DownloadError, MissingPackageError, OutputError, system_reason
from ..documents import cache_folder

__all__ = ["Dataset", "fetch"]

COMMIT = "20a888b9655e73fb84963d6e03eee3752cf6074b"
REPOSITORY = "https://github.com/opensim-org/opensim-models"
URL = f"https://raw.githubusercontent.com/opensim-org/opensim-models/{COMMIT}/"
#: Environment variables of the dataset folder and of a local copy of the repository.
FOLDER_VARIABLE, COPY_VARIABLE = "OPENSIM_INERTIA_DATASETS", "OPENSIM_MODELS"
#: Timeout of downloads [s].
TIMEOUT = 30.0


@dataclass(frozen=True)
class Dataset:
    """A model with a recorded motion, as local files.

    Attributes:
        setup: setup file of OpenSim's Inverse Dynamics Tool; None if the published setup names files that are not
            public.
        time_range: first and last time [s] with motion and loads, within the range of the published setup; None without
            a motion. It is the ``time_range`` of :func:`~opensim_inertia.inverse_dynamics`.
    """

    name: str  # argument of :func:`~opensim_inertia.datasets.fetch`
    about: str
    model: Path  # the ``.osim`` file
    motion: Path | None = None  # coordinates over time; None without a public motion
    loads: Path | None = None  # setup of external loads, beside its table; None without loads
    setup: Path | None = None
    time_range: tuple[float, float] | None = None


def fetch(name: str, folder: str | os.PathLike[str] | None = None, url: str = URL) -> Dataset:
    """Return a public model with its motion and loads; download missing files.

    The files belong to the repository opensim-org/opensim-models and keep their relative paths. Existing files are used
    if their checksums match.

    Args:
        name: "arm26", "gait10dof18musc", "gait2354", "gait2392", "hamner" or "rajagopal2016".
        folder: the folder of the files. Default: the copy of the repository named by the environment variable
            ``OPENSIM_MODELS``, if its files match; else the folder named by ``OPENSIM_INERTIA_DATASETS``; else the
            user's cache folder.
        url: the address of the repository's files.

    Raises:
        UnknownNameError: the dataset does not exist.
        ChecksumError: an existing or downloaded file differs from the published file; existing files are kept.
        DownloadError: there is no network connection, or the server refuses the file.
        OutputError: the folder cannot be written.
        MissingPackageError: pooch, used for downloads, is not installed.
    """
    sums, datasets = registry()["sha256"], registry()["datasets"]
    check_names("dataset", [name], datasets)
    entry, copy, times = datasets[name], os.environ.get(COPY_VARIABLE), datasets[name].get("time_range")
    roles = {role: entry[role] for role in ("model", "motion", "loads", "setup") if role in entry}
    needed = [*roles.values(), *entry.get("beside", ())]
    place = Path(folder).expanduser().absolute() if folder else dataset_folder()
    if folder is None and copy and all(_checksum(Path(copy) / file) == sums[file] for file in needed):
        place = Path(copy)
    absent = [file for file in needed if not (place / file).exists()]
    for file in needed:
        if file not in absent and _checksum(place / file) != sums[file]:
            reason = f"{place / file} is not the published file: remove it, or name another folder"
            raise ChecksumError(place / file, sums[file], reason)
    if absent:
        _download({file: sums[file] for file in absent}, place, url.rstrip("/") + "/")
    paths = {role: place / file for role, file in roles.items()}
    return Dataset(name, entry["about"], **paths, time_range=None if times is None else (times[0], times[1]))


@cache
def registry() -> dict[str, Any]:
    """Return the files of each dataset and the SHA-256 of each file."""
    by_name: dict[str, Any] = json.loads(files(__package__).joinpath("registry.json").read_text(encoding="utf-8"))
    return by_name


def dataset_folder() -> Path:
    """Return the folder of datasets: ``$OPENSIM_INERTIA_DATASETS``, or a subfolder of the cache folder."""
    name = os.environ.get(FOLDER_VARIABLE)
    return Path(name).expanduser().absolute() if name else cache_folder() / COMMIT[:8]


def _checksum(path: Path) -> str:
    try:
        with open(path, "rb") as opened:
            return hashlib.file_digest(opened, "sha256").hexdigest()
    except OSError:
        return ""


def _download(absent: dict[str, str], place: Path, url: str) -> None:
    try:
        import pooch
    except ImportError as error:
        otherwise = f"or name a copy of {REPOSITORY} by the environment variable {COPY_VARIABLE}"
        raise MissingPackageError("datasets need", "pooch", "datasets", otherwise) from error
    from requests.exceptions import RequestException

    store = pooch.create(path=place, base_url=url, registry=absent)
    for i, file in enumerate(absent):
        try:
            store.fetch(file, downloader=pooch.HTTPDownloader(timeout=TIMEOUT))
        except RequestException as error:
            response, reason = error.response, f"{type(error).__name__}, there is no connection"
            if response is not None:
                reason = f"the server says {response.status_code} {response.reason}"
            elif isinstance(error, ValueError):
                reason = str(error)
            by_hand = (
                f"; without a network, save these files of {url} by hand, each at the same place below {place}: "
                f"{', '.join(list(absent)[i:])}; or name a copy of {REPOSITORY} at commit {COMMIT[:8]} by "
                f"{COPY_VARIABLE}"
            )
            raise DownloadError(url + file, place / file, reason, by_hand) from error
        except ValueError as error:  # raised by pooch for a wrong checksum
            reason = f"the file at {url + file} is not the published one, and was not kept"
            raise ChecksumError(place / file, absent[file], reason) from error
        except OSError as error:
            raise OutputError(place / file, system_reason(error)) from error
