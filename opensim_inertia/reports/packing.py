"""Arrays as text for a page: quantised to 16 bits, differenced along time, compressed, in base64.

A float lies at the share ``code / 65534`` of the way from ``low`` to ``high``, the ends of the array's values, so that
it is off by at most half a step; code 65535 stands for what is not a finite number. Times have codes of 32 bits, of
which the last two mean the same: rows of long runs are closer than a step of 16 bits. Codes are differenced along the
first axis and written byte by byte (all lowest bytes first), so that zlib takes smooth motions at a quarter of their
size.
"""

from __future__ import annotations

import base64
import zlib
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = ["Packer", "step_of", "unpack"]

#: The code of the highest number, by the bytes that a code has; the next one stands for what is not finite.
MOST = {2: 2**16 - 2, 4: 2**32 - 2}


class Packer:
    """Collects arrays; each is then described by a small dict that JSON knows."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []
        self._size = 0

    def numbers(self, values: ArrayLike, size: int = 2) -> dict[str, Any]:
        """Add floats of any shape, differenced along the first axis; return their description.

        Args:
            values: the numbers.
            size: bytes of a number, 2 or 4.
        """
        most = MOST[size]
        array = np.asarray(values, dtype=float)
        finite = np.isfinite(array)
        low = float(array[finite].min()) if finite.any() else 0.0
        high = float(array[finite].max()) if finite.any() else 0.0
        # Divided first: the difference of huge numbers could overflow.
        step = high / most - low / most
        codes = np.full(array.shape, most + 1, dtype=f"u{size}")
        if step > 0:
            scaled = np.round(array[finite] / step - low / step)
            codes[finite] = np.clip(scaled, 0, most).astype(codes.dtype)
        else:
            codes[finite] = 0
        return self._add(codes) | {"low": low, "high": high}

    def integers(self, values: ArrayLike) -> dict[str, Any]:
        """Add integers from 0 to 2^32 - 1 of any shape; return their description."""
        return self._add(np.asarray(values, dtype=np.uint32))

    def text(self) -> str:
        """Return all arrays, compressed, as base64."""
        return base64.b64encode(zlib.compress(b"".join(self._parts), 9)).decode("ascii")

    def _add(self, codes: NDArray[Any]) -> dict[str, Any]:
        size = codes.dtype.itemsize
        rows = codes.reshape(len(codes), -1) if codes.size else codes.reshape(0, 1)
        steps = np.diff(rows, axis=0, prepend=np.zeros_like(rows[:1]))  # modulo 2^16 or 2^32
        planes = steps.astype(f"<u{size}").view(np.uint8).reshape(-1, size).T
        self._parts.append(np.ascontiguousarray(planes).tobytes())
        described = {"at": self._size, "bytes": size, "shape": list(codes.shape)}
        self._size += codes.size * size
        return described


def unpack(text: str, described: dict[str, Any]) -> NDArray[Any]:
    """Return an array of :meth:`Packer.text`, as the page's own script does."""
    raw = np.frombuffer(zlib.decompress(base64.b64decode(text)), dtype=np.uint8)
    shape, size = described["shape"], described["bytes"]
    count = int(np.prod(shape))
    planes = raw[described["at"] : described["at"] + count * size].reshape(size, count)
    steps = np.ascontiguousarray(planes.T).view(f"<u{size}").reshape(shape[0], -1) if count else np.zeros((0, 1))
    codes = np.cumsum(steps, axis=0, dtype=f"u{size}").reshape(shape)
    if "low" not in described:
        return codes
    share = codes / MOST[size]
    return np.where(codes == MOST[size] + 1, np.nan, (1 - share) * described["low"] + share * described["high"])


def step_of(described: dict[str, Any]) -> float:
    """Return the distance of two codes; numbers are off by at most half of it."""
    most = MOST[described["bytes"]]
    return float(described["high"] / most - described["low"] / most)
