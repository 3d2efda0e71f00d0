"""From bytes to text, and how much of it."""

from __future__ import annotations

import pytest

from engine.errors import Unreadable
from engine.formats.decoding import decode
from engine.formats.limits import Limits


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"", ""),
        ("Jürg".encode(), "Jürg"),
        ("Jürg".encode("cp1252"), "Jürg"),
        (b"\x81\xe9", "\ufffdé"),
        ("Jürg\r\nLøve\r".encode("utf-8-sig"), "Jürg\nLøve\n"),
        (b"\xff\xfe" + "Jürg".encode("utf-16-le"), "Jürg"),
        (b"\xfe\xff" + "Jürg".encode("utf-16-be"), "Jürg"),
        ("Game".encode("utf-16-le"), "Game"),
        ("Game".encode("utf-16-be"), "Game"),
        (b"\xff\xfeG", "\ufffd"),
        ("\ufeffone\r\n\ufefftwo\ufeff".encode(), "one\ntwo\ufeff"),
    ],
)
def test_every_encoding_that_records_come_in(data: bytes, text: str) -> None:
    assert decode(data) == text


@pytest.mark.parametrize("data", [b"MATLAB\0\0\0\0", b"\0\0\0\0", b"ab\0"])
def test_what_is_no_text(data: bytes) -> None:
    with pytest.raises(Unreadable, match="text") as caught:
        decode(data)
    assert caught.value.code == "not-text"


@pytest.mark.parametrize(("limits", "said"), [(Limits(bytes=3), "3 bytes"), (Limits(lines=1), "1 line")])
def test_more_than_will_be_read(limits: Limits, said: str) -> None:
    with pytest.raises(Unreadable, match=said) as caught:
        decode(b"a\nb\nc\n", limits)
    assert caught.value.code == "too-much"
