"""Web Push: the standards' own examples, and what we encrypt read by another implementation."""

from __future__ import annotations

import json
import os
from datetime import UTC, datetime

import http_ece
import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.hashes import SHA256
from hypothesis import given
from hypothesis import strategies as st

from runtime import web_push
from runtime.web_push import Browser, decode_base64, encode_base64

# RFC 8291, section 5 and appendix A
MESSAGE = b"When I grow up, I want to be a watermelon"
OURS = "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"
THEIRS = "q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94"
THEIR_POINT = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
AUTH = "BTBZMqHH6r4Tts7J_aSIgg"
SALT = "DGv6ra1nlYgDCS1FRnbzlw"
ENCRYPTED = (
    "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQp"
    "u6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
)
# RFC 8292, section 2.4
VAPID = (
    "vapid t=eyJ0eXAiOiJKV1QiLCJhbGciOiJFUzI1NiJ9.eyJhdWQiOiJodHRwczovL3B1c2guZXhhbXBsZS5uZXQiLCJleHAiOjE0NTM1MjM3NjgsInN1Yi"
    "I6Im1haWx0bzpwdXNoQGV4YW1wbGUuY29tIn0.i3CYb7t4xfxCDquptFOepC9GAu_HLGkMlMuCGSK2rpiUfnK9ojFwDXb1JrErtmysazNjjvW2L9OkSSHzvoD1oA,"
    " k=BA1Hxzyi1RUM1b5wjxsn7nGxAszw2u61m164i3MrAIxHF6YK5h4SDYic-dRuU_RCPCfA5aq9ojSwk5Y2EmClBPs"
)


def claims(header: str) -> dict[str, object]:
    """Check the signature of a header as a push service does, and return what it claims."""
    token, _, key = header.removeprefix("vapid t=").partition(", k=")
    signed, _, signature = token.rpartition(".")
    numbers = decode_base64(signature)
    r, s = (int.from_bytes(part, "big") for part in (numbers[:32], numbers[32:]))
    public = ec.EllipticCurvePublicKey.from_encoded_point(web_push.CURVE, decode_base64(key))
    public.verify(encode_dss_signature(r, s), signed.encode(), ec.ECDSA(SHA256()))
    head, body = (json.loads(decode_base64(part)) for part in signed.split("."))
    assert head == {"typ": "JWT", "alg": "ES256"}
    return dict(body)


def test_the_standard_s_example_of_a_message_comes_out_byte_by_byte() -> None:
    made = web_push.encrypt(
        MESSAGE,
        to=Browser.read(THEIR_POINT, AUTH),
        key=web_push.parse_private_key(OURS),
        salt=decode_base64(SALT),
    )
    assert encode_base64(made) == ENCRYPTED
    assert (
        encode_base64(web_push.format_public_key(web_push.parse_private_key(THEIRS).public_key()))
        == THEIR_POINT
    )


def test_the_standard_s_example_of_a_sender_is_understood_and_ours_is_like_it() -> None:
    expected = {"aud": "https://push.example.net", "exp": 1453523768, "sub": "mailto:push@example.com"}
    assert claims(VAPID) == expected
    key = web_push.parse_private_key(OURS)
    ours = web_push.build_authorization(
        "https://push.example.net/send/1?to=2",
        key=key,
        subject="mailto:push@example.com",
        until=datetime.fromtimestamp(1453523768, tz=UTC),
    )
    assert claims(ours) == expected
    # The same header and claims, letter by letter; the signature has chance in it.
    assert ours.rpartition(".")[0] == VAPID.partition(", k=")[0].rpartition(".")[0]
    with pytest.raises(InvalidSignature):
        claims(ours.replace("eyJhdWQi", "eyJhdWQj"))


@given(st.binary(max_size=web_push.LONGEST))
def test_what_we_encrypt_another_implementation_reads(message: bytes) -> None:
    theirs, ours = (ec.generate_private_key(web_push.CURVE) for _ in range(2))
    auth, salt = os.urandom(16), os.urandom(16)
    to = Browser.read(encode_base64(web_push.format_public_key(theirs.public_key())), encode_base64(auth))
    made = web_push.encrypt(message, to=to, key=ours, salt=salt)
    assert len(made) <= 4096
    assert http_ece.decrypt(made, private_key=theirs, auth_secret=auth, version="aes128gcm") == message


def test_a_message_that_no_service_must_take_is_refused() -> None:
    with pytest.raises(ValueError, match="too long"):
        web_push.encrypt(
            b"x" * (web_push.LONGEST + 1),
            to=Browser.read(THEIR_POINT, AUTH),
            key=web_push.parse_private_key(OURS),
            salt=decode_base64(SALT),
        )


@pytest.mark.parametrize(
    ("public", "auth"),
    [
        ("", AUTH),
        (THEIR_POINT, ""),
        (THEIR_POINT, AUTH[:-4]),
        (THEIR_POINT[:-4], AUTH),
        ("A" * 87, AUTH),
        ("é", AUTH),
    ],
)
def test_what_is_no_key_is_refused(public: str, auth: str) -> None:
    with pytest.raises(web_push.BadKeys):
        Browser.read(public, auth)


def test_a_private_key_is_kept_as_text() -> None:
    assert web_push.format_private_key(web_push.parse_private_key(OURS)) == OURS
