"""Settings, upstreams, agents and secrets changed by command: agreed to, brought to the proxy, noted.

What was edited in the file by hand meanwhile is taken up first, with an entry of its own, but for what takes
a person's yes: that waits for a command that names it, or for `config reload`, which shows all of it.
"""

from __future__ import annotations

import asyncio
import getpass
import os
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any, TypeVar

from msgspec.structs import replace

from metaclaw_tray.admin import api
from metaclaw_tray.admin.changing import BY_HAND, Changing
from metaclaw_tray.admin.connecting import Connecting
from metaclaw_tray.admin.moving import where_to
from metaclaw_tray.admin.server import Call, Handler, Handlers
from metaclaw_tray.admin.setting import AT_THE_NEXT_START, SettingDesk, whom_learning_asks
from metaclaw_tray.errors import NotFoundError
from metaclaw_tray.runtime.app import Runtime
from metaclaw_tray.settings import Retention, changed_keys, value_text
from metaclaw_tray.store import beginning, retention
from metaclaw_tray.store.decisions import Actor

T = TypeVar("T")


class SettingsDesk:
    """One handler for each verb that reads or changes what the person set."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime

    def handlers(self) -> Handlers:
        looks, does = self._looks, self._does
        return {
            api.ListUpstreams: looks(lambda desk, _: desk.list_upstreams()),
            api.AddUpstream: does(lambda desk, verb: desk.add_upstream(verb)),
            api.TakeOffer: does(self._take_offer),
            api.RemoveUpstream: does(lambda desk, verb: desk.remove_upstream(verb.name)),
            api.UseUpstream: does(lambda desk, verb: desk.use_upstream(verb.name, verb.agent)),
            api.TestUpstream: looks(lambda desk, verb: desk.test_upstream(verb.name)),
            api.ListAgents: looks(self._agents),
            api.AddAgent: does(lambda desk, verb: desk.add_agent(verb)),
            api.RotateAgent: does(lambda desk, verb: desk.rotate_agent(verb.name)),
            api.RemoveAgent: does(lambda desk, verb: desk.remove_agent(verb.name)),
            api.ListSecrets: looks(lambda desk, _: desk.list_secrets()),
            api.SetSecret: does(lambda desk, verb: desk.set_secret(verb.name, verb.value)),
            api.RemoveSecret: does(lambda desk, verb: desk.remove_secret(verb.name)),
            api.SetConfig: self._changing(self._set),
            api.Reload: self._reload,
        }

    async def change(self, call: Call, work: Callable[[Changing], Awaitable[T]]) -> T:
        """Another desk's change of settings and secrets, which the person has said yes to already."""
        await self._take_up(call)
        changing = Changing(self._runtime.settings_file, call.asker(yes=False))
        try:
            return await work(changing)
        finally:
            await self._settle(changing, call)

    def _looks(self, work: Callable[[Connecting, Any], Awaitable[T]]) -> Handler:
        async def handle(verb: Any, call: Call) -> T:
            changing = Changing(self._runtime.settings_file, call.asker(yes=False))
            return await work(self._connecting(changing), verb)

        return handle

    def _does(self, work: Callable[[Connecting, Any], Awaitable[T]]) -> Handler:
        return self._changing(lambda changing, verb: work(self._connecting(changing), verb))

    def _changing(self, work: Callable[[Changing, Any], Awaitable[T]]) -> Handler:
        async def handle(verb: Any, call: Call) -> T:
            yes = getattr(verb, "yes", False)
            await self._take_up(call)
            changing = Changing(self._runtime.settings_file, call.asker(yes=yes))
            try:
                return await work(changing, verb)
            finally:
                await self._settle(changing, call)

        return handle

    async def _set(self, changing: Changing, verb: api.SetConfig) -> api.Said:
        return await SettingDesk(changing, self._runtime.vault, self._would_go).set(verb)

    async def _agents(self, desk: Connecting, _verb: api.ListAgents) -> list[api.AgentRow]:
        seen = await self._runtime.store.aread(beginning.last_seen)
        return [replace(row, last_seen=seen.get(row.name)) for row in await desk.list_agents()]

    async def _take_offer(self, desk: Connecting, verb: api.TakeOffer) -> api.UpstreamRow:
        from metaclaw_tray.embedded.offers import find_servers  # late: it brings an HTTP client

        offer = next((each for each in await find_servers() if each.name == verb.name), None)
        if offer is None:
            raise NotFoundError(
                "It is not there any more",
                f"Nothing named {verb.name!r} answers on this machine or has a key here.",
                "Look again, or add the provider by its address.",
            )
        return await desk.add_upstream(
            api.AddUpstream(
                name=offer.name,
                base_url=offer.base_url,
                dialects=[offer.dialect],
                model=verb.model,
                key=os.environ.get(offer.key_env) if offer.key_env else None,
                default=verb.default,
            )
        )

    async def _reload(self, verb: api.Reload, call: Call) -> api.Reloaded:
        changed = await self._take_up(call, agree=True, yes=verb.yes)
        await self._runtime.apply()  # secrets may be others though no setting is
        restart = [key for key in changed if key in AT_THE_NEXT_START]
        return api.Reloaded(changed=changed, restart=restart)

    async def _take_up(self, call: Call, *, agree: bool = False, yes: bool = False) -> list[str]:
        """Put into force what was edited by hand, and give its keys; what takes a yes only where the person
        is to `agree` to it now. Raises SettingsError, ConsentError."""
        file = self._runtime.settings_file
        wanted = await asyncio.to_thread(file.read)
        if not changed_keys(file.settings, wanted):
            return []
        changing = Changing(file, call.asker(yes=yes))
        waiting = file.waiting(wanted) if agree else []
        if waiting:
            asked = [
                f"{each.key} is {value_text(each.in_force)} now and would be {value_text(each.asked)}."
                for each in waiting
            ]
            about = "The settings file was edited by hand:"
            whom = whom_learning_asks([each.key for each in waiting], wanted)
            text = "\n".join([about, *asked, *whom, *where_to(waiting, file.settings, wanted)])
            await changing.consent("take up the edited settings file", text)
        before = file.settings
        take = partial(file.reload, wanted) if waiting else file.refresh
        await changing.settings(take, action=BY_HAND)
        await self._settle(changing, call)
        return list(changed_keys(before, file.settings))

    async def _settle(self, changing: Changing, call: Call) -> None:
        """Bring what was changed to the proxy, and say in the ledger who did it."""
        runtime = self._runtime
        if changing.granted or changing.entries:
            await runtime.apply()
        if not changing.entries:
            return
        if changing.granted:
            channel, ancestry = str(changing.granted.channel), changing.granted.ancestry
        else:
            origin = await call.peer.origin()
            channel = call.place or ("terminal" if origin.terminal else "scripted")
            ancestry = origin.ancestry
        who, now = Actor(getpass.getuser(), channel, tuple(ancestry)), runtime.clock.now()
        await runtime.store.awrite(lambda db: changing.write(db, who, now))

    async def _would_go(self, now: Retention, then: Retention) -> str:
        at = self._runtime.clock.now()
        return await self._runtime.store.aread(lambda db: retention.would_go(db, now, then, at))

    def _connecting(self, changing: Changing) -> Connecting:
        return Connecting(changing, self._runtime.vault, self._runtime.url)
