"""A match that is over, watched again: its page, its frame for other sites, and what they carry."""

from __future__ import annotations

import gzip
import html
import json
import re
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.test import Client

from engine import equity
from engine.actions import Dropped, Flagged, Played, Rolled
from engine.formats import position_id, xgid
from engine.game import Termination
from engine.rules import Rules
from engine.side import BySide, Side
from engine.situation import Stage
from matches.journal import journal, replays
from matches.journal.replays import Replay
from matches.models import Match
from matches.play import deadlines
from matches.state import clock_words
from matches.state.commands import Concede, OfferResignation
from matches.watch import player_matches, score_sheet
from tests import prepared
from tests.engine import selfplay
from tests.matches.play.test_pages_weight import imported, named
from tests.matches.support import Table, club_terms, person
from tests.matches.test_pages import signed_in, text

pytestmark = pytest.mark.today

NAMES = BySide("Ann", "Ben")
DATA = re.compile(r'<script id="replay-data" type="application/json">(.*?)</script>', re.S)


@pytest.fixture
def played(db: None, now: datetime) -> Table:
    """A match of three points, played to its end with the cube and by chance."""

    def make() -> Table:
        table = Table(now - timedelta(hours=1))
        table.play_out(pace=2)
        return table

    return prepared.begin("a match to watch again", now, make)


def address(match: Match, more: str = "") -> str:
    return f"/matches/{match.key}/replay/{more}"


def data(answer: Any) -> dict[str, Any]:
    found = DATA.search(text(answer))
    return dict(json.loads(found[1]))


# What there is to watch


@pytest.mark.long
def test_every_play_and_every_word_about_the_cube_is_an_entry_in_its_order(played: Table) -> None:
    replay = replays.load_replay(played.row)
    facts = [step.line.fact for step in journal.iterate_steps(played.row)]
    told = [fact for fact in facts if not isinstance(fact, replays.UNTOLD)]

    assert [entry.action for entry in replay.entries if entry.action is not None] == told
    assert any(isinstance(fact, Rolled) for fact in facts)
    assert not any(isinstance(entry.action, Rolled) for entry in replay.entries)
    keys = [entry.key for entry in replay.entries]
    assert len(set(keys)) == len(keys)


def test_an_entry_stands_at_the_position_before_it_with_its_dice(played: Table) -> None:
    steps = [step for step in journal.iterate_steps(played.row) if isinstance(step.line.fact, Played)]
    plays = [entry for entry in replays.load_replay(played.row).entries if isinstance(entry.action, Played)]

    assert [(each.situation.board, each.situation.dice) for each in plays] == [
        (step.before.match.game.board, step.before.match.game.dice) for step in steps
    ]
    assert [each.clocks for each in plays] == [
        step.before.clock and step.before.clock.reserve for step in steps
    ]


def test_whoever_is_out_of_time_has_none_left(db: None, now: datetime) -> None:
    table = Table(now)
    table.begin()
    deadlines.sweep(now + timedelta(days=1))
    flag, end = replays.load_replay(table.row).entries[-2:]
    assert isinstance(flag.action, Flagged)
    assert flag.clocks == end.clocks
    assert flag.clocks[flag.action.side] == 0 < flag.clocks[flag.action.side.other]


def test_each_game_ends_on_the_board_as_it_was_left_and_at_its_score(played: Table) -> None:
    replay, results = replays.load_replay(played.row), played.state.match.results
    ends = [entry for entry in replay.entries if entry.action is None]

    assert [end.result for end in ends] == [*results]
    assert all(end.situation.stage is Stage.OVER for end in ends)
    # R55: what the last game brought beyond the length is not told.
    assert ends[-1].situation.score == BySide(
        *(min(each, played.state.match.rules.length) for each in played.state.match.score)
    )
    assert ends[-1].chance == (0.0 if played.state.match.winner else 1.0)
    for end in ends:
        if end.result.how.value == "bearoff":
            assert end.situation.board.winner is end.result.winner


@pytest.mark.parametrize("seed", range(4))
def test_no_score_of_a_replay_is_beyond_the_length(seed: int) -> None:
    record = selfplay.match(seed, 1)
    assert (
        max(shown for entry in replays.load_record_replay(record).entries for shown in entry.situation.score)
        == 1
    )


def test_chances_are_those_of_the_table_at_the_score_and_after_a_drop() -> None:
    rules = Rules(length=7)
    replay = replays.load_record_replay(record_of(rules, "doubled", "dropped"))
    play, double, drop, end = replay.entries

    assert play.if_dropped is None
    assert play.chance == double.chance == 0.5
    assert double.if_dropped == drop.if_dropped == end.chance
    assert isinstance(drop.action, Dropped)
    found = equity.compute_chances(rules, end.situation.score)
    assert end.chance == found.white
    # Where there is no cube the table says nothing.
    cubeless = replays.load_record_replay(record_of(Rules(length=7, cube=False)))
    assert {entry.chance for entry in cubeless.entries} == {None}


def record_of(rules: Rules, *more: str) -> Any:
    """A record of an opening play and the facts after it."""
    from engine.actions import Doubled, Opened
    from engine.board import Step
    from engine.record import Record

    acts = {"doubled": Doubled(Side.BLACK), "dropped": Dropped(Side.WHITE)}
    begun = (Opened(3, 1), Played(Side.WHITE, (Step(8, 5), Step(6, 5))))
    return Record(NAMES, rules, (*begun, *(acts[each] for each in more)))


# The score sheet


def list_sentences(replay: Replay) -> list[str]:
    return [
        cell.words
        for game in score_sheet.build_score_sheet(replay, NAMES)
        for row in game.rows
        for cell in row.cells
        if cell is not None
    ]


def test_whoever_acts_out_of_turn_begins_a_row() -> None:
    [game] = score_sheet.build_score_sheet(
        replays.load_record_replay(record_of(Rules(length=7), "doubled", "dropped")), NAMES
    )

    assert [(row.number, *(cell and cell.words for cell in row.cells)) for row in game.rows] == [
        (1, "8/5 6/5", "doubles to 2"),
        (2, "drops", None),
        (None, "Ben won as the double was dropped: 1 point."),
    ]


def test_a_resignation_is_told_in_words(db: None, now: datetime) -> None:
    table = Table(now)
    table.begin()
    (on_turn,) = table.state.owing
    table.give(on_turn, OfferResignation(1))
    told = list_sentences(replays.load_replay(table.row))

    assert told[-1] == "offers a single game"


def test_a_match_that_was_given_up_says_so(db: None, now: datetime) -> None:
    table = Table(now)
    table.begin()
    table.give(Side.WHITE, Concede())

    assert list_sentences(replays.load_replay(table.row))[-2:] == [
        "resigns the match",
        f"The match was resigned: 3 points. Ben won the match 3{clock_words.DASH}0.",
    ]


def test_money_play_that_was_given_up_ends_with_its_score(db: None, now: datetime) -> None:
    table = Table(now, agreed=club_terms(0, clock=None))
    table.begin()
    table.give(Side.WHITE, Concede())

    assert list_sentences(replays.load_replay(table.row))[-2:] == [
        "resigns the match",
        f"The match was resigned: 1 point. Final score: Ann 0{clock_words.DASH}1 Ben.",
    ]


def test_a_fallen_flag_is_told_in_words(db: None, now: datetime) -> None:
    table = Table(now)
    table.begin()
    deadlines.sweep(now=now + timedelta(days=1))
    told = list_sentences(replays.load_replay(table.row))

    assert told[-2] == "out of time"
    assert "won on time" in told[-1]


def test_what_the_server_decided_is_not_told_as_a_directors_ruling(db: None, now: datetime) -> None:
    table = Table(now)
    table.begin()
    player_matches.end_matches(table.white, now=now)
    dash = clock_words.DASH
    assert list_sentences(replays.load_replay(table.row))[-2:] == [
        "Ann has deleted their account.",
        f"The match was decided by a ruling. Ben won the match 0{dash}0.",
    ]

    late = Table(now, players=(table.white, table.black), waits_until=now + timedelta(minutes=10))
    deadlines.sweep(now=now + timedelta(days=1))
    assert list_sentences(replays.load_replay(late.row))[:1] == ["Nobody came."]


# The page


def test_the_first_position_and_all_moves_are_there_without_a_script(played: Table) -> None:
    replay = replays.load_replay(played.row)
    page = text(Client().get(address(played.match)))

    assert '<svg xmlns="http://www.w3.org/2000/svg" class="board"' in page
    for entry in replay.entries:
        assert f'id="move-{entry.key}" href="?at={entry.key}"' in page
    assert re.findall(r'aria-hidden="true"></span>(\w+)</th>', page) == ["Ann", "Ben"] * len(replay.games)
    first = replay.entries[0]
    assert isinstance(first.action, Played)
    assert score_sheet.format_play(first.situation.board, first.action.side, first.action.steps) in page
    assert f'value="{xgid.encode(first.situation)}"' in page
    assert f'value="{position_id.encode(first.situation.board, first.situation.turn)}"' in page
    for suffix in ("mat", "sgf", "json"):
        assert f"/matches/{played.match.key}/record.{suffix}" in page


def test_a_link_leads_to_a_move(played: Table) -> None:
    entry = replays.load_replay(played.row).entries[9]
    answer = Client().get(address(played.match, f"?at={entry.key}"))

    assert data(answer)["place"] == 9
    assert html.escape(xgid.encode(entry.situation)) in text(answer)
    assert f'href="?at={entry.key}" data-key="{entry.key}"\n' in text(answer)
    assert text(answer).count('aria-current="step"') == 1
    assert data(Client().get(address(played.match, "?at=g99m1<b>")))["place"] == 0


def test_players_see_it_from_their_own_side(played: Table) -> None:
    black = played.black.user
    assert black is not None
    assert data(signed_in(black).get(address(played.match)))["below"] == "black"
    assert data(Client().get(address(played.match)))["below"] == "white"


def test_a_match_that_is_played_is_at_its_board(db: None, now: datetime) -> None:
    table = Table(now)
    table.begin()

    assert Client().get(address(table.match))["Location"] == f"/matches/{table.match.key}/"
    assert Client().get(address(table.match, "embed/"))["Location"] == f"/matches/{table.match.key}/embed/"


def test_a_private_match_is_watched_again_by_its_own_people_alone(db: None, now: datetime) -> None:
    table = Table(now, is_private=True)
    table.begin()
    table.give(Side.WHITE, Concede())
    player = table.white.user
    assert player is not None

    assert Client().get(address(table.match)).status_code == 404
    assert signed_in(person("Cleo", now)).get(address(table.match)).status_code == 404
    mine = signed_in(player).get(address(table.match))
    assert mine.status_code == 200
    assert 'id="snippet"' not in text(mine)
    for client in (Client(), signed_in(player)):
        assert client.get(address(table.match, "embed/")).status_code == 404


def test_what_was_put_right_is_read_again(played: Table) -> None:
    before = replays.load_replay(played.row)
    assert replays.load_replay(played.row) is before
    row = played.row
    row.head_hash = "another story"
    assert replays.load_replay(row) is not before


def test_names_are_those_that_everybody_may_read_now(played: Table) -> None:
    client = Client()
    assert "Zoe Overton" not in text(client.get(address(played.match)))
    type(played.white).objects.filter(pk=played.white.pk).update(name="Zoe Overton", alias="")
    assert "Zoe Overton" in text(client.get(address(played.match)))


def test_it_is_small(played: Table) -> None:
    """A play takes about fourteen characters and its clock times."""
    answer = Client().get(address(played.match))
    film = data(answer)["film"]
    plays = sum(len(game["acts"]) for game in film["games"])
    spelled = json.dumps(film, separators=(",", ":"))

    assert len(spelled) < 1_500 + 45 * plays + 700 * len(film["games"])
    assert len(gzip.compress(text(answer).encode())) < 20_000


def test_all_that_the_page_imports_is_asked_for_at_once() -> None:
    assert sorted(named("_replay_modules.html")) == sorted(imported("js/replay/page.js"))


# In another site's frame


def test_any_site_may_frame_it_and_no_cookie_is_set(played: Table) -> None:
    framed = Client().get(address(played.match, "embed/"))

    assert framed.status_code == 200
    assert "frame-ancestors *" in framed["Content-Security-Policy"]
    assert "X-Frame-Options" not in framed
    whole = Client().get(address(played.match))
    assert "frame-ancestors 'none'" in whole["Content-Security-Policy"]
    assert whole["X-Frame-Options"] == "DENY"
    assert played.white.user is not None
    mine = signed_in(played.white.user).get(address(played.match, "embed/"))
    for answer in (framed, mine):
        assert not answer.cookies
        assert "csrf" not in text(answer).lower()
    assert data(mine) == data(framed)


def test_the_page_has_the_snippet_to_copy(played: Table) -> None:
    found = re.search(r'id="snippet" readonly value="([^"]+)"', text(Client().get(address(played.match))))

    assert html.unescape(found[1]).startswith(
        f'<iframe src="http://testserver{address(played.match, "embed/")}"'
    )


def test_the_page_of_a_finished_match_leads_there(played: Table) -> None:
    assert f'href="{address(played.match)}"' in text(Client().get(f"/matches/{played.match.key}/"))


def test_the_words_are_complete() -> None:
    assert {*Termination} - {
        Termination.BEAROFF,
        Termination.REPORT,
        Termination.VOID,
        Termination.UNFINISHED,
    } == {*score_sheet.WON}


def test_a_corrected_score_moves_no_board(played: Table) -> None:
    """A position that an act does not lead to goes along whole."""
    replay = replays.load_replay(played.row)
    for game, told in zip(replay.games, replay.to_json()["games"], strict=True):
        for place, entry in enumerate(game.entries):
            if place in told["at"]:
                assert told["at"][place]["board"] == entry.situation.board.text()
                continue
            before = game.entries[place - 1]
            board = before.situation.board
            if isinstance(before.action, Played):
                board = board.moved(before.action.side, before.action.steps)
            assert replace(entry.situation, board=board) == entry.situation
