"""Upstreams and agents. These work whether the app runs or not."""

from __future__ import annotations

import math

import click

from metaclaw_tray.admin.api import (
    AddAgent,
    AddUpstream,
    AgentRow,
    ListAgents,
    ListUpstreams,
    NewAgent,
    RemoveAgent,
    RemoveUpstream,
    RotateAgent,
    TestUpstream,
    UpstreamRow,
    UpstreamTest,
    UseUpstream,
)
from metaclaw_tray.cli.asking import ask_or_do, json_option, yes_option
from metaclaw_tray.cli.output import pairs, say, say_json, table
from metaclaw_tray.cli.setting import read_key
from metaclaw_tray.errors import UsageError


class Price(click.ParamType[float]):
    """A number from 0 up that is one: neither `nan` nor `inf`."""

    name = "price"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> float:
        try:
            price = float(value)
        except ValueError:
            price = math.nan
        if not (math.isfinite(price) and price >= 0):
            self.fail(f"{value!r} is no price: give a number such as 0.25.", param, ctx)
        return price


@click.group()
def upstream() -> None:
    """Providers that requests are forwarded to."""


@upstream.command("list")
@json_option
def upstream_list(as_json: bool) -> None:
    """All of them; a star marks the one that agents reach."""
    rows: list[UpstreamRow] = ask_or_do(ListUpstreams(), lambda connecting: connecting.list_upstreams())
    if as_json:
        say_json(rows)
        return
    cells = [
        (
            f"{row.name} *" if row.default else row.name,
            _credential(row),
            row.dialects,
            _models(row),
            row.fallback or "-",
            row.base_url,
        )
        for row in rows
    ]
    empty = "None yet: `metaclaw-tray upstream add NAME --base-url URL`."
    say(table(["name", "credential", "dialects", "model", "fallback", "address"], cells, empty=empty))


@upstream.command("add")
@click.argument("name")
@click.option("--base-url", required=True, metavar="URL", help="Up to where the protocol's path begins: …/v1")
@click.option("--dialects", metavar="LIST", help="Of chat,messages,responses; a new one: chat.")
@click.option("--key-env", metavar="VAR", help="Take its key from this environment variable.")
@click.option("--key-stdin", is_flag=True, help="Take its key from standard input.")
@click.option("--pass-through", is_flag=True, help="Pass on the agent's own credentials.")
@click.option("--model", metavar="NAME", help="Ask for this model whatever the agent asks for.")
@click.option(
    "--map",
    "maps",
    multiple=True,
    metavar="AGENTS=ITS",
    help="Ask for its model ITS where the agent asks for AGENTS (a * at the end: for any that begins so).",
)
@click.option("--fallback", metavar="NAME", help="Ask this upstream where it is away.")
@click.option("--default", "as_default", is_flag=True, help="Make it the one that agents reach.")
@click.option("--input-price", type=Price(), metavar="USD", help="Price of a million input tokens.")
@click.option("--output-price", type=Price(), metavar="USD", help="Price of a million output tokens.")
@yes_option
@json_option
def upstream_add(
    name: str,
    base_url: str,
    dialects: str | None,
    key_env: str | None,
    key_stdin: bool,
    pass_through: bool,
    model: str | None,
    maps: tuple[str, ...],
    fallback: str | None,
    as_default: bool,
    input_price: float | None,
    output_price: float | None,
    yes: bool,
    as_json: bool,
) -> None:
    """Add a provider, or replace it; what is not named then stays. Its key goes to the keyring."""
    if pass_through and (key_env or key_stdin):
        raise UsageError("Two kinds of credentials", "Give a key or --pass-through, not both.", "")
    verb = AddUpstream(
        name=name,
        base_url=base_url,
        dialects=None if dialects is None else [each.strip() for each in dialects.split(",") if each.strip()],
        model=model,
        models=_map(maps) if maps else None,
        fallback=fallback,
        credential="pass-through" if pass_through else None,
        key=read_key(key_env, key_stdin),
        default=as_default,
        input_usd_per_million=input_price,
        output_usd_per_million=output_price,
        yes=yes,
    )
    row = ask_or_do(verb, lambda connecting: connecting.add_upstream(verb))
    if as_json:
        say_json(row)
        return
    say(f"{'Replaced: ' if row.replaced else ''}{row.name} is {row.base_url} ({_credential(row)}).")
    if row.replaced:
        for key, (old, new) in row.changed.items():
            say(f"  {key}: {old} → {new}")
        say("All else stays as it was." if row.changed else "  Nothing but its key can be another one now.")
    if row.dropped_key_of:
        say(f"The key that was kept is removed: it was for {row.dropped_key_of}.")
    if row.default:
        say("Agents reach it.")


@upstream.command("test")
@click.argument("name")
@json_option
def upstream_test(name: str, as_json: bool) -> int:
    """Ask a provider for its models."""
    test: UpstreamTest = ask_or_do(TestUpstream(name), lambda connecting: connecting.test_upstream(name))
    if as_json:
        say_json(test)
    else:
        words = "answers" if test.ok else "does not work"
        say(f"{test.name} {words} ({test.milliseconds:.0f} ms). {test.detail}".rstrip())
        for model in test.models:
            say(f"  {model}")
    return 0 if test.ok else 1


@upstream.command("remove")
@click.argument("name")
@yes_option
def upstream_remove(name: str, yes: bool) -> None:
    """Remove a provider and its key."""
    say(ask_or_do(RemoveUpstream(name, yes=yes), lambda connecting: connecting.remove_upstream(name)).text)


@upstream.command("use")
@click.argument("name")
@click.option("--agent", default="", metavar="AGENT", help="Only for this agent.")
@yes_option
def upstream_use(name: str, agent: str, yes: bool) -> None:
    """Make it the one that agents reach. With the name `default`, an agent reaches again what all reach."""
    verb = UseUpstream(name, agent, yes)
    say(ask_or_do(verb, lambda connecting: connecting.use_upstream(name, agent)).text)


@click.group()
def agents() -> None:
    """Clients that may use the proxy, each with a token of its own."""


@agents.command("list")
@json_option
def agents_list(as_json: bool) -> None:
    """All of them, without their tokens."""
    rows: list[AgentRow] = ask_or_do(ListAgents(), lambda connecting: connecting.list_agents())
    if as_json:
        say_json(rows)
        return
    cells = [
        (row.name, row.token_known, row.observe_only, row.upstream or "the default", row.last_seen or "-")
        for row in rows
    ]
    empty = "None yet: `metaclaw-tray agents add NAME`."
    say(table(["name", "has token", "observe only", "upstream", "last seen"], cells, empty=empty))


@agents.command("add")
@click.argument("name")
@click.option("--observe-only", is_flag=True, help="Learn from it, but put nothing into its requests.")
@json_option
def agents_add(name: str, observe_only: bool, as_json: bool) -> None:
    """Let an agent in. Prints its token and the addresses to point it at, once."""
    verb = AddAgent(name, observe_only)
    _show_new(ask_or_do(verb, lambda connecting: connecting.add_agent(verb)), as_json)


@agents.command("rotate")
@click.argument("name")
@json_option
def agents_rotate(name: str, as_json: bool) -> None:
    """A new token for an agent; the old one opens nothing any more."""
    _show_new(ask_or_do(RotateAgent(name), lambda connecting: connecting.rotate_agent(name)), as_json)


@agents.command("remove")
@click.argument("name")
def agents_remove(name: str) -> None:
    """Shut an agent out."""
    say(ask_or_do(RemoveAgent(name), lambda connecting: connecting.remove_agent(name)).text)


def _show_new(agent: NewAgent, as_json: bool) -> None:
    if as_json:
        say_json(agent)
        return
    say(
        pairs(
            [
                ("token", agent.token),
                ("OpenAI base URL", agent.base_url),
                ("Anthropic base URL", agent.anthropic_base_url),
            ]
        )
    )
    say("The token is shown this once; the addresses hold it. `metaclaw-tray agents rotate` makes a new one.")


def _models(row: UpstreamRow) -> str:
    pairs_of_names = [f"{agents}={its}" for agents, its in row.models.items()]
    return ", ".join([*pairs_of_names, *([row.model] if row.model else [])]) or "-"


def _map(maps: tuple[str, ...]) -> dict[str, str]:
    found = {}
    for each in maps:
        agents, equals, its = each.partition("=")
        if not equals or not agents.strip() or not its.strip():
            raise UsageError("This maps no model", f"{each!r} is not like AGENTS=ITS.", "")
        found[agents.strip()] = its.strip()
    return found


def _credential(row: UpstreamRow) -> str:
    if row.credential != "key":
        return {"none": "no key", "pass-through": "the agent's own"}[row.credential]
    return "key" if row.key_known else "key missing"


COMMANDS = [upstream, agents]
