"""Run an experiment that explains what models do.

Without NAME the studies are listed; `all` runs every one. Each has tables and
findings, and most have charts: --plot draws them (svg, png or pdf, by the
suffix), --html makes a page of everything. Texts and tokenizers are those that
the study chose, unless --tokenizer or --text puts others in their place.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bytepair.cli import words
from bytepair.cli.options import load_several
from bytepair.cli.streams import print_json, write_whole
from bytepair.errors import BytepairError

if TYPE_CHECKING:
    from bytepair.studies import Chart, Study

__all__ = ["SUMMARY", "add_arguments", "run"]

SUMMARY = "the experiments, with tables and plots"
ALL = "all"
#: Who gives this back has a token for everything.
PROBE = "Hello,  wörld 12345 今天 🌍\n"
#: What may stand in the place of a study's own subjects.
OPTIONS = {"tokenizers": "--tokenizer", "text": "--text"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("name", metavar="NAME", nargs="?", help="a study, or `all`; none: list them")
    add(
        "-t",
        "--tokenizer",
        metavar="TOKENIZER",
        action="append",
        help="in the place of the study's own; may be given more than once",
    )
    add("--text", metavar="FILE", help="a text in the place of the study's own")
    add("--plot", metavar="OUT", help="draw the charts into OUT (.svg, .png or .pdf)")
    add("--html", metavar="OUT", help="write a page to OUT")
    add("--json", action="store_true", help="write one JSON object")


def run(options: argparse.Namespace) -> int:
    from bytepair import studies

    if options.name is None:
        list_studies(options.json)
        return 0
    if options.plot is not None:
        suffix_of(options.plot)
    names = studies.names() if options.name == ALL else (options.name,)
    done = [studies.run(name, **given(options, name)) for name in names]
    if options.plot is not None:
        save_plot(options.plot, [chart for study in done for chart in study.charts])
    if options.html is not None:
        save_page(options.html, done)
    if options.json:
        objects = [study.as_json() for study in done]
        print_json(objects if options.name == ALL else objects[0])
    elif options.html is None:
        show(done)
    return 0


def given(options: argparse.Namespace, name: str) -> dict[str, Any]:
    """The subjects that the user chose, for a study that takes such; of `all` for those that do."""
    from bytepair import studies

    chosen: dict[str, Any] = {}
    if options.tokenizer:
        chosen["tokenizers"] = options.tokenizer
    if options.text:
        chosen["text"] = options.text
    taken = studies.options(name)
    if options.name == ALL:
        chosen = {key: value for key, value in chosen.items() if key in taken}
    for key in chosen.keys() - taken:
        raise BytepairError(
            f"the study `{name}` has its own subjects: it takes no `{OPTIONS[key]}`",
            hint="`bytepair study` lists what each takes",
        )
    if "tokenizers" in chosen:
        chosen["tokenizers"] = load_several(chosen["tokenizers"])
        for each, tokenizer in chosen["tokenizers"].items():
            if tokenizer.decode_bytes(tokenizer.encode(PROBE)) != PROBE.encode():
                words.warning(
                    f"`{each}` loses what is not in its table; its `<UNK>` count as tokens"
                )
    if "text" in chosen:
        chosen["text"] = read(chosen["text"])
    return chosen


def read(path: str) -> str:
    from bytepair.cli.streams import open_input

    with open_input(path) as file:
        return file.read().decode("utf-8", "replace")


def list_studies(as_json: bool) -> None:
    from bytepair import studies

    if as_json:
        print_json({name: studies.question(name) for name in studies.names()})
        return
    width = max(map(len, studies.names()))
    for name in studies.names():
        takes = [option for key, option in OPTIONS.items() if key in studies.options(name)]
        print(f"{name:<{width}}  {studies.question(name)}", f"[{', '.join(takes)}]")


def show(done: list[Study]) -> None:
    from bytepair.cli.screen import Screen
    from bytepair.view.study import print_study

    console = Screen().widen()
    for at, study in enumerate(done):
        if at:
            console.print()
        print_study(study, console)


def suffix_of(path: str) -> str:
    from bytepair.view.plot import FORMATS

    suffix = Path(path).suffix.removeprefix(".").lower()
    if suffix not in FORMATS:
        endings = ", ".join(f"`.{each}`" for each in FORMATS)
        raise BytepairError(
            f"`{words.printable(path)}`: plots end in {endings}", hint="the suffix says which"
        )
    return suffix


def save_plot(path: str, charts: list[Chart]) -> None:
    from bytepair.view.plot import draw

    drawn = draw(charts, suffix_of(path))
    with write_whole(path) as file:
        file.write(drawn)
    words.say(f"wrote {words.printable(path)}")


def save_page(path: str, done: list[Study]) -> None:
    from bytepair.view.html import page_html
    from bytepair.view.plot import draw
    from bytepair.view.study import study_html

    sections = []
    for study in done:
        question, body = study_html(study)
        try:
            drawing = draw(study.charts).decode()
        except BytepairError as error:  # a page without its plots is still a page
            words.warning(error.message)
        else:
            body += drawing[drawing.index("<svg") :]
        sections.append((question, body))
    title = done[0].question if len(done) == 1 else "Studies"
    with write_whole(path) as file:
        file.write(page_html(title, sections).encode())
    words.say(f"wrote {words.printable(path)}")
