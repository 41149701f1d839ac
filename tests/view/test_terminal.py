"""Tokens on a terminal, with colour and without."""

from __future__ import annotations

import io
import itertools
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.console import Console
from rich.segment import Segment

from bytepair.view.colours import GROUNDS, INK
from bytepair.view.pieces import TokenView, readable, token_views
from bytepair.view.terminal import TokenFlow, print_comparison, print_tokens, uses_colour


def console(system: str | None = None, width: int = 60) -> Console:
    return Console(
        file=io.StringIO(),
        width=width,
        color_system=system,
        force_terminal=system is not None,
        legacy_windows=False,
        _environ={},
    )


def output(screen: Console) -> str:
    return screen.file.getvalue()


def plain(text: str) -> str:
    return re.sub(r"\x1b\[[0-9;]*m", "", text)


def views(*tokens: bytes) -> list[TokenView]:
    return [TokenView(number, token, readable(token)) for number, token in enumerate(tokens)]


def text_of(line: list[Segment]) -> str:
    return "".join(segment.text for segment in line)


def lines(screen: Console, flow: TokenFlow) -> list[str]:
    return [text_of(line) for line in flow.lines(screen, screen.width)]


def test_without_colour_bars_stand_between_tokens():
    assert lines(console(), TokenFlow(views(b"Hello", b" world", "東".encode()[:2]))) == [
        r"│Hello│·world│\xe6\x9d│"
    ]


def test_ids_stand_below_their_tokens():
    flow = TokenFlow([TokenView(9707, b"Hello", readable(b"Hello")), *views("世".encode())], True)
    assert lines(console(), flow) == ["│Hello│世│", "│9707 │0 │"]


def test_with_colour_no_bar_is_needed():
    assert lines(console("truecolor"), TokenFlow(views(b"a", b" b"))) == ["a·b"]
    assert lines(console("truecolor"), TokenFlow(views(b"a", b" b"), True)) == ["a ·b", "0 1 "]


def test_a_newline_ends_its_row():
    assert lines(console(), TokenFlow(views(b"a\n", b"\n", b"b"))) == ["│a⏎│", "│⏎│", "│b│"]


def test_rows_are_filled_with_whole_tokens():
    assert lines(console(width=9), TokenFlow(views(b"abc", b"def", b"ghi", b"j"))) == [
        "│abc│def│",
        "│ghi│j│",
    ]


def test_a_token_wider_than_the_row_goes_on_in_the_next():
    flow = TokenFlow(views(b"x" * 14, b"y"), with_ids=True)
    assert lines(console(width=10), flow) == [
        "│xxxxxxxx┆",
        "│0       ┆",
        "┆xxxxxx│y│",
        "┆      │1│",
    ]


def test_no_tokens_are_no_lines():
    assert lines(console(), TokenFlow([])) == []


def test_rows_come_one_by_one():
    endless = (view for _ in iter(int, 1) for view in views(b"word\n"))
    assert text_of(next(TokenFlow(endless).lines(console(), 20))) == "│word⏎│"


TOKENS = st.lists(st.text(min_size=1).map(str.encode) | st.binary(min_size=1), max_size=12)


@given(TOKENS, st.integers(8, 40), st.booleans(), st.sampled_from([None, "truecolor"]))
def test_every_row_fits_and_nothing_is_lost(tokens, width, with_ids, system):
    flow = TokenFlow(views(*tokens), with_ids)
    rows = lines(console(system, width), flow)
    assert all(cell_len(row) <= width for row in rows)
    written = "".join(rows[::2] if with_ids else rows)
    expected = "".join(view.text for view in views(*tokens))
    assert re.sub("[│┆ ]", "", written) == expected


@pytest.mark.parametrize("system", ["standard", "256", "truecolor"])
def test_neighbours_have_different_colours(system):
    tokens = views(*[b"a"] * 20)
    screen = console(system)
    (row,) = TokenFlow(tokens).lines(screen, 60)
    numbers = [each.style.bgcolor.downgrade(screen._color_system) for each in row]
    assert len(numbers) == 20
    assert all(left != right for left, right in itertools.pairwise(numbers))


def luminance(colour: str) -> float:
    channels = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def test_colours_are_legible_and_apart_in_grey_too():
    ring = [*GROUNDS, GROUNDS[0]]
    for left, right in itertools.pairwise(ring):
        assert abs(luminance(left) - luminance(right)) > 0.2
        assert (luminance(left) + 0.05) / (luminance(INK) + 0.05) > 7


def test_blanks_and_escapes_are_told_from_text_by_style():
    (row,) = TokenFlow(views(b" a\xe6")).lines(console("truecolor"), 60)
    styles = [segment.style for segment in row]
    assert len({style.color.name for style in styles}) == 3
    assert styles[2].italic


def test_a_special_token_is_bold():
    view = TokenView(7, b"<end>", readable(b"<end>"), special=True)
    (row,) = TokenFlow([view]).lines(console("truecolor"), 60)
    assert row[0].style.bold


@pytest.mark.parametrize(
    ("environment", "expected"),
    [({"TERM": "xterm"}, True), ({"TERM": "dumb"}, False), ({"NO_COLOR": "1", "TERM": "x"}, False)],
)
def test_when_colour_is_used(environment, expected):
    screen = Console(file=io.StringIO(), force_terminal=True, _environ=environment)
    assert uses_colour(screen) is expected


def test_a_file_gets_no_colour():
    assert not uses_colour(Console(file=io.StringIO(), _environ={"TERM": "xterm"}))


# ------------------------------------------------------------------ what is printed


def test_print_tokens(tokenizer):
    tok, screen = tokenizer("今天", "天气"), console()
    print_tokens("a name", "今天天气!", tok, tok.encode("今天天气!"), screen)
    assert output(screen).splitlines() == [
        "a name  3 tokens, 13 bytes, 4.33 bytes per token",
        "│今天│天气│! │",
        "│0   │1   │35│",
    ]


def test_print_tokens_without_ids(tokenizer):
    tok, screen = tokenizer("ab"), console()
    print_tokens("[bold]x", b"abab", tok, [0, 0], screen, with_ids=False)
    assert output(screen).splitlines()[0].startswith("[bold]x  2 tokens")
    assert output(screen).splitlines()[1:] == ["│ab│ab│"]


def test_comparison(tokenizer):
    screen = console(width=80)
    text = "low lower"
    print_comparison(text, {"bytes": tokenizer(), "words": tokenizer("low", " lower")}, screen)
    printed = output(screen)
    assert printed.splitlines()[0].strip() == text
    rows = {line.split()[0]: line.split() for line in printed.splitlines() if "│" in line}
    assert rows["bytes"] == ["bytes", "9", "1.00", "│l│o│w│·│l│o│w│e│r│"]
    assert rows["words"] == ["words", "2", "4.50", "│low│·lower│"]


def test_comparison_in_colour_has_the_same_words(tokenizer):
    screen = console("truecolor", width=80)
    print_comparison("low", {"x": tokenizer("low")}, screen)
    assert "│" not in output(screen)
    assert re.search(r"^x +1 +3\.00 +low *$", plain(output(screen)), re.MULTILINE)


def test_comparison_wraps_in_a_narrow_window(tokenizer):
    screen = console(width=50)
    print_comparison("low " * 30, {"x": tokenizer("low", " low")}, screen)
    assert all(cell_len(line) <= 50 for line in output(screen).splitlines())
    assert output(screen).count("│·low") == 29


def test_comparison_of_an_empty_text(tokenizer):
    screen = console(width=80)
    print_comparison("", {"x": tokenizer()}, screen)
    assert re.search(r"^x +0 +–", output(screen), re.MULTILINE)


@pytest.mark.parametrize("system", [None, "truecolor"])
def test_no_command_of_a_text_reaches_the_terminal(tokenizer, system):
    screen = console(system, width=100)
    tok = tokenizer()
    evil = "\x1b]0;owned\x07\x1b[2J\r\x08\u202e\x9b31m"
    print_tokens(evil, evil, tok, tok.encode(evil), screen)
    print_comparison(evil, {evil: tok}, screen)
    left = plain(output(screen)).replace("\n", "")
    assert [c for c in left if not c.isprintable()] == []
    assert r"\x1b" in left


def test_views_from_ids_that_are_no_list(tokenizer):
    tok = tokenizer("ab")
    flow = TokenFlow(token_views(tok, iter([0, 0])))
    assert lines(console(), flow) == ["│ab│ab│"]
