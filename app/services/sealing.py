"""Keyed hashes and signed tokens: everything that is derived from the service's secret."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import secrets
import string
import zlib
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from app.domain.caller import Owner

_BASE62 = string.digits + string.ascii_uppercase + string.ascii_lowercase
_KEY_ID_LENGTH, _SECRET_LENGTH, _CHECKSUM_LENGTH = 10, 32, 6


class Sealing:
    """Derives every hash from one secret, each for its own purpose, so that none can stand for another."""

    def __init__(self, secret: str) -> None:
        self._secret = secret.encode()

    def mac(self, purpose: str, *parts: str) -> str:
        """Give the keyed hash of parts for a purpose: 64 hexadecimal digits."""
        # lengths in front, so that no two lists of parts spell the same message
        message = "".join(f"{len(part)}:{part}" for part in (purpose, *parts))
        return hmac.new(self._secret, message.encode("utf-8", "surrogatepass"), hashlib.sha256).hexdigest()

    def owner(self, tenant_id: str, user_id: str) -> Owner:
        """Name an owner, with the keyed hash that may outlive the user id."""
        return Owner(tenant_id, user_id, self.mac("user", tenant_id, user_id))

    def memory_key(self, owner: Owner, memory_id: UUID) -> str:
        """Give the keyed hash by which ledger and receipts know a memory."""
        return self.mac("memory", owner.tenant_id, owner.user_key, str(memory_id))

    def key_hash(self, tenant_id: str, key_id: str, secret: str) -> bytes:
        """Give what is stored of a key's secret."""
        return bytes.fromhex(self.mac("key", tenant_id, key_id, secret))

    def sign(self, purpose: str, owner: Owner, value: dict[str, Any]) -> str:
        """Pack a small value into an opaque token that only this owner can use."""
        payload = json.dumps(value, sort_keys=True, separators=(",", ":")).encode()
        tag = bytes.fromhex(self.mac(purpose, owner.tenant_id, owner.user_id, payload.decode()))[:16]
        return base64.urlsafe_b64encode(tag + payload).decode().rstrip("=")

    def open(self, purpose: str, owner: Owner, token: str) -> dict[str, Any] | None:
        """Unpack a token; None when it is not ours, or another owner's."""
        try:
            raw = base64.b64decode(token + "=" * (-len(token) % 4), altchars=b"-_", validate=True)
            payload = raw[16:].decode()
        except ValueError:
            return None
        tag = bytes.fromhex(self.mac(purpose, owner.tenant_id, owner.user_id, payload))[:16]
        if not hmac.compare_digest(tag, raw[:16]):
            return None
        value: dict[str, Any] = json.loads(payload)
        return value


@dataclass(frozen=True, slots=True)
class KeyParts:
    """A key taken apart: the tenant in it lets the look-up itself run under row-level security."""

    tenant_id: str
    key_id: str
    secret: str


def make_key(tenant_id: str) -> tuple[str, KeyParts]:
    """Make a new key: `lk_<tenant>_<key id>_<secret><checksum>`, the last two in base 62."""
    parts = KeyParts(tenant_id, _random(_KEY_ID_LENGTH), _random(_SECRET_LENGTH))
    body = f"lk_{parts.tenant_id}_{parts.key_id}_{parts.secret}"
    return body + _checksum(body), parts


def read_key(token: str) -> KeyParts | None:
    """Take a key apart; None when its form or checksum is wrong, so that a typo costs no look-up."""
    pieces = token.split("_")
    if len(token) > 160 or len(pieces) != 4 or pieces[0] != "lk" or not token.isascii():
        return None
    _, tenant_id, key_id, tail = pieces
    well_formed = (
        0 < len(tenant_id) <= 40
        and all(letter in string.ascii_lowercase + string.digits + "-" for letter in tenant_id)
        and len(key_id) == _KEY_ID_LENGTH
        and len(tail) == _SECRET_LENGTH + _CHECKSUM_LENGTH
        and all(letter in _BASE62 for letter in key_id + tail)
    )
    if not well_formed or not hmac.compare_digest(_checksum(token[:-_CHECKSUM_LENGTH]), token[-_CHECKSUM_LENGTH:]):
        return None
    return KeyParts(tenant_id, key_id, tail[:_SECRET_LENGTH])


def _random(length: int) -> str:
    return "".join(secrets.choice(_BASE62) for _ in range(length))


def _checksum(body: str) -> str:
    number, digits = zlib.crc32(body.encode()), ""
    for _ in range(_CHECKSUM_LENGTH):
        number, digit = divmod(number, 62)
        digits = _BASE62[digit] + digits
    return digits
