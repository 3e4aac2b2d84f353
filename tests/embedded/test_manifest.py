from __future__ import annotations

import pytest

from metaclaw_tray.embedded.manifest import HubSource, IndexSource, load_manifest, read_manifest
from metaclaw_tray.errors import ModelError, NotFoundError

OWN = """
[[models]]
id = "mine"
name = "My model"
publisher = "Me"
licence = "MIT"
file = "mine.gguf"
bytes = 10
sha256 = "{hash}"
context = 4096
[[models.sources]]
kind = "hub"
url = "https://example.org/mine.gguf"
note = "my own"
""".format(hash="0" * 64)

INDEX = """
[[models.sources]]
kind = "index"
note = "wheels"
parts = [{ package = "p", version = "1", sha256 = "HASH", member = "p/a.bin", bytes = 9 }]
""".replace("HASH", "0" * 64)


def write_own(paths, text: str):
    paths.config_dir.mkdir(parents=True)
    file = paths.config_dir / "models.toml"
    file.write_text(text, "utf-8")
    return file


def test_the_built_in_model_comes_from_its_publisher_first_and_then_from_the_index(paths):
    model = load_manifest(paths).default
    publisher, repack = model.sources
    assert (model.licence, model.bytes) == ("Apache-2.0", 1_117_320_768)
    assert isinstance(publisher, HubSource)
    assert isinstance(repack, IndexSource)
    assert len(repack.parts) == 22
    assert len({part.sha256 for part in repack.parts}) == 22
    assert "anonymous" in repack.note
    assert "without a licence statement" in repack.note


def test_a_model_of_ones_own_is_added_behind_the_built_in_ones(paths):
    write_own(paths, OWN)
    manifest = load_manifest(paths)
    assert manifest.models[-1].id == "mine"
    assert manifest.default.id != "mine"
    assert manifest.find("mine").name == "My model"


def test_a_model_with_a_known_id_replaces_the_built_in_one_in_its_place(paths):
    built_in = load_manifest(paths).default.id
    write_own(paths, OWN.replace('"mine"', f'"{built_in}"'))
    manifest = load_manifest(paths)
    assert len(manifest.models) == 1
    assert manifest.default.name == "My model"


def test_an_unknown_model_is_answered_with_the_known_ones(paths):
    with pytest.raises(NotFoundError) as fault:
        load_manifest(paths).find("gpt")
    assert "qwen2.5-coder-1.5b" in fault.value.remedy


@pytest.mark.parametrize(
    ("written", "instead", "said"),
    [
        ("licence =", "license =", "license: is not a known key (did you mean 'licence'?)"),
        ('sha256 = "', 'sha256 = "x', "sha256"),
        ("bytes = 10", "bytes = 0", "bytes"),
        ("bytes = 10", 'bytes = "10"', "bytes"),
        ("mine.gguf", "../mine.gguf", "models.1.file"),
        ("https://", "http://", "https://"),
        ('kind = "hub"', 'kind = "torrent"', "torrent"),
        ("context = 4096", "context = ", "line 10"),
        ("[[models.sources]]", INDEX + "[[models.sources]]", "the parts hold 9 bytes"),
        ("[[models.sources]]", INDEX.replace("p/a", "p/../../a") + "[[models.sources]]", "inside the wheel"),
    ],
)
def test_a_broken_list_is_refused_with_the_file_and_the_place(paths, written, instead, said):
    file = write_own(paths, OWN.replace(written, instead, 1))
    with pytest.raises(ModelError) as fault:
        load_manifest(paths)
    assert str(file) in fault.value.detail
    assert said in fault.value.detail
    assert fault.value.remedy


def test_two_models_may_not_share_a_file(paths):
    write_own(paths, OWN.replace("mine.gguf", "qwen2.5-coder-1.5b-instruct-q4_k_m.gguf", 1))
    with pytest.raises(ModelError, match="two models have the file"):
        load_manifest(paths)


def test_a_list_that_is_not_text_is_refused(tmp_path):
    file = tmp_path / "models.toml"
    file.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ModelError, match="cannot be read"):
        read_manifest(file)
