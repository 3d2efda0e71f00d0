"""The tables of notices and e-mails in docs/notices.md: `python -m tests.notices` writes them, tests of players compare them."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

import django
from django.utils import translation

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

    from players.accounts.account_emails import AccountEmail
    from players.models import User
    from players.notices.kinds import NoticeKind

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "notices.md"
HEAD = "| notice | to | sent when | texts | e-mail |\n|---|---|---|---|---|\n"
EMAIL_HEAD = "| e-mail | to | sent when |\n|---|---|---|\n"


def leave_notice(*, user: User, text: StrOrPromise, url: str, dedupe_key: str, now: datetime) -> bool:
    """Send a notice of a kind that exists only in tests."""
    from players.notices import notices
    from players.notices.kinds import NoticeKind, Reader

    kind = NoticeKind(name="test", reader=Reader.ACCOUNT, when="Tests run.", text="{text}")
    return notices.send(kind, user=user, values={"text": text}, url=url, dedupe_key=dedupe_key, now=now)


class Placeholder(int):
    """A value that is formatted as its name; a number, for plurals."""

    name: str

    def __str__(self) -> str:
        return f"{{{self.name}}}"

    def __format__(self, spec: str) -> str:
        return str(self)


class Placeholders(dict[str, object]):
    """A mapping with a placeholder for every name."""

    def __missing__(self, name: str) -> Placeholder:
        made = Placeholder(2)
        made.name = name
        return made


def texts(kind: NoticeKind) -> list[str]:
    """Return the texts of a kind with placeholders, in the active language."""
    return [kind.write(variant, Placeholders()) for variant in kind.texts]


def table(kinds: Iterable[NoticeKind]) -> str:
    with translation.override("en"):
        rows = [
            (
                f"`{kind.name}`",
                kind.reader.value,
                str(kind.when),
                " · ".join(texts(kind)),
                f"with `{kind.switch.name}`" if kind.switch else "yes",
            )
            for kind in kinds
        ]
    return HEAD + "".join(f"| {' | '.join(row)} |\n" for row in rows)


def email_table(kinds: Mapping[str, AccountEmail]) -> str:
    """Return the table of e-mails about an account for the documentation."""
    rows = [f"| `{name}` | {email.to} | {email.when} |\n" for name, email in kinds.items()]
    return EMAIL_HEAD + "".join(rows)


def main() -> None:
    """Write the tables to docs/notices.md."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    from players.accounts.account_emails import EMAILS
    from players.notices.kinds import list_kinds

    page = PAGE.read_text("utf-8")
    for head, written in ((HEAD, table(list_kinds())), (EMAIL_HEAD, email_table(EMAILS))):
        page = re.sub(re.escape(head) + r"(\|.*\n)*", written.replace("\\", r"\\"), page)
    PAGE.write_text(page, "utf-8")


if __name__ == "__main__":
    main()
