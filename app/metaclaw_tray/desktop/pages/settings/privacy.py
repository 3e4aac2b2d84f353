"""What leaves this machine, host by host, from the settings in force."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from metaclaw_tray.admin.api import HostRow, Privacy
from metaclaw_tray.desktop import theme
from metaclaw_tray.desktop.parts import Card, clear, column, heading, label, row


class PrivacySection(QWidget):
    """Sentences only; what they follow from is changed in the other sections."""

    def __init__(self) -> None:
        super().__init__()
        self._cards = column(gap=theme.GAP)
        self.setLayout(column(self._cards))

    def show_privacy(self, told: Privacy) -> None:
        """Say what goes where, what leaves first."""
        clear(self._cards)
        by_host: dict[str, list[HostRow]] = {}
        for each in sorted(told.hosts, key=lambda each: (each.here, each.purpose == "model")):
            by_host.setdefault(each.host if not each.here else "", []).append(each)
        far = {host: rows for host, rows in by_host.items() if host}
        if not any(row.on for rows in far.values() for row in rows):
            self._cards.addWidget(
                Card(
                    label(self.tr("Nothing leaves this machine by itself."), "good", bold=True),
                    label(self.tr("All models that are asked now run here."), "muted"),
                    gap=2,
                )
            )
        for host, rows in far.items():
            self._cards.addWidget(self._card(host, rows))
        if here := by_host.get(""):
            self._cards.addWidget(self._card("", here))
        self._cards.addWidget(self._nothing_else())

    def _card(self, host: str, rows: list[HostRow]) -> Card:
        title = heading(host or self.tr("On this machine"))
        title.setWordWrap(False)
        chip = (
            label(self.tr("Stays here"), "chip-good")
            if not host
            else label(self.tr("Leaves this machine"), "chip-warn")
            if any(each.on for each in rows)
            else label(self.tr("Only if you ask for it"), "chip")
        )
        card = Card(row(title, chip, None), gap=theme.GAP_S)
        for each in [found for found in rows if found.on] or rows:
            card.body.addWidget(_entry(self._what(each), self._when(each)))
        return card

    def _what(self, row: HostRow) -> str:
        match row.purpose:
            case "agents":
                if not row.agents:
                    return self.tr("{name}: nothing now; no agent reaches it.").format(name=row.upstream)
                who = ", ".join(row.agents)
                return self.tr(
                    "{name}: all requests of {agents}, word for word, with the skills that fit."
                ).format(name=row.upstream, agents=who)
            case "fallback":
                return self.tr("{name}: the same of {agents}, in the place of another.").format(
                    name=row.upstream, agents=", ".join(row.agents)
                )
            case "learning":
                return self.tr(
                    "{name}: parts of conversations to learn from, with passwords and keys blacked out, and "
                    "drafts of skills."
                ).format(name=row.upstream)
            case "model":
                return self.tr("A download of {model}. Nothing of yours is sent.").format(model=row.model)
            case "calendar":
                return self.tr("Your calendar {name} is read there. Nothing else of yours is sent.").format(
                    name=row.calendar
                )

    def _when(self, row: HostRow) -> str:
        match row.purpose:
            case "agents" if not row.on:
                return ""
            case "agents":
                key = {
                    "key": self.tr("The key that you gave opens it."),
                    "pass-through": self.tr("Each agent's own key opens it."),
                }.get(row.credential, "")
                return f"{self.tr('When an agent asks.')} {key}".strip()
            case "fallback":
                return self.tr("Only when the other one is away or overloaded.")
            case "learning" if row.on:
                return self.tr("When learning is due and your agents are quiet, within the budget.")
            case "learning":
                return self.tr("Not now: learning is off.")
            case "model":
                return self.tr("Only when you press Download.")
            case "calendar":
                return self.tr("Every few minutes, with the address or permission that opens it.")

    def _nothing_else(self) -> Card:
        return Card(
            heading(self.tr("And nothing else")),
            label(
                self.tr(
                    "No figures about your use, no search for updates, no reports of errors. Pressing Test "
                    "asks that provider for the list of its models. Training is not part of this version; "
                    "when it comes, its hosts will stand here."
                ),
                "muted",
            ),
            kind="note",
            gap=theme.GAP_S,
        )


def _entry(what: str, when: str) -> QWidget:
    made = QWidget()
    inner = column(label(what), gap=1)
    if when:
        inner.addWidget(label(when, "muted", size=theme.SMALL))
    made.setLayout(inner)
    return made
