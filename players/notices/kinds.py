"""Kinds of notices: text, occasion, recipients, and the setting for e-mails.

A kind is declared beside the code that sends it, and added to `KINDS` in the `receivers.py` of its package. The
settings page and docs/notices.md read them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Final

from django.db.models import TextChoices
from django.utils.translation import gettext_lazy as _

from players.models import User
from runtime.hooks import Hook

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise


class Reader(TextChoices):
    """The recipients of a notice; the labels are headings of the settings page."""

    ACCOUNT = "account", _("Your account and your clubs")
    PLAYER = "player", _("Your matches")
    ENTRANT = "entrant", _("Your events")
    DIRECTOR = "director", _("Clubs that you direct")


@dataclass(frozen=True, slots=True)
class EmailSwitch:
    """A setting of the reader for e-mails of some kinds; the account's setting must be on as well."""

    name: str
    is_on: Callable[[User], bool]


@dataclass(frozen=True, slots=True, kw_only=True)
class NoticeKind:
    name: str
    reader: Reader
    # A sentence to the reader, on the settings page and in the documentation.
    when: StrOrPromise
    # By variant if there are several. Placeholders are `{name}` or, also in a lazy plural, `%(name)s`.
    text: StrOrPromise | Mapping[str, StrOrPromise]
    # None: only the account's setting counts.
    switch: EmailSwitch | None = None

    @property
    def texts(self) -> Mapping[str, StrOrPromise]:
        """The texts by variant; a single one has the variant ""."""
        return self.text if isinstance(self.text, Mapping) else {"": self.text}

    def write(self, variant: str, values: Mapping[str, object]) -> str:
        """Fill in a text, in the active language."""
        text = self.texts[variant]
        plain = str(text)
        # A lazy plural has no text without its number, which it takes from the values.
        return plain.format_map(values) if "{" in plain else text % values

    def is_mailed_to(self, user: User) -> bool:
        """True if unread notices are also sent by e-mail."""
        return user.mails_notices and (self.switch is None or self.switch.is_on(user))


# The kinds of each package.
KINDS: Final[Hook[Iterable[NoticeKind]]] = Hook()


def list_kinds() -> Iterator[NoticeKind]:
    return chain.from_iterable(KINDS)


def list_kinds_by_reader(user: User) -> list[tuple[Reader, list[tuple[NoticeKind, bool]]]]:
    """List the kinds by recipient, each with whether this user gets e-mails."""
    kinds = [(kind, kind.is_mailed_to(user)) for kind in list_kinds()]
    return [(reader, [row for row in kinds if row[0].reader == reader]) for reader in Reader]
