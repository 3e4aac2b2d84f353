"""The starter set: valid, short, found by what people say, and silent where nothing is needed."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from skills_ref import validate

from metaclaw_tray.errors import SkillError
from metaclaw_tray.paths import resources_dir
from metaclaw_tray.skills.block import check_learnt
from metaclaw_tray.skills.builtin import BuiltinSkill, builtin_skills
from metaclaw_tray.skills.fields import Entry
from metaclaw_tray.skills.markdown import read_skill, write_skill
from metaclaw_tray.skills.retrieval import Index
from metaclaw_tray.store.library import digest_of
from skills.labels import ENTRIES, Share, false_injection, requests

ALL = builtin_skills()
BY_ENTRY = [Entry(skill.name, skill.description, skill.triggers) for skill in ALL]
INDEX = Index(BY_ENTRY)

# What people say when they need one, in words that are not the trigger phrases themselves.
SAID = [
    ("check-before-done", "Implement the retry with a backoff, and tell me when it runs"),
    ("check-before-done", "implementeer de export naar csv"),
    ("check-before-done", "帮我实现登录功能"),
    ("ask-before-deleting", "please delete all branches that were merged"),
    ("ask-before-deleting", "kun je de oude logbestanden verwijderen"),
    ("ask-before-deleting", "把临时文件都删除"),
    ("read-before-editing", "can you edit the file so that the port is 8080"),
    ("read-before-editing", "pas het bestand aan zodat de poort 8080 is"),
    ("read-before-editing", "修改配置，把端口改成8080"),
    ("smallest-change", "just a small change: the button should be blue"),
    ("smallest-change", "een kleine wijziging graag, de knop moet blauw"),
    ("smallest-change", "做个小改动，按钮换成蓝色"),
    ("sources-for-figures", "give me statistics on bicycle theft in Utrecht"),
    ("sources-for-figures", "hoeveel procent van de huizen heeft een warmtepomp"),
    ("sources-for-figures", "这些数字的数据来源是哪里"),
    ("unambiguous-dates", "what is the deadline, converted to our time zone?"),
    ("unambiguous-dates", "zet de datum er anders in"),
    ("unambiguous-dates", "把日期格式统一一下"),
    ("reproduce-first", "the app crashes when I click on save"),
    ("reproduce-first", "ik krijg een foutmelding bij het opstarten"),
    ("reproduce-first", "程序一启动就报错"),
    ("clear-commits", "write a commit message for this"),
    ("clear-commits", "schrijf een commitbericht"),
    ("clear-commits", "帮我写提交信息"),
    ("no-invented-apis", "which package or framework reads xlsx files in Go?"),
    ("no-invented-apis", "welke bibliotheek leest xlsx in Go"),
    ("no-invented-apis", "用哪个库读取xlsx"),
    ("short-summaries", "summarise this thread"),
    ("short-summaries", "maak een samenvatting van het verslag"),
    ("short-summaries", "总结一下这份报告"),
    ("secrets-stay-out", "where do I put the api key?"),
    ("secrets-stay-out", "het wachtwoord van de database is gewijzigd"),
    ("secrets-stay-out", "密码放在哪里"),
    ("outside-text-is-data", "have a look at this web page and tell me the opening hours"),
    ("outside-text-is-data", "lees de bijlage even door"),
    ("outside-text-is-data", "看看这个网页说了什么"),
]


def test_set_is_small_and_its_names_are_unique() -> None:
    assert 8 <= len(ALL) <= 12
    assert len({skill.name for skill in ALL}) == len(ALL)
    assert len({phrase for skill in ALL for phrase in skill.triggers}) == sum(
        len(skill.triggers) for skill in ALL
    )


@pytest.mark.parametrize("skill", ALL, ids=lambda skill: skill.name)
class TestEach:
    def test_is_what_the_reference_validator_accepts(self, skill: BuiltinSkill) -> None:
        assert validate(resources_dir() / "skills" / skill.name) == []

    def test_is_what_we_write_ourselves_and_as_short_as_a_learnt_one(self, skill: BuiltinSkill) -> None:
        read = read_skill(skill.text, skill.name, skill.name)
        assert read.warnings == ()
        assert read.metadata["source"] == "builtin"
        assert write_skill(read) == skill.text
        assert skill.digest == digest_of(skill.text)
        check_learnt(skill.name, read.body)

    def test_says_when_it_is_for_and_what_not_to_do(self, skill: BuiltinSkill) -> None:
        assert "Use when " in skill.description
        assert re.search(r"^(When|Before) .*:$", skill.text, re.MULTILINE)
        assert re.search(r"^Not: ", skill.text, re.MULTILINE)

    def test_has_trigger_phrases_in_three_languages(self, skill: BuiltinSkill) -> None:
        chinese = [phrase for phrase in skill.triggers if re.search("[\u4e00-\u9fff]", phrase)]
        assert len(chinese) >= 3
        assert len(skill.triggers) - len(chinese) >= 8

    def test_is_found_by_each_of_its_own_phrases(self, skill: BuiltinSkill) -> None:
        for phrase in skill.triggers:
            assert skill.name in {match.name for match in INDEX.find(phrase, 2)}, phrase


@pytest.mark.parametrize(("name", "said"), SAID)
def test_is_found_by_what_people_say(name: str, said: str) -> None:
    assert name in {match.name for match in INDEX.find(said, 2)}


def test_each_is_tried_in_each_language() -> None:
    assert {name for name, _ in SAID} == {skill.name for skill in ALL}
    assert len(SAID) == 3 * len(ALL)


@pytest.mark.parametrize("split", ["dev", "test"])
def test_requests_that_need_nothing_get_nothing(split: str, capsys: pytest.CaptureFixture[str]) -> None:
    share = false_injection(INDEX, requests(split))
    with capsys.disabled():
        print(f"\nbuilt-in skills, {split}: false injection {share}")  # noqa: T201 - what this test is for
    assert share.value <= 0.05


@pytest.mark.parametrize("split", ["dev", "test"])
def test_beside_a_persons_own_skills_they_crowd_out_few(
    split: str, capsys: pytest.CaptureFixture[str]
) -> None:
    alone, beside = Index(ENTRIES), Index([*ENTRIES, *BY_ENTRY])
    k = n = 0
    for request in requests(split):
        before = {match.name for match in alone.find(request.text, 2)} & request.within
        n += len(before)
        k += len(before - {match.name for match in beside.find(request.text, 2)})
    with capsys.disabled():
        print(f"\nbuilt-in skills, {split}: crowded out {Share(k, n)}")  # noqa: T201 - what this test is for
    assert Share(k, n).value <= 0.05


def test_broken_installation_is_said_plainly(tmp_path: Path) -> None:
    with pytest.raises(SkillError, match="cannot be read"):
        builtin_skills(tmp_path / "nothing")
    (tmp_path / "empty").mkdir()
    with pytest.raises(SkillError, match="cannot be read"):
        builtin_skills(tmp_path)
