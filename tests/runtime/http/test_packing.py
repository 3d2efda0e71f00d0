"""Answers that go over the wire packed."""

from __future__ import annotations

import gzip
import re
from typing import TYPE_CHECKING

import pytest
from django.http import HttpResponse, StreamingHttpResponse
from hypothesis import given
from hypothesis import strategies as st

from runtime.http import packing

if TYPE_CHECKING:
    from django.http.response import HttpResponseBase
    from django.test import Client, RequestFactory


@given(st.lists(st.binary(max_size=2_000), min_size=1, max_size=5), st.binary(max_size=80))
def test_what_is_packed_in_pieces_is_the_text(pieces: list[bytes], secret: bytes) -> None:
    text = secret.join(pieces)
    assert gzip.decompress(packing.join([packing.pack(piece) for piece in pieces], secret, text)) == text


def test_the_secret_lies_between_the_pieces_unpacked() -> None:
    # Whatever the text repeats of it, the length tells nothing: BREACH.
    secret = b"abcdefghijkl"
    lengths = set()
    for guess in (secret, b"mnopqrstuvwx"):
        pieces = [b"<p>" + guess, b"</p>" + guess]
        lengths.add(len(packing.join([packing.pack(piece) for piece in pieces], secret, secret.join(pieces))))
    assert len(lengths) == 1


@pytest.mark.parametrize(
    ("answer", "is_packed"),
    [
        (HttpResponse("x" * 5_000), True),
        (HttpResponse("x" * 1_000), False),
        (HttpResponse("x" * 5_000, content_type="application/json"), True),
        (HttpResponse("x" * 5_000, content_type="image/png"), False),
        (HttpResponse("x" * 5_000, headers={"Content-Encoding": "br"}), False),
        (StreamingHttpResponse(["x" * 5_000]), False),
    ],
)
def test_texts_longer_than_a_packet_are_packed(
    rf: RequestFactory, answer: HttpResponseBase, *, is_packed: bool
) -> None:
    middleware = packing.PackingMiddleware(lambda _request: answer)
    given = middleware(rf.get("/", headers={"Accept-Encoding": "gzip, br"}))
    assert (given.get("Content-Encoding") == "gzip") is is_packed
    assert "Content-Encoding" not in packing.PackingMiddleware(lambda _request: HttpResponse("x" * 5_000))(
        rf.get("/")
    )


@pytest.mark.django_db
def test_a_kept_page_is_the_same_packed_and_plain(client: Client) -> None:
    client.get("/")  # from then on there is a cookie
    plain = client.get("/")
    for _ in range(2):  # as it is made, and as it is kept
        packed = client.get("/", headers={"Accept-Encoding": "gzip"})
        assert packed["Content-Encoding"] == "gzip"
        assert "Accept-Encoding" in packed["Vary"]
        assert _same(gzip.decompress(packed.content)) == _same(plain.content)
        assert len(packed.content) < len(plain.content) / 2


def _same(page: bytes) -> bytes:
    """Leave out what is masked anew for each answer."""
    return re.sub(
        rb'(csrf[^"]*" (?:content|value)="|X-CSRFToken[^:]*: ?")[^"]+', rb"\1", page, flags=re.IGNORECASE
    )
