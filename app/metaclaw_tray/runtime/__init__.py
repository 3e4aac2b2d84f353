"""Everything put together: the composition root, and the façade that commands and windows reach it by."""

from metaclaw_tray.runtime.serving import serve

__all__ = ["serve"]
