"""Refusals of records and score sheets, with code, message and help section."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext_lazy as _

from runtime.refusals import Refusal

if TYPE_CHECKING:
    from django_stubs_ext import StrPromise


class RecordError(Refusal):
    """An act on records that is not allowed; str() is the message."""

    code = "record_refused"
    anchor = "records#handing-in"


class QuotaReached(RecordError):
    code = "quota_reached"


class DayQuotaReached(QuotaReached):
    """Submissions are possible again some hours later. *wait*: seconds until a retry makes sense."""

    code = "day_quota_reached"
    status = 429
    wait: Final = 3600


class LineRefused(RecordError):
    """An entered line is illegal.

    *reason* is the referee's code, *said* its message; *rule* is the violated rule, and *nearest* has the nearest
    legal plays.
    """

    code = "line_refused"
    sentence = _("These lines cannot be used.")
    anchor = "records#transcribing"

    def __str__(self) -> str:
        return str(self.context["said"])


class CannotBeParsed(RecordError, LookupError):
    """A record cannot be parsed: it is unreadable, empty or too long."""

    code = "cannot_be_parsed"
    sentence = _("This record cannot be opened: it is too long, or there is nothing in it.")
    anchor = "records#transcribing"


# A refusal that fits into 130 characters is one line.
# fmt: off
NotAMemberHere = RecordError.define(
    "not_a_member", _("Only members of the club can hand in records."), anchor="clubs#joining", status=403
)

refusal = partial(RecordError.define, anchor="records#handing-in")
NothingHandedIn = refusal("nothing_handed_in", _("Choose a file or paste a record."), status=400)
NotYours = refusal("not_yours", _("This record belongs to a match of other players."))
NothingAsked = refusal("nothing_asked", _("The names in this record are already assigned to players."))
NoNames = refusal(
    "no_names",
    _("The record does not name its players. Add both names to the file, and hand it in again."),
)
UnknownMatch = refusal("unknown_match", _("There is no such match in this club."))
TooManyFiles = refusal("too_many_files", _("Hand in at most %(most)s files at once."), status=413)
TooMuchUnpacked = refusal(
    "too_much_unpacked",
    _("Unpacked, these files are larger than the %(most)s MB that are read at once. Hand in fewer."),
    status=413,
)

day_quota = partial(DayQuotaReached.define, anchor="records#handing-in")
FileQuotaReached = day_quota(
    "file_quota_reached",
    _("One person can hand in at most %(most)s files within 24 hours. Nothing was saved; try again later."),
)
PersonQuotaReached = day_quota(
    "person_quota_reached",
    _("One person can hand in at most %(most)s MB within 24 hours. Nothing was saved; try again later."),
)
ClubDayQuotaReached = day_quota(
    "club_day_quota_reached",
    _(
        "This club can save at most %(most)s MB of records within 24 hours. Nothing was saved; try "
        "again later."
    ),
)

ClubQuotaReached = QuotaReached.define(
    "club_quota_reached",
    _(
        "This club already has %(most)s MB of records, which is the limit. Nothing was saved. Ask"
        " the people who run this site for more space."
    ),
    anchor="records#handing-in",
)

refusal = partial(RecordError.define, anchor="records#sheet")
NotYourSheet = refusal(
    "not_your_sheet", _("Only the two players and the directors can keep this score sheet."), status=403
)
OnABoard = refusal("on_a_board", _("This match is played online: its score comes from there."))
OtherGame = refusal("other_game", _("The sheet has changed in the meantime: it is now at game %(number)s. Look at it again."))
NotOffered = refusal("not_offered", _("Game %(number)s cannot end like that at this score."))
MatchWon = refusal("match_won", _("The match is over."))
NothingToUndo = refusal("nothing_to_undo", _("There is no game to take back."))
NoClock = refusal("no_clock", _("This match is played without a clock."))
ClockMoved = refusal("clock_moved", _("The clock was tapped on another phone in the meantime. It now shows the current times."))
FlagFallen = refusal("flag_fallen", _("The time had run out before this tap."))
Adjourned = refusal("adjourned", _("This match is adjourned. Resume it first."))
NotAdjourned = refusal("not_adjourned", _("This match is not adjourned."))

refusal = partial(RecordError.define, anchor="records#photos")
PhotoNotNeeded = refusal("photo_not_needed", _("You can add photos only to a match that is disputed or adjourned."))
TooManyPhotos = refusal("too_many_photos", _("There are %(most)s photos from your side already. Delete one first."))
TooManyPhotosAtOnce = refusal("too_many_photos_at_once", _("Add at most %(most)s photos at once. None of these was saved."))
PhotoOfDecidedMatch = refusal("photo_of_decided_match", _("This match is decided: now only a director can delete its photos."))
NotYourPhoto = refusal("not_your_photo", _("Only the person who sent a photo, or a director, can delete it."))

refusal = partial(RecordError.define, anchor="night#table")
CodeUnreadable = refusal(
    "code_unreadable", _("This is not a code of this site, or a part of it is missing. Scan it again."), status=404
)
NobodyAtTable = refusal("nobody_at_table", _("No match is being played at this table now."))
MatchDecided = refusal("match_decided", _("This match is over. Its result: %(result)s"))
OtherMatch = refusal("other_match", _("This code belongs to another match. Scan the code of the match that you play."))
UnknownShortCode = refusal(
    "unknown_short_code", _("No match has these letters now. Check them, or scan the QR code beside them."), status=404
)
TooManyShortCodes = refusal(
    "too_many_short_codes", _("Too many wrong letters came from this network. Wait for %(seconds)s seconds."), status=429
)
OtherEvent = refusal(
    "other_event",
    _(
        "This code is for %(event)s, and another event is being played at this table. Scan a card that was printed for it, or ask the director."
    ),
)
WhoAreYou = refusal("who_are_you", _("First choose which player you are."))

refusal = partial(RecordError.define, anchor="records#transcribing")
OtherVersion = refusal(
    "other_version",
    _(
        "This transcription was changed on another device. You now see the current version; enter "
        "your change again."
    ),
)
NotATranscription = refusal("not_a_transcription", _("These lines cannot be used."))
TooMuchTyped = refusal("too_much_typed", _("A transcription has at most %(most)s lines."))
TooManyTranscriptions = refusal(
    "too_many_transcriptions", _("You have %(most)s unfinished transcriptions. Hand some in, or delete them.")
)
NothingTyped = refusal("nothing_typed", _("Enter the first roll before you hand this in."))
NothingToTakeBack = refusal("nothing_to_take_back", _("There is nothing to take back."))
NothingToMend = refusal("nothing_to_mend", _("This file cannot be opened as a transcription."))

# Why a single file was refused (`records.submissions.limited_reading`); the other files of its submission were
# accepted.
REFUSED: Final[Mapping[str, StrPromise]] = {
    "too-large": _("The file is larger than 4 MB, which is more than a match record needs."),
    "nested-archive": _("There is an archive inside the zip. Take the records out and hand them in."),
    "other-archive": _("This is an archive of a kind that is not opened here. Use a zip."),
    "bad-zip": _("The zip cannot be opened. It may be damaged."),
    "locked-zip": _("The zip is locked with a password."),
    "bad-path": _("The path of this file leads out of the zip."),
    "link": _("This is a link and not a file."),
    # Only in old rows: then, each zip had its own budget.
    "too-much": _("The zip contains more than can be opened here."),
    "empty-zip": _("There is no file in the zip."),
}
