"""Builds nothing: pyproject.toml names the build backend, scikit-build-core, which runs CMakeLists.txt."""

import sys

if __name__ == "__main__":
    sys.exit("setup.py is not run by itself: use `pip install .`, `pip install -e .` or `python -m build`")
