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
    translate = QCoreApplication.translate
    if key == "review.policy":
        return {
            "ask": translate("Settings", "Ask me about everything"),
            "automatic": translate("Settings", "Take over proven changes of skills I trust"),
            "off": translate("Settings", "Propose nothing"),
        }.get(value, value)
    if key == "secrets.backend":
        return {
            "": translate("Settings", "What works here"),
            "keyring": translate("Settings", "The system's keyring"),
            "file": translate("Settings", "A file that only you can read"),
            "memory": translate("Settings", "Nowhere: asked for again after each start"),
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
    translate = QCoreApplication.translate
    return {
        "s": translate("Settings", "seconds"),
        "min": translate("Settings", "minutes"),
        "days": translate("Settings", "day(s)", "", int(amount)),
        "MB": "MB",
        "USD": "USD",
        "tokens": translate("Settings", "tokens"),
    }.get(name, "")


def _general(key: str) -> str:
    parts = key.split(".")
    return f"{parts[0]}.*.{parts[2]}" if parts[0] in ("upstreams", "agents") and len(parts) > 2 else key


def _words() -> dict[str, tuple[str, str]]:
    return _words_in(QCoreApplication.translate("Settings", "Provider for learning"))


@lru_cache(maxsize=2)
def _words_in(_language: str) -> dict[str, tuple[str, str]]:
    """All words in the language that the window speaks, which one of them tells."""
    translate = QCoreApplication.translate
    return {
        "learning.upstream": (
            translate("Settings", "Provider for learning"),
            translate(
                "Settings", "It reads exchanges and writes skills. Nothing is learnt while this is empty."
            ),
        ),
        "learning.model": (
            translate("Settings", "Model for learning"),
            translate("Settings", "Its name there. A strong model writes better skills."),
        ),
        "budget.day_usd": (
            translate("Settings", "Learning may cost in a day"),
            translate("Settings", "Learning stops for the day when the next call could pass this."),
        ),
        "budget.month_usd": (
            translate("Settings", "Learning may cost in a month"),
            translate("Settings", "The same for a calendar month."),
        ),
        "learning.enabled": (
            translate("Settings", "Learn from conversations"),
            translate("Settings", "Look for what went wrong, and propose skills that help the next time."),
        ),
        "learning.votes": (
            translate("Settings", "Opinions on one answer"),
            translate(
                "Settings", "How often the model is asked whether an answer went wrong; the majority counts."
            ),
        ),
        "learning.failures": (
            translate("Settings", "Mistakes before a skill is written"),
            translate("Settings", "Of the same kind. What you ask for outright is taken up at once."),
        ),
        "learning.timeout_seconds": (
            translate("Settings", "Patience with one question"),
            translate("Settings", "After this, a question of learning is given up and asked again later."),
        ),
        "learning.concurrency": (
            translate("Settings", "Questions at a time"),
            translate("Settings", "How many questions learning may ask side by side."),
        ),
        "learning.quiet_seconds": (
            translate("Settings", "Wait until agents are quiet"),
            translate("Settings", "Learning asks only when no agent has asked for anything this long."),
        ),
        "learning.replay_tokens": (
            translate("Settings", "Size of a question that is asked again"),
            translate(
                "Settings", "To see whether a skill helps, real questions are asked again, up to this size."
            ),
        ),
        "review.per_day": (
            translate("Settings", "Proposals in a day"),
            translate(
                "Settings", "More than this wait until tomorrow, so that you are not asked all the time."
            ),
        ),
        "review.policy": (
            translate("Settings", "Who decides about skills"),
            translate("Settings", "New skills always wait for your yes."),
        ),
        "injection.enabled": (
            translate("Settings", "Use skills"),
            translate("Settings", "Put skills that fit in front of the model. Off: agents are only watched."),
        ),
        "injection.per_exchange": (
            translate("Settings", "New skills for one question"),
            translate("Settings", "At most so many are added when you ask something."),
        ),
        "injection.per_session": (
            translate("Settings", "Skills in one conversation"),
            translate("Settings", "At most so many altogether."),
        ),
        "injection.session_tokens": (
            translate("Settings", "Room for skills in one conversation"),
            translate(
                "Settings", "A token is a piece of a word, some four letters. They cost as your own words do."
            ),
        ),
        "embedder.enabled": (
            translate("Settings", "Find skills by meaning"),
            translate(
                "Settings", "Also where other words or another language are used. Needs an extra part."
            ),
        ),
        "embedder.idle_minutes": (
            translate("Settings", "Put it away after"),
            translate(
                "Settings", "The part that knows meanings frees its memory when it was not needed this long."
            ),
        ),
        "notifications.enabled": (
            translate("Settings", "Notifications"),
            translate("Settings", "Tell me what needs me while the window is closed."),
        ),
        "notifications.proposals": (
            translate("Settings", "New skills"),
            translate("Settings", "When one waits for your decision."),
        ),
        "notifications.training": (
            translate("Settings", "Training"),
            translate("Settings", "When it begins and when it ends."),
        ),
        "notifications.trouble": (
            translate("Settings", "Trouble"),
            translate("Settings", "When something needs a hand."),
        ),
        "notifications.titles": (
            translate("Settings", "Titles of meetings"),
            translate("Settings", "Say in which meeting training ran. Others may see your screen."),
        ),
        "notifications.per_day": (
            translate("Settings", "At most in a day"),
            translate("Settings", "The rest is in the window."),
        ),
        "notifications.quiet_from": (
            translate("Settings", "Quiet from"),
            translate("Settings", "Nothing is told in the quiet hours."),
        ),
        "notifications.quiet_until": (
            translate("Settings", "Quiet until"),
            translate("Settings", "From then on you are told again."),
        ),
        "schedule.enabled": (
            translate("Settings", "Train while I am away"),
            translate("Settings", "Nothing runs before training is set up on its own page."),
        ),
        "schedule.idle_minutes": (
            translate("Settings", "Away after"),
            translate("Settings", "Without a key or the mouse. What you type is never looked at."),
        ),
        "schedule.sleep": (
            translate("Settings", "Sleep hours"),
            translate("Settings", "Per day on which they begin: every, or mon to sun. Such as 23:30-07:00."),
        ),
        "schedule.sleep_unseen": (
            translate("Settings", "Trust sleep hours alone"),
            translate("Settings", "Also where it cannot be seen whether you are at the computer."),
        ),
        "schedule.minimum_minutes": (
            translate("Settings", "Shortest time worth it"),
            translate("Settings", "Training does not begin when you will likely be back sooner."),
        ),
        "schedule.meetings": (
            translate("Settings", "During meetings"),
            translate("Settings", "Of the calendars you have connected. You may type notes meanwhile."),
        ),
        "schedule.meeting_begins_minutes": (
            translate("Settings", "Begin into a meeting"),
            translate("Settings", "After its beginning, in case it starts late."),
        ),
        "schedule.meeting_ends_minutes": (
            translate("Settings", "End before a meeting's end"),
            translate("Settings", "In case it ends early."),
        ),
        "schedule.meeting_ends_by_input": (
            translate("Settings", "Stop when I type in a meeting"),
            translate("Settings", "Otherwise only a message to an agent stops it there."),
        ),
        "schedule.calendar_minutes": (
            translate("Settings", "Read calendars every"),
            translate("Settings", "They are also read when the network is back and when the computer wakes."),
        ),
        "schedule.on_battery": (
            translate("Settings", "On battery too"),
            translate("Settings", "Otherwise only with the power cable in."),
        ),
        "schedule.battery_percent": (
            translate("Settings", "Down to a charge of"),
            translate("Settings", "Where training on battery is allowed."),
        ),
        "schedule.on_metered": (
            translate("Settings", "Over metered networks too"),
            translate("Settings", "Such as a phone's. Only what goes to a training service counts."),
        ),
        "schedule.load_percent": (
            translate("Settings", "Leave a busy computer alone"),
            translate("Settings", "Above this load by other programs nothing is trained on this computer."),
        ),
        "window.language": (
            translate("Settings", "Language"),
            translate("Settings", "Of this window, with its dates and numbers."),
        ),
        "retention.days": (
            translate("Settings", "Keep conversations for"),
            translate("Settings", "Older ones are forgotten for good. 0 keeps them for ever."),
        ),
        "retention.size_mb": (
            translate("Settings", "Room for conversations"),
            translate("Settings", "The oldest go first. 0 sets no limit."),
        ),
        "sessions.silence_minutes": (
            translate("Settings", "A conversation ends after"),
            translate("Settings", "Without a word from the agent. Then it is looked at as a whole."),
        ),
        "secrets.backend": (
            translate("Settings", "Where keys are kept"),
            translate("Settings", "They are never shown, and never part of what is learnt."),
        ),
        "server.port": (
            translate("Settings", "Port for agents"),
            translate(
                "Settings", "The number in their addresses. Agents have to be pointed anew when it changes."
            ),
        ),
        "server.requests": (
            translate("Settings", "Questions of agents at once"),
            translate("Settings", "More than this are asked to come again."),
        ),
        "server.connections": (
            translate("Settings", "Connections of agents at once"),
            translate("Settings", "A guard against programs that open too many."),
        ),
    }
