"""What of a person's message asks for something.

People paste logs, code, tables and what tools gave out around their question; the words in them say little
about what is wanted. Channels (chat bridges, mail) put who, where and when in front. What is left is bounded:
of a long message its beginning, its end and its questions.
"""

from __future__ import annotations

import re

_LOOKED_AT = (8_000, 4_000)  # characters of a message's beginning and end that are read at all
_WHOLE = 700  # characters up to which all that was said counts
_ENDS = 400  # characters of the first and of the last paragraph of a longer one
_QUESTIONS = 600  # characters of questions between them

_FENCED = re.compile(r"^[ \t]{0,3}(`{3,}|~{3,})[^\n]*\n(?:.*?^[ \t]{0,3}\1[`~]*[ \t]*$|.*\Z)", re.M | re.S)
_TAG = re.compile(
    r"<(attachments?|context|diff|documents?|file|files|html|logs?|output|pasted[a-z-]{0,20}|pre|quote|result"
    r"|search_results|snippet|std(?:out|err)|table|tool[a-z_-]{0,20}|transcript|web[a-z_-]{0,20})\b"
    r"[^<>\n]{0,300}>",
    re.I,
)
_CHANNEL = re.compile(
    r"\A\s*(?:\[(?:telegram|whatsapp|signal|slack|discord|imessage|sms|matrix|teams|mattermost|irc|line|feishu"
    r"|lark|wechat|qq|dingtalk|email|mail|webchat|voice|gateway|cli)\b[^\]\n]{0,200}\]\s*"
    r"(?:[^\s:：]{1,40}[:：] )?)",
    re.I,
)
_MARK = re.compile(
    r"\s*\[(?:message|msg|thread|reply|chat|user|sender|channel)[ _-]?(?:id|to|name)?\s*[:=][^\]\n]*\]\s*$",
    re.I,
)
_HEADER = re.compile(
    r"\s*(?:from|to|cc|bcc|sent|date|subject|message-id|reply-to|van|aan|datum|verzonden|onderwerp|发件人|收件人"
    r"|抄送|主题|日期|发送时间)[ \t]*[:：]",
    re.I,
)
_OUTPUT = re.compile(
    r"""\s*(?:
      [\[(]?\d{4}[-/.]\d{2}[-/.]\d{2}[T\s_]\d{1,2}:\d{2}          # a time in front
    | [\[(]?\d{1,2}:\d{2}:\d{2}\b
    | [A-Z][a-z]{2}\s+\d{1,2}\s\d{2}:\d{2}:\d{2}\b
    | [\[<(]?(?:ERROR|WARN(?:ING)?|INFO|DEBUG|TRACE|FATAL|CRITICAL|NOTICE)\b[\]>)]?[:\s]
    | [\w.-]+\[\d+\]:\s | (?:error|warning|fatal|note):\s
    | Traceback\ \(most\ recent | panic: | goroutine\ \d | Caused\ by: | exit\ status\ \d
    | thread\ ' | npm\ ERR!
    | File\ "[^"\n]+",\ line\ \d+ | at\ [\w$.<>]+[\s(].*[:(]\d+ | [\w.]*(?:Error|Exception)(?::\s|$)
    | [$%]\ [a-z./~] | >>>\s | PS\ [A-Z]:\\                     # a prompt
    | diff\ --git | index\ [0-9a-f]{7} | @@\ | \+\+\+\  | ---\ [ab]/
    | [+-][\w.\s\[\]"']+(?:[={]|;$|\([^)\s]*\)[;:]?$)               # a changed line of code
    | from\ [\w.]+\ import\b | import\ (?:[\w.]+;$|\w+\.[\w.]+$|\{)
    | (?:def|class|func|fn|function|public|private|static|const|let|var)\ .*[({=:;]\s*$
    | [{}\[\]()]+[,;]?\s*$ | "[^"\n]{1,80}"\s*:\s | .*[;{}]\s*$
    | [|+][-=|+\s]{3,}$ | \|.*\|\s*$                            # a table
    | 0x[0-9a-f]{4,}\b | [0-9a-f]{12,}\b
    | (?:[/~]|[A-Z]:\\)\S+[/\\]\S*\s*$ | [\w./\\-]*[./\\][\w./\\-]*:\d+(?::\d+)?[:\s]
    )""",
    re.X,
)
_SPEAKER = re.compile(r"\s*([^\s:：][^:：]{0,30})[:：]\s*\S")
_SENTENCE = re.compile(r"[.!?。！？\n]")
_JUDGED = 300  # characters of a line by which it is told who wrote it


def asking(message: str) -> str:
    """The parts of a message in which the person asks, at most some 1,400 characters; maybe none."""
    head, tail = _LOOKED_AT
    text = message if len(message) <= head + tail else f"{message[:head]}\n\n{message[-tail:]}"
    return _shortened(spoken(text))


def spoken(message: str) -> list[str]:
    """The paragraphs of a message without what was pasted, and without what a channel puts in front."""
    text = _CHANNEL.sub("", message, count=1)
    if "```" in text or "~~~" in text:
        text = _FENCED.sub("\n", text)
    if "</" in text:
        text = _untagged(text)
    if "\n" not in text:
        return [text]
    return [said for each in _paragraphs(text) if (said := _spoken(each))]


def _untagged(text: str) -> str:
    """The text without what stands in tags for things that were handed over."""
    kept: list[str] = []
    at, unclosed = 0, set[str]()
    for tag in _TAG.finditer(text):
        name = tag[1]
        if tag.start() < at or name in unclosed:
            continue
        end = text.find(f"</{name}>", tag.end())
        if end < 0:
            unclosed.add(name)
            continue
        kept.append(text[at : tag.start()])
        at = end + len(name) + 3
    return "\n".join([*kept, text[at:]])


def _paragraphs(text: str) -> list[list[str]]:
    """The lines of each paragraph that has any."""
    found: list[list[str]] = [[]]
    for line in text.split("\n"):
        if line and not line.isspace():
            found[-1].append(line)
        elif found[-1]:
            found.append([])
    return found if found[-1] else found[:-1]


def _spoken(lines: list[str]) -> str:
    """A paragraph without lines that programs wrote. Where they wrote most of it, the line on top and the one
    below: a question often stands right there. What several people said in turns is pasted too."""
    speakers = [spoke[1] for line in lines if (spoke := _SPEAKER.match(line[:_JUDGED]))]
    if len(speakers) > 2 and 2 * len(speakers) > len(lines) and len(set(speakers)) < len(speakers):
        lines = [line for line in lines if not _SPEAKER.match(line[:_JUDGED])]
    if sum(1 for line in lines if _HEADER.match(line[:_JUDGED])) > 1:
        lines = [line for line in lines if not _HEADER.match(line[:_JUDGED])]
    spoken = [line for line in lines if _is_spoken(line)]
    if lines and 2 * len(spoken) < len(lines):
        spoken = [line for line in dict.fromkeys((lines[0], lines[-1])) if _is_spoken(line)]
    return "\n".join(spoken)


def _is_spoken(line: str) -> bool:
    start = line[:_JUDGED]
    return not (start.lstrip().startswith(">") or _OUTPUT.match(start) or _MARK.match(start))


def _shortened(paragraphs: list[str]) -> str:
    whole = "\n".join(paragraphs)
    if len(whole) <= _WHOLE:
        return whole
    first, last = whole[:_ENDS], whole[-_ENDS:]
    if len(paragraphs) > 1:
        first, last = paragraphs[0][:_ENDS], paragraphs[-1][-_ENDS:]
    return "\n".join([first, *_questions(whole[_ENDS:-_ENDS], _QUESTIONS), last])


def _questions(text: str, room: int) -> list[str]:
    """The questions in a text, so many characters at most."""
    found: list[str] = []
    start = 0
    for end in _SENTENCE.finditer(text):
        question = text[start : end.end()]
        start = end.end()
        if end[0] not in "?？":
            continue
        room -= len(question) + 1
        if room < 0:
            break
        found.append(question)
    return found
