"""What players are told of their matches: in the page always, by mail if they chose so.

Nothing is written while both sit at the board: who is on turn and away is looked for by a sweep, and
told once a turn.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from django.urls import reverse
from django.utils.functional import lazy
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from engine.game import How
from engine.side import BySide
from matches.journal import journal
from matches.models import Habits, JournalEntry, Match
from matches.models.matches import Due, State
from matches.play.watching import seat_topic
from matches.state import reasons
from matches.state.match_state import BOTH
from matches.state.status import ENDED
from players.models import Notice
from players.services.notices import tell
from runtime import stream

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from datetime import datetime

    from django.db.models import QuerySet
    from django_stubs_ext import StrOrPromise, StrPromise

    from engine.side import Side
    from matches.models import Challenge
    from players.models import Player

# Who moves within a moment needs no notice; what is older than this was told by the sweeps before.
THINKING: Final = timedelta(seconds=20)
LOOKED_BACK: Final = timedelta(minutes=15)
MOST_A_SWEEP: Final = 500

say = lazy(reasons.say, str)


def challenged(row: Challenge, *, now: datetime) -> None:
    """Tell somebody that they are challenged; an open seat is nobody's news."""
    if row.rematch_of_id:
        sentence = _("{player} would like a rematch.")
    else:
        sentence = _("{player} challenges you to a match.")
    _tell(
        row.opponent,
        sentence,
        row.challenger,
        f"challenge:{row.key}",
        kind="mails_challenge",
        url=_lobby(),
        now=now,
    )


def accepted(row: Challenge, *, now: datetime) -> None:
    """Tell the challenger that the match begins."""
    sentence = _("{player} plays with you: your match begins.")
    _tell(
        row.challenger,
        sentence,
        row.opponent,
        f"accepted:{row.key}",
        kind="mails_challenge",
        url=_page(row.match),
        now=now,
    )


def declined(row: Challenge, *, now: datetime) -> None:
    """Tell the challenger that there will be no match."""
    sentence = _("{player} does not want to play now.")
    _tell(
        row.challenger,
        sentence,
        row.opponent,
        f"declined:{row.key}",
        kind="mails_challenge",
        url=_lobby(),
        now=now,
    )


def called(match: Match, *, now: datetime) -> None:
    """Tell both that their match may begin; whoever calls it need not remember whether they did."""
    for side in BOTH:
        player, opponent = _pair(match, side)
        sentence = _("Your match with {player} is called.")
        _tell(player, sentence, opponent, f"called:{match.key}", kind="mails_call", url=_page(match), now=now)


def _page(match: Match | None) -> str:
    return reverse("matches:match", args=[match.key]) if match else _lobby()


def _lobby() -> str:
    return reverse("matches:lobby")


def _pair(match: Match, side: Side) -> tuple[Player, Player]:
    return (match.black, match.white) if side else (match.white, match.black)


def _tell(
    player: Player | None,
    sentence: StrPromise,
    about: Player | None,
    dedupe_key: str,
    *,
    kind: str,
    url: str,
    now: datetime,
    why: StrOrPromise = "",
) -> bool:
    """Say *sentence*, which names somebody, to a player with an account."""
    if player is None or about is None or player.user is None or not player.user.is_active:
        return False
    wants = Habits.objects.filter(player=player).values_list(kind, flat=True).first()
    text = format_lazy(sentence, player=about.public_name)
    if why:
        text = format_lazy("{} {}", text, why)
    return tell(user=player.user, text=text, url=url, dedupe_key=dedupe_key, now=now, mails=bool(wants))


# -- what nobody sends: looked for ----------------------------------------------------------------


class News(NamedTuple):
    """Something that one of the two at a board may not know yet."""

    match: Match
    side: Side
    sentence: StrPromise
    dedupe_key: str
    kind: str
    why: StrOrPromise = ""


def sweep(*, now: datetime) -> int:
    """Tell those who are away that it is their turn, or that their match is over; return how many."""
    found = [*_turns(now), *_ends(now)]
    return sum(_tell_news(news, now=now) for news in _untold(_away(found, now=now)))


def _tell_news(news: News, *, now: datetime) -> bool:
    player, opponent = _pair(news.match, news.side)
    url = _page(news.match)
    return _tell(
        player, news.sentence, opponent, news.dedupe_key, kind=news.kind, url=url, why=news.why, now=now
    )


def recent(at: Any) -> Iterator[QuerySet[Match]]:
    """Ask for matches in which something has happened lately that one of the two may not know."""
    happened = _recent(at)
    yield happened.filter(status=State.LIVE).exclude(due="")
    yield happened.filter(status__in=ENDED)


def _recent(now: Any) -> QuerySet[Match]:
    return Match.objects.select_related("white__user", "black__user").filter(
        moved_at__lte=now - THINKING, moved_at__gt=now - LOOKED_BACK
    )


def _turns(now: datetime) -> Iterator[News]:
    sentence = _("It is your turn against {player}.")
    rows = _recent(now).filter(status=State.LIVE).exclude(due="").order_by("-moved_at")
    for match in rows[:MOST_A_SWEEP]:
        for side in BOTH:
            if match.due in {side.word, Due.BOTH}:
                yield News(match, side, sentence, f"turn:{match.key}:{match.head}", "mails_turn")


def _ends(now: datetime) -> Iterator[News]:
    rows = _recent(now).filter(status__in=ENDED).order_by("-moved_at")
    for match in rows[:MOST_A_SWEEP]:
        outcome = journal.load(match).match.outcome
        telling = ENDINGS.get(outcome.how) if outcome else None
        if outcome is None or telling is None:
            continue
        why = _why(match) if outcome.how in {How.RULING, How.VOID} else ""
        for side in BOTH:
            if sentence := telling(outcome.winner is side):
                yield News(match, side, sentence, f"ended:{match.key}:{match.head}", "mails_result", why)


def _why(match: Match) -> StrOrPromise:
    """Return the reason that the last line gives, to be said in the reader's language."""
    fact = JournalEntry.objects.values_list("fact", flat=True).get(match=match, seq=match.head)
    names = BySide(match.white.public_name, match.black.public_name)
    return say(fact.get("reason", ""), names)


def _flagged(has_won: bool) -> StrPromise:
    if has_won:
        return _("{player} has run out of time, and you have won the match.")
    return _("You have run out of time, and {player} has won the match.")


def _conceded(has_won: bool) -> StrPromise | None:
    return _("{player} has resigned, and you have won the match.") if has_won else None


def _ruled(has_won: bool) -> StrPromise:
    if has_won:
        return _("A director has ruled that you won the match against {player}.")
    return _("A director has ruled that {player} won the match.")


def _void(has_won: bool) -> StrPromise:
    return _("Your match with {player} is void.")


# Who plays a match to its end knows; these may end it while somebody is away.
ENDINGS: Final[dict[How, Callable[[bool], StrPromise | None]]] = {
    How.FLAG: _flagged,
    How.CONCESSION: _conceded,
    How.RULING: _ruled,
    How.VOID: _void,
}


def _away(found: list[News], *, now: datetime) -> list[News]:
    """Leave out those who see it for themselves."""
    here = stream.present({_seat(news) for news in found}, now=now) if found else set()
    return [news for news in found if _seat(news) not in here]


def _seat(news: News) -> str:
    return seat_topic(news.match.key, news.side)


def _untold(found: list[News]) -> list[News]:
    """Leave out what was said before, so that a sweep that finds nothing new writes nothing."""
    keys = {news.dedupe_key for news in found}
    users = {_pair(news.match, news.side)[0].user_id for news in found}
    told = set(
        Notice.objects.filter(user__in=users - {None}, dedupe_key__in=keys).values_list(
            "user_id", "dedupe_key"
        )
    )
    return [news for news in found if (_pair(news.match, news.side)[0].user_id, news.dedupe_key) not in told]
