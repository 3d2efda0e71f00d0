"""The server's part of Web Push: encrypted messages (RFC 8291) from an authenticated sender (RFC 8292).

Pure functions: keys, salt and time are arguments.
"""

from __future__ import annotations

import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Final
from urllib.parse import urlsplit

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

CURVE: Final = ec.SECP256R1()
SALT_LENGTH: Final = 16
AUTH_LENGTH: Final = 16
RECORD: Final = 4096
# The size that push services must accept (RFC 8291, section 4), less header, tag and delimiter.
LONGEST: Final = 4096 - 86 - 16 - 1
# Delimiter of the last record.
LAST_RECORD: Final = b"\x02"


class BadKeys(ValueError):
    """The subscription's keys are invalid."""


@dataclass(frozen=True, slots=True)
class Browser:
    """The recipient's public key and authentication secret."""

    public: ec.EllipticCurvePublicKey
    auth: bytes

    @classmethod
    def read(cls, public: str, auth: str) -> Browser:
        """Parse the keys of a push subscription.

        :raises BadKeys: they are invalid.
        """
        try:
            secret = decode_base64(auth)
            found = ec.EllipticCurvePublicKey.from_encoded_point(CURVE, decode_base64(public))
        except ValueError as error:
            raise BadKeys(str(error)) from error
        if len(secret) != AUTH_LENGTH:
            raise BadKeys("The secret has another length.")
        return cls(found, secret)


def encode_base64(data: bytes) -> str:
    """Encode as base64url without padding."""
    return urlsafe_b64encode(data).rstrip(b"=").decode()


def decode_base64(text: str) -> bytes:
    """Decode base64url without padding.

    :raises ValueError: the text is invalid.
    """
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))


def parse_private_key(text: str) -> ec.EllipticCurvePrivateKey:
    """Parse a private key written by `format_private_key`."""
    return ec.derive_private_key(int.from_bytes(decode_base64(text), "big"), CURVE)


def format_private_key(key: ec.EllipticCurvePrivateKey) -> str:
    return encode_base64(key.private_numbers().private_value.to_bytes(32, "big"))


def format_public_key(key: ec.EllipticCurvePublicKey) -> bytes:
    """Return a public key as an uncompressed point."""
    return key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


def encrypt(message: bytes, *, to: Browser, key: ec.EllipticCurvePrivateKey, salt: bytes) -> bytes:
    """Encrypt a message for one browser, as one record of aes128gcm; `key` and `salt` are used once.

    :raises ValueError: the message is too long.
    """
    if len(message) > LONGEST:
        raise ValueError("The message is too long.")
    ours, theirs = format_public_key(key.public_key()), format_public_key(to.public)
    shared = key.exchange(ec.ECDH(), to.public)
    # RFC 8291, section 3.4
    secret = _derive_key(shared, salt=to.auth, info=b"WebPush: info\x00" + theirs + ours, length=32)
    content_key = _derive_key(secret, salt=salt, info=b"Content-Encoding: aes128gcm\x00", length=16)
    nonce = _derive_key(secret, salt=salt, info=b"Content-Encoding: nonce\x00", length=12)
    # RFC 8188, section 2.1
    header = salt + RECORD.to_bytes(4, "big") + bytes([len(ours)]) + ours
    return header + AESGCM(content_key).encrypt(nonce, message + LAST_RECORD, None)


def build_authorization(
    endpoint: str, *, key: ec.EllipticCurvePrivateKey, subject: str, until: datetime
) -> str:
    """Return the Authorization header (VAPID, RFC 8292), valid for this push service until *until*."""
    parts = urlsplit(endpoint)
    claims = {"aud": f"{parts.scheme}://{parts.netloc}", "exp": int(until.timestamp()), "sub": subject}
    signed = ".".join(_encode_json(each) for each in ({"typ": "JWT", "alg": "ES256"}, claims))
    r, s = decode_dss_signature(key.sign(signed.encode(), ec.ECDSA(SHA256())))
    # RFC 7518, section 3.4: the two numbers side by side
    signature = encode_base64(r.to_bytes(32, "big") + s.to_bytes(32, "big"))
    return f"vapid t={signed}.{signature}, k={encode_base64(format_public_key(key.public_key()))}"


def _derive_key(secret: bytes, *, salt: bytes, info: bytes, length: int) -> bytes:
    return HKDF(algorithm=SHA256(), length=length, salt=salt, info=info).derive(secret)


def _encode_json(value: Mapping[str, object]) -> str:
    return encode_base64(json.dumps(value, separators=(",", ":")).encode())
