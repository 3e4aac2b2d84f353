"""What a person has to agree to, and what is in force until they do.

The settings file can be written by whoever runs as the person, and a restart takes it up. So a value that
costs more, sends conversations or credentials elsewhere, deletes, or lets something go live is held to what
was agreed to last, which the ledger knows (`store.agreeing`). The other direction is anybody's: a cap that
is lowered holds at once, and has to be agreed to anew when it is raised again.

    setting                          takes a yes when it becomes              because
    budget.*                         higher                                   it may cost more
    upstreams.*.…_usd_per_million    anything but higher, not on loopback     what is spent is counted by it
    learning.upstream, .model        another one, unless it is on this        conversations go there, and it
                                     machine and the policy is not automatic  costs; it proves what goes live
    upstreams.*.base_url             another host, where learning asks there  the same
    learning.enabled                 on, under the same conditions            the same
    review.policy                    off → ask → automatic                    it may go live unasked
    upstreams.*.credential           pass-through, or so at another host      agents' own keys are sent there
    default_upstream, agents.*.…     one with pass-through at another host    the same
    injection.enabled                on                                       requests are changed
    agents.*.observe_only            off                                      the same
    retention.*                      less                                     turns are deleted

An upstream or agent that is new is nobody's former choice, so its own values take no yes; that learning asks
it does, and that agents reach it with their own keys (`settings.reaching`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from metaclaw_tray.settings.addresses import origin_text
from metaclaw_tray.settings.model import EMBEDDED, Settings, Upstream
from metaclaw_tray.settings.reaching import DEFAULT, moved
from metaclaw_tray.settings.reading import list_settings, value_text

Agreed = Mapping[str, Any]
"""The governed settings as they were agreed to last, by dotted key; None for what is not set."""

Weight = Literal["code", "yes", "word"]
"""How a yes is given over the command line: by a typed code, by a plain yes, or by asking at all, which no
agent may."""

POLICIES = ("off", "ask", "automatic")
"""From the strictest to the freest."""

_PRICE = "_usd_per_million"
_CHOICE = ("learning.upstream", "learning.model")
_WEIGHTS: dict[str, Weight] = {"retention": "yes", "injection": "word", "agents": "word"}


@dataclass(frozen=True)
class Held:
    """A setting that the file asks for and that is not in force."""

    key: str
    asked: Any
    in_force: Any

    @property
    def sentence(self) -> str:
        """For the person, with the way to agree."""
        return (
            f"The settings file asks for {self.key} = {value_text(self.asked)}, and nobody agreed to that: "
            f"in force is {value_text(self.in_force)}. To agree: `{self.remedy}`; or take it out of the file."
        )

    @property
    def remedy(self) -> str:
        """The command by which the person agrees to it."""
        value = "none" if self.asked is None else value_text(self.asked)
        if isinstance(self.asked, bool):
            value = "true" if self.asked else "false"
        return f"metaclaw-tray config set {self.key} {value or repr('')}"


def weight_of(key: str) -> Weight:
    """How a change of a governed key is agreed to."""
    if key.startswith("agents.") and key.endswith(".upstream"):
        return "code"
    return _WEIGHTS.get(key.partition(".")[0], "code")


def is_governed(key: str) -> bool:
    """Whether there is a change of this key that takes a yes."""
    parts = key.split(".")
    match parts[0]:
        case "budget" | "retention":
            return True
        case "review" | "injection":
            return key in ("review.policy", "injection.enabled")
        case "learning":
            return key in (*_CHOICE, "learning.enabled")
        case "agents":
            return parts[-1] in ("observe_only", "upstream")
        case "upstreams":
            return parts[-1] in ("base_url", "credential") or parts[-1].endswith(_PRICE)
    return key == DEFAULT


def governed(settings: Settings) -> dict[str, Any]:
    """Each setting of that kind, as it is."""
    return {line.key: line.value for line in list_settings(settings) if is_governed(line.key)}


def may_ask(key: str, settings: Settings) -> bool:
    """Whether a listing should say that a change of this key takes a yes."""
    if key.startswith("upstreams."):
        parts = key.split(".")
        found = settings.upstreams.get(parts[1])
        return key.endswith(_PRICE) and found is not None and not found.loopback
    return is_governed(key) and weight_of(key) == "code"


def held_back(wanted: Settings, agreed: Agreed) -> list[Held]:
    """What of `wanted` takes a yes that is not in `agreed`, with what is in force instead."""
    return list(dict.fromkeys(_held(wanted, {**governed(Settings()), **agreed})))


def in_force(wanted: Settings, held: list[Held]) -> Settings:
    """The settings with each held value replaced."""
    values = {each.key: each.in_force for each in held}
    made = wanted.model_copy(update={DEFAULT: values[DEFAULT]}) if DEFAULT in values else wanted
    for section in ("budget", "review", "learning", "injection", "retention"):
        own = {key.partition(".")[2]: value for key, value in values.items() if key.startswith(f"{section}.")}
        if own:
            made = made.model_copy(update={section: getattr(made, section).model_copy(update=own)})
    for section in ("upstreams", "agents"):
        named: dict[str, Any] = dict(getattr(made, section))
        for key, value in values.items():
            parts = key.split(".")
            if parts[0] == section and parts[1] in named:
                named[parts[1]] = named[parts[1]].model_copy(update={parts[2]: value})
        made = made.model_copy(update={section: named})
    return made


def _held(wanted: Settings, agreed: Agreed) -> Iterator[Held]:
    policy = wanted.review.policy
    if POLICIES.index(policy) > POLICIES.index(str(agreed["review.policy"])):
        yield Held("review.policy", policy, agreed["review.policy"])
        policy = agreed["review.policy"]
    for name in ("day_usd", "month_usd"):
        key, cap = f"budget.{name}", getattr(wanted.budget, name)
        if cap > agreed[key]:
            yield Held(key, cap, agreed[key])
    for name in ("days", "size_mb"):
        key, kept = f"retention.{name}", getattr(wanted.retention, name)
        if _less_is_kept(agreed[key], kept):
            yield Held(key, kept, agreed[key])
    automatic = policy == "automatic"
    if wanted.learning.enabled and not agreed["learning.enabled"] and _reaches(wanted, automatic=automatic):
        yield Held("learning.enabled", asked=True, in_force=False)
    if wanted.injection.enabled and not agreed["injection.enabled"]:
        yield Held("injection.enabled", asked=True, in_force=False)
    for name, agent in wanted.agents.items():
        if agreed.get(key := f"agents.{name}.observe_only") and not agent.observe_only:
            yield Held(key, asked=False, in_force=True)
    yield from _choice(wanted, agreed, automatic=automatic)
    for name, upstream in wanted.upstreams.items():
        if agreed.get(f"upstreams.{name}.base_url"):
            yield from _of_upstream(name, upstream, agreed)
    yield from (Held(*each) for each in moved(wanted, agreed))


def _less_is_kept(before: int, after: int) -> bool:
    """0 is without limit."""
    return after != 0 and (before == 0 or after < before)


def _reaches(wanted: Settings, *, automatic: bool) -> bool:
    """Whether learning asks somebody who takes a yes. A choice that is not complete asks nobody."""
    chosen = wanted.learning
    if not chosen.upstream or not (chosen.model or chosen.upstream == EMBEDDED):
        return False
    return automatic or not _is_here(wanted)


def _choice(wanted: Settings, agreed: Agreed, *, automatic: bool) -> Iterator[Held]:
    """Whom learning asks."""
    chosen = wanted.learning
    pair = chosen.upstream, chosen.model
    if not _reaches(wanted, automatic=automatic):
        return
    former = agreed["learning.upstream"], agreed["learning.model"]
    if pair != former:
        known = _stands_there(former[0], wanted, agreed)
        for key, asked, was in zip(_CHOICE, pair, former if known else ("", former[1]), strict=True):
            if asked != was:
                yield Held(key, asked, was)
        return
    if not _stands_there(chosen.upstream, wanted, agreed):
        yield Held("learning.upstream", chosen.upstream, "")


def _stands_there(name: str, wanted: Settings, agreed: Agreed) -> bool:
    """Whether an upstream is still the place that was agreed to."""
    if name == EMBEDDED or name not in wanted.upstreams:
        return name in wanted.upstream_names
    return _same_place(agreed.get(f"upstreams.{name}.base_url"), wanted.upstreams[name].base_url)


def _is_here(settings: Settings) -> bool:
    name = settings.learning.upstream
    return name == EMBEDDED or settings.upstreams[name].loopback


def _of_upstream(name: str, wanted: Upstream, agreed: Agreed) -> Iterator[Held]:
    place = f"upstreams.{name}"
    if wanted.credential == "pass-through":
        former = agreed.get(f"{place}.credential")
        if former != "pass-through" or not _same_place(agreed[f"{place}.base_url"], wanted.base_url):
            yield Held(f"{place}.credential", "pass-through", "none")
    if wanted.loopback:
        return
    for field in type(wanted).model_fields:
        if field.endswith(_PRICE):
            price, was = getattr(wanted, field), agreed.get(f"{place}.{field}")
            if price != was and (price is None or was is None or price < was):
                yield Held(f"{place}.{field}", price, was)


def _same_place(one: Any, other: str) -> bool:
    return isinstance(one, str) and origin_text(one) == origin_text(other)
