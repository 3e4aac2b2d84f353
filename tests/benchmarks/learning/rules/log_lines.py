"""The first statement of a Python function is log.info("enter NAME")."""

from __future__ import annotations

import ast
import re
from textwrap import dedent

from benchmarks.learning.rules.case import Case, Grader, Lesson, Rule

_FENCE = re.compile(r"```\w*\n(?P<inside>.*?)(?:```|\Z)", re.S)
_Function = ast.FunctionDef | ast.AsyncFunctionDef


def _functions(answer: str) -> list[_Function]:
    """The functions that an answer defines; none where its code cannot be read."""
    fenced = [each["inside"] for each in _FENCE.finditer(answer)]
    found: list[_Function] = []
    for code in fenced or [answer]:
        try:
            tree = ast.parse(dedent(code))
        except (SyntaxError, ValueError):
            continue
        found += [node for node in ast.walk(tree) if isinstance(node, _Function)]
    return found


def _logs(function: _Function) -> bool:
    """Whether the first statement, behind a docstring if there is one, is the house's line of log."""
    body = function.body[1:] if ast.get_docstring(function) is not None else function.body
    if len(body) < 2 or not isinstance(body[0], ast.Expr):
        return False
    return ast.unparse(body[0].value) == f"log.info('enter {function.name}')"


def follows(answer: str) -> bool:
    """There are functions, and each begins with the line of log."""
    functions = _functions(answer)
    return bool(functions) and all(map(_logs, functions))


def _defines(name: str) -> Grader:
    """Right where this function is among them."""
    return lambda answer: follows(answer) and name in [each.name for each in _functions(answer)]


def _case(request: str, name: str) -> Case:
    return Case(request, _defines(name))


LOG_LINES = Rule(
    name="log line",
    says='The first line of a Python function is log.info("enter NAME").',
    follows=follows,
    lessons=(
        Lesson(
            _case("Write a Python function larger(a, b) that returns the larger number.", "larger"),
            'The log line is missing. The first line in it has to be log.info("enter larger").',
        ),
        Lesson(
            _case("Write a Python function is_empty(text) that tells whether a text is empty.", "is_empty"),
            'No. In our code the first line of every function is always log.info("enter NAME") with the '
            'name of the function, here log.info("enter is_empty"). Please write it again.',
        ),
        Lesson(
            _case("I need a Python function last(items) that returns the last item.", "last"),
            'It does not log. Begin it with log.info("enter last").',
        ),
        Lesson(
            _case("Write a function half(n) in Python that halves a number.", "half"),
            'Again no log line at the beginning: log.info("enter half").',
        ),
    ),
    unseen=(
        _case("Write a Python function smaller(a, b) that returns the smaller number.", "smaller"),
        _case("Write a Python function first(items) that returns the first item of a list.", "first"),
        _case("I need a Python function double(n) that doubles a number.", "double"),
        _case("Write a function greet(name) in Python that returns Hello and the name.", "greet"),
        _case("Write a Python function is_even(n) that tells whether a number is even.", "is_even"),
        _case("Write a Python function area(width, height) that returns the area.", "area"),
        _case("I need a Python function shout(text) that returns the text in capitals.", "shout"),
        _case("Write a function mean(values) in Python that returns their mean.", "mean"),
        _case("Write a Python function to_celsius(f) that converts from Fahrenheit.", "to_celsius"),
        _case("Write a Python function count_words(text) that counts the words.", "count_words"),
        _case("I need a Python function reverse(text) that turns a text around.", "reverse"),
        _case("Write a function clamp(x, low, high) in Python that keeps x between both.", "clamp"),
        _case("Write a Python function join_names(names) that joins names with commas.", "join_names"),
        _case("Write a Python function add_tax(price) that adds 21 percent.", "add_tax"),
        _case("I need a Python function total(prices) that adds up a list.", "total"),
        _case("Write a function is_leap(year) in Python that tells leap years.", "is_leap"),
        _case("Write a Python function swap(pair) that swaps the two items of a pair.", "swap"),
        _case("Write a Python function initials(name) that returns the initials.", "initials"),
        _case("I need a Python function square(n) that returns the square.", "square"),
        _case("Write a function unique(items) in Python that removes doubles.", "unique"),
    ),
)
