"""The recipe of a notice holds: a kind where it is sent, a line in the table, a row in the documentation, and all else knows it."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

import pytest
from django.utils.translation import gettext_lazy as _

from players.accounts import accounts
from players.models import Notice, User
from players.notices import notices
from players.notices.kinds import KINDS, EmailSwitch, NoticeKind, Reader, list_kinds
from runtime.models import Outbox
from tests.clients import signed_in
from tests.notices import PAGE, table

# -- where it is sent

TEA_SERVED = NoticeKind(
    name="tea_served",
    reader=Reader.ACCOUNT,
    when="Tea is served.",
    text={"": _("Yes"), "sort": "{sort} is served."},
)


def serve(*, user: User, sort: str, now: datetime) -> bool:
    values = {"sort": sort}
    return notices.send(
        TEA_SERVED, user=user, variant="sort", values=values, url="/tea/", dedupe_key=f"tea:{sort}", now=now
    )


def put(monkeypatch: pytest.MonkeyPatch, kind: NoticeKind) -> None:
    # -- the line
    monkeypatch.setitem(KINDS._values, "toy", (kind,))


def test_it_is_sent_once_with_what_is_filled_in(ada: User, now: datetime) -> None:
    assert [serve(user=ada, sort="Assam {x} %(y)s", now=now) for _time in range(2)] == [True, False]

    notice = Notice.objects.get(user=ada)
    assert (notice.text, notice.url) == ("Assam {x} %(y)s is served.", "/tea/")
    assert Outbox.objects.filter(kind="players.notice_mail").count() == 1


def test_it_speaks_the_readers_language_and_ends_with_the_reason(ada: User, now: datetime) -> None:
    accounts.change(user=ada, now=now, language="de")
    notices.send(TEA_SERVED, user=ada, reason=_("Saved."), url="/", dedupe_key="x", now=now)

    assert Notice.objects.get(user=ada).text == "Ja Gespeichert."


@pytest.mark.parametrize(("is_on", "mails"), [(False, 0), (True, 1)])
def test_its_switch_decides_about_the_e_mail(ada: User, now: datetime, is_on: bool, mails: int) -> None:
    kind = replace(TEA_SERVED, switch=EmailSwitch("mails_tea", lambda _user: is_on))
    notices.send(kind, user=ada, url="/", dedupe_key="x", now=now)

    assert Notice.objects.filter(user=ada).count() == 1
    assert Outbox.objects.filter(kind="players.notice_mail").count() == mails


@pytest.mark.parametrize(("is_on", "shown"), [(False, True), (True, False)])
def test_the_settings_page_shows_it_and_whether_an_e_mail_follows(
    ada: User, monkeypatch: pytest.MonkeyPatch, is_on: bool, shown: bool
) -> None:
    put(monkeypatch, replace(TEA_SERVED, switch=EmailSwitch("mails_tea", lambda _user: is_on)))
    page = signed_in(ada).get("/settings/privacy/").content.decode()

    assert ('<li>Tea is served. <span class="muted">Only here.</span></li>' in page) is shown
    assert ("<li>Tea is served.</li>" in page) is not shown


def test_the_documentation_must_list_it(monkeypatch: pytest.MonkeyPatch) -> None:
    put(monkeypatch, TEA_SERVED)
    row = "| `tea_served` | account | Tea is served. |"

    assert row in table(list_kinds())
    assert table(list_kinds()) not in PAGE.read_text("utf-8")
