"""An act hits what it was meant for, or nothing: every act says what it answers (ADR 30)."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any

import pytest

from players.accounts import accounts
from players.models import User
from tests import prepared
from tests.clients import signed_in
from tests.matches.http import Caller
from tests.tournaments.event_desk import Desk, a_plan
from tests.tournaments.support import shown, url
from tests.tournaments.test_races_in_events import together
from tournaments.base import event_view, expectations
from tournaments.base.errors import ChangedMeanwhile
from tournaments.base.settings import Settings
from tournaments.models import Draw, Pairing, Report, Ruling
from tournaments.plan import drawing
from tournaments.play import arrivals, corrections, disputes, incidents, optimistic_locking, results

pytestmark = pytest.mark.today

FINAL = "main/2.1"


@pytest.fixture
def final(db: None, now: datetime) -> Desk:
    """Four in a knock-out, and the two semi-finals are played."""

    def make() -> Desk:
        desk = Desk(now)
        desk.start(a_plan("single-elimination"), 4)
        for key in [*desk.pairs()]:
            desk.play(key)
        return desk

    return prepared.begin("final", now, make)


def turn_semi_final(desk: Desk) -> None:
    """Correct the first semi-final: another one plays the final."""
    row = desk.row("main/1.1")
    score = (0, 5) if row.score_a > 0 else (5, 0)
    desk.do(corrections.correct_result, key="main/1.1", score=score, reason="the wrong way round")


def answering(desk: Desk, act: Callable[..., Any], expects: dict[str, Any], **what: Any) -> Any:
    about = optimistic_locking.ActTarget(key=what.get("key", ""))
    return optimistic_locking.run_if_unchanged(
        lambda: desk.do(act, **what), tournament_id=desk.pk, about=about, expects=expects, by=desk.director
    )


def seen(desk: Desk, key: str, parts: tuple[str, ...] = expectations.SEATS) -> dict[str, Any]:
    view = event_view.load_view(desk.fresh(), with_drafts=True)
    return expectations.build_view_state(view, view.by_key[key], parts)


# -- the mechanism


ACTS: list[tuple[Callable[..., Any], dict[str, Any]]] = [
    (results.enter_result, {"score": (5, 2)}),
    (disputes.rule_on_match, {"score": (5, 2), "reason": "x"}),
    (incidents.record_double_forfeit, {}),
    (incidents.void_match, {"reason": "x"}),
    (incidents.call_match, {"table": "3"}),
]


@pytest.mark.parametrize(("act", "what"), ACTS)
def test_no_act_reaches_a_match_that_others_play_by_now(
    final: Desk, act: Callable[..., Any], what: dict[str, Any]
) -> None:
    before = seen(final, FINAL)
    turn_semi_final(final)
    image = final.image()

    with pytest.raises(ChangedMeanwhile) as refusal:
        answering(final, act, before, key=FINAL, **what)

    assert final.image() == image
    row = final.row(FINAL)
    assert f"{row.a.player.public_name} – {row.b.player.public_name}" in str(refusal.value)  # noqa: RUF001
    answering(final, act, seen(final, FINAL), key=FINAL, **what)


def test_who_may_not_act_does_not_learn_what_has_changed(final: Desk) -> None:
    stranger = accounts.register(email="x@example.org", password=None, name="Xe", now=final.now)

    for key, expects in ((FINAL, {"reports": ["of others"]}), ("", {"people": {"1": "somebody"}})):

        def send(by: User, key: str = key, expects: dict[str, Any] = expects) -> str:
            about = optimistic_locking.ActTarget(key=key)
            return optimistic_locking.run_if_unchanged(
                lambda: "the act decides", tournament_id=final.pk, about=about, expects=expects, by=by
            )

        assert send(stranger) == "the act decides"
        with pytest.raises(ChangedMeanwhile):
            send(final.director)


def test_numbers_that_stayed_and_people_that_did_not(final: Desk) -> None:
    """Two are exchanged: the numbers in the final are the same, the players are not."""
    before, row = seen(final, FINAL), final.row(FINAL)
    final.do(arrivals.substitute_player, entry=row.a.number, name="Somebody else", reason="ill")
    assert (seen(final, FINAL)["a"], seen(final, FINAL)["b"]) == (before["a"], before["b"])

    with pytest.raises(ChangedMeanwhile):
        answering(final, results.enter_result, before, key=FINAL, score=(5, 2))


def test_a_correction_answers_the_result_that_stands(final: Desk) -> None:
    before = seen(final, "main/1.1", expectations.ENDED)
    turn_semi_final(final)
    told = {"key": "main/1.1", "score": (5, 3), "reason": "misread"}

    with pytest.raises(ChangedMeanwhile) as refusal:
        answering(final, corrections.correct_result, before, **told)

    assert "is now" in str(refusal.value)
    answering(final, corrections.correct_result, seen(final, "main/1.1", expectations.ENDED), **told)


def test_pages_and_rows_tell_the_same(final: Desk) -> None:
    """What a page shows is read from other columns than what it is held against."""
    final.do(incidents.record_walkover, key=FINAL, loser=next(iter(final.pairs().values()))[0])
    view = event_view.load_view(final.fresh(), with_drafts=True)
    for row in Pairing.objects.filter(tournament=final.event).select_related(
        "a__player", "b__player", "winner"
    ):
        parts = {*expectations.ENDED, *expectations.CLAIMED}
        assert expectations.build_view_state(
            view, view.by_key[row.key], parts
        ) == expectations.build_row_state(final.event, row, parts)


def test_it_is_compared_under_the_lock(final: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another director acts between the read and the act, just before the lock is taken."""
    before = seen(final, FINAL)
    lock, done = optimistic_locking.changes.lock_event, []

    def late(tournament_id: int) -> Any:
        if not done:
            done.append(True)
            turn_semi_final(final)
        return lock(tournament_id)

    monkeypatch.setattr(optimistic_locking.changes, "lock_event", late)
    with pytest.raises(ChangedMeanwhile):
        answering(final, results.enter_result, before, key=FINAL, score=(5, 2))


@pytest.mark.long
@pytest.mark.django_db(transaction=True)
def test_a_result_and_a_correction_at_one_instant(now: datetime, monkeypatch: pytest.MonkeyPatch) -> None:
    """In both orders, the final is never won by a player whom the director had not seen in it."""
    monkeypatch.undo()
    desk = Desk(now)
    for _ in range(4):
        desk.start(a_plan("single-elimination"), 4)
        for key in [*desk.pairs()]:
            desk.play(key)
        before = seen(desk, FINAL)

        told = together(
            [
                lambda before=before: answering(desk, results.enter_result, before, key=FINAL, score=(5, 2)),  # type: ignore[misc]
                lambda: turn_semi_final(desk),
            ]
        )

        assert told["done"] >= 1
        if desk.row(FINAL).state == "decided":
            assert seen(desk, FINAL) == before


# -- programs


def test_a_program_says_what_it_has_seen(final: Desk) -> None:
    caller = Caller(final.director)
    path = f"events/{final.event.key}/acts/"
    pairing = next(
        each for each in caller.list(f"events/{final.event.key}/pairings/") if each["key"] == FINAL
    )
    expects = {"a": pairing["a"]["entry"], "b": pairing["b"]["entry"], "kind": "", "score": None}
    told = {"act": "result", "key": FINAL, "score": [5, 2], "expects": expects}
    turn_semi_final(final)

    for more in ({}, {"preview": True}):
        refused = caller.post(path, {**told, **more}, status=409)
        assert refused["code"] == "changed_meanwhile"
    row = final.row(FINAL)
    assert refused["context"]["now"] == {**expects, "a": row.a.number, "b": row.b.number}

    caller.post(path, {**told, "expects": refused["context"]["now"]})
    assert final.row(FINAL).state == "decided"


def test_any_act_may_name_the_version_of_the_event(final: Desk) -> None:
    caller, path = Caller(final.director), f"events/{final.event.key}/acts/"
    version = final.fresh().version
    final.do(incidents.call_match, key=FINAL, table="2")

    refused = caller.post(path, {"act": "pause", "expects": {"version": version}}, status=409)

    assert refused["context"]["now"] == {"version": final.fresh().version}
    caller.post(path, {"act": "pause", "expects": refused["context"]["now"]})


def test_any_act_may_name_who_has_a_number(final: Desk) -> None:
    caller, path = Caller(final.director), f"events/{final.event.key}/acts/"
    two = [final.player(number).key for number in (1, 2)]
    final.do(corrections.exchange_players, entry=1, other=2, reason="wrong name")

    refused = caller.post(
        path, {"act": "withdraw", "entry": 1, "expects": {"people": {"1": two[0]}}}, status=409
    )

    assert refused["context"]["now"] == {"people": {"1": two[1]}}


@pytest.mark.parametrize(
    "expects", [{"colour": 1}, {"score": [1]}, {"version": "x"}, [], {"people": [1]}, {"reports": []}]
)
def test_what_is_expected_is_understood_or_refused(final: Desk, expects: Any) -> None:
    told = {"act": "result", "key": FINAL, "score": [5, 2], "expects": expects}
    Caller(final.director).post(f"events/{final.event.key}/acts/", told, status=400)


def test_who_has_no_say_learns_nothing(final: Desk) -> None:
    """A stranger who guesses at a drafted round gets "not_director", and nothing about the round."""
    stranger = accounts.register(email="s@example.org", password=None, name="Stranger", now=final.now)
    told = {"act": "result", "key": FINAL, "score": [5, 2], "expects": {"a": 77}}

    refused = Caller(stranger).post(f"events/{final.event.key}/acts/", told, status=403)

    assert refused["code"] == "not_director"
    assert "now" not in refused.get("context", {})


# -- two players


class Two:
    """Two with accounts who are to play one match."""

    def __init__(self, desk: Desk, **settings: Any) -> None:
        self.desk = desk
        desk.announce(a_plan("single-elimination", Settings(**settings)))
        users = [desk.entrant(name) for name in ("Otis Fenn", "Runa Vik")]
        desk.do(drawing.publish)
        row = desk.row("main/1.1")
        assert row.a
        self.a, self.b = sorted(users, key=lambda user: user.player.pk != row.a.player_id)  # type: ignore[union-attr]

    def say(self, act: Callable[..., Any], user: User, score: tuple[int, int]) -> Any:
        return act(tournament_id=self.desk.pk, key="main/1.1", user=user, score=score, now=self.desk.now)


@pytest.mark.parametrize("answer", [results.confirm_report, results.dispute_report])
@pytest.mark.parametrize("reporting", ["both", "winner"])
def test_an_answer_to_a_report_that_is_another_one_by_now(
    desk: Desk, answer: Callable[..., Any], reporting: str
) -> None:
    two = Two(desk, reporting=reporting)
    two.say(results.report_result, two.a, (5, 4))
    two.say(results.report_result, two.a, (5, 0))
    image = desk.image()

    with pytest.raises(ChangedMeanwhile) as refusal:
        two.say(answer, two.b, (5, 4))

    assert (desk.image(), desk.row("main/1.1").state) == (image, "ready")
    assert Report.objects.get(status="open").score_b == 0
    assert f"{two.a.player.public_name} says: {two.a.player.public_name} 5–0" in str(refusal.value)  # noqa: RUF001
    two.say(answer, two.b, (5, 0))


def test_an_old_button_confirms_nothing(desk: Desk) -> None:
    two = Two(desk, reporting="both")
    two.say(results.report_result, two.a, (1, 5))
    browser = signed_in(two.b)
    form = {"match": "main/1.1", "reported": "1 5", "expects": shown(desk.event, "main/1.1")}
    two.say(results.report_result, two.a, (5, 0))

    answer = browser.post(url("confirm", desk.event.key), form, follow=True)

    assert desk.row("main/1.1").state == "ready"
    page = answer.content.decode()
    assert f"{two.a.player.public_name} says: {two.a.player.public_name} 5–0" in page  # noqa: RUF001
    assert 'name="reported" value="5 0"' in page, "and is asked again"
    browser.post(url("confirm", desk.event.key), {**form, "reported": "5 0"})
    assert desk.row("main/1.1").score_a == 5


def test_over_the_api_nobody_agrees_blindly(desk: Desk) -> None:
    two = Two(desk)
    two.say(results.report_result, two.a, (5, 4))
    path = f"events/{desk.event.key}/acts/"
    for act in ("confirm", "dispute"):
        blind = Caller(two.b).post(path, {"act": act, "key": "main/1.1"}, status=400)
        assert [*blind["context"]["fields"]] == ["score"]
        other = {"act": act, "key": "main/1.1", "score": [5, 0]}
        assert Caller(two.b).post(path, other, status=409)["code"] == "changed_meanwhile"
    Caller(two.b).post(path, {"act": "confirm", "key": "main/1.1", "score": [5, 4]})
    assert desk.row("main/1.1").state == "decided"


# -- pages of directors


def test_an_old_desk_enters_nothing_and_keeps_what_was_typed(final: Desk) -> None:
    browser = signed_in(final.director)
    old = shown(final.event, FINAL)
    turn_semi_final(final)
    typed = {"match": FINAL, "score": "5 2", "expects": old}

    answer = browser.post(url("enter_result", final.event.key), typed)

    assert answer.status_code == 409
    assert final.row(FINAL).state == "ready"
    page, row = answer.content.decode(), final.row(FINAL)
    assert f"This match is now {row.a.player.public_name} – {row.b.player.public_name}." in page  # noqa: RUF001
    assert 'value="5 2"' in page
    again = {**typed, "expects": shown(final.event, FINAL)}
    assert browser.post(url("enter_result", final.event.key), again).status_code == 302
    assert final.row(FINAL).state == "decided"


@pytest.mark.parametrize("expects", [None, "", "x", "[]", '{"a":1}', '{"a":1,"b":2,"players":3}'])
def test_a_form_that_does_not_say_is_asked_again(final: Desk, expects: str | None) -> None:
    typed = {"match": FINAL, "score": "5 2"} | ({} if expects is None else {"expects": expects})

    answer = signed_in(final.director).post(url("enter_result", final.event.key), typed)

    assert (answer.status_code, final.row(FINAL).state) == (409, "ready")
    assert 'value="5 2"' in answer.content.decode()


@pytest.mark.parametrize("sure", [{}, {"sure": "yes"}])
def test_an_old_page_of_an_act(final: Desk, sure: dict[str, str]) -> None:
    """The one who is to lose is not in the match any more: that is said, and not that the choice is no choice."""
    old, row = shown(final.event, FINAL), final.row(FINAL)
    turn_semi_final(final)
    address = url("act", final.event.key, "walkover")
    typed = {"match": FINAL, "loser": row.a.number, "reason": "has a train to catch", "expects": old, **sure}

    answer = signed_in(final.director).post(address, typed)

    assert (answer.status_code, final.row(FINAL).state) == (409, "ready")
    page = answer.content.decode()
    assert "This match is now" in page
    assert "Select a valid choice" not in page
    assert "has a train to catch" in page


def test_an_old_page_of_an_act_on_a_player(final: Desk) -> None:
    old = shown(final.event)
    final.do(corrections.exchange_players, entry=1, other=2, reason="wrong name")
    typed = {"entry": 1, "after": "no", "reason": "", "expects": old, "sure": "yes"}

    answer = signed_in(final.director).post(url("act", final.event.key, "withdraw"), typed)

    assert answer.status_code == 409
    assert "Players have been replaced or exchanged" in answer.content.decode()
    assert final.entry(1).left == ""


def test_who_comes_late_makes_no_page_old(desk: Desk) -> None:
    desk.start(a_plan("swiss", rounds=3), 4)
    old = shown(desk.event)
    desk.do(arrivals.enter_latecomer, name="Latecomer")
    typed = {"entry": 1, "after": "no", "reason": "", "expects": old, "sure": "yes"}

    assert signed_in(desk.director).post(url("act", desk.event.key, "withdraw"), typed).status_code == 302


def test_a_draw_that_is_another_one_is_not_published(desk: Desk) -> None:
    desk.announce(a_plan("single-elimination"), 8)
    desk.do(drawing.preview)
    old = shown(desk.event)
    desk.do(drawing.preview, reason="once more")
    rulings = Ruling.objects.count()
    browser = signed_in(desk.director)

    for name, more in (
        ("publish_draw", {"witnesses": "Vera", "note": ""}),
        ("swap_lines", {"line": ["1", "2"], "reason": "x"}),
        ("preview_draw", {"reason": "x"}),
    ):
        answer = browser.post(url(name, desk.event.key), {"stage": "1", "expects": old, **more})
        assert answer.status_code == 409
        assert "made again since you looked" in answer.content.decode()
    assert Ruling.objects.count() == rulings
    assert not Draw.objects.filter(published_at__isnull=False).exists()
    fresh = {"stage": "1", "expects": shown(desk.event), "witnesses": "Vera", "note": ""}
    assert browser.post(url("publish_draw", desk.event.key), fresh).status_code == 302


@pytest.mark.long
def test_every_form_of_a_match_says_what_it_answers(final: Desk) -> None:
    """No page may forget the field: what it shows is what it sends."""
    browser = signed_in(final.director)
    pages = [
        url("desk", final.event.key),
        url("games", final.event.key, FINAL),
        *(
            url("act", final.event.key, name) + f"?match={FINAL}"
            for name in ("result", "call", "walkover", "void")
        ),
        url("act", final.event.key, "correct") + "?match=main/1.1",
        url("act", final.event.key, "withdraw"),
    ]
    for page in pages:
        assert 'name="expects"' in browser.get(page).content.decode(), page
