"""The house rules, the conversations that teach each, and the requests that they are measured on."""

from benchmarks.learning.rules.backups import BACKUPS
from benchmarks.learning.rules.case import Case, Lesson, Rule
from benchmarks.learning.rules.file_names import FILE_NAMES
from benchmarks.learning.rules.front_matter import FRONT_MATTER
from benchmarks.learning.rules.log_lines import LOG_LINES
from benchmarks.learning.rules.others import ORDINARY, OTHERS
from benchmarks.learning.rules.times import TIMES

__all__ = ["ORDINARY", "OTHERS", "RULES", "Case", "Lesson", "Rule"]

RULES: tuple[Rule, ...] = (TIMES, FILE_NAMES, FRONT_MATTER, BACKUPS, LOG_LINES)
