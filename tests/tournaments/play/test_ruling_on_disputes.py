"""Ruling on a dispute with one form: both players are notified, and the log has the act with its reason."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from draw.event import Kind
from players.models import Notice
from rankings.ledger import ledger
from rankings.lists import lists
from tests.tournaments.pages.test_pages_player import Two
from tests.tournaments.support import Browser, text, url
from tournaments.base.errors import BadPosition, NothingReported, ReasonNeeded, UnknownEntrant, WrongStatus
from tournaments.models import Decision, PairingState, Report, Ruling, RulingKind
from tournaments.play import corrections, disputes, incidents, results

pytestmark = pytest.mark.today

MATCH = "main/1.1"
START = "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:5:10"


@pytest.fixture
def two(two: Two) -> Two:
    """Otis says 5-3, Runa says 5-2 for herself: the director is called."""
    for number, (own, other) in enumerate((("5", "3"), ("5", "2"))):
        two.post(number, "report", own=own, other=other)
    assert two.match().needs_director == "dispute"
    Notice.objects.all().delete()
    return two


@pytest.fixture
def director(two: Two) -> Client:
    return Browser(two.desk.director)


def number_of(two: Two, place: int) -> int:
    """Return the number of Otis (0) or Runa (1)."""
    row = two.match()
    found = {one.player.user_id: one.number for one in (row.a, row.b) if one is not None}
    return found[two.users[place].pk]


def rule(two: Two, decision: Decision, **said: Any) -> None:
    two.desk.do(
        disputes.rule_on_match, key=MATCH, decision=decision.value, **{"reason": "I have asked both", **said}
    )


def list_notice_texts(two: Two) -> list[str]:
    """The notices of Otis and Runa."""
    return [Notice.objects.get(user=user).text for user in two.users]


def test_the_players_read_the_whole_reason(two: Two) -> None:
    reason = " ".join(["I have asked both of them and all who watched."] * 6)
    rule(two, Decision.PLAY_ON, reason=reason)
    assert all(said.endswith(reason) for said in list_notice_texts(two))


def test_a_call_to_a_table_leaves_the_dispute(two: Two) -> None:
    two.desk.do(incidents.call_match, key=MATCH, table="4")
    assert two.match().needs_director == "dispute"
    rule(two, Decision.ACCEPT, entry=number_of(two, 1))


def test_one_report_is_right(two: Two) -> None:
    rule(two, Decision.ACCEPT, entry=number_of(two, 1))

    row = two.match()
    assert (row.state, row.winner and row.winner.number) == (PairingState.DECIDED, number_of(two, 1))
    assert sorted((row.score_a, row.score_b), key=str) == [2, 5]
    assert set(Report.objects.values_list("status", flat=True)) == {"confirmed", "dropped"}
    otis, runa = list_notice_texts(two)
    assert "against Runa Vik" in otis
    assert "You lose 2–5. Reason: I have asked both" in otis  # noqa: RUF001
    assert "You win 5–2. Reason: I have asked both" in runa  # noqa: RUF001


@pytest.mark.parametrize(
    ("decision", "kind", "words"),
    [
        (Decision.FORFEIT, Kind.FORFEIT.value, ("You lose by forfeit.", "You win by forfeit.")),
        (Decision.DOUBLE_FORFEIT, Kind.DOUBLE_FORFEIT.value, ("You both lose.", "You both lose.")),
        (Decision.VOID, None, ("It does not count, and is to be played again. Reason: I",) * 2),
    ],
)
def test_it_ends_by_rule(two: Two, decision: Decision, kind: str | None, words: tuple[str, str]) -> None:
    said = {"entry": number_of(two, 0)} if decision is Decision.FORFEIT else {}

    rule(two, decision, **said)

    row = two.match()
    if kind is not None:
        assert (row.state, row.kind, row.needs_director) == (PairingState.DECIDED, kind, "")
    ruling = Ruling.objects.get(act=RulingKind.RULED)
    assert ruling.data["decision"] == decision.value
    assert all(word in text for word, text in zip(words, list_notice_texts(two), strict=True))
    # It can be taken back, as any end by rule.
    two.desk.do(corrections.undo_act, ruling_id=ruling.pk, reason="too hasty")
    assert two.match().state == PairingState.READY


@pytest.mark.parametrize(
    ("act", "words"),
    [
        (incidents.record_forfeit, ("You lose by forfeit.", "You win by forfeit.")),
        (incidents.record_no_show, ("You lose.", "You win.")),
        (incidents.record_double_forfeit, ("You both lose.", "You both lose.")),
        (incidents.void_match, ("It does not count, and is to be played again.",) * 2),
    ],
)
def test_the_desk_s_own_rulings_are_told_as_those_on_a_dispute(
    two: Two, act: Any, words: tuple[str, str]
) -> None:
    one_loses = act in {incidents.record_forfeit, incidents.record_no_show}
    said = {"loser": number_of(two, 0)} if one_loses else {}
    two.desk.do(act, key=two.match().key, reason="as the rules say", **said)
    told = list_notice_texts(two)
    assert all(f"{word} Reason: as the rules say" in text for word, text in zip(words, told, strict=True))

    two.desk.do(corrections.undo_act, ruling_id=two.desk.ruling().pk, reason="too hasty")
    again = Notice.objects.filter(
        user__in=two.users, text__endswith="It is to be played again. Reason: too hasty"
    )
    assert again.count() == 2


@pytest.mark.long
@pytest.mark.parametrize("position", ["", START])
def test_they_play_on(two: Two, position: str, director: Client) -> None:
    rule(two, Decision.PLAY_ON, position=position)

    row = two.match()
    assert (row.state, row.needs_director) == (PairingState.READY, "")
    assert set(Report.objects.values_list("status", flat=True)) == {"dropped"}
    words = "You play on at 0–0 from the position on your score sheet." if position else "You play on."  # noqa: RUF001
    assert all(words in each and "XGID" not in each for each in list_notice_texts(two))
    assert set(Notice.objects.values_list("url", flat=True)) == {f"/events/{two.key}/sheet/{MATCH}/"}
    page = text(director.get(url("pairing", two.key, MATCH)))
    assert "They play on" in page
    assert position in page
    # The match goes on as any other.
    two.post(0, "report", own="5", other="3")
    assert Report.objects.filter(status="open").count() == 1


@pytest.mark.parametrize(
    ("said", "refusal"),
    [
        ({"decision": Decision.ACCEPT, "entry": 99}, NothingReported),
        ({"decision": Decision.FORFEIT}, UnknownEntrant),
        ({"decision": Decision.PLAY_ON, "position": "XGID=nonsense"}, BadPosition),
        ({"decision": Decision.VOID, "reason": " "}, ReasonNeeded),
    ],
)
def test_what_is_not_said_right_changes_nothing(
    two: Two, said: dict[str, Any], refusal: type[Exception]
) -> None:
    with pytest.raises(refusal):
        rule(two, **said)

    assert two.match().needs_director == "dispute"
    assert not Notice.objects.exists()


def test_what_stands_is_corrected_and_not_ruled_on(two: Two) -> None:
    rule(two, Decision.ACCEPT, entry=number_of(two, 0))

    for said in ({"decision": Decision.ACCEPT, "entry": 1}, {"decision": Decision.VOID}):
        with pytest.raises(WrongStatus):
            rule(two, **said)


@pytest.mark.long
def test_the_form_shows_both_claims_and_asks_for_what_it_needs(two: Two, director: Client) -> None:
    where = f"{url('act', two.key, 'rule')}?match={MATCH}"
    page = text(director.get(where))
    assert "Reports and records" in page
    assert page.count("Reported from browser") == 2
    said = {"match": MATCH, "decision": "accept", "reason": "I have asked both"}

    answer = director.post(url("act", two.key, "rule"), said)

    assert answer.status_code == 422
    assert "Choose whose report is right, or who forfeits." in answer.content.decode()
    chosen = said | {"entry": str(number_of(two, 1))}
    assert "What will happen" in text(director.post(url("act", two.key, "rule"), chosen))
    assert two.match().state == PairingState.READY
    assert director.post(url("act", two.key, "rule"), chosen | {"sure": "yes"}).status_code == 302
    assert two.match().state == PairingState.DECIDED


@pytest.mark.parametrize(
    ("decision", "is_said"),
    [(Decision.VOID, True), (Decision.PLAY_ON, True), (Decision.ACCEPT, False), (Decision.FORFEIT, True)],
)
def test_the_preview_says_what_becomes_of_the_reports(
    two: Two, director: Client, decision: Decision, *, is_said: bool
) -> None:
    said = {"match": MATCH, "decision": decision.value, "reason": "I have asked both"}
    said |= {"entry": str(number_of(two, 1))}

    page = text(director.post(url("act", two.key, "rule"), said))

    assert ("2 reported results are dropped." in page) is is_said
    assert "reported result is dropped" not in page
    # Nothing is dropped yet.
    assert Report.objects.filter(status="disputed").count() == 2


def test_the_preview_counts_only_reports_that_still_count(two: Two, director: Client) -> None:
    Report.objects.filter(by__number=number_of(two, 0)).update(status="dropped")

    said = {"match": MATCH, "decision": "void", "reason": "I have asked both"}
    page = text(director.post(url("act", two.key, "rule"), said))

    assert "No match changes." in page
    assert "1 reported result is dropped." in page


def test_the_page_of_a_dispute_offers_one_form(two: Two, director: Client) -> None:
    page = director.get(url("pairing", two.key, MATCH)).content.decode()

    assert "/acts/rule/" in page
    for name in ("result", "forfeit", "double-forfeit", "void", "walkover"):
        assert f"/acts/{name}/" not in page


def test_a_correction_says_first_what_it_does_to_the_ratings(two: Two, director: Client) -> None:
    lists.open_list(
        club=two.desk.club, by=two.desk.director, name="Our list", system="fibs", now=two.desk.now
    )
    rule(two, Decision.ACCEPT, entry=number_of(two, 0))
    ledger.update_lists(event_id=two.desk.pk, now=two.desk.now)
    Notice.objects.all().delete()

    page = text(director.get(f"{url('act', two.key, 'correct')}?match={MATCH}"))

    assert "What changes in the ratings" in page
    assert "Our list" in page
    assert "This match is rated again." in page
    two.desk.do(corrections.correct_result, key=MATCH, kind="", reason="They will play again")
    assert all(
        "It is to be played again. Reason: They will play again" in each for each in list_notice_texts(two)
    )


def test_reports_of_one_browser_show_the_same_letters(two: Two, director: Client) -> None:
    Report.objects.update(device="one and the same")

    page = text(director.get(url("pairing", two.key, MATCH)))

    first, second = (part.split()[0] for part in page.split("Reported from browser ")[1:])
    assert first == second
    assert "one and the same" not in page


def test_results_entered_at_once_still_go_to_the_desk(two: Two) -> None:
    """The form replaces no other way for a program or the quick list of the desk."""
    two.desk.do(results.enter_result, key=MATCH, score=(5, 1))

    assert two.match().state == PairingState.DECIDED


def test_one_press_says_whose_report_is_right(two: Two, director: Client) -> None:
    page = url("act", two.key, "rule") + f"?match={MATCH}"
    shown = text(director.get(page))
    assert "Otis Fenn is right: Runa Vik 3–5 Otis Fenn" in shown  # noqa: RUF001
    assert "Runa Vik is right: Runa Vik 5–2 Otis Fenn" in shown  # noqa: RUF001
    # All other fields of the form are unchanged.
    said = {"match": MATCH, "decision": "result", "score": "", "position": "", "claim": number_of(two, 1)}

    assert director.post(page, {**said, "reason": ""}).status_code == 422
    assert two.match().state == PairingState.READY
    assert director.post(page, {**said, "reason": "I have asked both"}).status_code == 302

    row = two.match()
    assert (row.state, row.winner and row.winner.number) == (PairingState.DECIDED, number_of(two, 1))
    assert Ruling.objects.get(act=RulingKind.RULED).data["decision"] == Decision.ACCEPT.value


def test_whose_report_is_right_and_why_is_all_that_is_asked(two: Two, director: Client) -> None:
    said = {"match": MATCH, "decision": "result", "score": "", "entry": number_of(two, 0)}
    answer = director.post(url("act", two.key, "rule"), {**said, "reason": "I watched", "sure": "yes"})

    assert answer.status_code == 302
    row = two.match()
    assert (row.winner and row.winner.number) == number_of(two, 0)
