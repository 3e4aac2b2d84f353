"""Why no answer came, or no whole one, on a connection to an upstream."""

from __future__ import annotations


class ExchangeError(Exception):
    """An exchange with an upstream failed."""


class NotHttpError(ExchangeError):
    """What came is no HTTP, or none that can be read in one way only."""


class DisconnectedError(ExchangeError):
    """The connection ended before an answer."""


class CutError(ExchangeError):
    """The connection ended in the middle of an answer's body."""


class NoConnectionError(ExchangeError):
    """No connection came about, so nothing was sent."""

    def __init__(self, reason: OSError) -> None:
        super().__init__(str(reason))
        self.reason = reason


class NameUnknownError(NoConnectionError):
    """The host's name is not known."""


class ProxyAwayError(NoConnectionError):
    """The network's proxy cannot be reached."""


class ConnectingTooLongError(ExchangeError):
    """No connection came about in time."""


class NotTlsError(ExchangeError):
    """The host does not speak TLS."""


class CertificateError(ExchangeError):
    """The host shows no certificate for its name that can be trusted."""


class ProxyRefusedError(ExchangeError):
    """The network's proxy does not lead to the host."""

    def __init__(self, status: int) -> None:
        super().__init__(f"status {status}")
        self.status = status


FAILURES = (ExchangeError, OSError, TimeoutError)
"""All that an exchange with an upstream may end in."""
