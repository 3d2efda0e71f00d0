"""One table of acts: a director's act has the same name on the pages, over the API and in the docs."""

from __future__ import annotations

from tournaments.serializers import acts as api
from tournaments.views import catalogue


def test_an_act_of_the_pages_has_the_same_name_over_the_api() -> None:
    assert {*catalogue.ACTS} - {*api.ACTS} == set()
