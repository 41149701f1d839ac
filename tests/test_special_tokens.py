"""Special tokens: ordinary text unless they are allowed, leftmost first, longest first."""

from __future__ import annotations

import re

import pytest
from hard_texts import ANY_TEXT, NAMES, SPECIAL_TOKENS, TEXTS, as_data, reference, trained
from hypothesis import given
from hypothesis import strategies as st

from bytepair import SpecialTokenError, Tokenizer

BYTES = {bytes([byte]): byte for byte in range(256)}


def bytes_with(special_tokens: object) -> Tokenizer:
    """Bytes alone, so that every id below 256 is ordinary text."""
    return Tokenizer.from_merges([], pattern=None, special_tokens=special_tokens)  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def tok() -> Tokenizer:
    return bytes_with({"<a>": 300, "<a>>": 301, "<b>": 302})


# ------------------------------------------------------------------ encode


def test_by_default_they_are_ordinary_text(tok: Tokenizer) -> None:
    assert tok.encode("<a>") == [60, 97, 62]
    assert tok.count("<a>") == 3
    assert list(tok.encode_stream(["<a>"])) == [60, 97, 62]
    assert tok.encode_batch(["<a>"]) == [[60, 97, 62]]


@pytest.mark.parametrize("allowed", ["all", ["<a>", "<b>", "<a>>"], {"<a>", "<a>>"}])
def test_allowed_ones_become_control_tokens(tok: Tokenizer, allowed: object) -> None:
    assert tok.encode("x<a>y<a>>", allowed_special=allowed) == [120, 300, 121, 301]  # type: ignore[arg-type]


def test_only_those_that_are_allowed(tok: Tokenizer) -> None:
    assert tok.encode("<a><b>", allowed_special={"<b>"}) == [60, 97, 62, 302]
    assert tok.encode("<a>>", allowed_special={"<a>"}) == [300, 62]
    assert tok.encode("<a>", allowed_special=()) == tok.encode("<a>", allowed_special=[])
    assert tok.encode("<a>", allowed_special=iter(["<a>"])) == [300]


def test_leftmost_then_longest(tok: Tokenizer) -> None:
    assert tok.encode("<a>>>", allowed_special="all") == [301, 62]
    overlap = bytes_with({"ab": 300, "bcd": 301, "abc": 302})
    assert overlap.encode("abcd", allowed_special="all") == [302, 100]
    assert overlap.encode("abcd", allowed_special={"ab", "bcd"}) == [300, 99, 100]
    assert overlap.encode("abcd", allowed_special={"bcd"}) == [97, 301]


def test_in_every_call(tok: Tokenizer) -> None:
    text, ids = "<a>x<b>", [300, 120, 302]
    assert tok.encode_to_numpy(text, allowed_special="all").tolist() == ids
    assert tok.encode_batch([text, text], allowed_special="all") == [ids, ids]
    assert tok.encode_batch_to_numpy([text], allowed_special="all").ids.tolist() == ids
    assert list(tok.encode_stream([text], allowed_special="all")) == ids
    assert tok.count(text, allowed_special="all") == 3
    assert tok.count_batch([text], allowed_special="all").tolist() == [3]
    assert tok.offsets(text, allowed_special="all") == [(0, 3), (3, 4), (4, 7)]


def test_the_pattern_does_not_see_across_them() -> None:
    tok = trained("gpt2")
    left, right = tok.encode("the "), tok.encode(" cat")
    special = tok.special_tokens["<|a|>"]
    assert tok.encode("the <|a|> cat", allowed_special="all") == [*left, special, *right]


def test_in_bytes_they_are_found_too(tok: Tokenizer) -> None:
    assert tok.encode(b"\xff<a>\xff", allowed_special="all") == [255, 300, 255]


def test_they_are_found_before_normalization() -> None:
    tok = Tokenizer.from_merges(
        [], pattern=None, special_tokens={"<e\u0301>": 300, "<é>": 301}, normalization="nfc"
    )
    assert tok.encode("<e\u0301><é>", allowed_special="all") == [300, 301]
    # A mark after a special token has nothing to compose with.
    assert tok.encode("e<é>\u0301", allowed_special="all") == [101, 301, 0xCC, 0x81]


@pytest.mark.parametrize("name", NAMES)
@given(text=ANY_TEXT, allowed=st.sets(st.sampled_from(SPECIAL_TOKENS)))
def test_the_reference_splits_alike(name: str, text: str | bytes, allowed: set[str]) -> None:
    tok = trained(name)
    ids = tok.encode(text, allowed_special=allowed)
    assert ids == reference(tok).encode(text, allowed)
    assert tok.decode_bytes(ids) == as_data(text)
    assert tok.count(text, allowed_special=allowed) == len(ids)


# ------------------------------------------------------------------ disallowed


@pytest.mark.parametrize("disallowed", ["all", ["<a>"], {"<a>", "<b>"}])
def test_disallowed_ones_raise(tok: Tokenizer, disallowed: object) -> None:
    named = re.escape("holds the special token `<a>` at byte 3")
    for call in (tok.encode, tok.encode_to_numpy, tok.offsets):
        with pytest.raises(SpecialTokenError, match=named):
            call("é <a>", disallowed_special=disallowed)
    for batch in (tok.encode_batch, tok.encode_batch_to_numpy):
        with pytest.raises(SpecialTokenError, match=named) as error:
            batch(["x", "é <a>"], disallowed_special=disallowed)
        assert error.value.__notes__ == ["in text 1 of the batch"]
    with pytest.raises(SpecialTokenError, match=named):
        list(tok.encode_stream(["é <", "a>"], disallowed_special=disallowed))


def test_disallowed_all_means_all_that_are_not_allowed(tok: Tokenizer) -> None:
    assert tok.encode("<a>", allowed_special={"<a>"}, disallowed_special="all") == [300]
    with pytest.raises(SpecialTokenError, match="`<b>` at byte 3"):
        tok.encode("<a><b>", allowed_special={"<a>"}, disallowed_special="all")
    assert tok.encode("<a>", allowed_special="all", disallowed_special="all") == [300]


def test_disallowed_ones_that_are_absent_do_nothing(tok: Tokenizer) -> None:
    assert tok.encode("<a", disallowed_special="all") == [60, 97]
    assert tok.encode("<b>", disallowed_special={"<a>"}) == [60, 98, 62]


@given(text=TEXTS)
def test_disallowed_raises_exactly_where_allowed_finds_one(text: str) -> None:
    tok = trained("gpt2")
    found = set(tok.encode(text, allowed_special="all")) & set(tok.special_tokens.values())
    try:
        ids = tok.encode(text, disallowed_special="all")
    except SpecialTokenError:
        assert found
    else:
        assert not found
        assert ids == tok.encode(text)


# ------------------------------------------------------------------ arguments


@pytest.mark.parametrize("option", ["allowed_special", "disallowed_special"])
def test_arguments_that_cannot_be_meant(tok: Tokenizer, option: str) -> None:
    with pytest.raises(SpecialTokenError, match=r"`<c>` is no special token"):
        tok.encode("x", **{option: ["<c>"]})  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"did you mean \{`<a>`\}"):
        tok.encode("x", **{option: "<a>"})  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        tok.encode("x", **{option: None})  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        tok.encode("x", **{option: [1]})  # type: ignore[list-item]


# ------------------------------------------------------------------ building


def test_names_are_numbered_from_the_next_free_id() -> None:
    assert bytes_with(["<x>", "<y>"]).special_tokens == {"<x>": 256, "<y>": 257}
    merged = Tokenizer.from_merges([(b"a", b"b")], special_tokens=["<x>"])
    assert merged.special_tokens == {"<x>": 257}
    ranked = Tokenizer.from_ranks(BYTES | {b"ab": 400}, pattern=None, special_tokens=["<x>"])
    assert ranked.special_tokens == {"<x>": 401}


def test_with_special_tokens(tok: Tokenizer) -> None:
    more = tok.with_special_tokens({"<c>": 256})
    assert more.special_tokens == {"<c>": 256, "<a>": 300, "<a>>": 301, "<b>": 302}
    assert tok.special_tokens == {"<a>": 300, "<a>>": 301, "<b>": 302}
    assert more.encode("<c><a>", allowed_special="all") == [256, 300]
    assert tok.with_special_tokens(["<c>", "<d>"]).special_tokens["<d>"] == 304
    assert tok.with_special_tokens({"<a>": 300}) == tok
    assert tok.with_special_tokens([]) == tok


@pytest.mark.parametrize(
    ("given", "named"),
    [
        ({"": 300}, "is the empty text"),
        ({"<x>": 97}, r"`<x>` cannot have the id 97, which is the token `a`"),
        ({"<x>": 300, "<y>": 300}, r"`<x>` and `<y>` share the id 300"),
        (["<x>", "<x>"], r"`<x>` is given twice"),
        ({"\ud800": 300}, r"`'\\ud800'` holds a lone surrogate"),
    ],
)
def test_clashes_are_named(given: object, named: str) -> None:
    with pytest.raises(SpecialTokenError, match=named):
        bytes_with(given)


def test_with_special_tokens_clashes_with_those_that_are_there(tok: Tokenizer) -> None:
    with pytest.raises(SpecialTokenError, match="`<a>`"):
        tok.with_special_tokens({"<a>": 400})
    with pytest.raises(SpecialTokenError, match="share the id 300"):
        tok.with_special_tokens({"<x>": 300})
    with pytest.raises(SpecialTokenError, match="`<a>`"):
        tok.with_special_tokens(["<a>"])


@pytest.mark.parametrize("given", ["<x>", {b"<x>": 300}, [1], {"<x>": "300"}, {"<x>": 1.5}, 7])
def test_what_is_no_special_token_is_a_type_error(given: object) -> None:
    with pytest.raises(TypeError):
        bytes_with(given)


def test_one_that_is_a_token_already_may_be_named_in_the_vocabulary() -> None:
    vocab = {byte: token for token, byte in BYTES.items()} | {256: b"<x>"}
    tok = Tokenizer.from_merges([], vocab=vocab, pattern=None, special_tokens={"<x>": 256})
    assert tok.encode("<x>") == [60, 120, 62]
    assert tok.encode("<x>", allowed_special="all") == [256]
    assert 256 not in tok.vocab


def test_they_decode_to_their_text(tok: Tokenizer) -> None:
    assert tok.decode([300, 120, 301]) == "<a>x<a>>"
    assert tok.token_bytes(301) == b"<a>>"
    assert tok.token_id("<a>>") == tok.token_id(b"<a>>") == 301
    assert 300 not in tok.vocab
