"""What the examples share: where results go, where the real models are, and PyTorch for those that need it."""

import os
import sys
from pathlib import Path
from types import ModuleType


def output_folder(name: str) -> Path:
    """The folder given on the command line, or ./results/<name>; made if it does not exist."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path("results") / name
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def opensim_models() -> Path:
    """A copy of the public opensim-models repository, named by OPENSIM_MODELS; leaves the script if there is none."""
    named = os.environ.get("OPENSIM_MODELS")
    if not named or not (Path(named) / "Models").is_dir():
        print(
            "skipped: set OPENSIM_MODELS to a copy of https://github.com/opensim-org/opensim-models to run this example"
        )
        raise SystemExit(0)
    return Path(named)


def pytorch() -> ModuleType:
    """The module ``torch``; leaves the script with one line and exit status 1 if it is not installed."""
    try:
        import torch
    except ModuleNotFoundError as error:
        if error.name != "torch":
            raise
        raise SystemExit("this example needs PyTorch, which is not installed: pip install torch") from None
    return torch
