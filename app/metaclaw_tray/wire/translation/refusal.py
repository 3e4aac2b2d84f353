"""What a request says that chat completions cannot say."""

from __future__ import annotations

from metaclaw_tray.wire import WireError


class Untranslatable(WireError):  # noqa: N818 - it reads as what the request is
    """The request cannot be translated without a change of its meaning: a 400 in the client's dialect.

    `field` is the place in the client's own request, such as `tools[3].type`; `why` a sentence without a
    period that says what the upstream cannot do.
    """

    def __init__(self, field: str, why: str) -> None:
        super().__init__(f"{field}: {why}; this upstream speaks chat completions only")
        self.field = field
        self.why = why
