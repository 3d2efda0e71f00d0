"""Refusals: each has a stable code for programs and a sentence for people."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from django.utils.translation import gettext_lazy as _

if TYPE_CHECKING:
    from django_stubs_ext import StrPromise


class TournamentError(Exception):
    """An act that this event does not allow now; str() is the sentence to show."""

    code: ClassVar[str] = "event_refused"
    sentence: ClassVar[StrPromise] = _("This is not possible now.")

    def __init__(self, **context: object) -> None:
        super().__init__(self.code)
        self.context = context

    def __str__(self) -> str:
        return str(self.sentence) % self.context


class NotDirector(TournamentError):
    """Only the club's directors may do this."""

    code = "not_director"
    sentence = _("Only a director of the club may do this.")


class NotAMember(TournamentError):
    """Players enter themselves only at their own clubs."""

    code = "not_a_member"
    sentence = _("Join the club first, then enter.")


class AlreadyDone(TournamentError):
    """A repeated request: the event is there already."""

    code = "already_done"
    sentence = _("This has been done already.")


class WrongStatus(TournamentError):
    """The event is elsewhere in its life; somebody may have been faster."""

    code = "wrong_status"
    sentence = _("The event is now: %(status)s. Look at the page again before you go on.")


class EntriesClosed(TournamentError):
    """Players enter and withdraw by themselves only before the start."""

    code = "entries_closed"
    sentence = _("Entries are closed. Ask the director.")


class EventFull(TournamentError):
    """Every place is taken."""

    code = "event_full"
    sentence = _("All %(capacity)s places are taken.")


class TooFewPlaces(TournamentError):
    """The limit cannot fall below those who are in."""

    code = "capacity_below_entries"
    sentence = _("%(entered)s players have entered: the limit cannot be lower than that.")


class TooFewEntries(TournamentError):
    """Nobody can play alone."""

    code = "too_few_entries"
    sentence = _("At least two players must have entered.")


class NotEntered(TournamentError):
    """The player is not in this event."""

    code = "not_entered"
    sentence = _("%(name)s has not entered this event.")


class PlayerGone(TournamentError):
    """The player's row was merged or erased."""

    code = "player_gone"
    sentence = _("This player can no longer be entered.")


class UnknownEntrant(TournamentError):
    """A place for someone who is not in the event."""

    code = "unknown_entrant"
    sentence = _("The result names someone who is not in this event. Look at the list again.")


class PlacesMissing(TournamentError):
    """Every entrant needs a place, or an explicit none."""

    code = "places_missing"
    sentence = _("Somebody has entered meanwhile: %(names)s. Add a place, or leave it empty, and save again.")


class NoWinner(TournamentError):
    """A result begins with a first place."""

    code = "no_winner"
    sentence = _("Somebody must be first.")


class PlacesSkip(TournamentError):
    """Places are counted as in any sport: two thirds, then a fifth."""

    code = "places_skip"
    sentence = _(
        "After place %(after)s comes place %(due)s, not %(found)s: shared places count for each player."
    )


class ReasonNeeded(TournamentError):
    """What undoes something says why."""

    code = "reason_needed"
    sentence = _("Please say why: the reason stays with the event.")


class DraftOnly(TournamentError):
    """Only what nobody was told of can simply vanish."""

    code = "draft_only"
    sentence = _("Only a draft can be thrown away. An announced event is cancelled, with a reason.")
