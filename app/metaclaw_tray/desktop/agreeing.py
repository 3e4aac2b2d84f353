"""What a person is asked to agree to, in words for somebody who has never seen the command line.

The app names an act by a verb and sends the text that the yes is bound to. The window says above that text
what would happen, what leaves the machine, what it may cost or take away, and how to come back.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QObject

from metaclaw_tray.admin import api
from metaclaw_tray.admin.api.calendars import ConnectGoogle, ConnectIcs
from metaclaw_tray.desktop.named import titled


@dataclass(frozen=True)
class Agreement:
    """A question and its button. What does not apply is left empty."""

    title: str
    happens: str
    yes: str  # names the act
    leaves: str = ""  # what leaves this machine
    costs: str = ""  # what it may cost or take away
    back: str = ""  # how it is taken back
    danger: bool = False


class Agreements(QObject):
    """Words for each act of the app that asks for a yes."""

    def of(self, verb: api.Verb[Any] | None, action: str) -> Agreement:
        """The words for a verb that the window asked; `action` is the app's own name for the act."""
        for words in (
            self._on_proposals,
            self._on_skills,
            self._on_library,
            self._on_settings,
            self._on_parts,
        ):
            if verb is not None and (found := words(verb)) is not None:
                return found
        named = action[:1].upper() + action[1:]
        return Agreement(f"{named}?", self.tr("Please read first what it is about."), named)

    def _on_proposals(self, verb: api.Verb[Any]) -> Agreement | None:
        match verb:
            case api.ApproveProposal() | api.EditProposal():
                return Agreement(
                    self.tr("Use this skill from now on?"),
                    self.tr("Your agents get it with the requests that it fits, from the next one on."),
                    self.tr("Approve"),
                    leaves=self._sent(),
                    back=self._history(),
                )
            case api.RejectProposal():
                return Agreement(
                    self.tr("Reject this skill?"),
                    self.tr("Nothing changes for your agents, and it is not offered again."),
                    self.tr("Reject"),
                    danger=True,
                )
            case api.TryProposal():
                return Agreement(
                    self.tr("Try this skill first?"),
                    self.tr(
                        "Every other conversation that it fits gets it. Comparing the two halves shows "
                        "whether it helps."
                    ),
                    self.tr("Start the trial"),
                    leaves=self._sent(),
                    back=self.tr("The trial ends by itself where it does harm, and you can end it any time."),
                )
        return None

    def _on_skills(self, verb: api.Verb[Any]) -> Agreement | None:
        match verb:
            case api.AddSkill():
                title, yes = self.tr("Add this skill?"), self.tr("Add it")
                return Agreement(title, self._given(), yes, leaves=self._sent(), back=self._history())
            case api.EnableSkill(name=name):
                title, yes = self.tr("Switch “{name}” on?"), self.tr("Switch on")
                title = title.format(name=titled(name))
                return Agreement(title, self._given(), yes, leaves=self._sent(), back=self._history())
            case api.DisableSkill(name=name):
                title, yes = self.tr("Switch “{name}” off?"), self.tr("Switch off")
                happens = self.tr("No agent gets it any more. It stays in the list, to be switched on again.")
                return Agreement(title.format(name=titled(name)), happens, yes, back=self._history())
            case api.RetireSkill(name=name):
                title, yes = self.tr("Retire “{name}”?"), self.tr("Retire")
                happens = self.tr("No agent gets it any more. It is kept among the retired ones.")
                return Agreement(
                    title.format(name=titled(name)), happens, yes, back=self._history(), danger=True
                )
            case api.TrustSkill(name=name, trusted=trusted):
                return self._trusting(titled(name), trusted)
            case api.ScopeSkill(name=name, agents=agents):
                happens = self.tr("From now on all agents get it, those to come too.")
                if agents:
                    happens = self.tr("From now on only these agents get it: {agents}.")
                return Agreement(
                    self.tr("Change who gets “{name}”?").format(name=titled(name)),
                    happens.format(agents=", ".join(agents)),
                    self.tr("Change who gets it"),
                    back=self._history(),
                )
        return None

    def _trusting(self, name: str, trusted: bool) -> Agreement:
        if trusted:
            title, yes = self.tr("Trust “{name}” as your own words?"), self.tr("Trust it")
            happens = self.tr(
                "Where you allowed that, changes of it that were measured to help are taken over without "
                "asking you first."
            )
        else:
            title, yes = self.tr("Trust “{name}” no longer?"), self.tr("Trust it no longer")
            happens = self.tr("It is used as before, and every change of it is put before you first.")
        return Agreement(title.format(name=name), happens, yes, back=self._history())

    def _on_library(self, verb: api.Verb[Any]) -> Agreement | None:
        match verb:
            case api.ImportSkills(skills=skills):
                return Agreement(
                    self.tr("Import %n skill(s)?", "", len(skills)),
                    self.tr(
                        "New ones are in use from the next request on. What differs from a skill of yours "
                        "waits for you as a proposal."
                    ),
                    self.tr("Import"),
                    leaves=self._sent(),
                    back=self._history(),
                )
            case api.Undo():
                return Agreement(
                    self.tr("Take this back?"),
                    self.tr("Your skills stand as they did before it, from the next request on."),
                    self.tr("Take it back"),
                    back=self.tr("Taking back can be taken back too."),
                )
            case api.ReturnToGeneration(generation=number):
                return Agreement(
                    self.tr("Return all skills to an earlier state?"),
                    self.tr("Every skill stands as it did in state {number} of your library.").format(
                        number=number
                    ),
                    self.tr("Return to it"),
                    back=self.tr("In one step, under “History” of any skill that changed by it."),
                    danger=True,
                )
        return None

    def _on_settings(self, verb: api.Verb[Any]) -> Agreement | None:
        match verb:
            case api.SetConfig(key=key):
                return self._on_setting(key)
            case api.AddUpstream(name=name):
                return self._pricing(name)
            case api.Reload():
                return self._taking_up()
            case ConnectIcs() | ConnectGoogle():
                return Agreement(
                    self.tr("Connect this calendar?"),
                    self.tr(
                        "It is read now and every few minutes; training may run while you are in a meeting."
                    ),
                    self.tr("Connect"),
                    leaves=self.tr("What opens the calendar, to its own host, and nothing else."),
                    back=self.tr("Disconnect it, any time: all that it said is forgotten."),
                )
            case api.FetchModel():
                return Agreement(
                    self.tr("Download this model?"),
                    self.tr("It is kept on this machine and runs here: no key, no cost for its answers."),
                    self.tr("Download"),
                    leaves=self.tr("The address below learns that somebody downloads it, and nothing else."),
                    back=self.tr("Delete its file; the place is named below."),
                )
        return None

    def _on_parts(self, verb: api.Verb[Any]) -> Agreement | None:
        match verb:
            case api.UseAdapter():
                return Agreement(
                    self.tr("Let the trained model answer?"),
                    self.tr("It answers in conversations that begin from now on; others go on as they are."),
                    self.tr("Use it"),
                    back=self.tr("Roll back, any time: the one before it answers again."),
                )
            case api.RollBackAdapter():
                return Agreement(
                    self.tr("Go back to the model before?"),
                    self.tr("The one before it answers in conversations that begin from now on."),
                    self.tr("Roll back"),
                    back=self.tr("Use this one again, any time."),
                )
            case api.AddExtra():
                return Agreement(
                    self.tr("Install this part?"),
                    self.tr(
                        "It is put into a folder of the app's own; nothing else on this machine changes."
                    ),
                    self.tr("Install"),
                    leaves=self.tr("The addresses below learn that somebody downloads it, and nothing else."),
                    costs=self.tr("The room on the disk that stands below."),
                    back=self.tr("Remove it again, any time."),
                )
            case api.RemoveExtra():
                return Agreement(
                    self.tr("Remove this part?"),
                    self.tr("What it is needed for does not work until you install it again."),
                    self.tr("Remove"),
                    danger=True,
                )
        return None

    def _on_setting(self, key: str) -> Agreement | None:
        if key.startswith("budget."):
            return Agreement(
                self.tr("Change what learning may spend?"),
                self.tr("Learning stops before it would spend more. Your agents' requests have no limit."),
                self.tr("Change the limit"),
                costs=self.tr("At most what stands below, at the prices of your provider."),
                back=self.tr("Set it to the former amount, any time."),
            )
        if key == "review.policy":
            return Agreement(
                self.tr("Change who decides about skills?"),
                self.tr(
                    "Where you are not asked, only changes of skills you trust are taken over, and only "
                    "those that were measured to help."
                ),
                self.tr("Change who decides"),
                back=self.tr("Set it back any time; each change stands in the history of its skill."),
            )
        if key.startswith("retention."):
            return Agreement(
                self.tr("Delete older conversations?"),
                self.tr("What is older than the new limit is deleted now, and later ones as they get old."),
                self.tr("Change and delete"),
                costs=self.tr("What is deleted cannot be brought back."),
                danger=True,
            )
        if key in ("learning.upstream", "learning.model", "learning.enabled"):
            return Agreement(
                self.tr("Let it learn from your conversations?"),
                self.tr("The model for learning reads what went wrong and writes skills from it."),
                self.tr("Let it learn"),
                leaves=self.tr("Exchanges, with secrets blacked out, unless that model runs here."),
                costs=self.tr("What the provider asks for its answers, up to your limits under Budget."),
                back=self.tr("Choose another one, or none, any time."),
            )
        if key.endswith("_usd_per_million"):
            return self._pricing(key.split(".")[1])
        if key.endswith((".base_url", ".credential")):
            return Agreement(
                self.tr("Send a key to another address?"),
                self.tr("Requests go to the address below, with the key that is kept for this provider."),
                self.tr("Send it there"),
                leaves=self.tr("The key, and all that your agents send to this provider."),
                danger=True,
            )
        return None

    def _pricing(self, name: str) -> Agreement:
        return Agreement(
            self.tr("Change the prices of {provider}?").format(provider=name),
            self.tr("What requests cost is counted by these prices from now on."),
            self.tr("Change the prices"),
            costs=self.tr("Lower prices let learning ask more before it reaches your limit."),
            back=self.tr("Set the former prices again, any time."),
        )

    def _taking_up(self) -> Agreement:
        return Agreement(
            self.tr("Use what was edited by hand?"),
            self.tr(
                "The file with the settings was edited outside this window. It changes what may be spent or "
                "who decides, so it counts only with your yes."
            ),
            self.tr("Use the edited settings"),
            costs=self.tr("Read below what would change."),
            back=self.tr("Change the settings in this window, any time."),
        )

    def _given(self) -> str:
        return self.tr("Your agents get it with the requests that it fits, from the next one on.")

    def _sent(self) -> str:
        return self.tr("Its text goes to the model with those requests.")

    def _history(self) -> str:
        return self.tr("Any time, under “History” of the skill.")
