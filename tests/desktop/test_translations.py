"""What the window says can be translated, is translated into Dutch, and counts things properly in English."""

from __future__ import annotations

import ast
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree

import pytest
from PySide6.QtCore import QTranslator

from metaclaw_tray import desktop
from metaclaw_tray.paths import resources_dir

CODE = Path(desktop.__file__).parent
LANGUAGES = resources_dir() / "languages"
SHOWS = {
    "QLabel", "QPushButton", "QToolButton", "QCheckBox", "QRadioButton", "QAction", "QMenu", "QGroupBox",
    "QListWidgetItem", "QTableWidgetItem", "QTreeWidgetItem", "label", "heading", "button", "Empty",
    "setText", "setPlainText", "setHtml", "setTitle", "setWindowTitle", "setToolTip", "setStatusTip",
    "setWhatsThis", "setAccessibleName", "setAccessibleDescription", "setPlaceholderText",
    "setInformativeText", "setPrefix", "setSuffix", "setSpecialValueText", "setLabelText",
    "setHeaderLabels", "setHorizontalHeaderLabels", "addAction", "addMenu", "addSection", "addItem",
    "addItems", "addTab", "insertItem", "setTabText", "setItemText", "setTabToolTip", "addRow",
    "drawText",
}  # fmt: skip
NO_WORDS = {"MetaClaw Tray", "gpt-* = qwen3-coder"}  # a name, and an example in no language
ONE_TEXT = {"label", "heading", "button", "addItem"}  # what follows it is a kind, or what it stands for
KINDS = {"kind", "name", "symbol", "icon"}
EXAMPLE = re.compile(r"\S*[./]\S*")  # an address, a file: the same in each language
PLACE = re.compile(r"%n|%L?\d|\{\w*\}")


@dataclass(frozen=True)
class Text:
    context: str
    source: str
    comment: str
    forms: tuple[str, ...]
    counts: bool
    finished: bool

    @property
    def key(self) -> tuple[str, str, str]:
        return self.context, self.source, self.comment


def texts_of(file: Path) -> Iterator[Text]:
    for context in ElementTree.parse(file).getroot().iter("context"):
        for each in context.iter("message"):
            said = each.find("translation")
            assert said is not None
            forms = tuple(form.text or "" for form in said.iter("numerusform")) or (said.text or "",)
            yield Text(
                context.findtext("name", ""),
                each.findtext("source", ""),
                each.findtext("comment", ""),
                forms,
                each.get("numerus") == "yes",
                said.get("type") is None and all(forms),
            )


def tool(name: str) -> Path:
    found = Path(sys.executable).parent / name
    if not found.exists():
        pytest.skip(f"{name} is not installed")
    return found


def told(calls: ast.AST) -> Iterator[str]:
    """Words in the arguments of calls that show something, which did not come through a translation."""
    for call in ast.walk(calls):
        if not isinstance(call, ast.Call):
            continue
        name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
        if name not in SHOWS:
            continue
        named = [each.value for each in call.keywords if each.arg not in KINDS]
        first = 1 if name == "Empty" else 0  # before it stands a symbol's name
        plain = call.args[first : 1 if name in ONE_TEXT else None]
        for each in (*plain, *named):
            yield from words_in(each)


def words_in(node: ast.expr) -> Iterator[str]:
    match node:
        case ast.Constant(value=str(said)):
            said = re.sub(r"<[^>]*>", "", said)
            if re.search(r"[^\W\d_]{2}", said) and said not in NO_WORDS and not EXAMPLE.fullmatch(said):
                yield said
        case ast.JoinedStr(values=parts) | ast.List(elts=parts) | ast.Tuple(elts=parts):
            for each in parts:
                yield from words_in(each)
        case ast.IfExp(body=one, orelse=other) | ast.BinOp(left=one, right=other):
            yield from words_in(one)
            yield from words_in(other)


@pytest.mark.parametrize("file", sorted(CODE.rglob("*.py")), ids=lambda file: str(file.relative_to(CODE)))
def test_what_is_shown_comes_through_a_translation(file: Path) -> None:
    assert list(told(ast.parse(file.read_text("utf-8")))) == []


@pytest.fixture(scope="module", params=["en", "nl"])
def extracted(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> tuple[str, list[Text]]:
    """The translations of a language, brought up to what the code says now."""
    language = str(request.param)
    made = tmp_path_factory.mktemp("languages") / f"{language}.ts"
    shutil.copyfile(LANGUAGES / made.name, made)
    only = ["-pluralonly"] if language == "en" else []
    said = ["-silent", "-no-obsolete", "-locations", "none", "-extensions", "py", *only]
    command = [tool("pyside6-lupdate"), *said, "-target-language", language, CODE, "-ts", made]
    subprocess.run(command, check=True, capture_output=True)
    return language, list(texts_of(made))


def test_each_text_has_a_finished_translation(extracted: tuple[str, list[Text]]) -> None:
    """Where this fails: `packaging/translate`, fill in what is unfinished, and once more."""
    language, texts = extracted
    assert len(texts) > (1000 if language == "nl" else 50)
    assert [each.key for each in texts if not each.finished] == []
    assert all(each.context for each in texts), "a text without a context cannot be found by the window"


def test_nothing_is_kept_that_nobody_says(extracted: tuple[str, list[Text]]) -> None:
    language, texts = extracted
    kept = {each.key for each in texts_of(LANGUAGES / f"{language}.ts")}
    assert kept - {each.key for each in texts} == set()


@pytest.mark.parametrize("file", sorted(LANGUAGES.glob("*.ts")), ids=lambda file: file.stem)
class TestEachTranslation:
    def test_has_the_places_that_are_filled_in(self, file: Path) -> None:
        for each in texts_of(file):
            wanted = set(PLACE.findall(each.source))
            for form in each.forms:
                had = set(PLACE.findall(form))
                if each.counts:  # "one" may say its number in a word
                    had, wanted = had - {"%n"}, wanted - {"%n"}
                assert had == wanted, each.source

    def test_has_a_form_for_one_and_one_for_more(self, file: Path) -> None:
        counting = [each for each in texts_of(file) if each.counts]
        assert counting
        for each in counting:
            assert len(each.forms) == 2, each.source
            assert "%n" not in each.source or "%n" in each.forms[1], each.source
            assert "(s)" not in "".join(each.forms)

    def test_ends_as_its_source_does(self, file: Path) -> None:
        """A sentence stays one, a button that asks more keeps its dots, a question its mark."""
        for each in texts_of(file):
            for form in each.forms:
                assert re.findall(r"[.…?!:]$", form) == re.findall(r"[.…?!:]$", each.source), each.source

    def test_is_compiled(self, file: Path) -> None:
        """Where this fails: `packaging/translate`."""
        translator = QTranslator()
        assert translator.load(str(file.with_suffix(".qm")))
        for each in texts_of(file):
            counts = (1, 2) if each.counts else (-1,)
            for count, form in zip(counts, each.forms, strict=True):
                found = translator.translate(each.context, each.source, each.comment, count)
                assert found.replace("%n", str(count)) == form.replace("%n", str(count))


def test_every_text_that_counts_has_english_forms() -> None:
    dutch = {each.key for each in texts_of(LANGUAGES / "nl.ts") if each.counts}
    assert {each.key for each in texts_of(LANGUAGES / "en.ts")} == dutch


def test_dutch_says_je_and_calls_things_by_one_name() -> None:
    for each in texts_of(LANGUAGES / "nl.ts"):
        said = PLACE.sub("", " ".join(each.forms)).casefold()
        assert not re.search(r"\b(u|uw|skills|skill(?!\.md)|exchange|proposal|vaardigheidje)\b", said), (
            each.forms
        )
