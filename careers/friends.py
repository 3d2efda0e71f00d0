"""The current matches of the players that a user follows, as public on the pages of events."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from datetime import datetime

from django.db.models import QuerySet

from players.models import Follow, Player, User
from tournaments.base import event_lines, labels
from tournaments.base.event_view import EventView, MatchView
from tournaments.models import Entry, PairingState
from tournaments.pages import event_parts
from tournaments.status import Status


@dataclass(frozen=True, slots=True)
class FriendMatch:
    event: str
    event_key: str
    event_url: str
    label: str
    # The opponent, or the possible ones; "" if unknown.
    opponent: str
    # Own points first; "" if unknown.
    score: str
    table: str
    is_open: bool


@dataclass(frozen=True, slots=True)
class Friend:
    key: str
    name: str
    url: str
    matches: tuple[FriendMatch, ...]


def list_event_keys(user: User) -> list[str]:
    keys = _list_entries(list_followed(user)).values_list("tournament__key", flat=True)
    return list(keys.distinct().order_by("tournament__key"))


def list_followed(user: User) -> list[Player]:
    """List the followed players that are publicly visible, merged duplicates once."""
    rows = Follow.objects.filter(user=user).select_related("player__merged_into").order_by("since", "pk")
    people = {each.pk: each for each in (row.player.merged_into or row.player for row in rows)}
    return [
        each
        for each in people.values()
        if not each.hidden_from_search and each.erased_at is None and each.user_id != user.pk
    ]


def list_friends(user: User, *, now: datetime) -> tuple[Friend, ...]:
    """List the friends of an account; those with a match come first."""
    people = list_followed(user)
    found: dict[int, list[FriendMatch]] = defaultdict(list)
    views: dict[str, EventView] = {}
    for entry in _list_entries(people).select_related("tournament").order_by("tournament_id"):
        key = entry.tournament.key
        view = views[key] = views.get(key) or event_parts.load_parts(key, now=now).view
        play = view.ahead.get(entry.pk)
        if play is not None:
            found[entry.player_id].append(_build_match(view, play, entry.pk))
    friends = [
        Friend(each.key, event_lines.format_player_name(each), each.get_absolute_url(), tuple(found[each.pk]))
        for each in people
    ]
    return tuple(sorted(friends, key=lambda each: not each.matches))


def _list_entries(people: list[Player]) -> QuerySet[Entry]:
    return Entry.objects.filter(
        player__in=people, tournament__status=Status.RUNNING, withdrawn_at__isnull=True
    )


def _build_match(view: EventView, play: MatchView, own: int) -> FriendMatch:
    is_a = play.a_id == own
    other = view.who(play.b_id if is_a else play.a_id)
    score = view.score(play) if play.state == PairingState.READY else ("", "")
    mine, theirs = score if is_a else score[::-1]
    return FriendMatch(
        event=view.event.name,
        event_key=view.event.key,
        event_url=view.event.get_absolute_url(),
        label=view.label(play),
        opponent=other.name if other else view.hint(play, "b" if is_a else "a"),
        score=f"{mine}\u2013{theirs}" if mine and theirs else "",
        table=labels.format_table(play.table) if play.table and play.is_open else "",
        is_open=play.is_open,
    )
