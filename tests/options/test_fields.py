"""Options as fields of classes: what the command line, studies, help and records make of them."""

import argparse
import copy
import inspect
import pickle
import pydoc
import re
from dataclasses import FrozenInstanceError, dataclass, replace
from pathlib import Path

import pytest

import opensim_inertia as oi
from opensim_inertia._core.options import Options, above, meant_by, option, whole
from opensim_inertia.options import Handsfield


@dataclass(frozen=True)
class Example(Options):
    """Options of a test."""

    size: float = option(2.0, "how large, in 100 % of cases", unit="m", check=above(0), metavar="S", synonyms=("bulk",))
    way: str = option(
        "left", "which way", choices=("left", "right"), keyword="example_way", synonyms=("turn", "a_side")
    )
    rows: int = option(1, "how many", check=whole(1, 9), setup=True)
    careful: bool = option(False, "look twice")
    bands: bool = option(True, "draw bands")
    file: Path | None = option(None, "what is read", parse=Path, is_file=True, recorded="input")
    inner: int = option(3, "for Python alone", only="python", recorded=None)


def parsed(*words: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    for entry in Example.asked().values():
        flag, about = entry.argument()
        parser.add_argument(flag, **about)
    return parser.parse_args(words)


def test_arguments_make_the_object() -> None:
    assert Example.of(vars(parsed())) == Example()
    words = ("--size", "3", "--example-way", "right", "--rows", "4", "--careful", "--no-bands", "--file", "a.mot")
    assert Example.of(vars(parsed(*words))) == Example(3.0, "right", 4, True, False, Path("a.mot"))
    assert "rows" not in parsed()  # what a setup says holds unless it is given
    assert Example.of({"rows": 7} | vars(parsed())).rows == 7


def test_help_is_written_once(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        parsed("--help")
    shown = " ".join(capsys.readouterr().out.split())
    assert "--size S how large, in 100 % of cases [m] (default: 2)" in shown and "do not draw bands" in shown
    assert "how many (default: the setup's)" in shown and "inner" not in shown
    text = " ".join(pydoc.plain(pydoc.render_doc(Example)).split())
    assert "size: how large, in 100 % of cases [m]; default: 2.0." in text
    assert "way: which way (left, right); default: 'left'." in text and "inner: for Python alone" in text


@pytest.mark.parametrize(
    ("values", "told"),
    [
        ({"size": 0}, "size=0: expected a number above 0"),
        ({"size": True}, "size=True: expected"),
        ({"way": "up"}, "Example(way='up'): expected one of 'left', 'right'"),
        ({"rows": 10}, "rows=10: expected a whole number from 1 to 9"),
        ({"rows": 2.5}, "rows=2.5: expected a whole number"),
    ],
)
def test_values_are_checked_where_the_object_is_made(values: dict[str, object], told: str) -> None:
    with pytest.raises(oi.errors.OptionError) as caught:
        Example(**values)
    assert told in str(caught.value)
    with pytest.raises(FrozenInstanceError):
        Example().size = 3.0  # type: ignore[misc]


@pytest.mark.parametrize(
    ("word", "names", "meant"),
    [
        ("bulk", ["size", "rows"], ["size"]),
        ("Bulks", ["rows", "size"], ["size"]),
        ("a-side", ["example-way", "size"], ["example-way"]),
        ("turn", ["way", "example_way"], ["way", "example_way"]),
        ("ro", ["rows", "row-range", "size"], ["rows", "row-range"]),
        ("siez", ["rows", "size"], ["size"]),
        ("bulk", ["rows"], []),
    ],
)
def test_synonyms_are_known_where_their_option_is(word: str, names: list[str], meant: list[str]) -> None:
    assert meant_by(word, names) == meant


def test_python_says_what_a_wrong_keyword_means() -> None:
    for call, told in (
        (lambda: Example(bulk=3.0), "Example has no option 'bulk'; did you mean 'size'?"),
        (lambda: oi.Recording("walk.mot", filter=6.0), "Recording has no option 'filter'; did you mean 'cutoff'?"),
        (lambda: oi.Recording("walk.mot", grf="grf.xml"), "'grf'; did you mean 'external_loads'?"),
        (lambda: Handsfield(1.8, weight=70.0), "'weight'; did you mean 'body_mass'?"),
        (lambda: Example(nonsense=1), "unexpected keyword argument 'nonsense'"),
    ):
        with pytest.raises(TypeError, match=re.escape(told)):
            call()
    assert pickle.loads(pickle.dumps(Example(3.0))) == copy.deepcopy(Example(3.0)) == replace(Example(), size=3.0)
    assert list(inspect.signature(Example).parameters) == list(Example.entries())
