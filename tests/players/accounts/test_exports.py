"""One's own data, as a file."""

from __future__ import annotations

import json
from datetime import datetime, timedelta

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator

from players.accounts import accounts, exports
from players.clubs import clubs, invitations, merging
from players.models import Club, Export, Role, ShownAs, User
from players.people import people
from runtime.models import Outbox
from tests.deliveries import deliver


def test_asking_twice_makes_one_file(ada: User, now: datetime) -> None:
    first, second = (exports.request_export(user=ada, now=now + timedelta(seconds=n)) for n in (0, 1))

    assert first == second
    assert Outbox.objects.filter(kind="players.fill_export").count() == 1

    deliver(now + timedelta(seconds=2))
    made = Export.objects.get()
    exports.write_export({"export_id": made.pk}, now=now + timedelta(hours=1))

    assert Export.objects.get().ready_at == now + timedelta(seconds=2)


def test_the_file_holds_what_we_keep(ada: User, club: Club, now: datetime) -> None:
    accounts.change(user=ada, now=now, alias="The Fox")
    guest = clubs.add_guest(club=club, name="Ada (old)", by=ada, now=now)
    invitations.invite(club=club, by=ada, role=Role.MEMBER, note="the door", now=now)
    merging.merge_guest(kept=ada.player, dropped=guest, by=ada, now=now)
    exports.request_export(user=ada, now=now)
    deliver(now)

    data = json.loads(bytes(Export.objects.get().content))

    assert data["account"]["email"] == "ada.okafor@example.org"
    assert data["player"]["alias"] == "The Fox"
    assert [row["name"] for row in data["player"]["earlier_rows"]] == ["Ada (old)"]
    assert [row["club__slug"] for row in data["clubs"]] == ["bristol-backgammon"]
    assert data["invitations_made"][0]["note"] == "the door"
    assert "token_hash" not in str(data)
    assert "password" not in str(data)


def test_the_file_holds_a_new_address_that_is_not_confirmed_yet(ada: User, now: datetime) -> None:
    EmailAddress.objects.create(user=ada, email=ada.email, verified=True, primary=True)
    EmailAddress.objects.create(user=ada, email="fox@example.org")
    exports.request_export(user=ada, now=now)
    deliver(now)

    rows = json.loads(bytes(Export.objects.get().content))["email_addresses"]
    assert rows == [{"email": ada.email, "verified": True}, {"email": "fox@example.org", "verified": False}]


def test_the_file_names_second_factors_without_their_secrets(ada: User, bo: User, now: datetime) -> None:
    kinds = Authenticator.Type
    for user, kind, data in (
        (ada, kinds.TOTP, {"secret": "xyzzy"}),
        (ada, kinds.WEBAUTHN, {"name": "My phone", "credential": {"id": "xyzzy"}}),
        (bo, kinds.WEBAUTHN, {"name": "Bo's key", "credential": {}}),
    ):
        Authenticator.objects.create(user=user, type=kind, data=data, created_at=now)
    exports.request_export(user=ada, now=now)
    deliver(now)

    text = bytes(Export.objects.get().content).decode()

    rows = json.loads(text)["second_factors"]
    assert [(row["type"], row["data__name"]) for row in rows] == [("totp", None), ("webauthn", "My phone")]
    assert all(row["created_at"] for row in rows)
    assert "xyzzy" not in text


def test_the_file_names_who_is_followed_as_everyone_sees_them(ada: User, bo: User, now: datetime) -> None:
    people.follow(user=ada, player=bo.player, now=now)
    accounts.change(user=bo, now=now, alias="Night Owl", shown_as=ShownAs.ALIAS)
    exports.request_export(user=ada, now=now)
    deliver(now)

    text = bytes(Export.objects.get().content).decode()

    assert [row["player__name"] for row in json.loads(text)["follows"]] == ["Night Owl"]
    assert "Lindgren" not in text


def test_a_new_file_replaces_the_old_and_old_ones_are_forgotten(ada: User, now: datetime) -> None:
    for day in (0, 1):
        exports.request_export(user=ada, now=now + timedelta(days=day))
        deliver(now + timedelta(days=day))

    assert Export.objects.count() == 1
    assert exports.delete_expired(now=now + timedelta(days=8)) == 0
    assert exports.delete_expired(now=now + timedelta(days=9)) == 1


def test_a_file_for_someone_erased_is_not_written(ada: User, now: datetime) -> None:
    exports.request_export(user=ada, now=now)
    accounts.erase(user=ada, now=now)

    deliver(now)

    assert not Export.objects.exists()
