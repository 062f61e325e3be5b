"""``python -m opensim_inertia``: the same as the command ``opensim-inertia``."""

from .cli import main

if __name__ == "__main__":
    raise SystemExit(main())
