"""What is in a vocabulary, what it costs in parameters, and three numbers with one name."""

from __future__ import annotations

from typing import NamedTuple

from bytepair.errors import VocabError
from bytepair.protocol import TokenizerLike
from bytepair.studies.study import Cell, Chart, Study, Table, by_name, cut
from bytepair.studies.subjects import Tokenizers, bundled

__all__ = ["MODELS", "Model", "run"]

SENTENCE = "今天西安的天气怎么样？"
FIVE = ("cl100k_base", "o200k_base", "deepseek_v3", "glm4", "qwen2.5")
SHOWN_IDS = (0, 1, 32, 220, 255, 256, 257, 1000, 10_000, 50_000)


class Model(NamedTuple):
    """As published: rows of the embedding, its width, whether input and output share one, and all
    parameters in millions (0: not published)."""

    name: str
    rows: int
    width: int
    tied: bool
    parameters: int
    source: str


#: Rows as in each model's configuration, padding included.
MODELS = (
    Model("GPT-2 small", 50_257, 768, True, 124, "Radford and others, 2019; the released weights"),
    Model("GPT-2 XL", 50_257, 1600, True, 1558, "Radford and others, 2019; the released weights"),
    Model("Llama 2 7B", 32_000, 4096, False, 6738, "Touvron and others, 2023; its config.json"),
    Model("Mistral 7B", 32_000, 4096, False, 7242, "Jiang and others, 2023; its config.json"),
    Model("Llama 3 8B", 128_256, 4096, False, 8030, "Llama team, 2024; its config.json"),
    Model("Qwen2.5 0.5B", 151_936, 896, True, 494, "Qwen team, 2024; its config.json"),
    Model("Qwen2.5 7B", 152_064, 3584, False, 7616, "Qwen team, 2024; its config.json"),
    Model("Gemma 2 2B", 256_000, 2304, True, 2614, "Gemma team, 2024; its config.json"),
    Model("GLM-4 9B", 151_552, 4096, False, 9400, "GLM team, 2024; its config.json"),
    Model("DeepSeek-V3", 129_280, 7168, False, 671_026, "DeepSeek-AI, 2024; its config.json"),
)


def embedding_parameters(model: Model) -> int:
    """Rows times width, twice where the output has a matrix of its own."""
    return model.rows * model.width * (1 if model.tied else 2)


def run(*, tokenizers: Tokenizers | None = None) -> Study:
    """What is in a vocabulary, and what does it cost?"""
    five = tokenizers or bundled(*FIVE)
    small = MODELS[0]
    share = 100 * embedding_parameters(small) / (small.parameters * 1e6)
    counts = {name: len(tok.encode(SENTENCE)) for name, tok in five.items()}
    torn = {name: sum(map(is_torn, cut(tok, SENTENCE).pieces)) for name, tok in five.items()}
    return Study(
        name="models",
        question=run.__doc__ or "",
        findings=(
            f"`{SENTENCE}` is {len(SENTENCE)} characters and takes "
            + f"{by_name(counts)} tokens; pieces of a character among them: {by_name(torn)}.",
            f"The table of {small.name} is {small.rows:,} × {small.width} = "
            f"{embedding_parameters(small):,} parameters, {share:.0f} % of all that it has.",
            "Three numbers are called vocabulary size: how many tokens there are, the highest id "
            "+ 1, and the rows that a model reserves.",
        ),
        tables=(sizes_table(), cost_table(), sentence_table(five), id_table(five)),
        charts=(
            Chart(
                "Parameters of the embeddings, of all parameters (%)",
                "bar",
                "model",
                "%",
                {
                    "share": [
                        (m.name, 100 * embedding_parameters(m) / (m.parameters * 1e6))
                        for m in MODELS
                    ]
                },
            ),
        ),
    )


def is_torn(piece: bytes) -> bool:
    """Whether these bytes are no whole characters."""
    try:
        piece.decode("utf-8")
    except UnicodeDecodeError:
        return True
    return False


def sizes_table() -> Table:
    from bytepair.formats import load
    from bytepair.registry import info, names

    rows: list[tuple[Cell, ...]] = []
    for name in names():
        tok, published = load(name), info(name).published_vocab_size
        rest = published - tok.vocab_size
        rows.append((name, len(tok), tok.vocab_size, len(tok.gaps), published, rest))
    return Table(
        "three numbers called vocabulary size",
        ("tokenizer", "tokens", "highest id + 1", "ids that nothing holds", "published", "padding"),
        rows,
        note="Padding: rows that a model has beyond the highest id, to reach a round number.",
    )


def cost_table() -> Table:
    rows: list[tuple[Cell, ...]] = [
        (
            model.name,
            model.rows,
            model.width,
            "one matrix" if model.tied else "two",
            embedding_parameters(model),
            100 * embedding_parameters(model) / (model.parameters * 1e6),
            model.source,
        )
        for model in MODELS
    ]
    columns = ("model", "rows", "width", "input, output", "parameters", "of all (%)", "source")
    return Table("what the table costs", columns, rows, {"of all (%)": 1})


def sentence_table(tokenizers: Tokenizers) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for name, tok in tokenizers.items():
        ids = tok.encode(SENTENCE)
        rows.append((name, len(ids), cut(tok, SENTENCE), " ".join(map(str, ids))))
    return Table(SENTENCE, ("tokenizer", "tokens", "cut into", "ids"), rows)


def id_table(tokenizers: Tokenizers) -> Table:
    """A few ids, and what they are: the first of the bytes, the first of the merges, and later."""
    rows: list[tuple[Cell, ...]] = [
        (id, *(token_of(tok, id) for tok in tokenizers.values())) for id in SHOWN_IDS
    ]
    return Table("what an id stands for", ("id", *tokenizers), rows)


def token_of(tokenizer: TokenizerLike, id: int) -> str | None:
    """The token in quotes, in hex where it is no text, nothing where there is none."""
    try:
        token = tokenizer.token_bytes(id)
    except VocabError:
        return None
    return token.hex() if is_torn(token) else repr(token.decode())
