"""What a person says themselves in a message, and what they hand over or quote in it.

A page, a mail or a log is pasted under a line that says so ("Summarise this mail: …"), or stands in quotation
marks after somebody who says it ("the page says “…”"). What the person wants to be written stands in
quotation marks too ("begin with “Hi team”"), so it is the words before that count. In doubt what has no end
of its own is handed over up to the end of the message: a rule that a person states again costs little, and
one that a page states for them is what must not be learnt.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from metaclaw_tray.learning.wording import either
from metaclaw_tray.skills.query import spoken
from metaclaw_tray.skills.words import fold

_LONGEST = 1200  # characters of a paragraph that a person may have written for an assistant
_AROUND = 24  # characters before such a word in which the person may stand as the one who says it
_BEFORE = 160  # characters before a colon or a quotation that tell what it is


# Words by which something is handed over, or somebody else is quoted. They stand before it. Folded letters.
_THINGS = either(
    r"""
    page site website mail e-?mail article text docs? documentation readme file log output ticket issue
    wiki forum thread post message note letter review comment transcript snippet passage paragraph answer
    reply pagina bericht artikel tekst bestand brief seite nachricht datei texte fichier mensaje archivo
    texto correo
    """
)
_HANDLE = either(
    r"""
    translate summari[sz]e proof-?read paraphrase rephrase rewrite classify spell-?check tl;?dr analy[sz]e
    vertaal vat\b.{0,60}\bsamen herschrijf controleer ubersetze?n? fass\w*\b.{0,60}\bzusammen korrigier\w*
    traduis traduisez traduire resumez resumer resume_(?:ce|cette|le|la|este|esta|el) corrigez? reformule[zr]?
    traduce traducir reescribe
    """
)
_HERE = either(
    rf"""
    here's here_(?:is|are|comes) this_is_(?:the|a|an|what) below_(?:is|are) (?:see|text|mail|page)_below
    following_(?:\w+_)?{_THINGS} pasted forwarded quoting according_to this_(?:\w+_)?{_THINGS}\s*$
    from_(?:the|a|this|that|my)_(?:\w+_){{0,2}}{_THINGS}
    (?:read|fix|check|correct|improve|shorten|explain|answer)_(?:this|that|the|my)_(?:\w+_)?{_THINGS}
    hier_(?:is|zijn|staat|ist|sind|kommt) volgens doorgestuurd\w* laut weitergeleitet\w* voici voila selon
    (?:folgende[rsnm]?|onderstaande|volgende|suivante?|siguiente)_{_THINGS} ci-dessous segun
    aqui_(?:esta|estan|tienes) a_continuacion
    """
)
_TELLS = either(
    r"""
    says said states stated reads writes wrote claims contains mentions tells_(?:me|us|you) returned printed
    zegt zei schrijft schreef er_staat staat_er meldt sagt sagte (?:da|dort|es)_steht steht_(?:da|dort|drin)
    schreibt schrieb lautet meldet (?:page|mail|texte|article|il|elle)_dit disait ecrit indique dice escribe
    escribio
    """
)
_HANDLE_ZH = either("翻译 总结 概括 校对 改写 润色 这是 以下是 以下为 下面是 如下 转发 引用 根据")
_TELLS_ZH = either("写着 写道 说着 提到")
_HANDED = re.compile(rf"(?P<tells>\b{_TELLS}\b|{_TELLS_ZH})|\b{_HANDLE}\b|\b{_HERE}(?!\w)|{_HANDLE_ZH}")

# Unless it is the person who says it, or who tells how something is to be written.
_WISHES = either(
    r"""
    want wanted said say mean meant need prefer expect asked? like told_you wil zei zeg bedoel\w* vroeg will
    wollte mochte sagte sage meine veux voulais dis disais demande quiero queria dije digo pido
    """
)
_MYSELF = re.compile(
    rf"\b(?:i|we|ik|wij|ich|wir|je|nous|yo)\b[^.!?\n]{{0,14}}\b{_WISHES}\b|我(?:要|想|希望|说)|请你?(?:用|写|说)"
)
_FOLLOW = re.compile(
    r"\b(?:i want you to|from now on|please|always|you (?:must|should|have to))\b[^.!?\n]{0,30}"
    r"\b(?:follow|stick to|keep to|apply|obey|adopt)\b|\b(?:follow|keep to|apply) (?:it|this|these|them)\b"
    r"|\bhoud je (?:hier)?aan\b|\bvolg (?:dit|deze)\b|\bhalte dich (?:daran|an)\b|\bbefolge\b"
    r"|\bsuis (?:ces|cette|ce)\b|\bsigue (?:esto|estas?|estos?)\b|[照按]这[个些]?|遵守|按此"
)
_WRITING = either(
    """
    say write use put begin start end call answer reply zeg schrijf gebruik zet eindig noem antwoord sag
    schreib schreibe benutze? beginne? nenne? dis ecris ecrivez commencez? di usa empieza
    """
)
_WRITTEN = re.compile(rf"\b{_WRITING}\b[^.!?:\n]{{0,60}}$")

_MARKS = ("“”", "«»", "「」", "『』", '""')
_QUOTED = re.compile(
    "|".join(f"{marks[0]}[^{marks}\n]{{1,2000}}{marks[1]}" for marks in _MARKS)
    + r"|„[^„“”\n]{1,2000}[“”]|(?<!\w)'[^'\n]{12,2000}'(?!\w)|(?<!\w)‘[^‘’\n]{12,2000}’(?!\w)"
)
_BOUNDED = re.compile(rf"\s*(?:```|~~~|>|{_QUOTED.pattern})")
_SENTENCE = re.compile(r"[.!?。！？\n]")
# A colon, or a line without an end before an empty one.
_OPENS = re.compile(r"[:：](?=\s|$|[^\x00-\x7f]|[\"“„«'‘`])|(?<![.!?。！？:：\s])[ \t]*\n[ \t]*\n")
_FORWARDED = re.compile(
    r"^\s*(?:-{3,}|_{3,}|={3,}|\*{3,})|^-+ ?"
    r"(?:original message|forwarded message|oorspronkelijk bericht|message d'origine|mensaje original)",
    re.I | re.M,
)


def split_message(text: str) -> tuple[list[str], list[str]]:
    """A person's message in what they say and what they hand over."""
    text, rest = _head_and_rest(text)
    handed = [rest] if rest.strip() else []
    own, kept = [], set[str]()
    for paragraph in spoken(text):
        kept.update(paragraph.split("\n"))
        if len(paragraph) > _LONGEST:
            handed.append(paragraph)
            continue
        said, quoted = _without_quotations(paragraph)
        own.append(said)
        handed += quoted
    dropped = [
        line for line in text.split("\n") if line.strip() and not line.endswith(tuple(kept) or ("\n",))
    ]
    if dropped:
        handed.append("\n".join(dropped))
    return [each for each in own if each.strip()], handed


def adopts(own: Sequence[str]) -> bool:
    """Whether the person says to follow what they hand over."""
    return any(_FOLLOW.search(fold(each)) for each in own)


def _head_and_rest(text: str) -> tuple[str, str]:
    """The message up to where something is handed over that has no end of its own, and the rest."""
    cut = len(text)
    line = _FORWARDED.search(text)
    if line is not None and text[line.end() :].strip():
        cut = line.start()
    for mark in _OPENS.finditer(text, 0, cut):
        if not text[mark.end() :].strip() or _BOUNDED.match(text, mark.end()):
            continue
        if _is_handed(_clause(text, mark.start())):
            cut = mark.end()
            break
    return text[:cut], text[cut:]


def _without_quotations(paragraph: str) -> tuple[str, list[str]]:
    """A paragraph less what it quotes of somebody else. What the person wants to be written stays."""
    handed: list[str] = []

    def leave_out(found: re.Match[str]) -> str:
        if _is_handed(_clause(paragraph, found.start())):
            handed.append(found.group())
            return " … "
        return found.group()

    return _QUOTED.sub(leave_out, paragraph), handed


def _clause(text: str, end: int) -> str:
    """What stands in the same sentence before a place."""
    before = text[max(0, end - _BEFORE) : end]
    starts = [mark.end() for mark in _SENTENCE.finditer(before.rstrip(" :："))]
    return before[starts[-1] :] if starts else before


def _is_handed(clause: str) -> bool:
    """Whether what follows this clause is somebody else's, and not what the person wants to be said."""
    plain = fold(clause)
    cue = None
    for cue in _HANDED.finditer(plain):  # noqa: B007 the last one counts
        pass
    if cue is None or _MYSELF.search(plain, max(0, cue.start() - _AROUND)):
        return False
    return bool(cue["tells"]) or not _WRITTEN.search(plain, cue.end())
