"""The page's words for settings: a short title and one plain sentence for each. A setting without words here
shows its own name and meaning."""

from __future__ import annotations

from functools import lru_cache

from PySide6.QtCore import QCoreApplication, QLocale

from metaclaw_tray.admin.api import SettingRow


def has_words(key: str) -> bool:
    """Whether the page has words of its own for a setting."""
    return _general(key) in _words()


def title(key: str) -> str:
    """What a setting is called."""
    found = _words().get(_general(key))
    if found:
        return found[0]
    name = key.rsplit(".", 1)[-1].replace("_", " ")
    return name[:1].upper() + name[1:]


def explanation(row: SettingRow) -> str:
    """What it is for, in a sentence."""
    found = _words().get(_general(row.key))
    if found and found[1]:
        return found[1]
    return row.description[:1].upper() + row.description[1:] + "."


def choice(key: str, value: str) -> str:
    """What a choice is called."""
    tr = QCoreApplication.translate
    if key == "review.policy":
        return {
            "ask": tr("Settings", "Ask me about everything"),
            "automatic": tr("Settings", "Take over proven changes of skills I trust"),
            "off": tr("Settings", "Propose nothing"),
        }.get(value, value)
    if key == "secrets.backend":
        return {
            "": tr("Settings", "What works here"),
            "keyring": tr("Settings", "The system's keyring"),
            "file": tr("Settings", "A file that only you can read"),
            "memory": tr("Settings", "Nowhere: asked for again after each start"),
        }.get(value, value)
    return value


def language(code: str) -> str:
    """What a language is called, in itself."""
    if not code:
        return QCoreApplication.translate("Settings", "As the system")
    if code == "en":
        return "English"  # Qt says whose English it is
    name = QLocale(code).nativeLanguageName()
    return name[:1].upper() + name[1:] or code


def unit(name: str, amount: float) -> str:
    """A unit behind a number."""
    tr = QCoreApplication.translate
    return {
        "s": tr("Settings", "seconds"),
        "min": tr("Settings", "minutes"),
        "days": tr("Settings", "day(s)", "", int(amount)),
        "MB": "MB",
        "USD": "USD",
        "tokens": tr("Settings", "tokens"),
    }.get(name, "")


def _general(key: str) -> str:
    parts = key.split(".")
    return f"{parts[0]}.*.{parts[2]}" if parts[0] in ("upstreams", "agents") and len(parts) > 2 else key


def _words() -> dict[str, tuple[str, str]]:
    return _words_in(QCoreApplication.translate("Settings", "Provider for learning"))


@lru_cache(maxsize=2)
def _words_in(_language: str) -> dict[str, tuple[str, str]]:
    """All words in the language that the window speaks, which one of them tells."""
    tr = QCoreApplication.translate
    return {
        "learning.upstream": (
            tr("Settings", "Provider for learning"),
            tr("Settings", "It reads exchanges and writes skills. Nothing is learnt while this is empty."),
        ),
        "learning.model": (
            tr("Settings", "Model for learning"),
            tr("Settings", "Its name there. A strong model writes better skills."),
        ),
        "budget.day_usd": (
            tr("Settings", "Learning may cost in a day"),
            tr("Settings", "Learning stops for the day when the next call could pass this."),
        ),
        "budget.month_usd": (
            tr("Settings", "Learning may cost in a month"),
            tr("Settings", "The same for a calendar month."),
        ),
        "learning.enabled": (
            tr("Settings", "Learn from conversations"),
            tr("Settings", "Look for what went wrong, and propose skills that help the next time."),
        ),
        "learning.votes": (
            tr("Settings", "Opinions on one answer"),
            tr("Settings", "How often the model is asked whether an answer went wrong; the majority counts."),
        ),
        "learning.failures": (
            tr("Settings", "Mistakes before a skill is written"),
            tr("Settings", "Of the same kind. What you ask for outright is taken up at once."),
        ),
        "learning.timeout_seconds": (
            tr("Settings", "Patience with one question"),
            tr("Settings", "After this, a question of learning is given up and asked again later."),
        ),
        "learning.concurrency": (
            tr("Settings", "Questions at a time"),
            tr("Settings", "How many questions learning may ask side by side."),
        ),
        "learning.quiet_seconds": (
            tr("Settings", "Wait until agents are quiet"),
            tr("Settings", "Learning asks only when no agent has asked for anything this long."),
        ),
        "learning.replay_tokens": (
            tr("Settings", "Size of a question that is asked again"),
            tr("Settings", "To see whether a skill helps, real questions are asked again, up to this size."),
        ),
        "review.per_day": (
            tr("Settings", "Proposals in a day"),
            tr("Settings", "More than this wait until tomorrow, so that you are not asked all the time."),
        ),
        "review.policy": (
            tr("Settings", "Who decides about skills"),
            tr("Settings", "New skills always wait for your yes."),
        ),
        "injection.enabled": (
            tr("Settings", "Use skills"),
            tr("Settings", "Put skills that fit in front of the model. Off: agents are only watched."),
        ),
        "injection.per_exchange": (
            tr("Settings", "New skills for one question"),
            tr("Settings", "At most so many are added when you ask something."),
        ),
        "injection.per_session": (
            tr("Settings", "Skills in one conversation"),
            tr("Settings", "At most so many altogether."),
        ),
        "injection.session_tokens": (
            tr("Settings", "Room for skills in one conversation"),
            tr(
                "Settings", "A token is a piece of a word, some four letters. They cost as your own words do."
            ),
        ),
        "embedder.enabled": (
            tr("Settings", "Find skills by meaning"),
            tr("Settings", "Also where other words or another language are used. Needs an extra part."),
        ),
        "embedder.idle_minutes": (
            tr("Settings", "Put it away after"),
            tr("Settings", "The part that knows meanings frees its memory when it was not needed this long."),
        ),
        "notifications.enabled": (
            tr("Settings", "Notifications"),
            tr("Settings", "Tell me what needs me while the window is closed."),
        ),
        "notifications.proposals": (
            tr("Settings", "New skills"),
            tr("Settings", "When one waits for your decision."),
        ),
        "notifications.training": (
            tr("Settings", "Training"),
            tr("Settings", "When it begins and when it ends."),
        ),
        "notifications.trouble": (
            tr("Settings", "Trouble"),
            tr("Settings", "When something needs a hand."),
        ),
        "notifications.titles": (
            tr("Settings", "Titles of meetings"),
            tr("Settings", "Say in which meeting training ran. Others may see your screen."),
        ),
        "notifications.per_day": (
            tr("Settings", "At most in a day"),
            tr("Settings", "The rest is in the window."),
        ),
        "notifications.quiet_from": (
            tr("Settings", "Quiet from"),
            tr("Settings", "Nothing is told in the quiet hours."),
        ),
        "notifications.quiet_until": (
            tr("Settings", "Quiet until"),
            tr("Settings", "From then on you are told again."),
        ),
        "schedule.enabled": (
            tr("Settings", "Train while I am away"),
            tr("Settings", "Nothing runs before training is set up on its own page."),
        ),
        "schedule.idle_minutes": (
            tr("Settings", "Away after"),
            tr("Settings", "Without a key or the mouse. What you type is never looked at."),
        ),
        "schedule.sleep": (
            tr("Settings", "Sleep hours"),
            tr("Settings", "Per day on which they begin: every, or mon to sun. Such as 23:30-07:00."),
        ),
        "schedule.sleep_unseen": (
            tr("Settings", "Trust sleep hours alone"),
            tr("Settings", "Also where it cannot be seen whether you are at the computer."),
        ),
        "schedule.minimum_minutes": (
            tr("Settings", "Shortest time worth it"),
            tr("Settings", "Training does not begin when you will likely be back sooner."),
        ),
        "schedule.meetings": (
            tr("Settings", "During meetings"),
            tr("Settings", "Of the calendars you have connected. You may type notes meanwhile."),
        ),
        "schedule.meeting_begins_minutes": (
            tr("Settings", "Begin into a meeting"),
            tr("Settings", "After its beginning, in case it starts late."),
        ),
        "schedule.meeting_ends_minutes": (
            tr("Settings", "End before a meeting's end"),
            tr("Settings", "In case it ends early."),
        ),
        "schedule.meeting_ends_by_input": (
            tr("Settings", "Stop when I type in a meeting"),
            tr("Settings", "Otherwise only a message to an agent stops it there."),
        ),
        "schedule.on_battery": (
            tr("Settings", "On battery too"),
            tr("Settings", "Otherwise only with the power cable in."),
        ),
        "schedule.battery_percent": (
            tr("Settings", "Down to a charge of"),
            tr("Settings", "Where training on battery is allowed."),
        ),
        "schedule.on_metered": (
            tr("Settings", "Over metered networks too"),
            tr("Settings", "Such as a phone's. Only what goes to a training service counts."),
        ),
        "schedule.load_percent": (
            tr("Settings", "Leave a busy computer alone"),
            tr("Settings", "Above this load by other programs nothing is trained on this computer."),
        ),
        "window.language": (
            tr("Settings", "Language"),
            tr("Settings", "Of this window, with its dates and numbers."),
        ),
        "retention.days": (
            tr("Settings", "Keep conversations for"),
            tr("Settings", "Older ones are forgotten for good. 0 keeps them for ever."),
        ),
        "retention.size_mb": (
            tr("Settings", "Room for conversations"),
            tr("Settings", "The oldest go first. 0 sets no limit."),
        ),
        "sessions.silence_minutes": (
            tr("Settings", "A conversation ends after"),
            tr("Settings", "Without a word from the agent. Then it is looked at as a whole."),
        ),
        "secrets.backend": (
            tr("Settings", "Where keys are kept"),
            tr("Settings", "They are never shown, and never part of what is learnt."),
        ),
        "server.port": (
            tr("Settings", "Port for agents"),
            tr("Settings", "The number in their addresses. Agents have to be pointed anew when it changes."),
        ),
        "server.requests": (
            tr("Settings", "Questions of agents at once"),
            tr("Settings", "More than this are asked to come again."),
        ),
        "server.connections": (
            tr("Settings", "Connections of agents at once"),
            tr("Settings", "A guard against programs that open too many."),
        ),
    }
