"""From bytes to text, and how much of it."""

from __future__ import annotations

import pytest

from engine.errors import Unreadable
from engine.formats.decoding import DecodedText, decode
from engine.formats.limits import Limits


@pytest.mark.parametrize(
    ("data", "text", "encoding"),
    [
        (b"", "", "utf-8"),
        ("Jürg".encode(), "Jürg", "utf-8"),
        ("Jürg".encode("cp1252"), "Jürg", "cp1252"),
        (b"\x81\xe9", "\ufffdé", "cp1252"),
        ("Jürg\r\nLøve\r".encode("utf-8-sig"), "Jürg\nLøve\n", "utf-8-sig"),
        (b"\xff\xfe" + "Jürg".encode("utf-16-le"), "Jürg", "utf-16-le"),
        (b"\xfe\xff" + "Jürg".encode("utf-16-be"), "Jürg", "utf-16-be"),
        ("Game".encode("utf-16-le"), "Game", "utf-16-le"),
        ("Game".encode("utf-16-be"), "Game", "utf-16-be"),
        (b"\xff\xfeG", "\ufffd", "utf-16-le"),
        ("\ufeffone\r\n\ufefftwo\ufeff".encode(), "one\ntwo\ufeff", "utf-8-sig"),
    ],
)
def test_every_encoding_that_records_come_in(data: bytes, text: str, encoding: str) -> None:
    assert decode(data) == DecodedText(text, encoding)


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
