"""Where a club needs no scores, the winner's name is a result: entered, reported, shown, filed and read again."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from draw import stages
from draw.files import event_input
from draw.formats import FORMATS
from players.models import User
from tests.matches.http import Caller
from tests.tournaments.desk.test_pages_director import settings_form
from tests.tournaments.event_desk import Desk, a_plan
from tests.tournaments.support import Browser, text, url
from tournaments.base import event_rows, event_view
from tournaments.base.errors import AlreadyDone, ChangedMeanwhile, OtherHasWon, ScoreNeeded, UnknownEntrant
from tournaments.base.settings import Settings
from tournaments.desk import rulings
from tournaments.models import Entry, Pairing, Report, Ruling
from tournaments.pages import crosstable
from tournaments.plan import drawing, planning
from tournaments.play import (
    corrections,
    deadlines,
    disputes,
    entering,
    inspection,
    optimistic_locking,
    results,
)

pytestmark = pytest.mark.today

FREE = Settings(scores_needed=False)
KEY = "main/1.1"


@pytest.fixture
def users(desk: Desk) -> list[User]:
    """Four members, the first two of whom meet."""
    return [desk.member(name) for name in ("Ann", "Ben", "Cid", "Dee")]


def begin(desk: Desk, users: list[User], settings: Settings = FREE) -> tuple[Pairing, User, User]:
    """Begin; return a match with its two, a first."""
    desk.announce(a_plan("single-elimination", settings))
    for user in users:
        entering.enter_own_player(tournament_id=desk.pk, user=user, now=desk.now)
    desk.do(drawing.publish)
    desk.fresh()
    row = desk.row(KEY)
    by_player = {user.player.pk: user for user in users}
    return row, by_player[row.a.player_id], by_player[row.b.player_id]


def numbers(row: Pairing) -> tuple[int, int]:
    return row.a.number, row.b.number


def report(desk: Desk, user: User, **said: Any) -> Report:
    return results.report_result(tournament_id=desk.pk, key=KEY, user=user, now=desk.now, **said)


def stands(desk: Desk) -> tuple[str, bool, int | None, int | None]:
    row = desk.row(KEY)
    return row.kind, row.winner_id == row.b_id, row.score_a, row.score_b


# -- services


def test_the_winner_alone_is_a_result_and_goes_on(desk: Desk, users: list[User]) -> None:
    row, _a, _b = begin(desk, users)

    desk.do(results.enter_result, key=KEY, winner=numbers(row)[1])

    assert stands(desk) == ("played", True, None, None)
    assert row.b_id in {each.a_id or each.b_id for each in Pairing.objects.filter(key="main/2.1")}
    with pytest.raises(AlreadyDone):
        desk.do(results.enter_result, key=KEY, winner=numbers(row)[1])


def test_where_scores_are_needed_a_winner_is_not_enough(desk: Desk, users: list[User]) -> None:
    row, a, _b = begin(desk, users, Settings())

    with pytest.raises(ScoreNeeded):
        desk.do(results.enter_result, key=KEY, winner=numbers(row)[0])
    with pytest.raises(ScoreNeeded):
        results.report_result(tournament_id=desk.pk, key=KEY, user=a, winner=numbers(row)[0], now=desk.now)
    desk.do(results.enter_result, key=KEY, score=(5, 2))
    with pytest.raises(ScoreNeeded):
        desk.do(corrections.correct_result, key=KEY, reason="typo", winner=numbers(row)[1])


def test_winner_and_score_have_to_agree_and_be_of_this_match(desk: Desk, users: list[User]) -> None:
    row, _a, _b = begin(desk, users)
    strangers = {1, 2, 3, 4} - {*numbers(row)}

    with pytest.raises(OtherHasWon):
        desk.do(results.enter_result, key=KEY, score=(5, 2), winner=numbers(row)[1])
    with pytest.raises(ScoreNeeded):
        desk.do(results.enter_result, key=KEY)
    with pytest.raises(UnknownEntrant):
        desk.do(results.enter_result, key=KEY, winner=strangers.pop())
    assert desk.row(KEY).kind == ""


def test_a_report_without_a_score_is_confirmed_by_its_winner(desk: Desk, users: list[User]) -> None:
    row, a, b = begin(desk, users)
    of_a, of_b = numbers(row)
    told = {"tournament_id": desk.pk, "key": KEY, "now": desk.now}
    report(desk, b, winner=of_b)

    with pytest.raises(ChangedMeanwhile):
        results.confirm_report(**told, user=a, winner=of_a)
    with pytest.raises(ChangedMeanwhile):
        results.confirm_report(**told, user=a, score=(2, 5))
    results.confirm_report(**told, user=a, winner=of_b)

    assert stands(desk) == ("played", True, None, None)


def test_a_report_without_a_score_is_denied_and_ruled_on(desk: Desk, users: list[User]) -> None:
    row, a, b = begin(desk, users)
    of_a, of_b = numbers(row)
    told = {"tournament_id": desk.pk, "key": KEY, "now": desk.now}
    report(desk, b, winner=of_b)
    results.dispute_report(**told, user=a, winner=of_b)
    assert desk.row(KEY).needs_director == "dispute"

    desk.do(disputes.rule_on_match, key=KEY, winner=of_a, reason="both were asked")

    assert stands(desk) == ("played", False, None, None)


@pytest.mark.parametrize("reporting", ["both", "winner"])
@pytest.mark.parametrize("scored_first", [True, False])
def test_who_names_only_the_winner_does_not_deny_the_score(
    desk: Desk, users: list[User], reporting: str, *, scored_first: bool
) -> None:
    row, a, b = begin(desk, users, Settings(scores_needed=False, reporting=reporting))
    scored: dict[str, Any] = {"score": (3, 5)}
    named: dict[str, Any] = {"winner": numbers(row)[1]}

    for user, said in ((b, scored if scored_first else named), (a, named if scored_first else scored)):
        report(desk, user, **said)

    assert stands(desk) == ("played", True, 3, 5)


def test_two_who_name_different_winners_call_the_director(desk: Desk, users: list[User]) -> None:
    row, a, b = begin(desk, users)
    report(desk, b, winner=numbers(row)[1])
    report(desk, a, winner=numbers(row)[0])

    assert desk.row(KEY).needs_director == "dispute"
    assert {one.status for one in Report.objects.all()} == {"disputed"}


def test_a_winner_that_nobody_denied_stands_in_time(desk: Desk, users: list[User]) -> None:
    row, _a, b = begin(desk, users, Settings(scores_needed=False, confirm_minutes=10))
    report(desk, b, winner=numbers(row)[1])

    deadlines.process_event(tournament_id=desk.pk, now=desk.now + timedelta(minutes=11))

    assert stands(desk) == ("played", True, None, None)


def test_games_need_a_score(desk: Desk, users: list[User]) -> None:
    row, _a, _b = begin(desk, users)
    games = [{"winner": "b", "points": 4, "cube": 4, "end": "drop"}, {"winner": "b", "points": 1}]

    with pytest.raises(ScoreNeeded):
        desk.do(results.enter_result, key=KEY, winner=numbers(row)[1], games=games)
    desk.do(results.enter_result, key=KEY, winner=numbers(row)[1])
    desk.do(corrections.correct_result, key=KEY, score=(0, 5), games=games, reason="from the sheet")

    assert stands(desk) == ("played", True, 0, 5)


def test_a_correction_may_name_the_winner_alone_and_is_taken_back(desk: Desk, users: list[User]) -> None:
    row, _a, b = begin(desk, users)
    desk.do(results.enter_result, key=KEY, winner=numbers(row)[0])
    before = desk.image()

    ruling = desk.do(corrections.correct_result, key=KEY, reason="the other one", winner=numbers(row)[1])

    assert stands(desk) == ("played", True, None, None)
    assert ruling.data["was"]["winner"] == numbers(row)[0]
    said = rulings.describe_ruling(
        desk.event, Ruling.objects.get(pk=ruling.pk), event_view.load_view(desk.fresh())
    )
    assert said.detail.endswith(f"{b.player.name} won")
    with pytest.raises(AlreadyDone):
        desk.do(corrections.correct_result, key=KEY, reason="again", winner=numbers(row)[1])
    desk.do(corrections.undo_act, ruling_id=ruling.pk, reason="it was right")
    assert desk.image() == before


def test_who_looked_at_another_winner_is_told(desk: Desk, users: list[User]) -> None:
    row, a, b = begin(desk, users)
    answering: Callable[..., Any] = optimistic_locking.run_if_unchanged
    report(desk, b, winner=numbers(row)[1])
    about = optimistic_locking.ActTarget(key=KEY)

    with pytest.raises(ChangedMeanwhile) as by_now:
        answering(lambda: None, tournament_id=desk.pk, about=about, expects={"reports": []}, by=desk.director)
    assert by_now.value.context["now"] == {"reports": [[numbers(row)[1], numbers(row)[1]]]}
    assert f"{b.player.name} says: {b.player.name} won" in str(by_now.value)

    desk.do(results.enter_result, key=KEY, winner=numbers(row)[0])
    seen = {"kind": "", "score": None, "winner": None}
    with pytest.raises(ChangedMeanwhile) as stands_now:
        answering(lambda: None, tournament_id=desk.pk, about=about, expects=seen, by=desk.director)
    assert f"The result of this match is now a win for {a.player.name}." in str(stands_now.value)


def test_the_setting_is_part_of_the_plan(desk: Desk) -> None:
    desk.announce(a_plan("swiss", FREE, rounds=3))
    plan = planning.load_plan(desk.fresh())
    assert not plan.settings.scores_needed
    assert Settings().scores_needed, "scores are asked for unless the club says otherwise"


# -- the formats


@pytest.mark.long
@pytest.mark.parametrize("form", sorted(FORMATS))
def test_every_format_is_played_to_its_end_by_winners_alone(desk: Desk, form: str) -> None:
    desk.start(a_plan(form, FREE, **({"rounds": 3} if form == "swiss" else {})), 6)

    while todo := desk.open():
        row = todo[0]
        desk.do(results.enter_result, key=row.key, winner=min(row.a.number, row.b.number))

    event = desk.fresh()
    assert event.status == "FINISHED"
    assert Entry.objects.filter(tournament=event, place=1, number=1).exists()
    assert list(inspection.find_problems(event)) == []
    for name in ("event", "bracket", "standings", "rulings"):
        assert "None" not in text(Browser(desk.director).get(url(name, event.key)))


def test_matches_without_a_score_add_nothing_to_the_point_difference(desk: Desk) -> None:
    desk.start(a_plan("round-robin", FREE, ties=["points", "point-difference"]), 4)
    for at, row in enumerate(desk.open()):
        how: dict[str, Any] = {"score": (5, 2)} if at == 0 else {"winner": numbers(row)[0]}
        desk.do(results.enter_result, key=row.key, **how)

    ranking = event_rows.compute_proposal(event_rows.load_rows(desk.fresh())).ranking
    found = sorted(int(dict(one.figures)["point-difference"]) for one in ranking)  # type: ignore[arg-type]
    assert found == [-3, 0, 0, 3]
    page = text(Browser().get(url("standings", desk.event.key)))
    assert "a match without a score adds nothing" in page


def test_the_crosstable_tells_won_from_lost(desk: Desk) -> None:
    desk.start(a_plan("round-robin", FREE), 4)
    row = desk.open()[0]
    desk.do(results.enter_result, key=row.key, winner=numbers(row)[1])

    view = event_view.load_view(desk.fresh())
    cells = {
        who.who.number: [cell for cell in who.cells if cell.text in {"1", "0"}]
        for who in crosstable.build_tables(view, view.parts[0])[0].rows
    }
    lost, won = (cells[number][0] for number in numbers(row))
    assert (won.text, won.is_won, won.is_lost) == ("1", True, False)
    assert (lost.text, lost.is_won, lost.is_lost) == ("0", False, True)


# -- pages


@pytest.mark.long
def test_the_desk_takes_the_winner_at_one_press(desk: Desk, users: list[User]) -> None:
    row, a, b = begin(desk, users)
    window = Browser(desk.director)
    page = text(window.get(url("desk", desk.event.key)))
    assert f'name="winner" value="{numbers(row)[1]}"' in page

    answer = window.post(
        url("enter_result", desk.event.key),
        {"match": KEY, "score": "", "winner": str(numbers(row)[1])},
        HTTP_HX_REQUEST="true",
    )

    part = text(answer)
    assert f"Entered: {b.player.name} won." in part
    # The next field is ready.
    assert "autofocus" in part
    assert stands(desk) == ("played", True, None, None)
    for name in ("event", "bracket", "standings"):
        assert "None" not in text(window.get(url(name, desk.event.key)))
    done = text(window.get(url("desk", desk.event.key) + "?state=done"))
    assert '<span class="match__sb num">won</span>' in done
    assert a.player.name in done


def test_a_score_beside_the_button_has_to_agree(desk: Desk, users: list[User]) -> None:
    row, _a, _b = begin(desk, users)
    typed = {"match": KEY, "score": "5 2"}
    window = Browser(desk.director)

    answer = window.post(url("enter_result", desk.event.key), {**typed, "winner": str(numbers(row)[1])})
    assert answer.status_code == 422
    assert "By this score the other player has won." in answer.content.decode()
    assert 'value="5 2"' in answer.content.decode(), "what was typed is still there"
    assert desk.row(KEY).kind == ""

    window.post(url("enter_result", desk.event.key), {**typed, "winner": str(numbers(row)[0])})
    assert stands(desk) == ("played", False, 5, 2)


@pytest.mark.long
def test_enter_in_an_empty_field_names_nobody(desk: Desk, users: list[User]) -> None:
    """A browser presses the first button of a form: that is the one of the score."""
    begin(desk, users)
    window = Browser(desk.director)
    page = text(window.get(url("desk", desk.event.key)))
    form = page[page.index('<form class="match__form"') :]
    form = form[: form.index("</form>")]
    # htmx sends along only buttons that stand in the form itself.
    assert form.count('name="winner"') == 2
    assert form.index("Enter<") < form.index('name="winner"')

    answer = window.post(url("enter_result", desk.event.key), {"match": KEY, "score": ""})
    assert answer.status_code == 422
    assert desk.row(KEY).kind == ""


def test_the_desk_offers_no_winner_where_scores_are_needed(desk: Desk, users: list[User]) -> None:
    begin(desk, users, Settings())
    assert 'name="winner"' not in text(Browser(desk.director).get(url("desk", desk.event.key)))


@pytest.mark.long
def test_players_say_who_won_and_confirm_it_on_their_cards(desk: Desk, users: list[User]) -> None:
    row, a, b = begin(desk, users)
    windows = [Browser(a), Browser(b)]
    page = desk.event.get_absolute_url()
    assert "I won" in text(windows[1].get(page))

    windows[1].post(url("report", desk.event.key), {"match": KEY, "winner": str(numbers(row)[1])})
    assert "You have reported that you won." in text(windows[1].get(page))
    card = text(windows[0].get(page))
    assert f"{b.player.name} says: {b.player.name} won." in card
    assert f'name="reported" value="{numbers(row)[1]}"' in card
    director = Browser(desk.director)
    assert f"{b.player.name} says: {b.player.name} won" in text(director.get(url("desk", desk.event.key)))
    assert f"{b.player.name} won" in text(director.get(url("pairing", desk.event.key, KEY)))
    windows[0].post(url("confirm", desk.event.key), {"match": KEY})

    assert stands(desk) == ("played", True, None, None)
    assert Report.objects.get().status == "confirmed"


@pytest.mark.long
def test_what_the_cards_say_when_it_is_denied(desk: Desk, users: list[User]) -> None:
    row, a, b = begin(desk, users)
    windows = [Browser(a), Browser(b)]
    report(desk, b, winner=numbers(row)[1])

    windows[0].post(url("dispute", desk.event.key), {"match": KEY})

    page = desk.event.get_absolute_url()
    assert f"You dispute that {b.player.name} won. The director decides." in text(windows[0].get(page))
    assert f"You say that you won, but {a.player.name} disagrees." in text(windows[1].get(page))


def test_the_cards_ask_for_scores_where_they_are_needed(desk: Desk, users: list[User]) -> None:
    _row, a, _b = begin(desk, users, Settings())
    page = text(Browser(a).get(desk.event.get_absolute_url()))
    assert "How did it end?" in page
    assert "I won" not in page


@pytest.mark.long
def test_a_report_says_what_has_come_of_it(desk: Desk, users: list[User]) -> None:
    row, a, b = begin(desk, users, Settings(scores_needed=False, reporting="both"))
    address, of_b = url("report", desk.event.key), str(numbers(row)[1])
    said = {"match": KEY, "winner": of_b}

    assert "Waiting for your opponent to confirm" in text(Browser(b).post(address, said, follow=True))
    denied = {"match": KEY, "winner": str(numbers(row)[0])}
    assert "the director decides" in text(Browser(a).post(address, denied, follow=True))
    assert "You both report the same" in text(Browser(a).post(address, said, follow=True))
    assert stands(desk) == ("played", True, None, None)


@pytest.mark.long
def test_a_director_corrects_to_a_winner_on_the_page(desk: Desk, users: list[User]) -> None:
    row, _a, b = begin(desk, users)
    desk.do(results.enter_result, key=KEY, score=(5, 1))
    window, address = Browser(desk.director), url("act", desk.event.key, "correct")
    said = {"match": KEY, "kind": "played", "winner": str(numbers(row)[1]), "reason": "misheard"}

    kept = window.post(address, {**said, "score": "5 1", "sure": "yes"})
    assert "By this score the other player has won." in kept.content.decode()
    assert f"{b.player.name} won" in text(window.post(address, {**said, "score": ""}))
    window.post(address, {**said, "score": "", "sure": "yes"})

    assert stands(desk) == ("played", True, None, None)
    assert f"{b.player.name} won" in text(window.get(url("pairing", desk.event.key, KEY)))


def test_a_director_enters_and_rules_on_the_page_of_the_act(desk: Desk, users: list[User]) -> None:
    row, a, b = begin(desk, users)
    window, said = Browser(desk.director), {"match": KEY, "decision": "result", "sure": "yes"}
    of_a, of_b = map(str, numbers(row))
    report(desk, b, winner=int(of_b))
    report(desk, a, winner=int(of_a))

    nothing = window.post(url("act", desk.event.key, "rule"), {**said, "score": "", "reason": "asked"})
    assert "Enter the score, or choose who won." in nothing.content.decode()
    window.post(url("act", desk.event.key, "rule"), {**said, "score": "", "winner": of_b, "reason": "asked"})

    assert stands(desk) == ("played", True, None, None)


def test_games_are_written_down_for_the_winner_who_stands(desk: Desk, users: list[User]) -> None:
    row, a, b = begin(desk, users)
    desk.do(results.enter_result, key=KEY, winner=numbers(row)[1])
    address = url("games", desk.event.key, KEY)
    window, said = Browser(desk.director), {"rows": "1", "do": "save", "g1-cube": "2", "reason": "sheet"}

    wrong = window.post(address, {**said, "g1-cube": "4", "g1-end": "gammon", "g1-winner": "a"})
    assert f"{b.player.name} is entered as the winner" in wrong.content.decode()
    assert a.player.name in wrong.content.decode()
    right = window.post(address, {**said, "g1-cube": "4", "g1-end": "gammon", "g1-winner": "b"})

    assert right.status_code == 302
    assert stands(desk) == ("played", True, 0, 5)


def test_the_director_says_in_the_settings_that_scores_are_not_needed(desk: Desk) -> None:
    desk.announce(a_plan("swiss", rounds=3))
    window, address = Browser(desk.director), url("arrange", desk.event.key)
    said = settings_form(window, desk.event.key)
    # A box that is not ticked sends nothing.
    assert said.pop("scores_needed") == "on"

    assert window.post(address, said).status_code == 302
    assert not desk.fresh().scores_needed


# -- the API and files


@pytest.mark.long
@pytest.mark.share
def test_the_api_takes_the_winner_alone(desk: Desk, users: list[User]) -> None:
    row, a, b = begin(desk, users)
    of_b, acts = numbers(row)[1], f"events/{desk.event.key}/acts/"
    told = {"key": KEY, "winner": of_b}
    assert Caller(None).get(f"events/{desk.event.key}/")["scores_needed"] is False

    Caller(b).post(acts, {"act": "report", **told})
    blind = Caller(a).post(acts, {"act": "confirm", "key": KEY}, status=400)
    assert [*blind["context"]["fields"]] == ["score"], "who confirms says what"
    other = Caller(a).post(acts, {"act": "confirm", "key": KEY, "winner": numbers(row)[0]}, status=409)
    assert other["code"] == "changed_meanwhile"
    Caller(a).post(acts, {"act": "confirm", **told})

    assert stands(desk) == ("played", True, None, None)
    shown = Caller(None).list(f"events/{desk.event.key}/pairings/")[0]
    assert (shown["key"], shown["kind"], shown["winner"], shown["score"]) == (KEY, "played", of_b, None)
    late = {"act": "correct", "key": KEY, "winner": numbers(row)[0], "reason": "misheard"}
    seen = {"expects": {"kind": "played", "score": [5, 0], "winner": of_b}}
    assert Caller(desk.director).post(acts, {**late, **seen}, status=409)["code"] == "changed_meanwhile"
    seen["expects"]["score"] = None
    Caller(desk.director).post(acts, {**late, **seen})
    assert stands(desk) == ("played", False, None, None)


def test_the_api_says_where_scores_are_needed(desk: Desk, users: list[User]) -> None:
    row, _a, _b = begin(desk, users, Settings())
    told = {"act": "result", "key": KEY, "winner": numbers(row)[0]}

    refused = Caller(desk.director).post(f"events/{desk.event.key}/acts/", told, status=409)

    assert refused["code"] == "score_needed"


def test_files_tell_who_won_and_are_read_again(desk: Desk) -> None:
    desk.start(a_plan("swiss", FREE, rounds=2), 4)
    while todo := desk.open():
        desk.do(results.enter_result, key=todo[0].key, winner=numbers(todo[0])[1])

    def file(name: str) -> str:
        return text(Browser().get(f"/api/v1/events/{desk.event.key}/{name}"))

    rows = list(csv.DictReader(io.StringIO(file("results.csv"))))
    assert {(row["points a"], row["points b"], row["ended"]) for row in rows} == {("", "", "played")}
    assert all(row["winner"] == row["b"] for row in rows)
    report = [line for line in file("report.trf").splitlines() if line.startswith("001")]
    assert sorted("".join(line[91:].split()[2::3]) for line in report) == ["00", "01", "10", "11"]
    event, _names = event_input.read_event(json.loads(file("event.json")))
    assert (
        stages.propose(event).ranking
        == event_rows.compute_proposal(event_rows.load_rows(desk.fresh())).ranking
    )


@pytest.mark.long
def test_a_loser_who_reports_alone_is_not_said_to_agree_with_anybody(desk: Desk, users: list[User]) -> None:
    row, a, _b = begin(desk, users, Settings(scores_needed=False, reporting="winner"))
    said = {"match": KEY, "winner": str(numbers(row)[1])}

    page = text(Browser(a).post(url("report", desk.event.key), said, follow=True))

    assert "The result is entered." in page
    assert "You both report the same" not in page
    assert stands(desk) == ("played", True, None, None)
