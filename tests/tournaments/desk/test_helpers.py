"""Helpers of an event: what a link gives, that it is for one browser, and that taking it back is at once."""

from __future__ import annotations

import re
import threading
from collections import Counter
from datetime import timedelta
from html import unescape
from typing import Any

import pytest
from django.db import connection, connections, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from players.models import User
from tests import said
from tests.clients import signed_in
from tests.tournaments.event_desk import Desk, a_plan
from tests.tournaments.play.test_results import start, users
from tournaments.base import event_view
from tournaments.base.errors import DirectorDecides, HelperTaken, NotDirector, NotHelper, ResultStands
from tournaments.desk import rulings
from tournaments.desk.acts import ACTS
from tournaments.desk.acts.act import ActCall, Actor
from tournaments.models import Entry, Helper, PairingState, Ruling, RulingKind
from tournaments.plan import drawing
from tournaments.play import changes, entering, helper_links, results
from tournaments.play.changes import HelperActor

__all__ = ["users"]
LONGEST = 30


def a_link(desk: Desk) -> str:
    return str(desk.do(helper_links.create_link, name="Anna"))


def anna(desk: Desk) -> HelperActor:
    return HelperActor(helper_links.accept_link(token=a_link(desk), now=desk.now).pk)


@pytest.fixture
def announced(desk: Desk) -> Desk:
    desk.announce(a_plan("single-elimination"), 4)
    return desk


def test_only_the_digest_of_a_link_is_kept(announced: Desk) -> None:
    token = a_link(announced)

    stored = str(Helper.objects.values_list().get())
    assert token not in stored
    assert helper_links.digest(token) in stored


def test_a_helper_checks_in_and_the_log_says_who(announced: Desk) -> None:
    who = anna(announced)

    entering.check_in_entries(tournament_id=announced.pk, entries=[1], by=who, now=announced.now)

    assert Entry.objects.get(tournament=announced.event, number=1).checked_in_at == announced.now
    event = announced.fresh()
    assert rulings.list_rulings(event, event_view.load_view(event)).lines[0].by == "Anna, helper"


def test_a_helper_enters_a_result_and_corrects_none(desk: Desk, users: list[User]) -> None:
    key, _a, _b = start(desk, users)
    who = anna(desk)
    said_ = {"tournament_id": desk.pk, "key": key, "by": who, "now": desk.now}

    results.enter_result(**said_, score=(5, 2))
    assert desk.row(key).state == PairingState.DECIDED
    with pytest.raises(ResultStands):
        results.enter_result(**said_, score=(2, 5))


@pytest.mark.parametrize("score", [(5, 2), (2, 5)])
def test_what_a_player_says_a_helper_may_repeat_and_not_overrule(
    desk: Desk, users: list[User], score: tuple[int, int]
) -> None:
    key, a, _b = start(desk, users)
    results.report_result(tournament_id=desk.pk, key=key, user=a, score=(5, 2), now=desk.now)
    who = anna(desk)
    said_: dict[str, Any] = {"tournament_id": desk.pk, "key": key, "by": who, "now": desk.now}

    if score == (5, 2):
        results.enter_result(**said_, score=score)
        assert desk.row(key).state == PairingState.DECIDED
        return
    with pytest.raises(DirectorDecides):
        results.enter_result(**said_, score=score)
    assert desk.row(key).state != PairingState.DECIDED


def test_a_helper_settles_no_dispute(desk: Desk, users: list[User]) -> None:
    key, a, b = start(desk, users)
    for who, score in ((a, (5, 2)), (b, (2, 5))):
        results.report_result(tournament_id=desk.pk, key=key, user=who, score=score, now=desk.now)

    with pytest.raises(DirectorDecides):
        results.enter_result(tournament_id=desk.pk, key=key, by=anna(desk), now=desk.now, score=(5, 2))


def test_helpers_do_what_the_table_of_acts_names_and_nothing_else(desk: Desk, users: list[User]) -> None:
    start(desk, users)
    who = anna(desk)

    assert {name for name, act in ACTS.items() if act.is_for_helpers} == {
        "check-in-for",
        "note-latecomer",
        "result",
    }
    before = Ruling.objects.count()
    for act in ACTS.values():
        if not act.is_for_helpers:
            with pytest.raises(NotDirector):
                act.do(ActCall(desk.event, who, desk.now, said.body(act)))
            # Without the table in between, too.
            if act.who is Actor.DIRECTOR:
                with pytest.raises(NotDirector):
                    changes.lock_for_director(desk.pk, who)  # type: ignore[arg-type]
    assert Ruling.objects.count() == before


@pytest.mark.parametrize("how", ["taken back", "late", "another event"])
def test_a_link_that_is_not_good_does_nothing(announced: Desk, how: str) -> None:
    who, pk, now = anna(announced), announced.pk, announced.now
    if how == "taken back":
        announced.do(helper_links.revoke_link, helper=who.helper_id)
    if how == "late":
        now += helper_links.LASTS
    if how == "another event":
        announced.announce(a_plan("single-elimination"), 4)
        pk = announced.pk

    with pytest.raises(NotHelper):
        entering.check_in_entries(tournament_id=pk, entries=[1], by=who, now=now)
    assert not Entry.objects.filter(checked_in_at__isnull=False).exists()


def test_a_link_that_nobody_took_up_does_nothing(announced: Desk) -> None:
    a_link(announced)

    with pytest.raises(NotHelper):
        entering.check_in_entries(
            tournament_id=announced.pk,
            entries=[1],
            by=HelperActor(Helper.objects.get().pk),
            now=announced.now,
        )


def test_a_link_is_for_one_browser(announced: Desk) -> None:
    token = a_link(announced)
    helper_links.accept_link(token=token, now=announced.now)

    with pytest.raises(helper_links.HelperTaken):
        helper_links.accept_link(token=token, now=announced.now)
    with pytest.raises(NotHelper):
        helper_links.accept_link(token="nobody-has-this", now=announced.now)


def test_only_directors_make_links_and_take_them_back(announced: Desk, sign_up: Any) -> None:
    who, guest = anna(announced), sign_up("Greta Halloway")
    for by in (who, guest):
        with pytest.raises(NotDirector):
            helper_links.create_link(tournament_id=announced.pk, name="Ben", by=by, now=announced.now)
        with pytest.raises(NotDirector):
            helper_links.revoke_link(
                tournament_id=announced.pk, helper=who.helper_id, by=by, now=announced.now + timedelta(1)
            )


# Pages


@pytest.fixture
def night(announced: Desk, monkeypatch: pytest.MonkeyPatch) -> Desk:
    """The event, at the time that pages read."""
    monkeypatch.setattr("django.utils.timezone.now", lambda: announced.now)
    return announced


def there(desk: Desk, page: str) -> str:
    return reverse(f"tournaments:{page}", args=[desk.event.key])


def test_the_director_s_page_shows_a_link_once(night: Desk) -> None:
    director = signed_in(night.director)

    made = director.post(there(night, "helpers"), {"name": "Anna"})
    # To load the page that shows it again makes no second one.
    assert made.url == there(night, "helpers")
    assert made.cookies["helper_link"]["httponly"]
    page = director.get(made.url).content.decode()
    found = re.search(r'value="http://testserver(/[^"]*/helping/[^"]+/|/helping/[^"]+/)"', page)
    assert "<svg" in page
    again = director.get(there(night, "helpers")).content.decode()
    assert "Anna" in again
    assert found[1] not in again
    assert Helper.objects.count() == 1

    phone = Client()
    assert "Anna" in phone.get(found[1]).content.decode()
    assert Helper.objects.get().taken_up_at is None
    assert phone.post(found[1]).url == there(night, "helping")
    assert Client().get(found[1]).status_code == 403

    shown = phone.get(there(night, "helping")).content.decode()
    assert "Guest 1" in shown
    assert "@" not in re.sub(r"<head>.*?</head>", "", shown, flags=re.S)
    phone.post(there(night, "helping_check_in"), {"entry": "1"})
    assert Entry.objects.get(tournament=night.event, number=1).checked_in_at

    director.post(there(night, "take_back_helper"), {"helper": Helper.objects.get().pk})
    assert phone.get(there(night, "helping")).status_code == 403
    assert phone.post(there(night, "helping_check_in"), {"entry": "2"}).status_code == 403
    part = phone.get(there(night, "helping"), headers={"HX-Request": "true"}).content.decode()
    assert "Guest 1" not in part
    assert 'id="helping"' in part


def test_a_helper_is_nobody_to_the_director_s_pages_and_the_api(night: Desk) -> None:
    phone = Client()
    phone.post(reverse("tournaments:take_up", args=[a_link(night)]))

    for page in ("roster", "desk", "draw", "helpers", "rulings"):
        assert "/accounts/login/" in phone.get(there(night, page)).url, page
    for act in ACTS.values():
        answer = phone.post(
            reverse("api:event-act-list", args=[night.event.key]),
            said.body(act),
            content_type="application/json",
        )
        assert answer.status_code in {401, 403}, act.name


def test_a_helper_s_page_reads_nothing_for_each_match(desk: Desk, monkeypatch: Any) -> None:
    desk.announce(a_plan("round-robin"), 10)
    desk.do(drawing.publish)
    monkeypatch.setattr("django.utils.timezone.now", lambda: desk.now)
    phone = Client()
    phone.post(reverse("tournaments:take_up", args=[a_link(desk)]))
    phone.get(there(desk, "helping"))
    with CaptureQueriesContext(connection) as asked:
        page = phone.get(there(desk, "helping")).content.decode()
    assert page.count("/sheet/") == 5
    assert max(Counter(re.sub(r"\d+|'[^']*'", "?", one["sql"]) for one in asked).values()) == 1


def test_a_score_that_cannot_be_comes_back_as_typed(desk: Desk, users: list[User], monkeypatch: Any) -> None:
    key, _a, _b = start(desk, users)
    monkeypatch.setattr("django.utils.timezone.now", lambda: desk.now)
    phone = Client()
    phone.post(reverse("tournaments:take_up", args=[a_link(desk)]))
    page = phone.get(there(desk, "helping")).content.decode()
    expects = re.search(r'name="expects" value="([^"]+)"', page)
    seen = expects[1].replace("&quot;", '"')

    answer = phone.post(there(desk, "helping_result"), {"match": key, "score": "9 9", "expects": seen})
    assert answer.status_code == 422
    assert 'value="9 9"' in answer.content.decode()
    # A form without the expected state is refused with a conflict.
    assert phone.post(there(desk, "helping_result"), {"match": key, "score": "5 2"}).status_code == 409
    answer = phone.post(
        there(desk, "helping_result"), {"match": key, "score": "5 2", "expects": seen}, follow=True
    )
    row = desk.row(key)
    said = f"{row.a.player.public_name} – {row.b.player.public_name}: 5–2 is entered."  # noqa: RUF001
    assert said in unescape(answer.content.decode())
    assert desk.row(key).state == PairingState.DECIDED
    assert Ruling.objects.filter(act=RulingKind.ENTERED_RESULT, helper__name="Anna").count() == 1


def test_a_helper_enters_a_match_game_by_game(desk: Desk, users: list[User], monkeypatch: Any) -> None:
    key, _a, _b = start(desk, users)
    monkeypatch.setattr("django.utils.timezone.now", lambda: desk.now)
    phone = Client()
    phone.post(reverse("tournaments:take_up", args=[a_link(desk)]))
    there_ = reverse("tournaments:helping_games", args=[desk.event.key, key])
    assert there_ in phone.get(there(desk, "helping")).content.decode()
    page = phone.get(there_).content.decode()
    expects = re.search(r'name="expects" value="([^"]+)"', page)
    game = {"winner": "a", "cube": "4", "end": "single"}
    said_ = {"expects": expects[1].replace("&quot;", '"'), "rows": "2", "do": "save"}
    said_ |= {f"g1-{name}": value for name, value in game.items()}
    # The second is the Crawford game.
    said_ |= {f"g2-{name}": value for name, value in (game | {"cube": "1"}).items()}

    answer = phone.post(there_, said_)
    assert answer.status_code == 302, answer.content.decode()[-3000:]
    assert answer["Location"] == there(desk, "helping")
    row = desk.row(key)
    assert row.state == PairingState.DECIDED
    assert len(row.games) == 2
    assert Ruling.objects.filter(act=RulingKind.ENTERED_RESULT, helper__name="Anna").count() == 1
    # With its result it is read, and not written again.
    assert "data-games" not in phone.get(there_).content.decode()
    assert phone.post(there_, said_).status_code in {302, 403}
    assert Client().get(there_).status_code == 403


# Races


def _on_its_way(desk: Desk, monkeypatch: pytest.MonkeyPatch, *, guarded: bool) -> bool:
    """Take a link back while an act is between its look at the helper and its end; say whether it got in between."""
    who, looked, go_on = anna(desk), threading.Event(), threading.Event()
    rule = changes.record_ruling

    def slowly(*given: Any, **more: Any) -> Any:
        looked.set()
        go_on.wait(LONGEST)
        return rule(*given, **more)

    def act() -> None:
        try:
            entering.check_in_entries(tournament_id=desk.pk, entries=[1], by=who, now=desk.now)
        finally:
            connections.close_all()

    def back() -> None:
        try:
            desk.do(helper_links.revoke_link, helper=who.helper_id)
            done.set()
        finally:
            connections.close_all()

    done = threading.Event()
    if not guarded:
        monkeypatch.setattr(changes, "lock_event", lambda pk: changes.Tournament.objects.get(pk=pk))
    monkeypatch.setattr(changes, "record_ruling", slowly)
    threads = [threading.Thread(target=act), threading.Thread(target=back)]
    threads[0].start()
    assert looked.wait(LONGEST)
    threads[1].start()
    overtook = done.wait(1)
    go_on.set()
    for thread in threads:
        thread.join(LONGEST)
    return overtook


@pytest.mark.long
@pytest.mark.services
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("guarded", [False, True])
def test_taking_back_waits_for_an_act_on_its_way(
    announced: Desk, monkeypatch: pytest.MonkeyPatch, guarded: bool
) -> None:
    """Anyone who is notified that a link is taken back has seen its last act: the event's lock sees to it."""
    if connection.vendor == "sqlite":
        pytest.skip("transactions take turns on SQLite")
    assert _on_its_way(announced, monkeypatch, guarded=guarded) is not guarded


def test_a_helper_is_looked_up_under_the_lock(announced: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """An act that waited for the lock while the link was taken back is refused."""
    who, lock = anna(announced), changes.lock_event

    def late(pk: int) -> Any:
        Helper.objects.filter(pk=who.helper_id).update(revoked_at=announced.now)
        return lock(pk)

    monkeypatch.setattr(changes, "lock_event", late)
    with pytest.raises(NotHelper), transaction.atomic():
        entering.check_in_entries(tournament_id=announced.pk, entries=[1], by=who, now=announced.now)


def test_of_two_browsers_that_open_a_link_at_once_one_is_let_in(
    announced: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    token, real = a_link(announced), helper_links.get_open_helper

    def overtaken(**said: Any) -> Any:
        found = real(**said)
        Helper.objects.update(taken_up_at=announced.now)
        return found

    monkeypatch.setattr(helper_links, "get_open_helper", overtaken)
    with pytest.raises(HelperTaken):
        helper_links.accept_link(token=token, now=announced.now)
