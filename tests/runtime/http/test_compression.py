"""Pages are compressed for browsers that accept it, the shared ones too."""

from __future__ import annotations

import gzip

import pytest
from django.test import Client

from tests.tournaments import onlookers


@pytest.mark.django_db
def test_a_shared_page_is_the_same_compressed_and_plain(client: Client) -> None:
    client.get("/")  # from then on there is a cookie
    plain = client.get("/").text
    for _ in range(2):  # the first answer is rendered, the second is from the cache
        packed = client.get("/", headers={"Accept-Encoding": "gzip"})
        assert packed["Content-Encoding"] == "gzip"
        assert "Accept-Encoding" in packed["Vary"]
        text = gzip.decompress(packed.content).decode()
        assert onlookers.without_secrets(text) == onlookers.without_secrets(plain)
        assert len(packed.content) < len(plain) / 2


@pytest.mark.django_db
def test_the_token_of_forms_is_masked_anew_with_each_answer(client: Client) -> None:
    # What is compressed beside it could else be guessed by the length of the answer (BREACH).
    tokens = {onlookers.SECRETS.findall(client.get("/clubs/").text)[0][1] for _ in range(3)}
    assert len(tokens) == 3
