"""Every list that the API answers comes in pages, or has a bound that the documentation names."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from drf_spectacular.generators import SchemaGenerator

from config.wire import ApiPagination
from matches.lobby.challenges_api import MOST_BEGUN
from players.clubs.webhooks import MOST_HOOKS
from records.sheets.photos import MOST as MOST_PHOTOS
from records.transcripts.transcribing import MOST_UNFINISHED

DOCUMENT = Path(__file__).parents[2] / "docs" / "api.md"
PAGED = {"count", "next", "previous", "results"}
# Lists without pages, and what docs/api.md says of them.
BOUNDED = {
    "/api/v1/bots/": "`bots/` (those that the site has set up)",
    "/api/v1/challenges/begun/": f"`challenges/begun/` ({MOST_BEGUN})",
    "/api/v1/clubs/{slug}/webhooks/": f"`webhooks/` ({MOST_HOOKS})",
    "/api/v1/codes/{code}/photos/": f"`photos/` ({MOST_PHOTOS} of each player",
    "/api/v1/sheets/{uid}/photos/": f"`photos/` ({MOST_PHOTOS} of each player",
    "/api/v1/transcriptions/": f"`transcriptions/` ({MOST_UNFINISHED})",
}


def answers() -> Iterator[tuple[str, dict[str, Any], dict[str, Any]]]:
    """Every address that is read, with its operation and the shape of its answer."""
    schema: Any = SchemaGenerator().get_schema(request=None, public=True)  # type: ignore[no-untyped-call]
    shapes = schema["components"]["schemas"]
    for path, methods in schema["paths"].items():
        for content in methods.get("get", {}).get("responses", {}).get("200", {}).get("content", {}).values():
            shape = content.get("schema", {})
            yield path, methods["get"], shapes[shape["$ref"].rpartition("/")[2]] if "$ref" in shape else shape


@pytest.mark.long
@pytest.mark.share
def test_only_lists_with_a_bound_have_no_pages() -> None:
    whole = {path for path, _, shape in answers() if shape.get("type") == "array"}
    assert whole == BOUNDED.keys()


@pytest.mark.long
@pytest.mark.share
def test_every_address_that_the_document_names_is_one() -> None:
    """In the text, a part in capital letters, a day or an ellipsis stands for any."""
    schema: Any = SchemaGenerator().get_schema(request=None, public=True)  # type: ignore[no-untyped-call]
    known = {re.sub(r"\{\w+\}", "*", path): {*methods} for path, methods in schema["paths"].items()}
    named = re.findall(r"`([A-Z]{3,6}) (/?[a-z][^` ]*/|/api/v1/[^` ]*)[?`]", DOCUMENT.read_text("utf-8"))
    assert len(named) > 20
    for method, written in named:
        path = re.sub(r"\b([A-Z]{2,}|\d{4}-\d\d-\d\d)\b", "*", "/api/v1/" + written.removeprefix("/api/v1/"))
        ends = [methods for one, methods in known.items() if one.endswith(path.removeprefix("/api/v1"))]
        assert any(method.lower() in methods for methods in ends), (method, written)


def test_whatever_lists_can_be_paged() -> None:
    paged = [
        (path, operation)
        for path, operation, shape in answers()
        if shape.get("properties", {}).keys() >= PAGED
    ]
    assert len(paged) > 30
    for path, operation in paged:
        assert {"page", "page_size"} <= {each["name"] for each in operation["parameters"]}, path
    assert ApiPagination.max_page_size == 200


@pytest.mark.parametrize("said", sorted(set(BOUNDED.values())))
def test_the_documentation_names_the_bound(said: str) -> None:
    assert said in " ".join(DOCUMENT.read_text().split())
