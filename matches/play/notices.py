"""Notices to players about their matches: always on pages, by e-mail if chosen.

A sweep notifies players who are not at the board that it is their turn, once a turn, or that their match has
ended.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from django.db.models import QuerySet
from django.urls import reverse
from django.utils.functional import lazy
from django.utils.translation import gettext_lazy as _

from engine.game import Termination
from engine.side import BySide, Side
from matches.journal import journal
from matches.models import Challenge, Habits, JournalEntry, Match
from matches.models.matches import Due, State
from matches.play.match_access import get_seat_topic
from matches.state import reasons
from matches.state.match_state import BOTH
from matches.state.status import ENDED
from players.models import Notice, Player
from players.notices.kinds import EmailSwitch, NoticeKind, Reader
from players.notices.notices import send
from runtime import stream

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

# Quick moves need no notice; older changes were handled by earlier sweeps.
THINKING: Final = timedelta(seconds=20)
LOOKED_BACK: Final = timedelta(minutes=15)
MOST_A_SWEEP: Final = 500

say = lazy(reasons.translate_reason, str)


def _build_switch(name: str) -> EmailSwitch:
    # Django caches the habits on the player: all switches of an account take one query.
    return EmailSwitch(name, lambda user: getattr(getattr(user.player, "habits", None), name, False))


MAILS_CHALLENGE: Final = _build_switch("mails_challenge")

CHALLENGE_RECEIVED: Final = NoticeKind(
    name="challenge_received",
    reader=Reader.PLAYER,
    when=_("A player challenges you, or would like a rematch."),
    text={
        "": _("{player} challenges you to a match."),
        "rematch": _("{player} would like a rematch."),
    },
    switch=MAILS_CHALLENGE,
)
CHALLENGE_ACCEPTED: Final = NoticeKind(
    name="challenge_accepted",
    reader=Reader.PLAYER,
    when=_("A player accepts your challenge."),
    text=_("{player} accepts your challenge: your match begins."),
    switch=MAILS_CHALLENGE,
)
CHALLENGE_DECLINED: Final = NoticeKind(
    name="challenge_declined",
    reader=Reader.PLAYER,
    when=_("A player declines your challenge."),
    text=_("{player} does not want to play now."),
    switch=MAILS_CHALLENGE,
)
MATCH_CALLED: Final = NoticeKind(
    name="match_called",
    reader=Reader.PLAYER,
    when=_("Your match is called to a table, and you asked for an e-mail of it."),
    text=_("Your match with {player} is called."),
    switch=_build_switch("mails_call"),
)


def notify_challenged(row: Challenge, *, now: datetime) -> None:
    """Notify the challenged player; no notice for open seats."""
    variant = "rematch" if row.rematch_of_id else ""
    key = f"challenge:{row.key}"
    _send(
        CHALLENGE_RECEIVED,
        row.opponent,
        row.challenger,
        key,
        variant=variant,
        url=_build_lobby_url(),
        now=now,
    )


def notify_accepted(row: Challenge, *, now: datetime) -> None:
    key = f"accepted:{row.key}"
    _send(CHALLENGE_ACCEPTED, row.challenger, row.opponent, key, url=_build_match_url(row.match), now=now)


def notify_declined(row: Challenge, *, now: datetime) -> None:
    key = f"declined:{row.key}"
    _send(CHALLENGE_DECLINED, row.challenger, row.opponent, key, url=_build_lobby_url(), now=now)


def notify_called(players: Sequence[Player], *, dedupe_key: str, url: str, now: datetime) -> None:
    """Notify two players that their match is called to a table, if they want an e-mail of it. Idempotent.

    The others have the card on their pages, and nothing in their list of notices.
    """
    willing = Habits.objects.filter(player__in=players, mails_call=True)
    wanted = set(willing.values_list("player_id", flat=True))
    for player, opponent in zip(players, reversed(players), strict=True):
        if player.pk in wanted:
            _send(MATCH_CALLED, player, opponent, f"called:{dedupe_key}", url=url, now=now)


def _build_match_url(match: Match | None) -> str:
    return reverse("matches:match", args=[match.key]) if match else _build_lobby_url()


def _build_lobby_url() -> str:
    return reverse("matches:lobby")


def _send(
    kind: NoticeKind,
    player: Player | None,
    about: Player | None,
    dedupe_key: str,
    *,
    variant: str = "",
    url: str,
    now: datetime,
    why: StrOrPromise = "",
) -> bool:
    """Send a notice about another player; True if it was sent. The player needs an active account."""
    if player is None or about is None or player.user is None or not player.user.is_active:
        return False
    return send(
        kind,
        user=player.user,
        values={"player": about.public_name},
        variant=variant,
        reason=why,
        url=url,
        dedupe_key=dedupe_key,
        now=now,
    )


# -- notices sent by a sweep ----------------------------------------------------------------------


YOUR_TURN: Final = NoticeKind(
    name="your_turn",
    reader=Reader.PLAYER,
    when=_("It is your turn, and you are not at the board."),
    text=_("It is your turn against {player}."),
    switch=_build_switch("mails_turn"),
)
MATCH_ENDED: Final = NoticeKind(
    name="match_ended",
    reader=Reader.PLAYER,
    when=_("Your match ends while you are not at the board."),
    text={
        "won on time": _("{player} has run out of time, and you have won the match."),
        "lost on time": _("You have run out of time, and {player} has won the match."),
        "conceded": _("{player} has resigned, and you have won the match."),
        "won": _("You have won the match against {player}."),
        "lost": _("{player} has won the match."),
        "ruled won": _("A director has ruled that you won the match against {player}."),
        "ruled lost": _("A director has ruled that {player} won the match."),
        "money on time": _("{player} has run out of time. Your match is over."),
        "own money on time": _("You have run out of time. Your match against {player} is over."),
        "money conceded": _("{player} has resigned. Your match is over."),
        "void": _("Your match with {player} is void."),
    },
    switch=_build_switch("mails_result"),
)
# Variants for the winner and the loser; "" if they know already. Other endings are known to both.
ENDINGS: Final[dict[Termination, tuple[str, str]]] = {
    Termination.FLAG: ("won on time", "lost on time"),
    Termination.CONCESSION: ("conceded", ""),
    Termination.RULING: ("ruled won", "ruled lost"),
    Termination.VOID: ("void", "void"),
}
# The same in money play, where the points count and a match is not won.
MONEY_ENDINGS: Final = ENDINGS | {
    Termination.FLAG: ("money on time", "own money on time"),
    Termination.CONCESSION: ("money conceded", ""),
}


class News(NamedTuple):
    """A change that one of the players may not know yet."""

    match: Match
    side: Side
    kind: NoticeKind
    dedupe_key: str
    variant: str = ""
    why: StrOrPromise = ""

    @property
    def players(self) -> tuple[Player, Player]:
        match = self.match
        return (match.black, match.white) if self.side else (match.white, match.black)

    @property
    def topic(self) -> str:
        return get_seat_topic(self.match.key, self.side)


def sweep(now: datetime) -> int:
    """Notify absent players of their turn or the end of their match; return the number of notices."""
    found = [*_list_turn_news(now), *_list_end_news(now)]
    return sum(_send_news(news, now=now) for news in _filter_unsent(_filter_absent(found, now=now)))


def _send_news(news: News, *, now: datetime) -> bool:
    player, opponent = news.players
    url = _build_match_url(news.match)
    return _send(
        news.kind,
        player,
        opponent,
        news.dedupe_key,
        variant=news.variant,
        url=url,
        why=news.why,
        now=now,
    )


def query_due(at: Any) -> Iterator[QuerySet[Match]]:
    """Query the recently changed matches that may need notices."""
    happened = _list_recent(at)
    yield happened.filter(status=State.LIVE).exclude(due="")
    yield happened.filter(status__in=ENDED)


def _list_recent(now: Any) -> QuerySet[Match]:
    return Match.objects.select_related("white__user", "black__user").filter(
        moved_at__lte=now - THINKING, moved_at__gt=now - LOOKED_BACK
    )


def _list_turn_news(now: datetime) -> Iterator[News]:
    rows = _list_recent(now).filter(status=State.LIVE).exclude(due="").order_by("-moved_at")
    for match in rows[:MOST_A_SWEEP]:
        for side in BOTH:
            if match.due in {side.word, Due.BOTH}:
                # Since when it waits: lines that it does not wait for, such as a stopped clock, begin no turn.
                yield News(match, side, YOUR_TURN, f"turn:{match.key}:{match.cache['idle']}")


def _list_end_news(now: datetime) -> Iterator[News]:
    rows = _list_recent(now).filter(status__in=ENDED).order_by("-moved_at")
    for match in rows[:MOST_A_SWEEP]:
        outcome = journal.load(match).match.outcome
        if outcome is None or outcome.how not in ENDINGS:
            continue
        won, lost = (ENDINGS if match.length else MONEY_ENDINGS)[outcome.how]
        why: StrOrPromise = ""
        if outcome.how in {Termination.RULING, Termination.VOID}:
            last = JournalEntry.objects.get(match=match, seq=match.head)
            names = BySide(match.white.public_name, match.black.public_name)
            # Translated for the reader.
            why = say(last.fact.get("reason", ""), names)
            if outcome.how is Termination.RULING and last.by != "director":
                won, lost = "won", "lost"
        for side in BOTH:
            if variant := won if outcome.winner is side else lost:
                yield News(match, side, MATCH_ENDED, f"ended:{match.key}:{match.head}", variant, why)


def _filter_absent(found: list[News], *, now: datetime) -> list[News]:
    """Drop the news of players at the board."""
    here = stream.list_present({news.topic for news in found}, now=now) if found else set()
    return [news for news in found if news.topic not in here]


def _filter_unsent(found: list[News]) -> list[News]:
    """Drop notices already sent, so that a sweep without news writes nothing."""
    keys = {news.dedupe_key for news in found}
    users = {news.players[0].user_id for news in found}
    notified = set(
        Notice.objects.filter(user__in=users - {None}, dedupe_key__in=keys).values_list(
            "user_id", "dedupe_key"
        )
    )
    return [news for news in found if (news.players[0].user_id, news.dedupe_key) not in notified]
