"""Bots that ask an engine: they think with nothing held, play by the rules, and go on without it where it does not answer."""

from __future__ import annotations

import threading
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from django.test import Client
from django.urls import reverse

from engine.game import Phase
from engine.side import Side
from matches.bots import bots, minds, thinker
from matches.bots.minds import NoAnswer
from matches.hooks import DecisionRequest
from matches.journal import journal
from matches.lobby import challenges, visitors
from matches.models import Bot, Match
from matches.play.terms_validation import read_terms
from matches.state.errors import BadTerms
from matches.state.status import Status
from opinion.judging import engine_process
from opinion.judging.oracle import NoOracle, OracleFailed
from opinion.models import StandIn
from opinion.practice import live_engine
from tests.matches.bots.test_bots import HUMAN, act
from tests.matches.support import Table, club_terms, person
from tests.opinion.engine_here import between_people
from tests.opinion.fakes import PipOracle
from tests.opinion.test_child import BEGINNING, Script, is_gone, script

if TYPE_CHECKING:
    from pytest_django import DjangoCaptureOnCommitCallbacks

__all__ = ["script"]
pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("same_dice")]


@pytest.fixture
def engine(analysed_here: PipOracle, monkeypatch: pytest.MonkeyPatch) -> PipOracle:
    """The engine that bots ask."""
    monkeypatch.setattr(live_engine, "ENGINE", live_engine.SharedEngine(lambda: analysed_here))
    return analysed_here


@pytest.fixture
def broken(analysed_here: PipOracle, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """An engine that never answers, and the number of its starts."""
    started: list[str] = []

    def opening() -> Any:
        started.append("started")
        raise OracleFailed("it hangs")

    monkeypatch.setattr(live_engine, "ENGINE", live_engine.SharedEngine(opening))
    return started


def bot_of(slug: str) -> Bot:
    return next(bot for bot in bots.list_available() if bot.slug == slug)


def against(slug: str, now: datetime, points: int = 1) -> Table:
    return Table(
        now,
        players=(person("Ann", now).player, bot_of(slug).player),
        agreed=club_terms(points, clock=None),
        chained=(),
        seed=2,
    )


def think(table: Table) -> int:
    return bots.think(match_id=table.match.pk, now=lambda: table.now)


def play_out(table: Table) -> int:
    done = 0
    for _ in range(600):
        done += think(table)
        if table.row.status == Status.FINISHED:
            return done
        table.wait(seconds=1)
        act(table)
    raise AssertionError("the match does not end")


@pytest.mark.long
@pytest.mark.parametrize("slug", ["beginner", "world-class"])
def test_a_match_against_a_bot_that_asks_an_engine(now: datetime, engine: PipOracle, slug: str) -> None:
    table = against(slug, now)
    assert play_out(table) > 5
    assert "plays" in engine.asked
    assert list(journal.find_problems(table.row)) == []
    assert not StandIn.objects.exists()


def thinking(now: datetime, slug: str = "expert") -> Table:
    """A match in which the bot has to decide something that takes time."""
    table = against(slug, now)
    for _ in range(100):
        bots.act(match_id=table.match.pk, now=table.now)
        if HUMAN not in table.state.owing:
            return table
        act(table)
    raise AssertionError("it never comes to that")


def test_whoever_wakes_the_bot_does_not_wait_for_it(
    now: datetime,
    engine: PipOracle,
    monkeypatch: pytest.MonkeyPatch,
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    asked: list[int] = []
    monkeypatch.setattr(bots.THINKER, "enqueue", asked.append)
    table = thinking(now)
    head = table.head

    with django_capture_on_commit_callbacks(execute=True):
        assert bots.act(match_id=table.match.pk, now=now) == 0
    assert (asked, engine.asked, table.head) == ([table.match.pk], [], head)
    # The worker that took the request is at it; if it died, the sweep requests the move again.
    with django_capture_on_commit_callbacks(execute=True):
        bots.sweep(now=now + timedelta(seconds=1))
    assert len(asked) == 1
    with django_capture_on_commit_callbacks(execute=True):
        bots.sweep(now=now + timedelta(minutes=1))
    assert len(asked) == 2

    assert think(table) >= 1
    assert engine.asked
    assert table.head > head


def test_the_same_board_leads_to_the_same_decision(now: datetime, engine: PipOracle) -> None:
    table = thinking(now, "beginner")
    thought = DecisionRequest(table.match.key, table.head, table.state.match, Side.BLACK)
    mind = minds.get_mind("beginner")
    assert mind.decide(thought) == mind.decide(thought)
    assert engine.asked


def test_somebody_who_is_quicker_is_not_played_over(
    now: datetime, engine: PipOracle, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = thinking(now)
    heads: list[int] = []
    real = live_engine.decide

    def slowly(name: str, thought: DecisionRequest) -> Any:
        found = real(name, thought)
        heads.append(thought.head)
        if len(heads) == 1:
            # Another process answers in the meantime.
            row = Match.objects.select_related("white", "black").get(pk=table.match.pk)
            assert bots.submit_owed_command(row, table.state, Side.BLACK, now=table.now)
        return found

    monkeypatch.setattr(live_engine, "decide", slowly)
    think(table)
    assert list(journal.find_problems(table.row)) == []
    assert heads == sorted(set(heads))


# -- an engine that does not answer -----------------------------------------------------------------


def test_without_an_answer_our_own_bot_plays_and_the_page_says_so(
    now: datetime, broken: list[str], client: Client
) -> None:
    table = thinking(now)
    assert think(table) >= 1
    assert table.state.match.game.phase is not Phase.OPENING or HUMAN in table.state.owing
    notes = list(StandIn.objects.all())
    assert notes
    assert notes[0].why == "it hangs"
    # It is not waited for at each decision.
    assert broken == ["started"]

    page = client.get(reverse("matches:match", args=[table.match.key])).content.decode()
    assert "the engine did not answer" in page
    assert "PR about 3.5" in page


def test_an_engine_without_its_networks_holds_up_nobody(
    now: datetime, analysed_here: PipOracle, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bare = tmp_path / "bare.py"
    bare.write_text('raise FileNotFoundError("no weights")')
    monkeypatch.setattr(
        live_engine, "ENGINE", live_engine.SharedEngine(lambda: engine_process.EngineProcess(bare))
    )
    table = thinking(now)
    assert think(table) >= 1
    assert "does not start" in StandIn.objects.order_by("pk")[0].why


def test_a_mistake_of_ours_about_an_answer_holds_up_nobody(
    now: datetime, engine: PipOracle, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = thinking(now)
    # None of the kinds of error that are foreseen.
    monkeypatch.setattr(engine, "plays", None)
    monkeypatch.setattr(engine, "cubes", None)
    assert think(table) >= 1
    assert "not callable" in StandIn.objects.order_by("pk")[0].why


def test_no_engine_is_asked_about_a_position_that_people_play(now: datetime, engine: PipOracle) -> None:
    table = thinking(now)
    engine.asked.clear()
    between_people(table.state.match.game.board, now)
    ours = minds.CLUB.decide(DecisionRequest(table.match.key, table.head, table.state.match, Side.BLACK))
    theirs = minds.get_mind("world-class").decide(
        DecisionRequest(table.match.key, table.head, table.state.match, Side.BLACK)
    )
    assert theirs == ours
    assert engine.asked == []
    # It was not the engine that failed.
    assert not StandIn.objects.exists()


def test_an_engine_rests_after_a_failure_and_is_tried_again(analysed_here: PipOracle) -> None:
    moments, started = [0.0], []

    def opening() -> Any:
        started.append(1)
        if len(started) == 1:
            raise NoOracle("not now")
        return analysed_here

    kept = live_engine.SharedEngine(opening, watch=lambda: moments[-1])
    with pytest.raises(NoAnswer, match="not now"):
        kept.run_question(lambda oracle: oracle.name)
    with pytest.raises(NoAnswer, match="a moment ago"):
        kept.run_question(lambda oracle: oracle.name)
    moments.append(live_engine.REST)
    assert kept.run_question(lambda oracle: oracle.name) == "pips"
    assert kept.run_question(lambda oracle: oracle.name) == "pips"
    assert len(started) == 2
    kept.close()


def test_a_process_that_hangs_is_ended(script: Script) -> None:
    made: list[engine_process.EngineProcess] = []

    def opening() -> engine_process.EngineProcess:
        made.append(engine_process.EngineProcess(script("time.sleep(600)"), seconds=0.2, to_start=60))
        return made[-1]

    kept = live_engine.SharedEngine(opening)
    with pytest.raises(NoAnswer, match="longer than"):
        kept.run_question(lambda oracle: oracle.rolls([BEGINNING]))
    assert is_gone(made[0].version)


def test_an_idle_engine_is_closed(script: Script) -> None:
    kept = live_engine.SharedEngine(
        lambda: engine_process.EngineProcess(script('write({"answer": [[0.0] * 21]})'))
    )
    pid = kept.run_question(lambda oracle: (oracle.rolls([BEGINNING]), oracle.version)[1])
    kept.close()
    assert is_gone(pid)


# -- the levels --------------------------------------------------------------------------------------


def test_six_levels_each_with_its_strength(engine: PipOracle, client: Client, now: datetime) -> None:
    found = client.get(reverse("api:own-bots")).json()
    assert [bot["level"] for bot in found] == [1, 2, 3, 4, 5, 6]
    assert [bot["title"] for bot in found][::5] == ["Beginner", "World class"]
    assert [bot["pr"] for bot in found] == [32, 19, 12, 6.5, 3.5, 1.5]
    for asked_by in (None, person("Ann", now)):
        if asked_by:
            client.force_login(asked_by)
        page = client.get(reverse("matches:lobby")).content.decode()
        assert all(bot["title"] in page for bot in found)
        assert "PR about 1.5" in page
    # Of the opponents to choose from only the bot that has its own name needs its level told.
    assert "Advanced, <span" in " ".join(page.split())
    assert "Beginner, <span" not in " ".join(page.split())


def test_a_guest_chooses_a_level(engine: PipOracle, client: Client) -> None:
    client.post(reverse("matches:practice"), {"level": "beginner", "length": "1"})
    row = Match.objects.get()
    assert {row.white.name, row.black.name} & {"Beginner (bot)"}
    # Once more at the same level is the same match; another level is another.
    client.post(reverse("matches:practice"), {"level": "beginner"})
    assert Match.objects.count() == 1
    client.post(reverse("matches:practice"), {"level": "world-class"})
    assert Match.objects.count() == 2


def test_without_an_engine_one_level_is_left_and_one_line_says_so(client: Client, now: datetime) -> None:
    assert [bot.slug for bot in bots.list_available()] == ["practice"]
    page = client.get(reverse("matches:lobby")).content.decode()
    assert page.count("The other levels need an analysis engine") == 1
    answer = client.post(reverse("matches:practice"), {"level": "expert"}, follow=True)
    assert "There is no bot of this level here." in answer.content.decode()
    assert not Match.objects.exists()
    client.post(reverse("matches:practice"))
    assert Match.objects.get().has_bot


def test_a_bot_whose_engine_went_away_is_not_challenged_and_finishes_what_it_began(
    now: datetime, engine: PipOracle, settings: Any
) -> None:
    table = thinking(now)
    settings.OPINION = False
    with pytest.raises(BadTerms, match="cannot be challenged"):
        challenges.offer(
            challenger=table.white, opponent=table.black, terms=read_terms(length=1), now=table.now
        )
    assert think(table) >= 1
    assert StandIn.objects.filter(match=table.match).exists()


@pytest.mark.parametrize(
    "rules", [{"variant": "hypergammon"}, {"length": 0, "beavers": True}, {"cube": False}]
)
def test_it_does_not_play_what_the_engine_does_not_know(
    now: datetime, engine: PipOracle, rules: dict[str, Any]
) -> None:
    terms = read_terms(**({"length": 5} | rules))
    ann = person("Ann", now).player
    with pytest.raises(BadTerms, match="backgammon and nackgammon"):
        challenges.offer(challenger=ann, opponent=bot_of("expert").player, terms=terms, now=now)
    assert challenges.offer(
        challenger=ann, opponent=bots.get_practice_bot().player, terms=terms, now=now
    ).match


def test_a_program_challenges_a_level(engine: PipOracle, client: Client, now: datetime) -> None:
    ann = person("Ann", now)
    client.force_login(ann)
    sent = {"opponent": bot_of("casual").player.key, "length": 1, "clock": None}
    answer = client.post(
        reverse("api:challenge-list"), sent, "application/json", headers={"Idempotency-Key": "a casual one"}
    )
    assert answer.status_code == 201
    row = Match.objects.get(key=answer.json()["match"])
    assert "Casual (bot)" in {row.white.name, row.black.name}
    assert visitors.begin_practice(player=ann.player, now=now, level="casual") == row


# -- the thread --------------------------------------------------------------------------------------


def test_one_thread_thinks_about_each_match_once_and_outlives_a_failure() -> None:
    begun, go_on, thought = threading.Event(), threading.Event(), threading.Semaphore(0)
    seen: list[int] = []

    def slowly(match_id: int) -> None:
        seen.append(match_id)
        begun.set()
        go_on.wait(60)
        thought.release()
        if match_id == 1:
            raise ZeroDivisionError

    ours = thinker.Thinker(slowly)
    ours.is_muted = False
    ours.enqueue(1)
    assert begun.wait(60)
    for match_id in (2, 2, 3, 2):
        ours.enqueue(match_id)
    go_on.set()
    for _ in range(3):
        assert thought.acquire(timeout=60)
    assert seen == [1, 2, 3]
