"""What the name of a field says about its value."""

from __future__ import annotations

import re
from enum import Enum
from functools import lru_cache
from typing import Final

from metaclaw_tray.redact.spans import words


class Promise(Enum):
    """What a name promises its value to be, from nothing to a secret of a certain form."""

    NOTHING = "nothing"
    MAYBE = "maybe"  # `auth`, `api_key_of_alice`: a secret where the value looks drawn by a machine
    TOKEN = "token"  # noqa: S105 so is `token`; in a shell whatever it is set to
    KEY = "key"  # a plain `key`, which as often leads to a map or a cache
    PASS = "pass"  # noqa: S105 `pass`, `pw`: a word of other trades too
    SECRET = "secret"  # noqa: S105 `api_key`: a secret unless it is a name or a piece of code
    PASSWORD = "password"  # noqa: S105 chosen by a person: may be a word
    HEADER = "header"  # `Authorization`: a scheme, then the secret
    COOKIE = "cookie"


_PARTS = re.compile(r"[A-ZÀ-Þ]+(?![a-zß-ÿ])|[A-ZÀ-Þ]?[a-zß-ÿ]+|[0-9]+|[^\x00-\xff]+")

_PASSWORDS = (
    "password", "passwd", "passphrase", "passcode", "passwort", "kennwort", "wachtwoord", "lösenord",
    "contraseña", "contrasena", "senha", "adgangskode", "salasana", "lozinka", "parola", "hasło", "jelszó",
    "şifre", "mật khẩu", "пароль", "пароля", "密码", "密碼", "口令", "パスワード", "비밀번호",
)  # fmt: skip
_ENGLISH: Final = ("password", "passwd", "passphrase", "passcode")
_SPOKEN: Final = (*(each for each in _PASSWORDS if each not in _ENGLISH), "mot de passe")
_SECRETS = (
    "secret", "apikey", "authkey", "accesskey", "secretkey", "privatekey", "accountkey", "masterkey",
    "signingkey", "encryptionkey", "licensekey", "servicekey", "authtoken", "accesstoken", "refreshtoken",
    "bearertoken", "sessiontoken", "apitoken", "bottoken", "geheimnis", "zugangscode", "api密钥", "密钥",
    "密鑰", "金鑰", "令牌", "schlüssel", "sleutel",
)  # fmt: skip
_MAKES_SECRET: Final = words(
    "api access secret private account master signing sign encryption encrypt auth deploy service storage "
    "shared subscription consumer client license app application server admin webhook session refresh "
    "bearer personal bot jwt oauth security registration deployment integration publish root hmac aes "
    "openai anthropic azure stripe github gitlab slack aws project"
)
_MAKES_NOTHING: Final = words(
    # of keys
    "public primary foreign sort partition cache object row hash range composite natural unique index group "
    "route routing idempotency translation message map lookup issue hot short arrow enter event pub host "
    "websocket localstorage dict entry json config setting settings sorting lock query metadata column i18n "
    # of tokens
    "page next continuation cancel cancellation pad eos bos unk stop special mask sync first last prev max "
    "min num total prompt completion input output lexer keyword string identifier design color"
)
_SAYS_NOTHING: Final = words(
    "url uri endpoint host port name names id ids type types kind length len size count limit min max "
    "expiry expires expiration expire ttl age file files filename path paths dir directory field fields "
    "label hint placeholder policy rule rules regex pattern format prefix suffix version algorithm alg "
    "hash hashed digest checksum fingerprint reset required enabled disabled manager store provider "
    "service handler helper error errors message messages title text description help input form page ref "
    "reference usage rotation strength scope scopes index map code board down up press event word words "
    "frame pair pairs ring vault cost price usage used per rate budget schema spec class model issuer "
    "audience location arn uses user username env var variable variables chars characters validation "
    "validator confirm confirmation confirmed visible visibility toggle button icon link changed updated "
    "created at date time timeout delay attempts tries history exists set unset is has valid invalid "
    "missing expired present auth authentication login protected less free manager encoder encoding "
    "decoder generator"
)
_SAYS_MORE: Final = words(
    "prod production dev devel development test testing staging stage local live sandbox ci old new "
    "current previous prev backup main default admin root value val string str raw plain plaintext b b64 "
    "base base64 key keys token rw ro read write primary secondary override"
)


@lru_cache(4096)
def promise_of(name: str) -> Promise:
    """What a name such as `OPENAI_API_KEY`, `dbPassword` or `x-auth-token` promises."""
    if is_spoken(name):
        return Promise.PASSWORD
    parts = [part.lower() for part in _PARTS.findall(name)]
    best, place = Promise.NOTHING, -1
    for index, part in enumerate(parts):
        found = _promise(part, parts[index - 1] if index else "")
        if found is not Promise.NOTHING:
            best, place = found, index
    if best is Promise.NOTHING:
        return best
    rest = [part for part in parts[place + 1 :] if not part.isdigit()]
    if any(part in _SAYS_NOTHING for part in rest):
        return Promise.NOTHING
    if all(part in _SAYS_MORE for part in rest):
        return best
    return Promise.MAYBE if best in (Promise.SECRET, Promise.PASSWORD) else Promise.NOTHING


def is_spoken(name: str) -> bool:
    """Whether it is a password in a language in which hardly any program is written: no type follows it."""
    return name.lower().endswith(_SPOKEN)


def _promise(part: str, before: str) -> Promise:
    if part in ("authorization", "authorisation"):
        return Promise.HEADER
    if part == "cookie":
        return Promise.COOKIE
    if part == "pwd" or part.endswith(_PASSWORDS) or (part == "passe" and before == "de"):
        return Promise.PASSWORD
    if part.endswith(_SECRETS):
        return Promise.SECRET
    if part in ("pass", "pw"):
        return Promise.PASS
    if part in ("key", "token"):
        if before in _MAKES_NOTHING:
            return Promise.NOTHING
        if before in _MAKES_SECRET:
            return Promise.SECRET
        return Promise.KEY if part == "key" else Promise.TOKEN
    if part in ("auth", "psk", "bearer", "jwt", "credential", "credentials", "creds", "passwords", "secrets"):
        return Promise.MAYBE
    if part in ("keys", "tokens"):
        return Promise.MAYBE if before in ("api", "secret", "access", "auth") else Promise.NOTHING
    return Promise.NOTHING
