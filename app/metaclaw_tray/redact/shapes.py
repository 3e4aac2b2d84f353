"""Secrets that are known by their shape: a prefix of the service that made them, then random letters.

A shape is a literal, found as fast as memory is read, and a pattern for what follows it. A literal within a
longer word begins nothing, so that no run of letters is read twice.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from metaclaw_tray.redact.encoded import beginning, decoded
from metaclaw_tray.redact.opacity import turns_within
from metaclaw_tray.redact.spans import Span, at_boundary, escape_length

_B62 = "[A-Za-z0-9]"
_URL64 = "[A-Za-z0-9_-]"
_HEX = "[0-9a-f]"
_UUID = rf"{_HEX}{{8}}-(?:{_HEX}{{4}}-){{3}}{_HEX}{{12}}"


@dataclass(frozen=True)
class _Shape:
    kind: str
    literal: str
    rest: str
    broken: bool = False  # a short run may come first: the literal is sought by itself
    inner: bool = False  # may stand within a longer name though its literal is written like one
    wordy: bool = False  # the literal begins ordinary names too: what follows has to look random
    pattern: re.Pattern[str] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "pattern", re.compile(self.rest))


def _shapes(kind: str, rest: str, *literals: str, inner: bool = False) -> list[_Shape]:
    return [_Shape(kind, literal, rest, inner=inner) for literal in literals]


_SHAPES: Final = (
    _Shape("anthropic-key", "sk-ant-", rf"{_URL64}{{16,}}", inner=True),
    *_shapes("openai-key", rf"(?={_URL64}{{0,40}}[0-9]){_URL64}{{40,}}",
             "sk-proj-", "sk-or-v1-", "sk-svcacct-", "sk-admin-", inner=True),
    _Shape("openai-key", "sk-", rf"{_URL64}{{16,}}", wordy=True),
    _Shape("metaclaw-token", "mct_", rf"{_URL64}{{16,}}"),
    _Shape("tinker-key", "tml-", rf"{_URL64}{{16,}}", wordy=True),
    # Where code lives and is built.
    *_shapes("github-token", rf"{_B62}{{20,}}", "ghp_", "gho_", "ghs_", "ghu_", "ghr_"),
    _Shape("github-token", "github_pat_", r"[A-Za-z0-9_]{20,}"),
    *_shapes("gitlab-token", rf"{_URL64}{{16,}}", "glpat-", "gldt-", "glrt-", "glptt-", "glcbt-", "glagent-",
             inner=True),
    _Shape("npm-token", "npm_", rf"{_B62}{{30,}}"),
    _Shape("pypi-token", "pypi-", rf"{_URL64}{{40,}}"),
    _Shape("rubygems-key", "rubygems_", rf"{_HEX}{{40,}}"),
    *_shapes("docker-token", rf"{_URL64}{{20,}}", "dckr_pat_", "dckr_oat_"),
    *_shapes("atlassian-token", r"[A-Za-z0-9_=-]{20,}", "ATATT3", "ATCTT3", "ATBB"),
    *_shapes("sonar-token", rf"{_HEX}{{40}}", "sqp_", "squ_", "sqa_"),
    _Shape("circleci-token", "CCIPAT_", r"[A-Za-z0-9_]{20,}"),
    _Shape("buildkite-token", "bkua_", rf"{_HEX}{{40}}"),
    _Shape("postman-key", "PMAK-", r"[0-9a-f-]{24,}"),
    # Clouds and what runs in them.
    *_shapes("aws-key", rf"[A-Z0-9]{{16}}(?!{_B62})", "AKIA", "ASIA", "ABIA", "ACCA"),
    _Shape("google-key", "AIza", rf"{_URL64}{{30,}}"),
    _Shape("google-token", "ya29.", rf"{_URL64}{{20,}}"),
    _Shape("google-secret", "GOCSPX-", rf"{_URL64}{{20,}}"),
    _Shape("alibaba-key", "LTAI", rf"{_B62}{{12,26}}(?!{_B62})", wordy=True),
    *_shapes("digitalocean-token", rf"{_HEX}{{40,}}", "dop_v1_", "doo_v1_", "dor_v1_"),
    _Shape("heroku-key", "HRKU-", rf"{_URL64}{{30,}}"),
    *_shapes("vault-token", rf"{_URL64}{{20,}}", "hvs.", "hvb.", "hvr."),
    _Shape("terraform-token", "atlasv1.", rf"{_URL64}{{40,}}"),
    _Shape("pulumi-token", "pul-", rf"{_HEX}{{40}}"),
    _Shape("tailscale-key", "tskey-", r"[a-z]{2,10}-[A-Za-z0-9-]{16,}"),
    *_shapes("fly-token", r"[A-Za-z0-9+/=,_-]{40,}", "fo1_", "fm1_", "fm2_"),
    _Shape("databricks-token", "dapi", rf"{_HEX}{{32}}"),
    *_shapes("planetscale-secret", r"[A-Za-z0-9_.=-]{20,}", "pscale_tkn_", "pscale_pw_", "pscale_oauth_"),
    *_shapes("supabase-key", r"[A-Za-z0-9_]{20,}", "sbp_", "sb_secret_"),
    *_shapes("doppler-token", rf"{_B62}{{30,}}", "dp.pt.", "dp.st.", "dp.ct.", "dp.sa."),
    _Shape("onepassword-token", "ops_eyJ", rf"{_URL64}{{40,}}"),
    _Shape("age-key", "AGE-SECRET-KEY-1", r"[A-Z0-9]{40,}"),
    _Shape("dynatrace-token", "dt0c01.", r"[A-Z0-9]{20,}\.[A-Z0-9]{40,}"),
    *_shapes("grafana-token", r"[A-Za-z0-9_+/=]{20,}", "glsa_", "glc_"),
    *_shapes("newrelic-key", r"[A-Za-z0-9_-]{20,}", "NRAK-", "NRII-", "NRJS-"),
    *_shapes("sentry-token", r"[A-Za-z0-9_+/=]{40,}", "sntrys_", "sntryu_"),
    *_shapes("artifactory-key", rf"{_B62}{{50,}}", "AKCp", "cmVmdGtu"),
    # Models.
    _Shape("huggingface-token", "hf_", rf"{_B62}{{20,}}", inner=True),
    _Shape("groq-key", "gsk_", rf"{_B62}{{20,}}"),
    _Shape("xai-key", "xai-", rf"{_B62}{{40,}}"),
    _Shape("replicate-token", "r8_", rf"{_B62}{{30,}}"),
    _Shape("perplexity-key", "pplx-", rf"{_B62}{{30,}}"),
    _Shape("together-key", "tgp_v1_", rf"{_URL64}{{30,}}"),
    _Shape("nvidia-key", "nvapi-", rf"{_URL64}{{40,}}"),
    _Shape("pinecone-key", "pcsk_", r"[A-Za-z0-9_]{30,}"),
    *_shapes("langsmith-key", rf"{_HEX}{{32}}_{_HEX}{{8,}}", "lsv2_pt_", "lsv2_sk_"),
    _Shape("tavily-key", "tvly-", rf"{_URL64}{{20,}}", wordy=True),
    _Shape("firecrawl-key", "fc-", rf"{_HEX}{{32}}"),
    _Shape("cerebras-key", "csk-", rf"{_B62}{{40,}}"),
    _Shape("jina-key", "jina_", rf"{_B62}{{40,}}"),
    _Shape("wandb-key", "wandb_v1_", rf"{_URL64}{{40,}}"),
    # Messages, money, shops, documents.
    *_shapes("slack-token", r"[A-Za-z0-9-]{10,}",
             "xoxa-", "xoxb-", "xoxe-", "xoxe.", "xoxo-", "xoxp-", "xoxr-", "xoxs-", "xoxc-", "xoxd-",
             "xapp-", inner=True),
    _Shape("slack-webhook", "hooks.slack.com/", r"(?:services|workflows|triggers)/[A-Za-z0-9/_-]{20,}"),
    _Shape("discord-webhook", "/api/webhooks/", rf"[0-9]{{16,20}}/{_URL64}{{40,}}"),
    *_shapes("stripe-key", rf"{_B62}{{16,}}", "sk_live_", "sk_test_", "rk_live_", "rk_test_"),
    _Shape("stripe-secret", "whsec_", r"[A-Za-z0-9+/=]{20,}"),
    *_shapes("shopify-token", rf"{_B62}{{32}}", "shpat_", "shpss_", "shpca_", "shppa_"),
    *_shapes("square-token", rf"{_URL64}{{20,}}", "sq0atp-", "sq0csp-"),
    _Shape("square-token", "EAAA", rf"{_URL64}{{60}}(?!{_URL64})"),
    _Shape("sendgrid-key", "SG.", rf"{_URL64}{{16,}}\.{_URL64}{{16,}}"),
    _Shape("brevo-key", "xkeysib-", rf"{_HEX}{{64}}-{_B62}{{16}}"),
    _Shape("mailgun-key", "key-", rf"{_HEX}{{32}}(?!{_B62})"),
    _Shape("twilio-key", "SK", rf"{_HEX}{{32}}(?!{_B62})", inner=True),
    _Shape("elevenlabs-key", "sk_", rf"{_HEX}{{40,}}"),
    _Shape("linear-key", "lin_api_", rf"{_B62}{{30,}}"),
    _Shape("notion-token", "ntn_", rf"{_B62}{{30,}}"),
    _Shape("notion-token", "secret_", rf"{_B62}{{40,}}"),
    *_shapes("figma-token", rf"{_URL64}{{30,}}", "figd_", "figo_"),
    _Shape("airtable-token", "pat", rf"{_B62}{{14}}\.{_HEX}{{64}}"),
    _Shape("hubspot-token", "pat-", rf"(?:na|eu)[0-9]-{_UUID}"),
    _Shape("dropbox-token", "sl.", rf"{_URL64}{{60,}}"),
    _Shape("contentful-token", "CFPAT-", rf"{_URL64}{{30,}}"),
    *_shapes("plaid-token", _UUID, "access-sandbox-", "access-development-", "access-production-"),
    _Shape("resend-key", "re_", rf"{_B62}{{8}}_{_B62}{{20,}}"),
    _Shape("mapbox-token", "sk.eyJ", rf"{_URL64}{{20,}}\.{_URL64}{{16,}}"),
    # The first part of a bot's token is its number in base64, so that it begins with one of these.
    *_shapes("discord-token", rf"{_B62}{{21,25}}\.{_URL64}{{6}}\.{_URL64}{{27,40}}",
             "MT", "Mj", "Mz", "ND", "NT", "Nj", "Nz", "OD", "OT"),
    _Shape("facebook-token", "EAA", rf"{_B62}{{60,}}"),
    *_shapes("easypost-key", rf"{_B62}{{54}}", "EZAK", "EZTK"),
    *_shapes("shippo-token", rf"{_HEX}{{40}}", "shippo_live_", "shippo_test_"),
    *_shapes("password-hash", r"[A-Za-z0-9+/]{27,128}={0,2}", "{SHA}", "{SSHA}"),
    # Signed tokens of any maker; encrypted ones have two parts more.
    _Shape("jwt", "eyJ", rf"{_URL64}{{8,}}\.{_URL64}{{8,}}(?:\.{_URL64}*){{1,3}}", broken=True),
)  # fmt: skip

# Passwords as servers keep them (crypt(5), bcrypt, Apache's htpasswd): they can be guessed at home.
_KEPT = re.compile(
    r"(?<![A-Za-z0-9$])\$(?:2[abxy]?\$[0-9]{2}\$[./A-Za-z0-9]{53}|apr1\$[./A-Za-z0-9]{1,8}\$[./A-Za-z0-9]{22}"
    r"|[56]\$(?:rounds=[0-9]{1,9}\$)?[./A-Za-z0-9]{1,16}\$[./A-Za-z0-9]{43,86}"
    r"|y\$[./A-Za-z0-9]{1,16}\$[./A-Za-z0-9]{1,64}\$[./A-Za-z0-9]{43}"
    r"|argon2(?:id|i|d)\$v=[0-9]{1,3}\$[a-z0-9=,]{1,64}\$[+/A-Za-z0-9]{8,128}\$[+/A-Za-z0-9]{16,256})"
    r"(?![./A-Za-z0-9])"
)
_KEPT_SIGNS: Final = ("$2", "$apr1$", "$5$", "$6$", "$y$", "$argon2")
_MAILCHIMP = re.compile(r"(?<![A-Za-z0-9_-])[0-9a-f]{32}-us[0-9]{1,2}(?![A-Za-z0-9])")
_TELEGRAM = re.compile(rf"(?<![0-9])[0-9]{{8,10}}:AA{_URL64}{{33}}(?!{_URL64})")
_ENTRA = re.compile(r"(?<![A-Za-z0-9_~.-])[A-Za-z0-9_~.-]{3}[0-9]Q~[A-Za-z0-9_~.-]{31,34}(?![A-Za-z0-9_~-])")

_LONG: Final = 15
_LONG_RUN = re.compile(rf"(?<![A-Za-z0-9_-]){_URL64}{{{_LONG},}}")

_BY_START: Final[dict[str, list[_Shape]]] = {}
"""The shapes that begin a long run, by the first two characters."""
_BROKEN: Final[list[_Shape]] = []
"""The shapes whose literal holds what ends a run: few, so each is sought by itself."""
for _shape in _SHAPES:
    if re.fullmatch(f"{_URL64}+", _shape.literal) and not _shape.broken:
        _BY_START.setdefault(_shape.literal[:2], []).append(_shape)
    else:
        _BROKEN.append(_shape)

_NO_NAME_HOLDS: Final = sorted(
    shape.literal
    for shapes in _BY_START.values()
    for shape in shapes
    if shape.inner
    or (
        not shape.wordy
        and len(shape.literal) > 3
        and (shape.literal != shape.literal.lower() or "_" in shape.literal)
    )
)
_INNER: Final = re.compile(f"[-_](?={'|'.join(map(re.escape, _NO_NAME_HOLDS))})")
"""Where in a run such a shape begins: one whose literal is part of no ordinary name."""

_JWT: Final = next(shape for shape in _SHAPES if shape.kind == "jwt")
_INNER_JWT: Final = re.compile("[-_](?=eyJ)")
_ENCODED: Final[dict[str, list[tuple[str, _Shape]]]] = {}
"""What shapes look like in base64, by the first two characters."""
for _shape in _SHAPES:
    if len(_shape.literal) > 2 and not _shape.wordy:
        _begins = beginning(_shape.literal)
        _ENCODED.setdefault(_begins[:2], []).append((_begins, _shape))

LITERALS: Final = frozenset(shape.literal.lower() for shape in _BROKEN)
"""A text in small letters with none of these, and no run of 15 letters, has no secret of a known shape."""


def shaped(text: str) -> Iterator[Span]:
    """Every secret whose shape says what it is."""
    for found in _LONG_RUN.finditer(text):
        start, end = found.span()
        start += escape_length(text, start)
        for shape in _BY_START.get(text[start : start + 2], ()):
            if span := _at(text, start, shape):
                yield span
                break
        else:
            yield from _encoded(text, start)
            yield from _within(text, start, end)
    for shape in _BROKEN:
        start = text.find(shape.literal)
        while start >= 0:
            span = _at(text, start, shape) if at_boundary(text, start) else None
            if span:
                yield span
            start = text.find(shape.literal, span.end if span else start + len(shape.literal))
    if any(sign in text for sign in _KEPT_SIGNS):
        yield from (Span(*found.span(), "password-hash") for found in _KEPT.finditer(text))
    if ":AA" in text:
        yield from (Span(*found.span(), "telegram-token") for found in _TELEGRAM.finditer(text))
    if "Q~" in text:
        yield from (Span(*found.span(), "azure-secret") for found in _ENTRA.finditer(text))
    if "-us" in text:
        yield from (Span(*found.span(), "mailchimp-key") for found in _MAILCHIMP.finditer(text))


def _within(text: str, start: int, end: int) -> Iterator[Span]:
    """Keys that stand in a longer name, as in `dump-AKIA….png`."""
    past = start
    for found in _INNER.finditer(text, start, end):
        if found.end() < past:
            continue
        for shape in _BY_START[text[found.end() : found.end() + 2]]:
            if not shape.wordy and (span := _at(text, found.end(), shape)):
                past = span.end
                yield span
                break
    first = _INNER_JWT.search(text, past, end)  # only the first: what follows is part of it, or of nothing
    if first and (span := _at(text, first.end(), _JWT)):
        yield span


def _encoded(text: str, start: int) -> Iterator[Span]:
    """A key that was written in base64."""
    for begins, shape in _ENCODED.get(text[start : start + 2], ()):
        if text.startswith(begins, start) and (run := decoded(text, start)):
            end, plain = run
            if _at(plain, 0, shape):
                yield Span(start, end, shape.kind)
                return


def _at(text: str, start: int, shape: _Shape) -> Span | None:
    if not text.startswith(shape.literal, start):
        return None
    found = shape.pattern.match(text, start + len(shape.literal))
    if found is None or "xxxxxx" in found[0].lower() or (shape.wordy and _reads_like_a_name(found[0])):
        return None
    return Span(start, found.end(), shape.kind)


def _reads_like_a_name(rest: str) -> bool:
    """`sk-fading-circle-delay-2` is a class of a style sheet."""
    if not any(letter.isdigit() for letter in rest):
        return True
    return all(len(part) < 16 and turns_within(part) < 2 for part in re.split("[-_]", rest))
