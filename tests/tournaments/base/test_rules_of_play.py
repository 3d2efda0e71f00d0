"""The rules of play of an event: agreed, overridden, written into pairings, and kept by boards, scores and sheets."""

from __future__ import annotations

from typing import Any

import pytest

from draw.files import event_file, event_input
from draw.options import BadOption
from draw.rules_of_play import CLOCKS, USUAL, RulesOfPlay
from engine.clock import MINUTE, PRESETS, SECOND
from matches.state.terms import FlagRule, Terms
from tests.tournaments.event_desk import Desk, a_plan
from tournaments.base import event_rows, rules_in_words, scores
from tournaments.base.errors import BadGame, BadPlan, BadScore
from tournaments.base.settings import Settings
from tournaments.models import Pairing
from tournaments.pages.games_forms import GamesForm
from tournaments.plan import outline, planning, setup
from tournaments.plan.templates import TEMPLATES, StagePlan
from tournaments.play import boards, results

NOVICES = RulesOfPlay(cube=False, backgammons=False)
KEY = "main/1.1"


def a_game(winner: str, points: int, cube: int = 1, end: str = "single") -> dict[str, Any]:
    return {"winner": winner, "points": points, "cube": cube, "end": end}


def started(desk: Desk, play: RulesOfPlay, *rules: dict[str, Any], form: str = "single-elimination") -> None:
    stage = StagePlan(format=form, rules=rules)
    desk.start(a_plan([stage], Settings(play=play)), 4)


def terms(row: Pairing) -> Terms:
    return boards.build_board_terms(row)


# -- the value


def test_the_clocks_that_can_be_called_by_name_are_those_of_the_engine() -> None:
    assert list(CLOCKS) == list(PRESETS)


def test_what_is_usual_is_not_written_down() -> None:
    assert USUAL.to_json() == {}
    for play in (
        NOVICES,
        RulesOfPlay(best_of=5),
        RulesOfPlay(jacoby=True, moves="responsible", flag_points=2),
    ):
        assert RulesOfPlay.from_json(play.to_json()) == play
    assert RulesOfPlay.from_json({"gammons": False}).backgammons is False


@pytest.mark.parametrize(
    "said",
    [
        {"cubes": True},
        {"cube": 1},
        {"best_of": 4},
        {"best_of": 1},
        {"best_of": 27},
        {"jacoby": True, "cube": False},
        {"gammons": False, "backgammons": True},
        {"moves": "any"},
        {"clock": "sundial"},
        {"flag_points": 6},
        {"flag_points": True},
    ],
)
def test_rules_that_cannot_be_are_refused_by_name(said: dict[str, Any]) -> None:
    with pytest.raises(BadOption, match=r"play\."):
        RulesOfPlay.from_json(said)


def test_an_event_by_such_rules_is_refused(desk: Desk) -> None:
    stage = StagePlan(format="swiss", options={"rounds": 2}, rules=({"play": {"best_of": 2}},))
    with pytest.raises(BadPlan, match="odd number of games"):
        desk.announce(a_plan([stage]))


@pytest.mark.parametrize("name", ["cube", "gammons", "backgammons"])
def test_a_stage_s_rule_without_effect_beside_the_event_s_best_of_is_refused(desk: Desk, name: str) -> None:
    def announce(*rules: dict[str, Any]) -> None:
        stage = StagePlan(format="single-elimination", rules=rules)
        desk.announce(a_plan([stage], Settings(play=RulesOfPlay(best_of=3))))

    # Gammons are needed for backgammons.
    on = {"play": {"gammons": True, name: True}}
    with pytest.raises(BadPlan, match="cannot be True beside best_of 3"):
        announce({"round": -1, **on})
    announce({"round": -1, "length": 5, **on}, {"play": {name: False}})


@pytest.mark.parametrize(
    ("minutes", "delay"),
    [
        ("-1", 12),
        ("40000", 12),
        ("few", 12),
        ("1/0", 12),
        ("2", -1),
        ("2", "12"),
        ("2", [12]),
        ("2", 10**9),
        ("0", 0),
        (0, 0),
    ],
)
def test_a_clock_with_such_times_is_refused(desk: Desk, minutes: object, delay: object) -> None:
    rules = ({"minutes_a_point": minutes, "delay_seconds": delay},)
    stage = StagePlan(format="swiss", options={"rounds": 2}, rules=rules)
    with pytest.raises(BadPlan, match=r"minutes_a_point|delay_seconds"):
        desk.announce(a_plan([stage]))


def test_points_for_a_bye_have_room_in_its_row(desk: Desk) -> None:
    stage = StagePlan(format="swiss", options={"rounds": 2, "bye_points": "0.3333333"})
    with pytest.raises(BadPlan, match="bye_points"):
        desk.announce(a_plan([stage]))


# -- event, stage, bracket, round


def test_brackets_and_rounds_may_play_otherwise(desk: Desk) -> None:
    rules = (
        {"bracket": "main", "round": -1, "length": 7, "play": {"cube": True}},
        {"bracket": "consolation", "play": {"best_of": 3}},
    )
    started(desk, NOVICES, *rules, form="consolation")

    final, first, consolation = desk.row("main/2.1"), desk.row(KEY), desk.row("consolation/1.1")
    assert [row.length for row in (first, final, consolation)] == [5, 7, 2]
    played = [RulesOfPlay.from_match_rules(row.rules) for row in (first, final, consolation)]
    assert [(each.cube, each.backgammons, each.best_of) for each in played] == [
        (False, False, 0),
        (True, False, 0),
        (False, False, 3),
    ]
    assert dict(rules_in_words.list_exceptions(desk.event, list(desk.event.stages.all())))[
        "Consolation"
    ].startswith("best of 3 games.")


def test_a_length_of_its_own_is_played_to_where_the_event_plays_games(desk: Desk) -> None:
    started(desk, RulesOfPlay(best_of=3), {"bracket": "main", "round": -1, "length": 5})

    assert (desk.row(KEY).length, desk.row("main/2.1").length, desk.fresh().match_length) == (2, 5, 2)
    assert rules_in_words.describe_pairing_length(2, desk.row(KEY).rules) == "best of 3 games"
    assert rules_in_words.describe_pairing_length(5, desk.row("main/2.1").rules) == "to 5 points"


def test_the_outline_says_where_games_are_counted() -> None:
    rules = ({"bracket": "main", "round": -1, "play": {"best_of": 5}},)
    plan = a_plan(
        [StagePlan(format="single-elimination", rules=rules)], Settings(play=RulesOfPlay(best_of=3))
    )
    (bracket,) = outline.build_outline(plan, 8).brackets
    assert [each.best_of for each in bracket.rounds] == [3, 3, 5]


def test_the_plan_of_an_event_keeps_its_rules(desk: Desk) -> None:
    desk.announce(a_plan("swiss", Settings(play=NOVICES), rounds=3))

    plan = planning.load_plan(desk.event)
    again = setup.clone(tournament_id=desk.pk, by=desk.director, key="aaaaaaaaaa", now=desk.now)

    assert plan.settings.play == NOVICES
    assert again.play == desk.event.play == {"cube": False, "backgammons": False}


def test_the_file_of_an_event_says_its_rules_and_reads_them(desk: Desk) -> None:
    started(desk, NOVICES, {"bracket": "main", "round": -1, "play": {"best_of": 5}})
    event = event_rows.build_event(event_rows.load_rows(desk.event))

    said = event_file.write_event(event)
    read, _names = event_input.read_event(said)

    assert [each.rules.play for each in read.stages[0].rules] == [
        each.rules.play for each in event.stages[0].rules
    ]
    assert [each.rules.play.best_of for each in read.stages[0].rules] == [0, 5]


# -- boards


def test_a_board_is_laid_out_by_the_rules_of_its_match(desk: Desk) -> None:
    started(desk, NOVICES)
    rules = terms(desk.row(KEY)).rules
    assert (rules.length, rules.cube, rules.gammons, rules.backgammons) == (5, False, True, False)


@pytest.mark.parametrize(
    ("said", "name", "value"),
    [
        ({"crawford": False}, "crawford", False),
        ({"jacoby": True}, "jacoby", True),
        ({"gammons": False}, "worst", 1),
        ({"best_of": 7}, "best_of_games", 7),
    ],
)
def test_each_rule_of_the_game_reaches_the_board(
    desk: Desk, said: dict[str, Any], name: str, value: object
) -> None:
    started(desk, RulesOfPlay.from_json(said))
    assert getattr(terms(desk.row(KEY)).rules, name) == value


def test_clock_flag_and_pip_count_reach_the_board(desk: Desk) -> None:
    started(desk, RulesOfPlay(clock="fast", flag_points=1, pips=False))

    agreed = terms(desk.row(KEY))

    assert (agreed.clock, agreed.shows_pips) == ("fast", False)
    assert (agreed.control.reserve, agreed.control.delay) == (5 * MINUTE, 10 * SECOND)
    assert agreed.flag == FlagRule(1, 150 * SECOND)


def test_minutes_of_a_round_stand_before_the_clock_of_the_event(desk: Desk) -> None:
    started(desk, RulesOfPlay(clock="fast"), {"minutes_a_point": "3", "delay_seconds": 15})
    agreed = terms(desk.row(KEY))
    assert (agreed.clock, agreed.control.reserve) == ("", 15 * MINUTE)


@pytest.mark.parametrize("minutes", ["0", 0])
def test_a_clock_may_have_nothing_but_a_delay(desk: Desk, minutes: object) -> None:
    started(desk, RulesOfPlay(flag_points=1), {"minutes_a_point": minutes, "delay_seconds": 10})
    agreed = terms(desk.row(KEY))
    assert (agreed.control.reserve, agreed.control.delay) == (0, 10 * SECOND)
    assert agreed.flag == FlagRule(1, 0)


# -- scores and sheets


def test_the_best_of_three_ends_two_to_nothing_or_two_to_one(desk: Desk) -> None:
    started(desk, RulesOfPlay(best_of=3))
    for wrong in ((3, 0), (1, 0), (2, 2)):
        with pytest.raises(BadScore):
            desk.do(results.enter_result, key=KEY, score=wrong)
    games = [a_game("a", 1), a_game("b", 1), a_game("a", 1)]
    desk.do(results.enter_result, key=KEY, score=(2, 1), games=games)
    assert desk.row(KEY).games == games


@pytest.mark.parametrize(
    ("play", "game"),
    [
        (NOVICES, a_game("a", 2, 2)),
        (NOVICES, a_game("a", 1, 1, "drop")),
        (NOVICES, a_game("a", 3, 1, "backgammon")),
        (RulesOfPlay(gammons=False, backgammons=False), a_game("a", 2, 1, "gammon")),
        (RulesOfPlay(best_of=9), a_game("a", 2, 1, "gammon")),
        (RulesOfPlay(jacoby=True), a_game("a", 2, 1, "gammon")),
    ],
)
def test_a_game_that_the_rules_do_not_know_is_refused(play: RulesOfPlay, game: dict[str, Any]) -> None:
    rest = [a_game("a", 1)] * (5 - game["points"])
    with pytest.raises(BadGame):
        scores.check_games([game, *rest], (5, 0), 5, (0, 0), play)
    if play is not NOVICES or game["end"] != "drop":
        scores.check_games([game, *rest], (5, 0), 5)


def test_what_the_rules_know_passes() -> None:
    scores.check_games([a_game("a", 2, 1, "gammon"), *[a_game("a", 1)] * 3], (5, 0), 5, (0, 0), NOVICES)
    jacoby = [a_game("a", 4, 2, "gammon"), a_game("a", 1)]
    scores.check_games(jacoby, (5, 0), 5, (0, 0), RulesOfPlay(jacoby=True))
    without = [a_game("a", 4, 2, "gammon"), a_game("a", 2, 2)]
    with pytest.raises(BadGame):
        scores.check_games(without, (5, 0), 5)
    scores.check_games(without, (5, 0), 5, (0, 0), RulesOfPlay(crawford=False))


def test_the_sheet_offers_only_what_the_rules_know() -> None:
    form = GamesForm(None, players=("Ann", "Ben"), length=5, begun=(4, 0), play=NOVICES)
    (row,) = form.rows
    fields: Any = row.form.fields
    assert [name for name, _label in fields["cube"].choices] == ["1"]
    assert [name for name, _label in fields["end"].choices] == ["single", "gammon"]
    assert not row.is_crawford
    jacoby = GamesForm(
        {"rows": "1", "g1-winner": "a", "g1-cube": "1", "g1-end": "gammon"},
        players=("Ann", "Ben"),
        length=2,
        begun=(0, 0),
        play=RulesOfPlay(jacoby=True),
    )
    assert not jacoby.is_valid()
    assert "Jacoby" in str(jacoby.rows[0].problem)


# -- words


def test_every_rule_is_said() -> None:
    assert rules_in_words.list_sentences(USUAL) == (
        "With the doubling cube and the Crawford rule.",
        "Gammons count double, backgammons triple.",
        "Legal moves: an illegal move is corrected until the opponent has rolled.",
    )
    assert rules_in_words.list_sentences(NOVICES)[:2] == (
        "No doubling cube.",
        "Gammons count double, and so do backgammons.",
    )
    said = rules_in_words.list_sentences(
        RulesOfPlay(crawford=False, jacoby=True, pips=False, moves="responsible")
    )
    assert [len(said), "without the Crawford" in said[0], "Jacoby" in said[2], "pip count" in said[4]] == [
        5,
        True,
        True,
        True,
    ]
    assert rules_in_words.describe_clock({}, USUAL) == ()
    assert (
        rules_in_words.describe_clock({}, RulesOfPlay(clock="club"))[1]
        == "A player who runs out of time loses the match."
    )
    assert (
        "half the time"
        in rules_in_words.describe_clock({"minutes_a_point": "2"}, RulesOfPlay(flag_points=1))[1]
    )


@pytest.mark.parametrize("name", ["beginners", "novices"])
def test_a_division_is_announced_by_template_and_played(desk: Desk, name: str) -> None:
    template = TEMPLATES[name]
    desk.announce(template.plan(template.length, template.rounds), 6)
    desk.event.needs_check_in = False
    desk.event.save(update_fields=["needs_check_in"])
    assert desk.event.lateness[0] == [3, 1]
    assert desk.fresh().match_length == {"beginners": 2, "novices": 5}[name]
