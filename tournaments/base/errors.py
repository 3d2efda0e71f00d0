"""Refusals of events: code, sentence, section of the help."""

from __future__ import annotations

from functools import partial

from django.utils.translation import gettext_lazy as _

from runtime.refusals import Refusal


class TournamentError(Refusal):
    """An act that is not possible now; str() is the sentence for users."""

    code = "event_refused"
    anchor = "running#before"


class BadScore(TournamentError):
    code = "bad_score"
    sentence = _("A match to %(length)s ends when one has %(length)s points and the other fewer.")
    anchor = "running#results"
    sentence_of_one_point = _("A match to 1 ends when one has 1 point and the other has none.")
    sentence_of_games = _("A best of %(best_of)s ends when one has won %(length)s games and the other fewer.")

    def __str__(self) -> str:
        if self.context["best_of"]:
            return str(self.sentence_of_games) % self.context
        return str(self.sentence_of_one_point) if self.context["length"] == 1 else super().__str__()


# A refusal that fits into 130 characters is one line.
# fmt: off
NotDirector = TournamentError.define(
    "not_director", _("Only a director of the club may do this."), anchor="directors#directors", status=403
)

refusal = partial(TournamentError.define, anchor="directors#helpers")
# A helper's link is valid for one event, until it expires or is revoked.
NotHelper = refusal("not_helper", _("This helper's link is no longer valid. Ask the director for a new one."))
DirectorDecides = refusal("director_decides", _("The two players disagree on this match: the director decides."))
HelperTaken = refusal("helper_taken", _("This link has been taken up in another browser. Ask the director for a new one."))
TooManyHelpers = refusal("too_many_helpers", _("This event has too many helpers. Take some links back first."))
Rehearsed = TournamentError.define(
    "rehearsed",
    _("This is a rehearsal: only directors can see it, so it has no helpers."),
    anchor="running#rehearsal",
)

NotAMember = TournamentError.define("not_a_member", _("Join the club first, then enter."), anchor="clubs#joining", status=403)

refusal = partial(TournamentError.define, anchor="running#again")
AlreadyDone = refusal("already_done", _("This has been done already."))
ChangedMeanwhile = refusal("changed_meanwhile", _("%(what)s Nothing has been done yet: please look again."))

refusal = partial(TournamentError.define, anchor="running#before")
WrongStatus = refusal("wrong_status", _("The event is now: %(status)s. Look at the page again before you go on."))
# Even two players could not play it.
PlanTooLarge = refusal(
    "plan_too_large",
    _("These stages come to more matches than an event can have. Choose fewer rounds or stages."),
)
TooFewPlaces = refusal("capacity_below_entries", _("%(entered)s players have entered: the limit cannot be lower than that."))
PlayerGone = refusal("player_gone", _("This player can no longer be entered."))
DraftOnly = refusal("draft_only", _("Only a draft can be discarded. An announced event can be cancelled, with a reason."))
HasStages = refusal("has_stages", _("This event is played here: the draw begins it, and the matches decide the places."))
NoStages = refusal("no_stages", _("This event has no format. Choose one before the draw."))
BadPlan = refusal("bad_plan", _("The format cannot be played like this: %(problem)s"))
# The TRF format has no columns for brackets, or for several stages.
NoReport = refusal("no_trf", _("A TRF report exists only for events with a single stage that is paired round by round."))

refusal = partial(TournamentError.define, anchor="night#entering")
EntriesClosed = refusal("entries_closed", _("Entries are closed. Ask the director."))
EventFull = refusal("event_full", _("All %(capacity)s places are taken."))
TooManyPlayers = refusal(
    "too_many_players",
    _(
        "At most %(most)s players can play in this format, and there would be %(players)s. Choose another format, or split the field into groups."
    ),
)
NotEntered = refusal("not_entered", _("%(name)s has not entered this event."))
DoorFull = refusal("door_full", _("Too many people are waiting at the door. Please go to the desk."))
DoorRequestGone = refusal("door_request_gone", _("No one is waiting at the door under this name any more."))

refusal = partial(TournamentError.define, anchor="running#draw")
TooFewEntries = refusal("too_few_entries", _("At least two players must have entered."))
AlreadyDrawn = refusal("already_drawn", _("The draw is published and cannot be made again."))
NotDrawn = refusal("not_drawn", _("Nothing has been drawn yet."))
StageWaits = refusal("stage_waits", _("This stage begins when those before it are over."))
BadLines = refusal("bad_lines", _("A bracket has 2, 4, 8, … lines, and every player in this stage is on exactly one of them."))
ByesMeet = refusal("byes_meet", _("Lines %(line)s and %(next)s are both empty. One of them needs a player."))
# Each pairing is checked against every group.
TooManyApart = refusal("too_many_apart", _("No more than %(most)s groups of players can be kept apart. Release one first."))
TooFewApart = refusal("too_few_apart", _("Choose two players or more."))
NotApart = refusal("not_apart", _("These players are not kept apart."))
NoByesHere = refusal("no_byes_here", _("A bye can be agreed only where each round is paired by itself, as in a Swiss."))
RoundPaired = refusal("round_paired", _("Round %(round)s is paired already: %(name)s has a match or a bye in it."))
NoByeAgreed = refusal("no_bye_agreed", _("No bye was agreed for this round."))
# A lot would decide, and no director has allowed that.
TiesUndecided = refusal(
    "ties_undecided",
    _(
        "Players are tied, and the tie affects who goes on or has a bye. First choose on the desk"
        " how it is decided: by a play-off, by an order of your own, or by lot."
    ),
)
NotLevel = refusal("not_level", _("These are not the players who are level. Reload and try again."))
NotCheckedIn = refusal("not_checked_in", _("Fewer than two players have checked in."))

refusal = partial(TournamentError.define, anchor="running#finish")
UnknownEntrant = refusal("unknown_entrant", _("That player cannot be chosen here. Reload and choose again."))
PlacesMissing = refusal(
    "places_missing",
    _("New entries in the meantime: %(names)s. Add a place, or leave it empty, and save again."),
)
NoWinner = refusal("no_winner", _("One player must have place 1."))
PlacesSkip = refusal(
    "places_skip",
    _("After place %(after)s comes place %(due)s, not %(found)s: shared places count for each player."),
)
NotPlayedHere = refusal("not_played_here", _("This event is not played here, only its final places are recorded. They are with its entries."))
NotFinished = refusal("not_finished", _("Only an event that is over can be archived."))
NotOver = refusal("not_over", _("The event waits for no approval: not everything is played, or its final order counts already."))

refusal = partial(TournamentError.define, anchor="running#corrections")
ReasonNeeded = refusal("reason_needed", _("Please give a reason. It stays with the event."))
ResultStands = refusal("result_stands", _("This match has a result. If it is wrong, correct it."))
NothingToStand = refusal("nothing_to_stand", _("No later result would be lost here. Simply correct this one."))
NotRestorable = refusal("not_restorable", _("This cannot be taken back any more: too much has happened since."))
# An entry about which other packages have rows is not deleted.
EntryInUse = refusal("entry_in_use", _("Payments or lots are recorded for %(name)s. Take them back first."))
NotJustEntered = refusal(
    "not_just_entered",
    _(
        "Without a reason you can take back only a result that you entered in the last 30 seconds, and only while no match that follows has begun. Correct this one on the page of its match, with a reason."
    ),
)

refusal = partial(TournamentError.define, anchor="running#running")
HasBegun = refusal("has_begun", _("The event has begun. Let latecomers in one at a time, and withdraw players who leave."))
UnknownPairing = refusal("unknown_pairing", _("There is no such match in this event."))
NotOpen = refusal("not_open", _("This match is not being played now. Look at the page again before you go on."))
Paused = refusal("event_paused", _("The event is paused."))
NoPlaceFree = refusal(
    "no_place_free",
    _(
        "No place is free for %(name)s in the main draw. Choose another place, a player to "
        "replace, or the waiting list."
    ),
)
PlaceTaken = refusal("place_taken", _("This place is no longer free. Choose one that is."))
HasLeft = refusal("has_left", _("%(name)s has left this event already."))
NoRounds = refusal("no_rounds", _("In this format no round can be added."))
LaterStageBegun = refusal("later_stage_begun", _("A later stage has begun: no round can be added to this one any more."))
NoPlayoffs = refusal(
    "no_playoffs",
    _("How ties are broken can be changed as long as no later stage has begun, and not in a knock-out."),
)
# Only entries that are paired in a round, or sit it out, can be exchanged in it.
NotInRound = refusal("not_in_round", _("Entry %(number)s is not in this round."))
SamePairing = refusal("same_pairing", _("These two play each other, or both sit out: exchanging them would change nothing."))
SameEntryTwice = refusal("same_entry_twice", _("Choose two different players."))

refusal = partial(TournamentError.define, anchor="running#results")
PointsForgotten = refusal(
    "points_forgotten",
    _("This match began at %(begun)s because of lateness. The score includes these points."),
)
BadGames = refusal("bad_games", _("The games do not add up to %(score)s: game %(number)s leads to %(found)s."))
BadGame = refusal("bad_game", _("Game %(number)s cannot be worth %(points)s points."))
NotYourMatch = refusal("not_your_match", _("You do not play in this match."))
DirectorReports = refusal("director_reports", _("In this event the director enters the results."))
NothingReported = refusal("nothing_reported", _("No result of this match has been reported for you to answer."))
NoAccounts = refusal("no_accounts", _("Both players need an account to play on the board."))

refusal = partial(TournamentError.define, anchor="night#report")
ScoreNeeded = refusal("score_needed", _("Enter the score. The winner alone is enough only in events that need no scores."))
OtherHasWon = refusal("other_has_won", _("By this score the other player has won."))

refusal = partial(TournamentError.define, anchor="night#table")
CodeExpired = refusal("code_expired", _("This code has expired. Ask for a new one at the desk, or sign in."), status=410)
SeatsMoved = refusal(
    "code_moved",
    _("This match has changed since the code was made: another player is in it now. Use a new code."),
)
SameDevice = refusal(
    "same_device",
    _(
        "This result was reported from this device. The other player confirms it on another device or signed in, or the director does."
    ),
)
# A code cannot replace a report that the player made elsewhere.
ReportedElsewhere = refusal(
    "reported_elsewhere",
    _("A result was reported for this player from another device. Change it there, or ask the director."),
)

BadPosition = TournamentError.define(
    "bad_position",
    _("This is no position. Copy the XGID of the board, or leave it out."),
    anchor="directors#rulings",
)

refusal = partial(TournamentError.define, anchor="records#sheet")
OtherScore = refusal(
    "other_score",
    _(
        "The position has %(said)s in a match to %(said_length)s, the score sheet %(score)s in a match to "
        "%(length)s. In an XGID the upper player is the first one on the sheet."
    ),
)
PositionElsewhere = refusal(
    "position_elsewhere",
    _("This position is from a match to %(said)s; this match is to %(length)s. Copy the XGID again."),
)

TurnedAway = TournamentError.define("turned_away", _("The desk could not let you in. %(said)s"), anchor="night#check-in")

refusal = partial(TournamentError.define, anchor="running#series")
NoModel = refusal(
    "no_model",
    _(
        "The club has no event on this weekday yet that a series could repeat. Choose an event as the"
        " template."
    ),
)
BadSeries = refusal(
    "bad_series", _("A series is announced 1 to %(most)s days before and needs at least one more evening."), status=400
)
SeriesGone = refusal("series_gone", _("This series has ended in the meantime."))
NoSuchEvening = refusal("no_such_evening", _("The series has no upcoming evening on that day."))
EveningAnnounced = refusal("evening_announced", _("The event on that day is already announced. Cancel it on its own page."))

refusal = partial(TournamentError.define, anchor="night#friendlies")
BadFriendly = refusal("bad_friendly", _("A friendly is played to 1 to %(most)s points, over the board or live on this site."))
CannotPlayFriendly = refusal(
    "cannot_play_friendly",
    _("A friendly is played between two members of the club who both have an account."),
)
TooManyFriendlies = refusal("too_many_friendlies", _("You have %(most)s open proposals already. Withdraw one first."))
NotYourFriendly = refusal("not_your_friendly", _("This friendly is between other players."))
NotYourAnswer = NotYourFriendly.define(
    "not_your_answer",
    _("The player who proposed a friendly can withdraw it, and the other one agrees or declines."),
    anchor=NotYourFriendly.anchor,
)
FriendlyAnswered = refusal("friendly_answered", _("This proposal is not open any more: %(status)s."))
FriendlyExpired = refusal("friendly_expired", _("This proposal is more than a week old. Propose the friendly again."))
FriendlyBegun = refusal("friendly_begun", _("This friendly has begun or is over: it cannot be called off any more."))

refusal = partial(TournamentError.define, anchor="night#appointments")
NotByAppointment = refusal("not_by_appointment", _("Times are proposed only for matches that are played over days."))
BadTimes = refusal("bad_times", _("Propose 1 to %(most)s times, each of them still to come and within a year."))
PastDeadline = refusal(
    "past_deadline",
    _(
        "This match is to be played by %(deadline)s. A later time counts only if the director "
        "waits: confirm that you want it."
    ),
)
NothingProposed = refusal("nothing_proposed", _("This time is not proposed any more. Look at the page again."))
AppointmentBegun = refusal("appointment_begun", _("The agreed time has come. You can propose other times, or ask the director."))
TooEarlyToCome = refusal(
    "too_early_to_come",
    _("You can say that you are at the table from an hour before the agreed time, or on the last day."),
)
