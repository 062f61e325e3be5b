"""Damage done to files: one mutation after another, chosen by a random generator, so that a seed repeats a case."""

import random
import re

NUMBER = re.compile(r"[-+]?\d+\.?\d*(?:[eE][-+]?\d+)?")
#: What may stand where something else should.
NASTY = (
    *("nan", "inf", "-inf", "1e300", "-1e300", "1e-300", "0", "-1", "1e5", "1e-12", "99999999999999999999", "0,5"),
    *("", "1 2", "abc", "true", "/bodyset/nobody", "../..", "Unassigned", "é", "\udcff", "%s", "x" * 300),
)
#: OpenSim's classes that may stand for one another.
KINDS = (
    ("Millard2012EquilibriumMuscle", "Thelen2003Muscle", "DeGrooteFregly2016Muscle", "RigidTendonMuscle", "PathSpring"),
    ("WrapCylinder", "WrapSphere", "WrapEllipsoid", "WrapTorus", "WrapDoubleCylinder"),
    ("PathPoint", "ConditionalPathPoint", "MovingPathPoint"),
    ("PinJoint", "CustomJoint", "WeldJoint", "BallJoint", "FreeJoint", "UniversalJoint"),
    ("LinearFunction", "SimmSpline", "Constant", "PolynomialFunction", "StepFunction", "MultiplierFunction"),
    ("InverseDynamicsTool", "ForwardTool", "AnalyzeTool"),
    ("ControlLinear", "ControlConstant"),
    ("ExternalForce", "PrescribedForce"),
)


def damaged(content: bytes, suffix: str, rng: random.Random) -> bytes:
    """Return a file's content after one to five mutations that suit the kind of file."""
    text = content.decode()
    ways = WAYS[suffix]
    for _ in range(rng.choice([1, 1, 1, 2, 5])):
        text = rng.choice(ways)(text, rng)
    return text.encode(errors="surrogateescape")


def number(text: str, rng: random.Random) -> str:
    """Replace a number by something nasty, or by another number of the file."""
    found = list(NUMBER.finditer(text))
    if not found:
        return text
    at = rng.choice(found)
    new = rng.choice(NASTY) if rng.random() < 0.8 else rng.choice(found).group()
    return text[: at.start()] + new + text[at.end() :]


def noise(text: str, rng: random.Random) -> str:
    at = rng.randrange(len(text) + 1)
    new = "".join(rng.choice("<>&\"'#9-e./ ,;\t\n\0\udcff\u00e9") for _ in range(rng.choice([1, 1, 3])))
    return text[:at] + new + text[at:]


def loss(text: str, rng: random.Random) -> str:
    """Leave out a few characters, or all that come after some place."""
    at = rng.randrange(len(text) + 1)
    return text[:at] + ("" if rng.random() < 0.2 else text[at + rng.choice([1, 2, 10, 100]) :])


def lines(text: str, rng: random.Random) -> str:
    rows = text.split("\n")
    i, j = rng.randrange(len(rows)), rng.randrange(len(rows))
    what = rng.choice(["drop", "double", "swap", "block"])
    if what == "drop":
        del rows[i]
    elif what == "double":
        rows.insert(j if rng.random() < 0.3 else i, rows[i])
    elif what == "swap":
        rows[i], rows[j] = rows[j], rows[i]
    else:
        del rows[i : i + rng.randrange(2, 12)]
    return "\n".join(rows)


def value(text: str, rng: random.Random) -> str:
    """Replace the value of an XML element by something nasty, or by that of another element."""
    found = list(re.finditer(r">([^<>\n]*)</", text))
    if not found:
        return text
    at = rng.choice(found)
    new = rng.choice(NASTY) if rng.random() < 0.6 else rng.choice(found).group(1)
    return text[: at.start(1)] + new + text[at.end(1) :]


def name(text: str, rng: random.Random) -> str:
    found = list(re.finditer(r'name="([^"]*)"', text))
    if not found:
        return text
    at = rng.choice(found)
    new = rng.choice(["", "a b", "é", "a/b", "\udce9", rng.choice(found).group(1)])
    return text[: at.start(1)] + new + text[at.end(1) :]


def kind(text: str, rng: random.Random) -> str:
    """Let an object be of another class, with all of its properties."""
    there = [(old, family) for family in KINDS for old in family if f"<{old}" in text]
    if not there:
        return value(text, rng)
    old, family = rng.choice(there)
    new = rng.choice([other for other in family if other != old])
    return text.replace(f"<{old}", f"<{new}").replace(f"</{old}>", f"</{new}>")


def cell(text: str, rng: random.Random, delimiter: str = "\t") -> str:
    rows = text.split("\n")
    i = rng.randrange(min(len(rows), 12)) if rng.random() < 0.5 else rng.randrange(len(rows))
    cells = rows[i].split(delimiter)
    j = rng.randrange(len(cells))
    what = rng.choice(["replace", "replace", "replace", "drop", "double"])
    cells[j : j + 1] = {"replace": [rng.choice(NASTY)], "drop": [], "double": [cells[j], cells[j]]}[what]
    rows[i] = delimiter.join(cells)
    return "\n".join(rows)


def comma_cell(text: str, rng: random.Random) -> str:
    return cell(text, rng, ",")


def rewritten(text: str, rng: random.Random) -> str:
    old, new = rng.choice(
        [(".", ","), ("\t", ","), ("\n", "\r"), ("\n", "\r\n"), (",", ";"), ("0", ""), ("-", "\u2212")]
    )
    return text.replace(old, new)


def seed(_: str, rng: random.Random) -> str:
    return str(rng.getrandbits(32))


TEXT = (number, noise, loss, lines)
XML = (*TEXT, value, value, value, value, name, kind)
TABLE = (*TEXT, cell, cell, cell, rewritten)
CSV = (*TEXT, comma_cell, comma_cell, comma_cell, rewritten)
#: How files are damaged, by their suffix; a text file holds a seed.
WAYS = {".osim": XML, ".xml": XML, ".sto": TABLE, ".mot": TABLE, ".csv": CSV, ".json": TEXT, ".txt": (seed,)}
