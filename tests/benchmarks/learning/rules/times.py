"""Times of day are written with an h and four digits: 08h15, 16h40."""

from __future__ import annotations

import re

from benchmarks.learning.rules.case import Case, Grader, Lesson, Rule

_HOUSE = re.compile(r"\b(?:[01]\d|2[0-3])h[0-5]\d\b")
_OTHER = re.compile(r"\b\d{1,2}[:.]\d{2}\b|\b\d{1,2} ?[ap]\.?m\b|o['’]clock|\bhalf past\b|\bquarter\b", re.I)


def follows(answer: str) -> bool:
    """There is a time in the house's form, and none in another."""
    return bool(_HOUSE.search(answer)) and not _OTHER.search(answer)


def _tells(*times: str) -> Grader:
    """Right where just these times are told, in the house's form."""
    return lambda answer: follows(answer) and set(_HOUSE.findall(answer)) == set(times)


def _case(request: str, *times: str) -> Case:
    return Case(request, _tells(*times))


TIMES = Rule(
    name="times",
    says="Times of day are written like 08h15 and 16h40.",
    follows=follows,
    lessons=(
        Lesson(
            _case("When does the bakery open? It opens at 7:30 in the morning.", "07h30"),
            "No, that is not how I want the time. Write it as 07h30.",
        ),
        Lesson(
            _case("Tell Anna when her train leaves: 4:40 pm.", "16h40"),
            "The time is written wrong, it has to be 16h40. Please write it again.",
        ),
        Lesson(
            _case("Write one sentence: the staff meeting begins at 2 pm.", "14h00"),
            "No. Here we always write times of day with an h and four digits, like 14h00 or 08h15. "
            "Please write it again.",
        ),
        Lesson(
            _case("At what time does the museum close? It closes at 5:15 pm.", "17h15"),
            "Wrong form again. It is 17h15.",
        ),
    ),
    unseen=(
        _case("When does the dentist open on Monday? She opens at 8:15 in the morning.", "08h15"),
        _case("Tell Ben when the bus to the airport leaves: 6:05 am.", "06h05"),
        _case("Write one sentence: the concert starts at 8 pm.", "20h00"),
        _case("At what time is the delivery? It comes at 11:20 in the morning.", "11h20"),
        _case("Answer the customer: the shop closes at 6:30 pm.", "18h30"),
        _case("Write a short notice: the water is turned off at 9 am.", "09h00"),
        _case("When is my appointment with the lawyer? It is at 3:45 pm.", "15h45"),
        _case("Remind Carla in one sentence that the call with Oslo is at 1:10 pm.", "13h10"),
        _case("When does the swimming pool open? At 7 am.", "07h00"),
        _case("Tell the class when the bus for the trip leaves: 8:40 am.", "08h40"),
        _case("At what time does the film begin? It begins at 9:25 pm.", "21h25"),
        _case("Write one sentence: lunch is served from 12:15 pm.", "12h15"),
        _case("When do the cleaners come? They come at 5:50 am.", "05h50"),
        _case("Answer the guest: breakfast ends at 10:30 in the morning.", "10h30"),
        _case("Write a short notice: the lift is checked at 4 pm.", "16h00"),
        _case("Tell Deniz when the ferry arrives: 11:55 pm.", "23h55"),
        _case("At what time does the market open on Saturday? At 6:30 am.", "06h30"),
        _case("When does the night shift begin? It begins at 10 pm.", "22h00"),
        _case("Write one sentence: the interview is from 2:30 pm to 3:15 pm.", "14h30", "15h15"),
        _case("Tell the team in one sentence that the server restarts at 7:45 pm.", "19h45"),
    ),
)
