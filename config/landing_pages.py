"""Landing pages for directors, players and federations, with a current event as an example."""

from __future__ import annotations

from datetime import datetime
from functools import cache
from typing import Final

from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from engine.dice import Dice
from engine.findings import Finding
from engine.situation import Situation
from engine.verdict import judge
from help import positions
from matches.play import play_parsing
from players.access import public_pages
from tournaments.pages import page_versions
from tournaments.programme import home_page

# A record with an error for the referee to find: 5-2 is played as 5-3.
SAMPLE: Final = """ 3 point match

 Game 1
 Ada Okafor : 0                     Bo Lindqvist : 0
  1) 31: 8/5 6/5                    42: 8/4 6/4
  2) 63: 24/15                      51: 13/8 6/5
  3) 52: 13/8 13/10
"""


@require_safe
@public_pages.cache_page(lambda _request, *, now, **_rest: _build_state(now))
def door(request: HttpRequest, audience: str) -> HttpResponse:
    public = home_page.load_public_home(AnonymousUser(), now=timezone.now())
    events = [*public.tonight, *public.results]
    values = {
        "audience": audience,
        "event": events[0] if events else None,
        "board": public.board,
        "only": public.only,
        "verdict": judge_sample() if audience == "federations" else None,
    }
    return render(request, f"doors/{audience}.html", values)


def _build_state(now: datetime) -> public_pages.PageVersion:
    return public_pages.PageVersion(
        page_versions.compute_evenings_key(), until=lambda: page_versions.find_next_change(now=now)
    )


def judge_sample() -> dict[str, object]:
    """Return the referee's first finding in the sample, in the active language."""
    finding = _load_finding()
    situation = _build_situation(finding)
    return {
        "record": SAMPLE,
        "line": finding.line,
        "sentence": play_parsing.SENTENCES[finding.code],
        "rule": finding.rule,
        "played": finding.played,
        "nearest": ", ".join(finding.nearest),
        "board": positions.render_board(situation),
        "words": positions.describe_position(situation),
    }


def _build_situation(finding: Finding) -> Situation:
    if finding.position is None or finding.on_roll is None or finding.dice is None:
        raise LookupError(finding.code)
    return Situation(finding.position, turn=finding.on_roll, dice=Dice(*finding.dice))


@cache
def _load_finding() -> Finding:
    (verdict,) = judge(SAMPLE.encode())
    return verdict.findings[0]
