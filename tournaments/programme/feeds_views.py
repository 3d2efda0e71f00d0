"""Atom feeds for readers and other sites: the events of a club, the results of an event."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final
from uuid import UUID

from django.contrib.auth.models import AnonymousUser
from django.contrib.syndication.views import Feed
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils import timezone
from django.utils.feedgenerator import Atom1Feed
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from players.access import context
from players.models import Club
from tournaments.base import event_lines, event_view, labels
from tournaments.base.event_lines import EventLine
from tournaments.models import Pairing, PairingState, ResultKind, Ruling, RulingKind, Tournament
from tournaments.pages import access, bracket_display, etags

if TYPE_CHECKING:
    AnyFeed = Feed[Any, Any]
else:
    AnyFeed = Feed

MOST: Final = 50
NOT_PLAYED: Final = {*ResultKind} - {ResultKind.PLAYED, ResultKind.DRAWN}


@require_safe
@cache_control(max_age=300, public=True)
def club_events(request: HttpRequest, slug: str) -> HttpResponse:
    return ClubFeed()(request, slug=slug)


@require_safe
@etags.check_etag
def event_results(request: HttpRequest, key: str) -> HttpResponse:
    return ResultsFeed()(request, key=key)


class ClubFeed(AnyFeed):
    feed_type = Atom1Feed

    def get_object(self, request: HttpRequest, slug: str) -> Club:
        club = get_object_or_404(Club, slug=slug)
        context.set_club(request, club)
        return club

    def title(self, club: Club) -> str:
        return _("%(club)s: events") % {"club": club.name}

    def link(self, club: Club) -> str:
        return reverse("tournaments:club_events", args=[club.slug])

    def feed_guid(self, club: Club) -> str:
        """Return an ID that stays the same when the club's address changes."""
        return f"urn:uuid:{club.uid}"

    def items(self, club: Club) -> list[tuple[Tournament, EventLine]]:
        """List the public events, the last changed first."""
        visitor = AnonymousUser()
        rows = event_lines.exclude_friendlies(event_lines.query_visible(visitor)).filter(club=club)
        rows = rows.order_by("-changed_at", "-pk")[:MOST]
        found = {line.key: line for line in event_lines.load_lines(rows, visitor, now=timezone.now())}
        return [(row, found[row.key]) for row in rows if row.key in found]

    def item_title(self, item: tuple[Tournament, EventLine]) -> SafeString | str:
        return item[0].name

    def item_description(self, item: tuple[Tournament, EventLine]) -> str:
        """Return date, place, format, status and winners of the event."""
        row, line = item
        day = f"{line.full_day}, {line.hour}"
        facts = [day, row.place, line.format_label, line.matches, line.status_label]
        if line.winners:
            facts.append(_("Won by %(names)s") % {"names": ", ".join(line.winners)})
        return " · ".join(fact for fact in facts if fact)

    def item_link(self, item: tuple[Tournament, EventLine]) -> str:
        return item[1].url

    def item_guid(self, item: tuple[Tournament, EventLine]) -> str:
        """Return an ID that stays the same when the event changes."""
        return f"urn:uuid:{item[0].uid}"

    def item_pubdate(self, item: tuple[Tournament, EventLine]) -> datetime:
        return item[0].created_at

    def item_updateddate(self, item: tuple[Tournament, EventLine]) -> datetime:
        return item[0].changed_at


class ResultsFeed(AnyFeed):
    feed_type = Atom1Feed

    def get_object(self, request: HttpRequest, key: str) -> Tournament:
        event = access.load_event(key, AnonymousUser())
        context.set_club(request, event.club)
        return event

    def title(self, event: Tournament) -> str:
        return _("%(event)s: results") % {"event": event.name}

    def subtitle(self, event: Tournament) -> str:
        return f"{event.club.name} · {event.status_words}"

    def link(self, event: Tournament) -> str:
        return event.get_absolute_url()

    def feed_guid(self, event: Tournament) -> str:
        """Return an ID that stays the same when the event's address changes."""
        return f"urn:uuid:{event.uid}"

    def items(self, event: Tournament) -> list[ResultItem]:
        """List the decided matches, the latest first."""
        view = event_view.load_view(event)
        decided = [play for play in view.plays if play.state == PairingState.DECIDED]
        decided.sort(key=lambda play: (play.decided_at is not None, play.decided_at, play.key), reverse=True)
        latest = decided[:MOST]
        rows = Pairing.objects.filter(tournament=event, key__in=[play.key for play in latest])
        uids = dict(rows.values_list("key", "uid"))
        rulings = Ruling.objects.filter(tournament=event, act=RulingKind.CORRECTED).order_by("at")
        corrected = {data["key"]: at for data, at in rulings.values_list("data", "at")}
        lines = [bracket_display.build_match_line(view, play) for play in latest]
        return [ResultItem(event, line, uids[line.play.key], corrected.get(line.play.key)) for line in lines]

    def item_title(self, item: ResultItem) -> SafeString | str:
        return item.title

    def item_description(self, item: ResultItem) -> str:
        return item.line.label

    def item_link(self, item: ResultItem) -> str:
        """Return the address of the board if the match was played on one, otherwise of the bracket."""
        return item.line.board or reverse("tournaments:bracket", args=[item.event.key])

    def item_guid(self, item: ResultItem) -> str:
        """Return an ID that stays the same when the result is corrected."""
        return f"urn:uuid:{item.uid}"

    def item_pubdate(self, item: ResultItem) -> datetime | None:
        return item.line.play.decided_at

    def item_updateddate(self, item: ResultItem) -> datetime | None:
        """Return the time of the last correction, otherwise of the decision."""
        return item.corrected_at or item.line.play.decided_at


@dataclass(frozen=True, slots=True)
class ResultItem:
    event: Tournament
    line: bracket_display.MatchLine
    uid: UUID
    corrected_at: datetime | None

    @property
    def title(self) -> str:
        """Both names and the result: "Ada Okafor - Jun Tanabe: 7 - 4", "...: Ada Okafor won (Forfeit)"."""
        both = self.line.a, self.line.b
        players = " \u2013 ".join(who.name if who is not None else "\u2013" for who in both)
        result = self._unplayed_result if self.line.play.kind in NOT_PLAYED else self.line.result_text
        return f"{players}: {result}" if result else players

    @property
    def _unplayed_result(self) -> str:
        """The winner of a match that was not played, and the reason in words, not as an abbreviation."""
        why = str(ResultKind(self.line.play.kind).label)
        won = self.line.a if self.line.one.is_winner else self.line.b if self.line.other.is_winner else None
        return why if won is None else f"{labels.format_winner(won.name)} ({why})"
