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


class NotYours(RecordError):
    """Of a match's record speak those who handed it in, the two players and directors."""

    code = "not_yours"
    sentence = _("This record is about a match of others.")


class NothingAsked(RecordError):
    """Who is who is known, or nobody needs to know."""

    code = "nothing_asked"
    sentence = _("Somebody has already said who is who in this record.")


class UnknownMatch(RecordError):
    """A record is handed in for a match of the same club."""

    code = "unknown_match"
    sentence = _("There is no such match in this club.")


class TooManyFiles(RecordError):
    """More than one hand-in takes."""

    code = "too_many_files"
    sentence = _("Hand in at most %(most)s files at once.")


class TooMuchUnpacked(RecordError):
    """The files of one request together have too many bytes, or take too much work to unpack."""

    code = "too_much_unpacked"
    sentence = _(
        "Unpacked, these files are larger than the %(most)s MB that are read at once. Hand in fewer."
    )


class QuotaReached(RecordError):
    """More would be kept than a person or a club may leave (`records.quotas`)."""

    code = "quota_reached"


class DayQuotaReached(QuotaReached):
    """Some hours later there is room again. *wait*: seconds until another try makes sense."""

    code = "day_quota_reached"
    wait: Final = 3600


class FileQuotaReached(DayQuotaReached):
    """So many files of one person are judged in a day."""

    code = "file_quota_reached"
    sentence = _(
        "One person hands in at most %(most)s files within 24 hours. Nothing was kept; try again later."
    )


class PersonQuotaReached(DayQuotaReached):
    """So many bytes of one person are kept in a day."""

    code = "person_quota_reached"
    sentence = _(
        "One person hands in at most %(most)s MB within 24 hours. Nothing was kept; try again later."
    )


class ClubDayQuotaReached(DayQuotaReached):
    """So many bytes of one club are kept in a day."""

    code = "club_day_quota_reached"
    sentence = _(
        "This club keeps at most %(most)s MB of records within 24 hours. Nothing was kept; try again later."
    )


class ClubQuotaReached(QuotaReached):
    """So many bytes of one club are kept in all."""

    code = "club_quota_reached"
    sentence = _(
        "This club keeps %(most)s MB of records, which is as much as it may. Nothing was kept. Ask the people who run this site for more room."
    )


class NotYourSheet(RecordError):
    """A score sheet is kept by the two who play, or by a director."""

    code = "not_your_sheet"
    sentence = _("Only the two players and the directors keep this score sheet.")


class OnABoard(RecordError):
    """A match that is played on the server keeps its own score."""

    code = "on_a_board"
    sentence = _("This match is played online: its score comes from there.")


class OtherGame(RecordError):
    """The sheet is at another game: somebody else has written this one down, or taken one back."""

    code = "other_game"
    sentence = _("Somebody else has changed the sheet: it is now at game %(number)s. Look at it again.")


class NotOffered(RecordError):
    """At this score a game cannot end like that."""

    code = "not_offered"
    sentence = _("Game %(number)s cannot end like that at this score.")


class MatchWon(RecordError):
    """Nothing is written after the last game."""

    code = "match_won"
    sentence = _("The match is over.")


class NothingToUndo(RecordError):
    """The sheet is empty."""

    code = "nothing_to_undo"
    sentence = _("There is no game to take back.")


class NoClock(RecordError):
    """The event has no clock, or one that is not for a table."""

    code = "no_clock"
    sentence = _("This match is played without a clock.")


class ClockMoved(RecordError):
    """The clock stands otherwise than whoever tapped believed."""

    code = "clock_moved"
    sentence = _("The clock has been tapped on another phone meanwhile. It is shown as it is now.")


class FlagFallen(RecordError):
    """A turn ends in time or not at all."""

    code = "flag_fallen"
    sentence = _("The time had run out before this tap.")


class Adjourned(RecordError):
    """Nothing is written on the sheet of a match that is adjourned."""

    code = "adjourned"
    sentence = _("This match is adjourned. Resume it first.")


class NotAdjourned(RecordError):
    """Only a match that is adjourned is resumed."""

    code = "not_adjourned"
    sentence = _("This match is not adjourned.")


class PhotoNotNeeded(RecordError):
    """Photos are kept where somebody has to see them."""

    code = "photo_not_needed"
    sentence = _("Photos are taken of a match that is disputed or adjourned.")


class TooManyPhotos(RecordError):
    """Each side shows a few."""

    code = "too_many_photos"
    sentence = _("There are %(most)s photos from your side already. Delete one first.")


class NotYourPhoto(RecordError):
    """A player deletes what they have sent themselves."""

    code = "not_your_photo"
    sentence = _("Only who has sent a photo, or a director, deletes it.")


class CodeUnreadable(RecordError):
    """The address was cut short, or made elsewhere."""

    code = "code_unreadable"
    sentence = _("This is not a code of ours, or a part of it is missing. Scan it again.")


class NobodyAtTable(RecordError):
    """The code of a table leads to the match there, and there is none."""

    code = "nobody_at_table"
    sentence = _("No match is being played at this table now.")


class MatchDecided(RecordError):
    """Whoever comes with a code when all is over has nothing left to say."""

    code = "match_decided"
    sentence = _("This match is over, and its result stands: %(result)s")


class OtherMatch(RecordError):
    """What was sent is about another match than the code."""

    code = "other_match"
    sentence = _("This code belongs to another match. Scan the code of the match that you play.")


class UnknownShortCode(RecordError):
    """The letters that were typed stand for no code, or not any more."""

    code = "unknown_short_code"
    sentence = _("No match has these letters now. Check them, or scan the QR code beside them.")


class TooManyShortCodes(RecordError):
    """Wrong letters slow a network down. *seconds*: until its next try."""

    code = "too_many_short_codes"
    sentence = _("Too many wrong letters came from this network. Wait for %(seconds)s seconds.")


class OtherEvent(RecordError):
    """The code of a table was printed for another event than the one whose match is played there."""

    code = "other_event"
    sentence = _(
        "This code is for %(event)s, and another event is being played at this table. "
        "Scan a card that was printed for it, or ask the director."
    )


class WhoAreYou(RecordError):
    """Nobody speaks for a match who has not said for whom."""

    code = "who_are_you"
    sentence = _("Say first which player you are.")


class OtherVersion(RecordError):
    """Another device has changed the transcription."""

    code = "other_version"
    sentence = _(
        "This transcription was changed on another device. It is shown as it is now; enter this again."
    )


class LineRefused(RecordError):
    """What was entered cannot be here; *reason* is the referee's code, *said* its sentence; and there are the rule and the nearest legal plays."""

    code = "line_refused"
    sentence = _("These lines cannot be taken.")

    def __str__(self) -> str:
        return str(self.context["said"])


class NotATranscription(RecordError):
    """What was sent cannot be lines of a match."""

    code = "not_a_transcription"
    sentence = _("These lines cannot be taken.")


class TooMuchTyped(RecordError):
    """More than the longest match needs."""

    code = "too_much_typed"
    sentence = _("A transcription has at most %(most)s lines.")


class TooManyTranscriptions(RecordError):
    """So many unfinished ones are a mistake."""

    code = "too_many_transcriptions"
    sentence = _("You have %(most)s unfinished transcriptions. Hand some in, or delete them.")


class NothingTyped(RecordError):
    """There is no line to hand in."""

    code = "nothing_typed"
    sentence = _("Enter the first roll before you hand this in.")


class NothingToTakeBack(RecordError):
    """The last edits are kept, and there is none left."""

    code = "nothing_to_take_back"
    sentence = _("There is nothing to take back.")


class CannotBeParsed(RecordError, LookupError):
    """A record has too few or too many lines for this."""

    code = "cannot_be_parsed"
    sentence = _("This record cannot be opened: it is too long, or there is nothing in it.")


class NothingToMend(RecordError):
    """Only a record that can be read as lines is mended."""

    code = "nothing_to_mend"
    sentence = _("This file cannot be opened as a transcription.")


# Why a single file was not kept (`records.parcels`); the others of the same hand-in were.
REFUSED: Final[Mapping[str, StrPromise]] = {
    "too-large": _("The file is larger than 4 MB, which is more than a match record needs."),
    "nested-archive": _("There is an archive inside the zip. Take the records out and hand them in."),
    "other-archive": _("This is an archive of a kind that is not opened here. Use a zip."),
    "bad-zip": _("The zip cannot be opened. It may be damaged."),
    "locked-zip": _("The zip is locked with a password."),
    "bad-path": _("The name of this file leads out of the zip."),
    "link": _("This is a link and not a file."),
    # Of zips that were handed in when each had a budget of its own.
    "too-much": _("There is more in the zip than is opened here."),
    "empty-zip": _("There is no file in the zip."),
}
