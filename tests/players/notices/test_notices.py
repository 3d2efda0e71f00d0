"""Notices: their recipients, their language, and the e-mails that follow them."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta

import pytest
from django.core import mail
from django.test import Client
from django.urls import reverse
from django.utils.translation import gettext_lazy

from players.accounts import accounts
from players.clubs import clubs, invitations, merging
from players.models import Club, Merge, Notice, Role, User
from players.notices import notices
from runtime.models import Outbox, TopicEvent
from tests.deliveries import deliver
from tests.notices import leave_notice

LATER = timedelta(minutes=11)


def texts(user: User) -> list[str]:
    return list(Notice.objects.filter(user=user).values_list("text", flat=True))


def test_the_same_news_twice_is_one_notice(ada: User, now: datetime) -> None:
    told = [
        leave_notice(user=ada, text="Tea", url="/", dedupe_key="tea", now=now + n * LATER) for n in (0, 1)
    ]

    assert told == [True, False]
    assert texts(ada) == ["Tea"]
    assert TopicEvent.objects.filter(topic=f"user.{ada.pk}", name="notice").count() == 1


def test_a_notice_speaks_its_readers_language(ada: User, now: datetime) -> None:
    accounts.change(user=ada, now=now, language="de")

    leave_notice(user=ada, text=gettext_lazy("Yes"), url="/", dedupe_key="yes", now=now)

    assert texts(ada) == ["Ja"]


@pytest.mark.parametrize(("heard", "said"), [("de-AT,de;q=0.9", "Ja"), ("en-GB", "Yes"), ("fr", "Yes")])
def test_who_has_chosen_no_language_is_written_to_in_that_of_the_last_sign_in(
    ada: User, client: Client, now: datetime, heard: str, said: str
) -> None:
    ada.set_password("a good long password")
    ada.sign_in_language = "de"
    ada.save()

    client.post(
        reverse("account_login"),
        {"login": ada.email, "password": "a good long password"},
        headers={"accept-language": heard},
    )
    ada.refresh_from_db()
    leave_notice(user=ada, text=gettext_lazy("Yes"), url="/", dedupe_key="yes", now=now)

    assert texts(ada) == [said]


def test_a_chosen_language_counts_before_that_of_the_sign_in(ada: User, now: datetime) -> None:
    accounts.change(user=ada, now=now, language="en")
    ada.sign_in_language = "de"
    ada.save()

    leave_notice(user=ada, text=gettext_lazy("Yes"), url="/", dedupe_key="yes", now=now)

    assert texts(ada) == ["Yes"]


def test_directors_hear_who_joined_and_the_joiner_does_not(
    club: Club, enrol: Callable[..., User], ada: User, now: datetime
) -> None:
    cleo = enrol(club, "Cleo Marsh", Role.DIRECTOR)
    deliver(now)
    bo = enrol(club, "Bo Lindgren")
    deliver(now)
    deliver(now)

    assert texts(ada) == [
        "Bo Lindgren has joined Bristol Backgammon.",
        "Cleo Marsh has joined Bristol Backgammon.",
    ]
    assert texts(cleo) == [
        "Bo Lindgren has joined Bristol Backgammon.",
        "You are now a director of Bristol Backgammon.",
    ]
    assert texts(bo) == []


def test_directors_hear_of_a_claim(club: Club, ada: User, bo: User, now: datetime) -> None:
    guest = clubs.add_guest(club=club, name="Gus", by=ada, now=now)
    token = invitations.invite(club=club, by=ada, role=Role.MEMBER, guest=guest, now=now)
    invitations.accept(token=token, user=bo, now=now)

    deliver(now)

    assert texts(ada) == ["Bo Lindgren has taken over the guest Gus and its history."]


def test_directors_hear_of_a_second_claim(
    club: Club, ada: User, bo: User, sign_up: Callable[..., User], now: datetime
) -> None:
    guest = clubs.add_guest(club=club, name="Gus", by=ada, now=now)
    for user in (bo, sign_up("Cleo Marsh")):
        token = invitations.invite(club=club, by=ada, role=Role.MEMBER, guest=guest, now=now)
        invitations.accept(token=token, user=user, now=now)
        merging.unmerge(merge_id=Merge.objects.get(undone_at=None).pk, by=ada, now=now)

    deliver(now)

    assert set(texts(ada)) == {
        "Bo Lindgren has taken over the guest Gus and its history.",
        "Cleo Marsh has taken over the guest Gus and its history.",
    }


def test_a_role_is_told_and_a_role_overtaken_is_not(club: Club, ada: User, bo: User, now: datetime) -> None:
    clubs.join(club=club, player=bo.player, now=now)
    for minute, role in enumerate((Role.DIRECTOR, Role.OWNER)):
        clubs.set_role(club=club, player=bo.player, role=role, by=ada, now=now + timedelta(minutes=minute))

    deliver(now + timedelta(minutes=2))

    assert texts(bo) == ["You are now an owner of Bristol Backgammon."]


def test_someone_removed_is_told(club: Club, ada: User, bo: User, now: datetime) -> None:
    clubs.join(club=club, player=bo.player, now=now)
    clubs.remove(club=club, player=bo.player, by=ada, now=now)

    deliver(now)

    assert texts(bo) == ["You are no longer a member of Bristol Backgammon."]
    # The new member has left, so the notice of a new member is not sent.
    assert texts(ada) == []


def test_an_email_follows_what_was_not_read(ada: User, now: datetime) -> None:
    leave_notice(user=ada, text="Tea is served", url="/clubs/", dedupe_key="tea", now=now)

    deliver(now)
    assert mail.outbox == []
    deliver(now + LATER)

    (message,) = mail.outbox
    assert (message.subject, message.to) == ("Tea is served", ["ada.okafor@example.org"])
    assert "http://localhost:8000/clubs/" in message.body
    assert "/emails/stop/" in message.body


def test_what_was_read_needs_no_email(ada: User, now: datetime) -> None:
    leave_notice(user=ada, text="Tea", url="/", dedupe_key="tea", now=now)

    assert notices.mark_read(user=ada, now=now) == 1
    assert notices.mark_read(user=ada, now=now) == 0
    deliver(now + LATER)

    assert mail.outbox == []


def test_who_wants_no_emails_gets_none(ada: User, now: datetime) -> None:
    accounts.change(user=ada, now=now, mails_notices=False)
    leave_notice(user=ada, text="Tea", url="/", dedupe_key="tea", now=now)

    deliver(now + LATER)

    assert mail.outbox == []
    assert not Outbox.objects.filter(kind="players.notice_mail").exists()


def test_an_inactive_account_gets_no_emails(club: Club, ada: User, bo: User, now: datetime) -> None:
    ada.is_active = False
    ada.save(update_fields=["is_active"])
    clubs.join(club=club, player=bo.player, now=now)
    deliver(now)
    deliver(now + LATER)

    assert texts(ada) == ["Bo Lindgren has joined Bristol Backgammon."]
    assert mail.outbox == []


def test_nobody_marks_anothers_notice(ada: User, bo: User, now: datetime) -> None:
    leave_notice(user=ada, text="Tea", url="/", dedupe_key="tea", now=now)

    assert notices.mark_read(user=bo, now=now, notice_id=Notice.objects.get().pk) == 0


@pytest.mark.parametrize("name", ["{club}", "%(club)s", "{0.__class__}", "<script>"])
def test_a_name_is_never_a_pattern(ada: User, sign_up: Callable[..., User], name: str, now: datetime) -> None:
    club = clubs.create(owner=ada, name=name, now=now)
    joiner = sign_up(name, email="joiner@example.org")
    clubs.join(club=club, player=joiner.player, now=now)

    deliver(now)

    assert texts(ada) == [f"{name} has joined {name}."]
