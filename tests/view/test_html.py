"""HTML: escaped, without scripts, whole."""

from __future__ import annotations

import itertools
import re
from html.parser import HTMLParser

from hypothesis import given
from hypothesis import strategies as st

from bytepair.view.html import page_html, tokenizer_html, tokens_html
from bytepair.view.pieces import TokenView, readable

VOID = {"br", "meta"}


class Reader(HTMLParser):
    """Reads a page, fails where tags do not pair, and keeps the tags, attributes and text."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: set[str] = set()
        self.attributes: list[tuple[str, str | None]] = []
        self.text = ""
        self.feed(html)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attributes):
        self.tags.add(tag)
        self.attributes += attributes
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text += data


def views(*tokens: bytes) -> list[TokenView]:
    return [TokenView(number, token, readable(token)) for number, token in enumerate(tokens, 70)]


def test_tokens_with_ids():
    page = Reader(tokens_html(views(b"Hello", b" world", "東".encode()[:2])))
    assert page.text == r"Hello70·world71\xe6\x9d72"
    assert [value for name, value in page.attributes if name == "title"] == [
        "70: 48 65 6c 6c 6f",
        "71: 20 77 6f 72 6c 64",
        "72: e6 9d",
    ]


def test_tokens_without_ids():
    assert Reader(tokens_html(views(b"a", b"b"), with_ids=False)).text == "ab"


def test_neighbours_differ():
    html = tokens_html(views(*[b"a"] * 30))
    colours = re.findall(r"background:(#\w+)", html)
    assert len(colours) == 30
    assert all(left != right for left, right in itertools.pairwise(colours))


def test_a_newline_breaks_the_line():
    assert tokens_html(views(b"a\n", b"b")).count("<br>") == 1


def test_a_special_token_is_bold():
    special = TokenView(1, b"<end>", readable(b"<end>"), special=True)
    assert "bold" in tokens_html([special])
    assert "bold" not in tokens_html(views(b"<end>"))


@given(st.lists(st.text().map(str.encode) | st.binary(), max_size=8))
def test_any_token_is_escaped(tokens):
    page = Reader(page_html("</title><script>", [("<i>&", tokens_html(views(*tokens)))]))
    assert not page.tags & {"script", "i"}
    assert not any(name.startswith("on") for name, _ in page.attributes)


def test_an_attack_stays_text():
    attack = b"<img src=x onerror=alert(1)>\"'&"
    page = Reader(tokens_html(views(attack)))
    assert page.tags == {"div", "span"}
    assert attack.decode().replace(" ", "·") in page.text


def test_a_page_is_whole_and_fetches_nothing():
    html = page_html("Tokens", [("gpt2: 1 token", tokens_html(views(b"a")))])
    assert html.startswith("<!DOCTYPE html>")
    assert Reader(html).tags >= {"html", "head", "title", "body", "h2"}
    assert not re.search(r"https?:|<script|<link|url\(", html)


def test_a_tokenizer_with_the_fewest_parts(tokenizer):
    page = Reader(tokenizer_html(tokenizer("ab")))
    assert "list" in page.text
    assert "257" in page.text
    assert "pattern" not in page.text


def test_a_tokenizer_with_all_parts(tokenizer):
    tok = tokenizer("ab", special_tokens={f"<{n}>": n for n in range(20)})
    tok.vocab_size, tok.pattern = 1234, (r"<\d+>", " ?&")
    page = Reader(tokenizer_html(tok))
    assert "1,234" in page.text
    assert r"<\d+>" in page.text
    assert "<0> 0" in page.text
    assert "12 more" in page.text
