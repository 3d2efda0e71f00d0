"""Notices of matches: each recipient gets each notice once, and none while both players are at the board."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from engine.actions import Flagged, Penalised, RuledMatch, VoidedMatch
from engine.side import Side
from matches.bots import bots
from matches.journal import journal
from matches.journal.journal import Draft
from matches.journal.lifecycle import record
from matches.lobby import challenges
from matches.models import Habits, Match
from matches.play import clocks, notices
from matches.play.match_access import get_seat_topic
from matches.play.terms_validation import read_terms
from matches.state import commands, reasons
from matches.state.facts import Excused, Held
from players.accounts import accounts
from players.models import Notice, Player, User
from players.notices.kinds import list_kinds_by_reader
from runtime import stream
from runtime.models import Outage, Outbox, TopicEvent
from runtime.stream import presence
from runtime.work import sweeps
from tests.matches.play.test_racing import at_race
from tests.matches.support import Table, club_terms, person

pytestmark = pytest.mark.django_db
WHITE, BLACK = Side
SOON = timedelta(seconds=25)


@pytest.fixture
def present(monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """The topics that a person reads."""
    topics: set[str] = set()
    monkeypatch.setattr(stream, "list_present", lambda asked, **_: topics & set(asked))
    return topics


def texts(player: Player) -> list[str]:
    return list(Notice.objects.filter(user=player.user).order_by("pk").values_list("text", flat=True))


def look(now: datetime) -> int:
    return notices.sweep(now=now)


# -- challenges


def test_who_is_challenged_and_who_is_accepted_hears_of_it(now: datetime) -> None:
    ann, ben = person("Ann", now).player, person("Ben", now).player
    first = challenges.offer(challenger=ann, opponent=ben, terms=read_terms(length=3), now=now)
    challenges.accept(challenge_id=first.pk, player=ben, now=now)
    second = challenges.offer(challenger=ann, opponent=ben, terms=read_terms(length=3), now=now)
    challenges.decline(challenge_id=second.pk, player=ben, now=now)

    assert texts(ben) == ["Ann challenges you to a match.", "Ann challenges you to a match."]
    assert texts(ann) == ["Ben accepts your challenge: your match begins.", "Ben does not want to play now."]


def test_an_open_seat_is_news_to_nobody_until_it_is_taken(now: datetime) -> None:
    ann, ben = person("Ann", now).player, person("Ben", now).player
    seat = challenges.offer(challenger=ann, terms=read_terms(length=3), now=now)
    assert not Notice.objects.exists()
    challenges.accept(challenge_id=seat.pk, player=ben, now=now)

    assert texts(ann) == ["Ben accepts your challenge: your match begins."]
    assert texts(ben) == []


def test_a_rematch_is_asked_for_in_other_words(now: datetime) -> None:
    ann, ben = person("Ann", now).player, person("Ben", now).player
    row = challenges.offer(challenger=ann, opponent=ben, terms=read_terms(length=3), side="white", now=now)
    match = challenges.accept(challenge_id=row.pk, player=ben, now=now).match
    with transaction.atomic():
        draft = Draft.load(journal.lock(match.pk), now=now)
        draft.write(RuledMatch(WHITE, "so"), by="director")
        record(draft)

    challenges.request_rematch(match=Match.objects.get(), player=ann, now=now)

    assert texts(ben)[-1] == "Ann would like a rematch."


def test_a_bot_gets_no_notices(now: datetime) -> None:
    ann = person("Ann", now).player
    challenges.offer(
        challenger=ann, opponent=bots.get_practice_bot().player, terms=read_terms(length=3), now=now
    )

    # The bot accepts at once, and the challenger does not need a notice of that.
    assert texts(ann) == []
    assert look(now + SOON) == 0


def test_a_called_match_is_told_once_to_those_who_want_an_e_mail(now: datetime) -> None:
    ann, ben = person("Ann", now).player, person("Ben", now).player
    Habits.objects.create(player=ann, mails_call=True)
    Habits.objects.create(player=ben)

    for _ in range(2):
        notices.notify_called([ann, ben], dedupe_key="7", url="/called/", now=now)

    assert texts(ann) == ["Your match with Ben is called."]
    assert texts(ben) == []


def test_a_notice_speaks_its_readers_language(now: datetime) -> None:
    ann, ben = person("Ann", now), person("Ben", now).player
    accounts.change(user=ann, now=now, language="de")
    bens = challenges.offer(challenger=ben, opponent=ann.player, terms=read_terms(length=3), now=now)

    text = Notice.objects.get(dedupe_key=f"challenge:{bens.key}").text
    assert "Ben" in text


# -- whose turn it is


@pytest.mark.parametrize("clock", ["club", "correspondence", None])
def test_who_is_away_hears_that_it_is_their_turn_once_a_turn(now: datetime, clock: str | None) -> None:
    table = Table(now, agreed=club_terms(3, clock=clock))
    table.begin()
    mover = table.state.owing[0]
    player, other = table.player(mover), table.player(mover.other)

    assert look(now + timedelta(seconds=5)) == 0
    assert [look(now + SOON + n * timedelta(seconds=10)) for n in range(3)] == [1, 0, 0]
    assert texts(player) == [f"It is your turn against {other.name}."]
    assert texts(other) == []
    table.wait(seconds=30)
    table.give(mover, table.next_command(mover))
    assert look(table.now + SOON) == 1
    assert look(table.now + SOON) == 0


def test_a_turn_is_told_once_though_the_other_would_like_to_play_it_out(now: datetime) -> None:
    table = at_race(now)
    mover = table.state.owing[0]
    assert look(now + SOON) == 1
    for stop in (False, True):
        table.wait(minutes=1)
        table.give(mover.other, commands.PlayOut(stop=stop), shares={})
        assert look(table.now + SOON) == 0
    assert len(texts(table.player(mover))) == 1


def test_a_turn_is_told_once_though_the_connection_of_its_player_comes_and_goes(now: datetime) -> None:
    table = Table(now)
    table.begin()
    mover = table.state.owing[0]
    seat, started = get_seat_topic(table.match.key, mover), table.row.cache["idle"]
    presence.write_counts({seat: 1}, now=table.now)
    presence.write_counts({seat: 0}, now=table.now)
    assert look(now + SOON) == 1
    Outage.objects.create(role="web", from_at=now + SOON, to_at=now + SOON + timedelta(seconds=9))
    table.wait(seconds=40)
    presence.write_counts({seat: 1}, now=table.now)
    presence.write_counts({seat: 0}, now=table.now)
    kinds = [type(line.fact) for line in journal.list_lines(table.row)]
    assert kinds[-2:] == [Held, Excused]
    assert look(table.now + SOON) == 0
    assert len(texts(table.player(mover))) == 1

    # Of a line from before this was so.
    assert table.row.cache["idle"] == started
    Match.objects.update(cache={**table.row.cache, "idle": journal.to_milliseconds(table.now)})
    assert list(journal.find_problems(table.row)) == []


def test_who_sits_at_the_board_is_left_alone(now: datetime, present: set[str]) -> None:
    table = Table(now)
    table.begin()
    mover = table.state.owing[0]
    present.add(get_seat_topic(table.match.key, mover))

    assert look(now + SOON) == 0
    present.clear()
    present.add(get_seat_topic(table.match.key, mover.other))
    assert look(now + SOON + SOON) == 1


def test_both_may_be_waited_for(now: datetime) -> None:
    table = Table(now)
    table.sit_down()

    assert look(now + SOON) == 2
    assert texts(table.white)
    assert texts(table.black)


def test_what_happened_long_ago_is_no_news(now: datetime) -> None:
    table = Table(now)
    table.begin()

    assert look(now + notices.LOOKED_BACK) == 0


@pytest.mark.long
def test_a_live_match_between_people_who_are_there_writes_no_event(table: Table, present: set[str]) -> None:
    present.update(get_seat_topic(table.match.key, side) for side in Side)
    while not table.state.match.is_over:
        table.act()
        look(table.now + SOON)

    assert TopicEvent.objects.count() == 0
    assert Notice.objects.count() == 0
    assert Outbox.objects.count() == 0


def test_a_sweep_over_many_quiet_matches_asks_five_questions(now: datetime) -> None:
    tables = [Table(now)]
    for _ in range(4):
        tables.append(Table(now, players=(tables[0].white, tables[0].black)))
    for table in tables:
        table.begin()
    look(now + SOON)

    with CaptureQueriesContext(connection) as asked:
        assert look(now + SOON) == 0
    assert len(asked) <= 5


# -- how matches end without one


def end(table: Table, fact: Any, by: str = "director") -> None:
    with transaction.atomic():
        draft = Draft.load(journal.lock(table.match.pk), now=table.now)
        draft.write(fact, by=by)
        record(draft)


def test_a_fallen_flag_is_told_to_who_was_away(now: datetime, present: set[str]) -> None:
    table = Table(now)
    table.begin()
    late = table.state.owing[0]
    table.wait(hours=2)
    with transaction.atomic():
        draft = Draft.load(journal.lock(table.match.pk), now=table.now)
        assert clocks.flag(draft)
        record(draft)
    present.add(get_seat_topic(table.match.key, late.other))

    assert look(table.now + SOON) == 1
    assert texts(table.player(late)) == [
        f"You have run out of time, and {table.player(late.other).name} has won the match."
    ]
    present.clear()
    assert look(table.now + SOON) == 1
    assert look(table.now + SOON) == 0
    assert texts(table.player(late.other)) == [
        f"{table.player(late).name} has run out of time, and you have won the match."
    ]


def test_other_ends_without_one(now: datetime) -> None:
    given_up = Table(now)
    given_up.give(WHITE, commands.Concede(), shares={})
    ann, ben = given_up.white, given_up.black
    ruled = Table(now, players=(ann, ben))
    end(ruled, RuledMatch(WHITE, "Because."))
    void = Table(now, players=(ann, ben))
    end(void, VoidedMatch(reasons.build_reason(reasons.DID_NOT_COME, BLACK)))

    assert look(now + SOON) == 5
    assert sorted(texts(ann)) == [
        "A director has ruled that you won the match against Ben. Because.",
        "Your match with Ben is void. Ben did not come.",
    ]
    assert sorted(texts(ben)) == [
        "A director has ruled that Ann won the match. Because.",
        "Ann has resigned, and you have won the match.",
        "Your match with Ann is void. Ben did not come.",
    ]


def test_money_play_that_ends_names_no_winner_of_a_match(now: datetime) -> None:
    given_up = Table(now, agreed=club_terms(0, clock=None))
    given_up.give(WHITE, commands.Concede(), shares={})
    late = Table(now, agreed=club_terms(0, clock=None), players=(given_up.white, given_up.black))
    end(late, Flagged(WHITE))

    assert look(now + SOON) == 3
    assert texts(given_up.white) == ["You have run out of time. Your match against Ben is over."]
    assert sorted(texts(given_up.black)) == [
        "Ann has resigned. Your match is over.",
        "Ann has run out of time. Your match is over.",
    ]


def test_what_the_server_decided_is_not_told_as_a_directors_ruling(now: datetime) -> None:
    table = Table(now)
    end(table, Penalised(BLACK, 3, reasons.build_reason(reasons.LATE, BLACK)), by="server")

    assert look(now + SOON) == 2
    assert texts(table.white) == ["You have won the match against Ben. Ben came late."]
    assert texts(table.black) == ["Ann has won the match. Ben came late."]


@pytest.mark.long
def test_a_match_played_to_its_end_is_news_to_nobody(now: datetime) -> None:
    table = Table(now, agreed=club_terms(1))
    table.play_out()

    assert look(table.now + SOON) == 0


# -- by mail


@pytest.mark.parametrize(
    ("wants", "gets_letters", "letters"), [(False, True, 0), (True, True, 1), (True, False, 0)]
)
def test_a_letter_follows_only_where_it_was_chosen(
    now: datetime, wants: bool, gets_letters: bool, letters: int
) -> None:
    table = Table(now)
    table.begin()
    mover = table.player(table.state.owing[0])
    Habits.objects.create(player=mover, mails_turn=wants)
    assert mover.user is not None
    accounts.change(user=mover.user, now=now, mails_notices=gets_letters)

    assert sweeps.run("matches.notices", now=now + SOON)

    assert Notice.objects.count() == 1
    assert Outbox.objects.filter(kind="players.notice_mail").count() == letters


def test_the_page_of_the_settings_reads_the_switches_of_letters_once(now: datetime) -> None:
    ann = person("Ann", now)
    Habits.objects.create(player=ann.player, mails_call=True)
    fresh = User.objects.select_related("player").get(pk=ann.pk)

    with CaptureQueriesContext(connection) as asked:
        rows = [row for _reader, rows in list_kinds_by_reader(fresh) for row in rows if row[0].switch]

    assert len(asked) == 1
    assert [kind.name for kind, is_mailed in rows if is_mailed] == ["match_called"]
    assert len(rows) == 6
