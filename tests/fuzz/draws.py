"""Inputs drawn by Python's own generator: a seed draws the same ones with every version of every package."""

import math
import random
import struct
from collections.abc import Sequence

import pandas as pd

#: Numbers at which programs err: zeros, the least and the largest, those of few and of many digits, and none.
NUMBERS = (
    *(0.0, -0.0, 1.0, -1.0, 0.1, 1 / 3, 5e-324, 2.2250738585072014e-308),
    *(1.7976931348623157e308, -1.7976931348623157e308),
    *(1e16, 9007199254740993.0, 1e-5, 123456789.123, 0.3, 1.0000000000000002),
)
#: Characters at which readers of tables err, beside plain ones and ones of two to four bytes.
CHARACTERS = (
    "abcxyz_019 .,;:-+#%&=<>()[]{}'\"/\\|\t\n\r\0\x1f\x7f\x85\xa0\xe9\u2028\u2212\ufeff\ufffd\u0661\u4e2d\U0001f9b5"
)
#: What names of the demo's leg are, or nearly are.
NAMES = ("soleus", "soleus_r", "gasmed", "tibant", "calcn", "calcn_r", "tibia", "tibia_r")


class Draw(random.Random):
    """A random generator that also draws texts, numbers and tables."""

    def text(self, most: int, least: int = 0, alphabet: str = CHARACTERS) -> str:
        """Some characters; each may be one of all that UTF-8 can encode where no alphabet is given."""
        return "".join(self._character(alphabet) for _ in range(self.randint(least, most)))

    def _character(self, alphabet: str) -> str:
        if alphabet is CHARACTERS and self.random() < 0.2:
            code = self.randrange(0x110000 - 0x800)
            return chr(code if code < 0xD800 else code + 0x800)  # but no half of a pair
        return self.choice(alphabet)

    def number(self, least: float = -math.inf) -> float:
        """A finite number of any size and precision, not below ``least``, which is minus infinity or 0."""
        kind = self.random()
        if kind < 0.4:
            number = self.choice(NUMBERS)
        elif kind < 0.7:
            number = self.uniform(-10.0, 10.0) * 10.0 ** self.randint(-3, 3)
        else:
            number = struct.unpack("<d", self.getrandbits(64).to_bytes(8, "little"))[0]
        if not math.isfinite(number):
            return self.number(least)
        return abs(number) if least == 0.0 else number

    def anything(self) -> object:
        """What may stand where a name or a mass should."""
        kinds: Sequence[object] = (None, True, False, self.randint(-2, 3), self.number(), math.nan, math.inf, -math.inf)
        return self.choice((*kinds, self.text(12), self.choice(NAMES)))

    def mass_dict(self) -> dict[str, object]:
        return {self.choice((self.text(12), *NAMES)): self.anything() for _ in range(self.randint(0, 3))}

    def mass_table(self) -> pd.DataFrame:
        columns = self.sample(["muscle", "mass", "segment"], 3)
        rows = [[self.anything() for _ in columns] for _ in range(self.randint(0, 3))]
        return pd.DataFrame(rows, columns=columns, dtype=object)

    def spoiled(self, content: bytes, alphabet: Sequence[bytes], most: int) -> bytes:
        """Cut up to ``most`` bytes out of a content at some place, and put others or one of ``alphabet`` there."""
        at, length = self.randint(0, len(content)), self.randint(0, most)
        put = self.choice(alphabet) if self.random() < 0.5 else self.randbytes(self.randint(0, 6))
        return content[:at] + put + content[at + length :]
