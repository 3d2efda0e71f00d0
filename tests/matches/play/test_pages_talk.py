"""The page of a match's chat: what it shows to whom, muting, reporting and removing."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from django.test import Client

from matches.models import ChatLine, Match, Mute, Report
from matches.play import chat, match_access
from players.models import Notice, User
from tests.matches.play.test_chat import Hall, hall
from tests.matches.support import Table, person
from tests.matches.test_pages import signed_in, text

__all__ = ["hall"]

pytestmark = pytest.mark.django_db


def address(hall: Hall) -> str:
    return f"/matches/{hall.table.match.key}/chat/"


def report_at(hall: Hall, line: ChatLine) -> str:
    return f"{address(hall)}lines/{line.key}/report/"


def hide_at(hall: Hall, line: ChatLine) -> str:
    return f"{address(hall)}lines/{line.key}/hide/"


def mute_at(hall: Hall, name: str) -> str:
    return f"{address(hall)}players/{hall.people[name].player.key}/mute/"


def test_the_board_leads_to_the_chat_of_its_match(hall: Hall) -> None:
    board = f"/matches/{hall.table.match.key}/"
    assert f'href="{address(hall)}"' in text(signed_in(hall.people["ann"]).get(board))
    assert address(hall) not in text(Client().get(board))


def test_a_player_reports_the_opponents_message_and_not_their_own(hall: Hall) -> None:
    own, line = hall.speak("ann", "Good luck"), hall.speak("ben", "You cheat")
    client = signed_in(hall.people["ann"])
    page = text(client.get(address(hall)))
    assert "You cheat" in page
    assert report_at(hall, line) in page
    assert report_at(hall, own) not in page

    page = text(client.post(report_at(hall, line), follow=True))

    assert "The message is reported." in page
    assert report_at(hall, line) not in page
    assert Report.objects.get().by == hall.people["ann"].player
    assert {notice.user for notice in Notice.objects.all()} == {hall.people["eve"], hall.people["fay"]}
    page = text(client.post(report_at(hall, own), follow=True))
    assert "That is your own line." in page
    assert Report.objects.count() == 1


def test_a_muted_player_is_not_read_until_they_are_unmuted(hall: Hall) -> None:
    hall.speak("ben", "bla bla")
    client = signed_in(hall.people["ann"])
    assert mute_at(hall, "ben") in text(client.get(address(hall)))
    assert mute_at(hall, "ann") not in text(client.get(address(hall)))

    page = text(client.post(mute_at(hall, "ben"), follow=True))
    assert "Ben is muted." in page
    assert "bla bla" not in page
    assert Mute.objects.get().muted == hall.people["ben"].player

    page = text(client.post(mute_at(hall, "ben"), {"undo": "yes"}, follow=True))
    assert "You see the messages of Ben again." in page
    assert "bla bla" in page
    assert not Mute.objects.exists()
    assert "You cannot mute yourself." in text(client.post(mute_at(hall, "ann"), follow=True))


def test_whom_one_muted_elsewhere_is_unmuted_here(hall: Hall) -> None:
    Mute.objects.create(player=hall.people["ann"].player, muted=hall.people["dot"].player)
    assert mute_at(hall, "dot") in text(signed_in(hall.people["ann"]).get(address(hall)))


def test_who_watches_reports_what_they_can_read(hall: Hall) -> None:
    theirs, line = hall.speak("ann", "Good luck"), hall.speak("dot", "Boo")
    client = signed_in(hall.people["cid"])
    page = text(client.get(address(hall)))
    assert "Boo" in page
    assert "Good luck" not in page
    assert client.post(report_at(hall, theirs)).status_code == 404
    assert client.post(report_at(hall, line)).status_code == 302


def test_a_removed_message_is_not_shown(hall: Hall) -> None:
    line = hall.speak("ben", "You cheat")
    line.hidden_at = hall.now + timedelta(seconds=1)
    line.save()
    page = text(signed_in(hall.people["ann"]).get(address(hall)))
    assert "You cheat" not in page
    assert "removed by a director" in page
    assert report_at(hall, line) not in page
    assert "You cheat" in text(signed_in(hall.people["fay"]).get(address(hall)))


def test_a_director_removes_a_message(hall: Hall) -> None:
    line = hall.speak("ben", "You cheat")
    client = signed_in(hall.people["fay"])
    board = text(client.get(f"/matches/{hall.table.match.key}/"))
    assert "Remove messages" in board
    assert "Mute or report" not in board
    page = text(client.get(address(hall)))
    assert hide_at(hall, line) in page
    assert report_at(hall, line) not in page

    page = text(client.post(hide_at(hall, line), follow=True))

    assert "The message is removed." in page
    assert "You cheat" in page
    assert "removed by a director" in page
    assert hide_at(hall, line) not in page
    line.refresh_from_db()
    assert line.hidden_by == hall.people["fay"].player
    assert "You cheat" not in text(signed_in(hall.people["ann"]).get(address(hall)))


def test_only_directors_who_do_not_play_remove_messages(hall: Hall) -> None:
    hall.make_director("ann")
    players_line, line = hall.speak("ben", "You cheat"), hall.speak("dot", "Boo")
    for name, read in (("ann", players_line), ("cid", line)):
        client = signed_in(hall.people[name])
        assert hide_at(hall, read) not in text(client.get(address(hall)))
        assert client.post(hide_at(hall, read)).status_code == 403
    assert not ChatLine.objects.filter(hidden_at__isnull=False).exists()
    assert signed_in(hall.people["fay"]).post(f"{address(hall)}lines/nothing000/hide/").status_code == 404


def test_directors_see_how_often_a_message_was_reported(hall: Hall) -> None:
    once, twice = hall.speak("dot", "Boo"), hall.speak("dot", "Boo again")
    hall.speak("dot", "Well played")
    for line, name in ((once, "cid"), (twice, "cid"), (twice, "eve")):
        Report.objects.create(line=line, by=hall.people[name].player, at=hall.now)
    page = text(signed_in(hall.people["fay"]).get(address(hall)))
    assert page.count("Reported once") == 1
    assert page.count("Reported 2 times") == 1
    page = text(signed_in(hall.people["cid"]).get(address(hall)))
    assert page.count(">Reported<") == 2
    assert "Reported once" not in page
    assert "Reported 2 times" not in page


def test_a_director_removes_a_reported_message_that_many_others_followed(
    hall: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(chat, "LINES_A_PAGE", 2)
    old, line = hall.speak("ben", "Good luck"), hall.speak("ben", "You cheat")
    later = [hall.speak("ann", text) for text in ("No", "Never", "Your turn")]
    Report.objects.create(line=line, by=hall.people["ann"].player, at=hall.now)
    client = signed_in(hall.people["fay"])

    page = text(client.get(address(hall)))
    assert [hide_at(hall, each) in page for each in (old, line, *later)] == [False, True, False, True, True]
    assert page.index("Your turn") < page.index("You cheat")
    assert hide_at(hall, line) not in text(client.post(hide_at(hall, line), follow=True))
    assert "You cheat" not in text(client.get(address(hall)))


def test_a_director_sees_the_reported_messages_of_a_player_whom_they_muted(hall: Hall) -> None:
    line = hall.speak("ben", "You cheat")
    hall.speak("ben", "Good luck")
    Report.objects.create(line=line, by=hall.people["ann"].player, at=hall.now)
    Mute.objects.create(player=hall.people["fay"].player, muted=hall.people["ben"].player)
    page = text(signed_in(hall.people["fay"]).get(address(hall)))
    assert hide_at(hall, line) in page
    assert "Good luck" not in page


def test_a_notice_of_a_report_leads_to_the_chat(hall: Hall) -> None:
    line = hall.speak("ben", "You cheat")
    signed_in(hall.people["ann"]).post(report_at(hall, line))
    for name in ("eve", "fay"):
        notice = Notice.objects.get(user=hall.people[name])
        assert notice.url == address(hall)
        assert hide_at(hall, line) in text(signed_in(notice.user).get(notice.url))


def test_a_notice_leads_administrators_to_the_chat_of_a_private_match(now: datetime) -> None:
    root = person("Root", now)
    User.objects.filter(pk=root.pk).update(is_superuser=True)
    table = Table(now)
    Match.objects.filter(pk=table.match.pk).update(is_private=True)
    chat_page = f"/matches/{table.match.key}/chat/"
    seen = match_access.load_view(table.row, table.black.user)
    assert seen is not None
    line = chat.post_line(seen=seen, author=table.black, text="Boo", client_key="a-line-1", now=now)[0]
    signed_in(table.white.user).post(f"{chat_page}lines/{line.key}/report/")
    notice = Notice.objects.get()
    assert (notice.user, notice.url) == (root, chat_page)
    assert f"lines/{line.key}/hide/" in text(signed_in(root).get(notice.url))


def test_without_a_chat_there_is_no_page(now: datetime) -> None:
    hall = Hall(now, has_chat=False)
    client = signed_in(hall.people["ann"])
    assert client.get(address(hall)).status_code == 404
    assert client.post(mute_at(hall, "ben")).status_code == 404
    assert not Mute.objects.exists()
