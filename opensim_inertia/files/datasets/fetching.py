"""Datasets downloaded by pooch: each file completely and with its published checksum, or not at all."""

from __future__ import annotations

import hashlib
import os
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ..._core.errors import (
    ChecksumError,
    DownloadError,
    MissingPackageError,
    OutputError,
    UnknownNameError,
    system_reason,
)
from .catalogue import CATALOGUE, COMMIT, NAMES, Dataset, checksums

__all__ = ["FOLDER_VARIABLE", "URL_VARIABLE", "fetch"]

#: Environment variables: the folder of datasets, where they are downloaded from, and a copy of the repository.
FOLDER_VARIABLE, URL_VARIABLE = "OPENSIM_INERTIA_DATASETS", "OPENSIM_INERTIA_DATASETS_URL"
COPY_VARIABLE = "OPENSIM_MODELS"
REPOSITORY = "https://github.com/opensim-org/opensim-models"
URL = f"https://raw.githubusercontent.com/opensim-org/opensim-models/{COMMIT}/"
#: How long a server may be silent [s].
TIMEOUT = 30.0


def fetch(name: str, folder: str | os.PathLike[str] | None = None, url: str | None = None) -> Dataset:
    """Return a public model with its motion and loads; files that are not on this computer yet are downloaded.

    All are files of the repository opensim-org/opensim-models, as published, below one folder as they lie there. A file
    that lies there already, downloaded before or put there by hand, is taken if it is the published one.

    Args:
        name: "arm26", "gait10dof18musc", "gait2354", "gait2392", "hamner" or "rajagopal2016".
        folder: where the files lie. Default: the copy of the repository that the environment variable
            ``OPENSIM_MODELS`` names, if it has these files as published; else the folder that
            ``OPENSIM_INERTIA_DATASETS`` names; else one among the user's cached files.
        url: what stands before the files' places in the repository; default: the environment variable
            ``OPENSIM_INERTIA_DATASETS_URL``, else GitHub's.

    Raises:
        UnknownNameError: there is no such dataset.
        ChecksumError: a file in the folder, which is left as it is, or what was downloaded is not the published file.
        DownloadError: there is no network, or the server does not give the file.
        OutputError: the folder cannot be written.
        MissingPackageError: pooch, which downloads, is not installed.
    """
    if name not in CATALOGUE:
        raise UnknownNameError("dataset", name, NAMES)
    entry, copy = CATALOGUE[name], os.environ.get(COPY_VARIABLE)
    if folder is None and copy and all(_is_published(Path(copy) / file, file) for file in entry.files):
        return entry.at(name, Path(copy))
    folder_name = folder or os.environ.get(FOLDER_VARIABLE)
    place = Path(folder_name).expanduser().absolute() if folder_name else _cache()
    absent = [file for file in entry.files if not (place / file).exists()]
    for file in entry.files:
        if file not in absent and not _is_published(place / file, file):
            reason = f"{place / file} is not the published file: remove it, or name another folder"
            raise ChecksumError(place / file, checksums()[file], reason)
    if absent:
        _download(absent, place, (url or os.environ.get(URL_VARIABLE) or URL).rstrip("/") + "/")
    return entry.at(name, place)


def _is_published(path: Path, file: str) -> bool:
    try:
        with open(path, "rb") as opened:
            return hashlib.file_digest(opened, "sha256").hexdigest() == checksums()[file]
    except OSError:
        return False


def _pooch() -> Any:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # in notebooks it tells of bars, of which none is shown
            import pooch
    except ImportError as error:
        otherwise = f"or name a copy of {REPOSITORY} by the environment variable {COPY_VARIABLE}"
        raise MissingPackageError("datasets need", "pooch", "datasets", otherwise) from error
    return pooch


def dataset_folder() -> Path | None:
    """Return the folder of datasets, which need not exist; None where nothing names it and pooch is not installed."""
    name = os.environ.get(FOLDER_VARIABLE)
    try:
        return Path(name).expanduser().absolute() if name else _cache()
    except MissingPackageError:
        return None


def _cache() -> Path:
    return Path(_pooch().os_cache("opensim_inertia")) / COMMIT[:8]


def _download(absent: Sequence[str], place: Path, url: str) -> None:
    pooch = _pooch()
    from requests.exceptions import RequestException

    store = pooch.create(path=place, base_url=url, registry={file: checksums()[file] for file in absent})
    for i, file in enumerate(absent):
        try:
            store.fetch(file, downloader=pooch.HTTPDownloader(timeout=TIMEOUT))
        except RequestException as error:
            raise DownloadError(url + file, place / file, _reason(error), _by_hand(absent[i:], place, url)) from error
        except ValueError as error:  # what pooch raises where the checksum is another
            reason = f"the file at {url + file} is not the published one, and was not kept"
            raise ChecksumError(place / file, checksums()[file], reason) from error
        except OSError as error:
            raise OutputError(place / file, system_reason(error)) from error


def _reason(error: Any) -> str:
    response = getattr(error, "response", None)
    if response is not None:
        return f"the server says {response.status_code} {response.reason}"
    if isinstance(error, ValueError):  # an address that is none
        return str(error)
    return f"{type(error).__name__}, there is no connection, or it broke off"


def _by_hand(files: Sequence[str], place: Path, url: str) -> str:
    """Say how to do without a network."""
    other = " (the one that it names now has not all files as published)" if os.environ.get(COPY_VARIABLE) else ""
    return (
        f"; without a network, save these files of {url} by hand, each at the same place below {place}: "
        f"{', '.join(files)}; or name a copy of {REPOSITORY} at commit {COMMIT[:8]} by {COPY_VARIABLE}{other}"
    )
