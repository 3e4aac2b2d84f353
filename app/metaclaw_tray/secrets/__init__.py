"""Keys and tokens: in the keyring of the operating system, or in a named fallback.

A keyring may ask the person for a password and so hang; it is called from one worker thread only, with a
time limit. Values never reach a log, and never a file but the one a person opted into.
"""

from metaclaw_tray.secrets.places import Keyring, find_keyring
from metaclaw_tray.secrets.upstream_keys import NOWHERE, KeptKey, UpstreamKeys, upstream_secret
from metaclaw_tray.secrets.vault import SecretVault, aopen_vault, open_vault

__all__ = [
    "NOWHERE",
    "KeptKey",
    "Keyring",
    "SecretVault",
    "UpstreamKeys",
    "aopen_vault",
    "find_keyring",
    "open_vault",
    "upstream_secret",
]
