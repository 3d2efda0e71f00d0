"""Refusals: each has a stable code for programs and a sentence for people."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext_lazy as _

from runtime.refusals import Refusal

if TYPE_CHECKING:
    from collections.abc import Mapping

    from django_stubs_ext import StrPromise


class RecordError(Refusal):
    """Something that cannot be done with records; str() is the sentence to show."""

    code = "record_refused"


class NotAMemberHere(RecordError):
    """Records are handed in by the club's own people."""

    code = "not_a_member"
    sentence = _("Only members of the club can hand in records.")


class NothingHandedIn(RecordError):
    """There is no file and no text."""

    code = "nothing_handed_in"
    sentence = _("Choose a file or paste a record.")


class TooManyFiles(RecordError):
    """More than one hand-in takes."""

    code = "too_many_files"
    sentence = _("Hand in at most %(most)s files at once.")


# Why a single file was not kept (`records.parcels`); the others of the same hand-in were.
REFUSED: Final[Mapping[str, StrPromise]] = {
    "too-large": _("The file is larger than 4 MB, which is more than a match record needs."),
    "nested-archive": _("There is an archive inside the zip. Take the records out and hand them in."),
    "other-archive": _("This is an archive of a kind that is not opened here. Use a zip."),
    "bad-zip": _("The zip cannot be opened. It may be damaged."),
    "locked-zip": _("The zip is locked with a password."),
    "bad-path": _("The name of this file leads out of the zip."),
    "link": _("This is a link and not a file."),
    "too-much": _("There is more in the zip than is opened here."),
    "empty-zip": _("There is no file in the zip."),
}
