"""The façade: what commands, the tray and the windows may ask of the running program.

Each handler takes a verb of `admin.api` and gives its answer. Reading is one query on the store's threads;
changing the library asks for consent first, then is one transaction, then is brought to the hot path.
"""

from metaclaw_tray.runtime.facade.handlers import handlers

__all__ = ["handlers"]
