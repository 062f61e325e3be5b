"""Accuracy of all muscles against finite differences of OpenSim's live path (slow: minutes per model).

Usage: python benchmarks/accuracy.py [MODEL ...]
"""

from __future__ import annotations

import sys
import warnings

from common import opensim_models
from oracles.accuracy import MODELS, QUANTITIES, compare


def main() -> None:
    warnings.simplefilter("ignore")
    names = sys.argv[1:] or list(MODELS)
    worst = dict.fromkeys(QUANTITIES, 0.0)
    for name in names:
        for strain in ("uniform", "rigid_tendon", "aponeurosis"):
            got = compare(opensim_models(), name, strain, poses=1, stride=1)
            print(f"{name}, {strain}: {got.crossing} muscles' mass lies over path points")
            for quantity in QUANTITIES:
                worst[quantity] = max(worst[quantity], got.worst[quantity])
                print(
                    f"  {quantity:12s} {got.worst[quantity]:8.1e}  judged {got.judged[quantity]:6d}"
                    f"  at kinks {got.skipped[quantity]:6d}  {got.where.get(quantity, '')}",
                    flush=True,
                )
    print(" ".join(f"{quantity}={error:.2e}" for quantity, error in worst.items()))


if __name__ == "__main__":
    main()
