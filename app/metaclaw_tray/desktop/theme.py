"""How everything looks: colours for a light and a dark screen, distances, type sizes, one style sheet.

Colours are named for what they are for. Each text colour keeps a contrast of at least 4.5 to 1 on the surface
it stands on (WCAG 2.2, 1.4.3), which a test computes for both themes.
"""

from __future__ import annotations

import re
from dataclasses import asdict, dataclass

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QFont, QGuiApplication, QPalette
from PySide6.QtWidgets import QApplication, QWidget

from metaclaw_tray.paths import resources_dir

_TIMES = "times"  # a property: how large the font of a widget is beside the system's
_NAME = re.compile(r"@([a-z]+(?:-[a-z]+)*)")


@dataclass(frozen=True)
class Colours:
    """One theme. Values are #rrggbb."""

    back: str  # behind everything
    side: str  # the bar at the left
    surface: str  # cards, fields, lists
    raised: str  # a row under the pointer
    line: str  # borders and separators
    text: str
    muted: str  # secondary text
    accent: str  # what can be pressed, what is selected
    on_accent: str  # text on the accent
    accent_soft: str  # behind what is selected
    good: str
    good_soft: str
    warn: str
    warn_soft: str
    bad: str
    bad_soft: str
    code: str  # behind code
    shadow: str


LIGHT = Colours(
    back="#f6f6f4",
    side="#eeeeea",
    surface="#ffffff",
    raised="#f4f4f1",
    line="#dfdfd9",
    text="#1d1f21",
    muted="#5c6166",
    accent="#2b5fb3",
    on_accent="#ffffff",
    accent_soft="#e5edf9",
    good="#1c6f43",
    good_soft="#e2f3e9",
    warn="#875a00",
    warn_soft="#fbf0d9",
    bad="#b3261e",
    bad_soft="#fbe6e4",
    code="#f3f3ef",
    shadow="#00000014",
)
DARK = Colours(
    back="#17181a",
    side="#1c1d20",
    surface="#212327",
    raised="#292b30",
    line="#383b41",
    text="#ecedee",
    muted="#a6abb2",
    accent="#8ab4f8",
    on_accent="#10131a",
    accent_soft="#26344a",
    good="#72cf9b",
    good_soft="#1d3529",
    warn="#e6b450",
    warn_soft="#3a2f17",
    bad="#f39a93",
    bad_soft="#43211f",
    code="#1a1b1e",
    shadow="#00000040",
)

# Distances in pixels at 100 %: small between what belongs together, large between what does not.
GAP_S, GAP, GAP_L, GAP_XL = 6, 12, 20, 32
RADIUS = 8
SIDE_WIDTH = 212
TITLE, HEADING, SMALL = 1.65, 1.2, 0.9  # times the size of the system's own font


def is_dark() -> bool:
    """Whether the system asks for a dark screen."""
    return QGuiApplication.styleHints().colorScheme() == Qt.ColorScheme.Dark


def colours() -> Colours:
    """The colours in force."""
    return DARK if is_dark() else LIGHT


def scaled(times: float, weight: QFont.Weight = QFont.Weight.Normal) -> QFont:
    """The system's font, larger or smaller."""
    font = QApplication.font()
    font.setPointSizeF(font.pointSizeF() * times)
    font.setWeight(weight)
    return font


def scale(widget: QWidget, times: float, weight: QFont.Weight = QFont.Weight.Normal) -> None:
    """Give a widget the system's font, larger or smaller, also when that one changes."""
    widget.setProperty(_TIMES, times)
    widget.setFont(scaled(times, weight))


def rescale() -> None:
    """The system's font is another one now: what is larger or smaller than that follows."""
    for each in QApplication.allWidgets():
        times = each.property(_TIMES)
        if times is not None:
            each.setFont(scaled(float(times), each.font().weight()))


def apply(app: QApplication) -> None:
    """Dress the application in the colours in force; again whenever the system's theme changes."""
    now = colours()
    app.setStyle("Fusion")
    for effect in (Qt.UIEffect.UI_AnimateMenu, Qt.UIEffect.UI_AnimateCombo, Qt.UIEffect.UI_FadeMenu):
        app.setEffectEnabled(effect, enable=False)  # nothing moves by itself: some people cannot bear it
    app.setPalette(_palette(now))
    app.setStyleSheet(style_sheet(now))


def _palette(c: Colours) -> QPalette:
    palette = QPalette()
    role = QPalette.ColorRole
    for which, value in (
        (role.Window, c.back),
        (role.WindowText, c.text),
        (role.Base, c.surface),
        (role.AlternateBase, c.raised),
        (role.Text, c.text),
        (role.Button, c.surface),
        (role.ButtonText, c.text),
        (role.PlaceholderText, c.muted),
        (role.Highlight, c.accent),
        (role.HighlightedText, c.on_accent),
        (role.Link, c.accent),
        (role.LinkVisited, c.accent),
        (role.ToolTipBase, c.surface),
        (role.ToolTipText, c.text),
        (role.Accent, c.accent),
    ):
        palette.setColor(which, QColor(value))
    for which in (role.Text, role.WindowText, role.ButtonText):
        palette.setColor(QPalette.ColorGroup.Disabled, which, QColor(c.muted))
    return palette


def style_sheet(c: Colours) -> str:
    """The style sheet of a theme, from resources/style."""
    values = {name.replace("_", "-"): value for name, value in asdict(c).items()}
    values |= {"radius": f"{RADIUS}px", "card-radius": f"{RADIUS + 2}px"}
    folder, scheme = resources_dir() / "style", "dark" if c == DARK else "light"
    for name in ("open", "check"):
        values[name] = (folder / f"{name}-{scheme}.svg").as_posix()
    written = (folder / "window.qss").read_text("utf-8")
    return _NAME.sub(lambda found: values[found[1]], written)
