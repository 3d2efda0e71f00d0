"""Refusals of rooms and tables, with code, message and help section."""

from __future__ import annotations

from functools import partial

from django.utils.translation import gettext_lazy as _

from runtime.refusals import Refusal


class VenueError(Refusal):
    """A refused act on a room or table; str() is the sentence for the user."""

    code = "venue_refused"
    anchor = "running#tables"


# A refusal that fits into 130 characters is one line.
# fmt: off
refusal = partial(VenueError.define, anchor="running#tables")
RoomNameTaken = refusal("room_name_taken", _("The club has a room of this name already."))
TableLabelTaken = refusal("table_label_taken", _("The room has a table %(label)s already."))
BadTables = refusal(
    "bad_tables", _("Write tables as numbers or short names, such as: 1-8, bar. %(label)s is neither."), status=400
)
TooManyTables = refusal("too_many_tables", _("A room has %(most)s tables at most."))
TableBroken = refusal("table_broken", _("Table %(label)s is broken."))
TableTaken = refusal("table_taken", _("Another match is at table %(label)s."))
TableInUse = refusal("table_in_use", _("A match is at table %(label)s. Move it first."))
PlayerBusy = refusal("player_busy", _("%(name)s is at table %(label)s."))
NotAtTable = refusal("not_at_table", _("The match is no longer at this table."))
NothingToCall = refusal("nothing_to_call", _("There is nothing to call: no table is free, or no match is ready to be played."))
# The match is at a table, over, or played elsewhere.
NotForStream = refusal("not_for_stream", _("Only a match that has not been called in this room yet can be queued for the stream."))
StreamFull = refusal("stream_full", _("At most %(most)s matches can be queued for the stream."))
OtherClub = refusal("other_club", _("The room belongs to another club."))

refusal = partial(VenueError.define, anchor="directors#screens")
UnknownLetters = refusal("unknown_letters", _("No screen shows these letters now. Read them again."), status=404)
TooManyTries = refusal("too_many_tries", _("Too many tries. Wait for %(seconds)s seconds."), status=429)
BadProgramme = refusal("bad_programme", _("Choose at least one page, each shown for %(least)s to %(most)s seconds."), status=400)
ScreenNameTaken = refusal("screen_name_taken", _("The club has a screen of this name already."))
BadDelay = refusal("bad_delay", _("The delay is 0 to %(most)s seconds."))

refusal = partial(VenueError.define, anchor="night#calls")
# Browsers accept push messages only over HTTPS.
PushNotOffered = refusal("push_not_offered", _("Notifications while the page is closed need HTTPS."))
# Not a browser subscription, or an address that we do not call.
BadSubscription = refusal(
    "bad_subscription",
    _("This browser's push address cannot be used. Switch notifications on again, or use another browser."),
)

refusal = partial(VenueError.define, anchor="running#rehearsal")
NothingToRehearse = refusal("nothing_to_rehearse", _("An event that is not played here, or that is over, cannot be rehearsed."))
TooFewToRehearse = refusal(
    "too_few_to_rehearse",
    _("A rehearsal needs at least two players. Enter a larger number, and made-up players fill the places."),
)

refusal = partial(VenueError.define, anchor="running#breaks")
BadBreak = refusal("bad_break", _("A break ends after it begins, and is %(most)s hours long at most."))
BreaksOverlap = refusal("breaks_overlap", _("There is a break at that time already: %(span)s."))
TooManyBreaks = refusal("too_many_breaks", _("An event has %(most)s breaks at most."))
