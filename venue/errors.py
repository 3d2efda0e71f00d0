"""Refusals: each has a stable code for programs and a sentence for people."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from runtime.refusals import Refusal


class VenueError(Refusal):
    """Something that a room does not allow; str() is the sentence to show."""

    code = "venue_refused"


class RoomNameTaken(VenueError):
    """Two rooms of one name could not be told apart; most often it is the same form sent twice."""

    code = "room_name_taken"
    sentence = _("The club has a room of this name already.")


class TableLabelTaken(VenueError):
    """Nobody would know which of two tables is meant."""

    code = "table_label_taken"
    sentence = _("The room has a table %(label)s already.")


class BadTables(VenueError):
    """The tables cannot be made of what was written."""

    code = "bad_tables"
    sentence = _("Write tables as numbers or short names, such as: 1-8, bar. %(label)s is neither.")


class TooManyTables(VenueError):
    """More than any room holds: most likely a slip of the pen."""

    code = "too_many_tables"
    sentence = _("A room has %(most)s tables at most.")


class TableBroken(VenueError):
    """Nobody plays at a broken table."""

    code = "table_broken"
    sentence = _("Table %(label)s is broken.")


class TableTaken(VenueError):
    """One match a table."""

    code = "table_taken"
    sentence = _("Another match is at table %(label)s.")


class TableInUse(VenueError):
    """A match is at the table that was to be removed."""

    code = "table_in_use"
    sentence = _("A match is at table %(label)s. Move it first.")


class PlayerBusy(VenueError):
    """Nobody plays in two places, whichever events the matches belong to."""

    code = "player_busy"
    sentence = _("%(name)s is at table %(label)s.")


class UnknownLetters(VenueError):
    """No screen shows these letters, or not any more."""

    code = "unknown_letters"
    sentence = _("No screen shows these letters now. Read them again.")


class TooManyTries(VenueError):
    """Letters are tried as slowly as codes."""

    code = "too_many_tries"
    sentence = _("Too many tries. Wait for %(seconds)s seconds.")


class BadProgramme(VenueError):
    """What a screen was told to show cannot be shown."""

    code = "bad_programme"
    sentence = _("A screen shows at least one thing, each page for 5 to 120 seconds.")


class ScreenNameTaken(VenueError):
    """Two screens of one name could not be told apart."""

    code = "screen_name_taken"
    sentence = _("The club has a screen of this name already.")


class BadDelay(VenueError):
    """No stream is kept for longer than this."""

    code = "bad_delay"
    sentence = _("The delay is 0 to %(most)s seconds.")


class NotAtTable(VenueError):
    """Somebody else was faster, or the match is over."""

    code = "not_at_table"
    sentence = _("The match is no longer at this table.")


class NothingToCall(VenueError):
    """No table is free, or nobody waits who could play."""

    code = "nothing_to_call"
    sentence = _("There is nothing to call: no table is free, or nobody waits who could play.")


class NotForStream(VenueError):
    """It is at a table, over, or played elsewhere."""

    code = "not_for_stream"
    sentence = _("Only a match that is still to be called in this room can be wanted on stream.")


class StreamFull(VenueError):
    """More than a night can show."""

    code = "stream_full"
    sentence = _("At most %(most)s matches can be wanted on stream.")


class OtherClub(VenueError):
    """A club's events are played in its own rooms."""

    code = "other_club"
    sentence = _("The room belongs to another club.")


class PushNotOffered(VenueError):
    """Browsers take messages for a page that is closed under HTTPS alone."""

    code = "push_not_offered"
    sentence = _("Calls reach a closed page only where the site has HTTPS.")


class BadSubscription(VenueError):
    """Not what a browser of today gives, or an address that we do not call."""

    code = "bad_subscription"
    sentence = _(
        "This browser's address for messages cannot be used. Switch it on again, or use another browser."
    )


class NothingToRehearse(VenueError):
    """Without a format and two players there is nothing to play."""

    code = "nothing_to_rehearse"
    sentence = _("An event that is not played here, or that is over, cannot be rehearsed.")


class TooFewToRehearse(VenueError):
    """Without two players there is nothing to play."""

    code = "too_few_to_rehearse"
    sentence = _("A rehearsal needs at least two players: say up to how many are to be made up.")


class BadBreak(VenueError):
    """A break that ends before it begins, or most likely a slip of the pen."""

    code = "bad_break"
    sentence = _("A break ends after it begins, and is %(most)s hours long at most.")


class BreaksOverlap(VenueError):
    """Nobody would know when the play goes on."""

    code = "breaks_overlap"
    sentence = _("There is a break at that time already: %(span)s.")


class TooManyBreaks(VenueError):
    """More than any event has."""

    code = "too_many_breaks"
    sentence = _("An event has %(most)s breaks at most.")
