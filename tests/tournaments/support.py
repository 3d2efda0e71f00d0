"""What the tests of pages share."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from players.models import User
from tournaments.base import expectations
from tournaments.models import Pairing, Report, Tournament

EVENT = re.compile(r"/events/(?P<key>[0-9a-z]{10})/(?:games/(?P<games>.+)/$)?")


def text(response: HttpResponse) -> str:
    assert response.status_code == 200, response.status_code
    return response.content.decode()


def strip_tags(html: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", html))


def url(name: str, *args: str) -> str:
    return reverse(name if ":" in name else f"tournaments:{name}", args=args)


def shown(event: Tournament, key: str = "", *, stage: int = 1, number: int = 0) -> str:
    """Return all that a page could show of an event by now, as its forms send it back."""
    row = (
        Pairing.objects.select_related("a__player", "b__player", "winner")
        .filter(tournament=event, key=key)
        .first()
    )
    parts = {*expectations.ENDED, *expectations.CLAIMED, *expectations.ARRANGED}
    found = {} if row is None else expectations.build_row_state(event, row, parts)
    found |= {
        "people": expectations.map_entry_players(event),
        "draw": expectations.hash_draw(event, stage),
        "round": expectations.hash_draft(event, stage, number),
    }
    return expectations.serialize_state(found)


class Browser(Client):
    """A person whose page is as fresh as can be: what its hidden fields say goes along with what is typed."""

    def __init__(self, user: User | None = None, **more: Any) -> None:
        super().__init__(**more)
        if user is not None:
            self.force_login(user)

    def post(self, path: str, data: Any = None, *args: Any, **more: Any) -> Any:  # type: ignore[override]
        found = EVENT.search(unquote(urlsplit(path).path))
        event = found and Tournament.objects.filter(key=found["key"]).first()
        if found and event and (data is None or isinstance(data, dict)):
            data = self._hidden(event, found["games"], parse_qs(urlsplit(path).query), data or {}) | (
                data or {}
            )
        return super().post(path, data, *args, **more)

    @staticmethod
    def _hidden(
        event: Tournament, games: str | None, query: dict[str, list[str]], data: dict[str, Any]
    ) -> dict[str, str]:
        key = games or data.get("match") or query.get("match", [""])[0]
        stage, number = (int(data.get(name) or low) for name, low in (("stage", 1), ("round", 0)))
        said = Report.objects.filter(pairing__tournament=event, pairing__key=key).order_by("pk").last()
        reported = "" if said is None else f"{said.score_a} {said.score_b}"
        if said is not None and said.winner is not None:
            reported = str(said.winner.number)
        return {"expects": shown(event, key, stage=stage, number=number), "reported": reported}
