"""What a person can set: one strictly checked TOML file.

`model` says which settings there are, `reading` turns a file into them and says what is wrong with it, and
`file` changes single values while comments and order stay. No state and no secret enters here.
"""

from metaclaw_tray.settings.addresses import origin_text
from metaclaw_tray.settings.consent import (
    Held,
    governed,
    held_back,
    in_force,
    is_governed,
    may_ask,
    weight_of,
)
from metaclaw_tray.settings.declared import Declared, Kind, declared
from metaclaw_tray.settings.file import SettingsFile, refuse_loop
from metaclaw_tray.settings.model import (
    EMBEDDED,
    Agent,
    Budget,
    Embedded,
    Injection,
    Learning,
    Retention,
    Review,
    Server,
    Settings,
    Upstream,
)
from metaclaw_tray.settings.reading import (
    SettingLine,
    changed_keys,
    checked_agent,
    checked_upstream,
    list_settings,
    load_settings,
    near_miss,
    value_text,
)

__all__ = [
    "EMBEDDED",
    "Agent",
    "Budget",
    "Declared",
    "Embedded",
    "Held",
    "Injection",
    "Kind",
    "Learning",
    "Retention",
    "Review",
    "Server",
    "SettingLine",
    "Settings",
    "SettingsFile",
    "Upstream",
    "changed_keys",
    "checked_agent",
    "checked_upstream",
    "declared",
    "governed",
    "held_back",
    "in_force",
    "is_governed",
    "list_settings",
    "load_settings",
    "may_ask",
    "near_miss",
    "origin_text",
    "refuse_loop",
    "value_text",
    "weight_of",
]
