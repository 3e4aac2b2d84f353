"""File names begin with the date and are in small letters with hyphens: 2026-03-14-board-minutes.md."""

from __future__ import annotations

import re

from benchmarks.learning.rules.case import Case, Grader, Lesson, Rule

_HOUSE = re.compile(r"(?P<date>\d{4}-\d{2}-\d{2})(?:-[a-z0-9]+)+\.[a-z0-9]{2,5}")
_NAME = re.compile(r"[\w.\-]+\.(?:[A-Za-z][A-Za-z0-9]{1,4})\b")


def _names(answer: str) -> list[str]:
    return _NAME.findall(answer)


def follows(answer: str) -> bool:
    """There is a file name, and each is in the house's form."""
    names = _names(answer)
    return bool(names) and all(map(_HOUSE.fullmatch, names))


def _names_it(date: str, *words: str) -> Grader:
    """Right where the name has this date and one of these words."""

    def right(answer: str) -> bool:
        names = _names(answer)
        fitting = all(name.startswith(date) and any(word in name for word in words) for name in names)
        return follows(answer) and fitting

    return right


def _case(request: str, date: str, *words: str) -> Case:
    return Case(request, _names_it(date, *words))


FILE_NAMES = Rule(
    name="file names",
    says="File names begin with the date, in small letters with hyphens, like 2026-03-14-board-minutes.md.",
    follows=follows,
    lessons=(
        Lesson(
            _case(
                "How shall I name the text file with the minutes of the board of 14 March 2026?",
                "2026-03-14",
                "board",
                "minute",
            ),
            "Not like that. The name has to be 2026-03-14-board-minutes.txt.",
        ),
        Lesson(
            _case(
                "Suggest a name for the spreadsheet with the sales figures of 30 June 2026.",
                "2026-06-30",
                "sales",
                "figure",
            ),
            "No. Our file names begin with the date and are in small letters with hyphens, always, "
            "like 2026-06-30-sales-figures.xlsx. Give me the name again.",
        ),
        Lesson(
            _case(
                "What do I call the PDF with the rental contract that we signed on 1 February 2026?",
                "2026-02-01",
                "rent",
                "contract",
            ),
            "That is the wrong form. It should be 2026-02-01-rental-contract.pdf.",
        ),
        Lesson(
            _case(
                "Name the picture of the summer party of 8 August 2026 for me. It is a JPG.",
                "2026-08-08",
                "summer",
                "party",
            ),
            "Wrong, date first and small letters with hyphens: 2026-08-08-summer-party.jpg.",
        ),
    ),
    unseen=(
        _case("How shall I name the PDF of the invoice of 3 May 2026?", "2026-05-03", "invoice"),
        _case(
            "Suggest a file name for the notes of the meeting with the bank on 11 September 2026.",
            "2026-09-11",
            "bank",
            "meeting",
            "notes",
        ),
        _case(
            "What do I call the backup of the database of 2 January 2026? It is a ZIP.",
            "2026-01-02",
            "backup",
            "database",
        ),
        _case("Name the photo of the new office of 19 October 2026. It is a PNG.", "2026-10-19", "office"),
        _case(
            "Give me a name for the text file with the guest list of 24 December 2026.", "2026-12-24", "guest"
        ),
        _case(
            "How shall I name the spreadsheet with the travel costs of 6 April 2026?",
            "2026-04-06",
            "travel",
            "cost",
        ),
        _case(
            "Suggest a name for the slides of the talk on 17 November 2026. PPTX.",
            "2026-11-17",
            "talk",
            "slides",
        ),
        _case(
            "What is a good file name for the CSV export of the orders of 9 July 2026?", "2026-07-09", "order"
        ),
        _case("Name the recording of the interview of 22 May 2026. It is an MP3.", "2026-05-22", "interview"),
        _case(
            "What do I call the Word file with the offer to the school of 5 March 2026?",
            "2026-03-05",
            "offer",
            "school",
        ),
        _case(
            "How shall I name the PDF with the floor plan of 28 February 2026?", "2026-02-28", "floor", "plan"
        ),
        _case("Suggest a file name for the press release of 13 June 2026.", "2026-06-13", "press"),
        _case("Give me a name for the log of the outage of 30 August 2026.", "2026-08-30", "outage", "log"),
        _case(
            "Name the scan of the insurance letter of 7 January 2026. It is a PDF.", "2026-01-07", "insurance"
        ),
        _case("What do I call the text file with the menu for 15 October 2026?", "2026-10-15", "menu"),
        _case(
            "How shall I name the video of the training of 4 November 2026? It is an MP4.",
            "2026-11-04",
            "training",
        ),
        _case(
            "Suggest a name for the spreadsheet with the stock count of 31 December 2026.",
            "2026-12-31",
            "stock",
            "count",
        ),
        _case(
            "What is a good name for the PDF of the tax report of 20 April 2026?",
            "2026-04-20",
            "tax",
            "report",
        ),
        _case("Name the picture of the broken pump of 12 July 2026. It is a JPG.", "2026-07-12", "pump"),
        _case(
            "Give me a name for the text file with the travel plan of 25 September 2026.",
            "2026-09-25",
            "travel",
            "plan",
        ),
    ),
)
