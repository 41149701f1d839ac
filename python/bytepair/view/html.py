"""Tokens and tokenizers as HTML: inline styles, no scripts, nothing fetched, everything escaped.

Tokens bring their own ink and ground, and all else takes the page's, so that both light and dark
pages fit.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from html import escape

from bytepair.protocol import TokenizerLike
from bytepair.view.colours import ESCAPE_INK, GROUNDS, INK, MUTED_INK
from bytepair.view.pieces import Kind, TokenView, printable

__all__ = ["page_html", "tokenizer_html", "tokens_html"]

SPAN_STYLES = {
    Kind.BLANK: f"color:{MUTED_INK}",
    Kind.ESCAPE: f"color:{ESCAPE_INK};font-style:italic",
}
# A tile is an inline block of its own direction, so that right-to-left tokens stay in their order.
TILE_STYLE = (
    f"display:inline-block;unicode-bidi:isolate;color:{INK};"
    "margin:1px;padding:1px 3px;border-radius:3px;vertical-align:top"
)
ID_STYLE = f"display:block;font-size:.7em;line-height:1.2;color:{MUTED_INK}"
MONOSPACE = "font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace"
SPECIALS_SHOWN = 8


def tokens_html(pieces: Iterable[TokenView], *, with_ids: bool = True) -> str:
    """A `<div>` with a tile for each token; its title has the id and the bytes in hex.

    >>> from bytepair.view.pieces import readable
    >>> html = tokens_html([TokenView(7, b"<b>", readable(b"<b>"))])
    >>> "&lt;b&gt;" in html, 'title="7: 3c 62 3e"' in html
    (True, True)
    """
    parts = [f'<div style="{MONOSPACE};line-height:1.5;overflow-wrap:anywhere">']
    for place, view in enumerate(pieces):
        parts.append(tile_html(view, GROUNDS[place % len(GROUNDS)], with_ids))
        if view.data.endswith(b"\n"):
            parts.append("<br>")
    return "".join([*parts, "</div>"])


def tile_html(view: TokenView, ground: str, with_ids: bool) -> str:
    shown = "".join(
        f'<span style="{SPAN_STYLES[span.kind]}">{escape(span.text)}</span>'
        if span.kind in SPAN_STYLES
        else escape(span.text)
        for span in view.spans
    )
    weight = ";font-weight:bold" if view.special else ""
    known = with_ids and view.id is not None
    number = f'<span style="{ID_STYLE}">{view.id}</span>' if known else ""
    title = view.data.hex(" ") if view.id is None else f"{view.id}: {view.data.hex(' ')}"
    return (
        f'<span title="{title}" '
        f'style="{TILE_STYLE};background:{ground}{weight}">{shown}{number}</span>'
    )


def tokenizer_html(tokenizer: TokenizerLike) -> str:
    """A small table of what a tokenizer is: the parts that it has, the others left out."""
    rows = {"tokens": f"{len(tokenizer):,}"}
    vocab_size = getattr(tokenizer, "vocab_size", None)
    if vocab_size is not None:
        rows["vocab_size"] = f"{vocab_size:,}"
    pattern = getattr(tokenizer, "pattern", None)
    if pattern is not None:
        stages = (pattern,) if isinstance(pattern, str) else pattern
        rows["pattern"] = "<br>".join(f"<code>{escaped(stage)}</code>" for stage in stages)
    special: Mapping[str, int] = getattr(tokenizer, "special_tokens", {})
    if special:
        rows["special tokens"] = special_html(special)
    name = escaped(tokenizer.name or "tokenizer")
    body = "".join(
        f'<tr><th style="text-align:left;vertical-align:top">{key}</th>'
        f'<td style="text-align:left;overflow-wrap:anywhere">{value}</td></tr>'
        for key, value in rows.items()
    )
    return f"<table><caption><b>{name}</b></caption>{body}</table>"


def special_html(special: Mapping[str, int]) -> str:
    first = sorted(special.items(), key=lambda item: item[1])[:SPECIALS_SHOWN]
    shown = ", ".join(f"<code>{escaped(token)}</code> {number}" for token, number in first)
    more = len(special) - len(first)
    return f"{shown} and {more:,} more" if more else shown


def escaped(text: str) -> str:
    return escape(printable(text))


def page_html(title: str, sections: Iterable[tuple[str, str]]) -> str:
    """A whole page from headings (text) and bodies (HTML), light or dark as the reader has it."""
    body = "\n".join(
        f"<h2>{escaped(heading)}</h2>\n{html}" if heading else html for heading, html in sections
    )
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{escaped(title)}</title>
</head>
<body style="font-family:system-ui,sans-serif;max-width:70em;margin:2em auto;padding:0 1em">
{body}
</body>
</html>
"""
