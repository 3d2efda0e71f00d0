"""Downloads of finished matches, verifiable without an account."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Final

from django.http import HttpResponse
from django.urls import URLPattern, path
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import permissions
from rest_framework.negotiation import BaseContentNegotiation
from rest_framework.parsers import BaseParser
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request
from rest_framework.views import APIView

from engine import formats
from matches.models import Match
from matches.play import callers, problems, shapes
from matches.state.errors import Refused
from matches.state.status import ENDED
from matches.watch import exports

JSON: Final = "application/json"
PROBLEMS: Final = problems.build_responses(
    {404: problems.USUAL[404], 409: {"not-finished": "the match is not over; its files are made when it is"}}
)


class FixedContentNegotiation(BaseContentNegotiation):
    """Content negotiation that ignores Accept: a file has one media type, a refusal is a problem document."""

    def select_parser(self, request: Request, parsers: Iterable[BaseParser]) -> BaseParser:
        return next(iter(parsers))

    def select_renderer(
        self, request: Request, renderers: Iterable[BaseRenderer], format_suffix: str | None = None
    ) -> tuple[BaseRenderer, str]:
        first = next(iter(renderers))
        return first, first.media_type


def _write_record(row: Match) -> bytes:
    """Write the record with a tag for the match's uid, by which other programs recognise the match."""
    record = exports.build_record(row)
    return formats.write(replace(record, tags=(*record.tags, ("Match UID", str(row.uid)))), "json")


def _write_journal(row: Match) -> bytes:
    return json.dumps(exports.build_document(row), ensure_ascii=False, indent=1).encode() + b"\n"


def _build_file_view(
    suffix: str, content_type: str, about: str, write: Callable[[Match], bytes]
) -> type[APIView]:
    """Return the view of one file of a match that is over."""
    schema = dict if content_type == JSON else str
    media = content_type.partition(";")[0]

    class File(callers.BoardView):
        permission_classes = (permissions.AllowAny,)
        content_negotiation_class = FixedContentNegotiation

        @extend_schema(description=about, responses={(200, media): schema, **PROBLEMS}, tags=[shapes.TAG])
        def get(self, request: Request, key: str) -> HttpResponse:
            row = callers.find_match(request, key)
            if row.status not in ENDED:
                raise Refused(_("The match is not over yet."), code="not-finished")
            response = HttpResponse(write(row), content_type=content_type)
            response["Content-Disposition"] = f'attachment; filename="{row.key}{suffix}"'
            return response

    return File


# The address and its name, the end of the file's name, its media type, a description, and what writes it.
FILES: Final = (
    (
        *("record.mat", "match-mat", ".mat", "text/plain; charset=utf-8"),
        "The moves in the format that most programs read (Jellyfish, GNU Backgammon, XG).",
        lambda row: formats.write(exports.build_record(row), "mat"),
    ),
    (
        *("record.sgf", "match-sgf", ".sgf", "application/x-go-sgf"),
        "The moves in GNU Backgammon's own format.",
        lambda row: formats.write(exports.build_record(row), "sgf"),
    ),
    (
        *("record.json", "match-record", ".record.json", JSON),
        "The moves with everything that was ruled, as a `barpoint-record`.",
        _write_record,
    ),
    (
        *("dice.json", "match-dice", ".dice.json", JSON),
        "Every promise, share and roll, as a `barpoint-dice` that anybody can verify: `docs/dice.md`.",
        lambda row: exports.build_dice_log(row).text().encode(),
    ),
    (
        *("journal.json", "match-journal-file", ".journal.json", JSON),
        "All lines with their hashes, each over all before it: `docs/journal.md` says how to check them.",
        _write_journal,
    ),
)
paths: list[URLPattern] = [
    path(f"matches/<slug:key>/{address}", _build_file_view(end, kind, about, write).as_view(), name=name)
    for address, name, end, kind, about, write in FILES
]
