"""Refusals: each has a stable code for programs and a sentence for people."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from runtime.refusals import Refusal


class TournamentError(Refusal):
    """An act that this event does not allow now; str() is the sentence to show."""

    code = "event_refused"


class NotDirector(TournamentError):
    """Only the club's directors may do this."""

    code = "not_director"
    sentence = _("Only a director of the club may do this.")


class NotHelper(TournamentError):
    """A helper's link is good for one event, until it ends or is taken back."""

    code = "not_helper"
    sentence = _("This helper's link is not good any more. Ask the director for a new one.")


class DirectorDecides(TournamentError):
    """What two players do not agree on, a helper does not settle."""

    code = "director_decides"
    sentence = _("The two players disagree on this match: the director decides.")


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


class TooManyPlayers(TournamentError):
    """What a format can be worked out for has a limit, whatever the capacity."""

    code = "too_many_players"
    sentence = _(
        "At most %(most)s players can play in this format, and there would be %(players)s. "
        "Choose another format, or split the field into groups."
    )


class PlanTooLarge(TournamentError):
    """So many matches are in a plan that even two players could not play it."""

    code = "plan_too_large"
    sentence = _("These stages come to more matches than an event can have. Choose fewer rounds or stages.")


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
    """The player is not in the event or the match, or cannot be chosen for this act."""

    code = "unknown_entrant"
    sentence = _("That player cannot be chosen here. Reload and choose again.")


class PlacesMissing(TournamentError):
    """Every entrant needs a place, or an explicit none."""

    code = "places_missing"
    sentence = _(
        "Somebody has entered in the meantime: %(names)s. Add a place, or leave it empty, and save again."
    )


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


class HasStages(TournamentError):
    """Played here: its course makes its places."""

    code = "has_stages"
    sentence = _("This event is played here: the draw begins it, and the matches decide the places.")


class HasBegun(TournamentError):
    """The draw is made of those who are in it."""

    code = "has_begun"
    sentence = _("The event has begun. Let latecomers in one at a time, and withdraw players who leave.")


class NoStages(TournamentError):
    """Only announced here: there is nothing to draw."""

    code = "no_stages"
    sentence = _("This event has no format. Choose one before the draw.")


class BadPlan(TournamentError):
    """The format does not work as it was set up."""

    code = "bad_plan"
    sentence = _("The format cannot be played like this: %(problem)s")


class AlreadyDrawn(TournamentError):
    """What the draw was made of is fixed."""

    code = "already_drawn"
    sentence = _("The draw is published and cannot be made again.")


class NotDrawn(TournamentError):
    """There is no draw yet."""

    code = "not_drawn"
    sentence = _("Nothing has been drawn yet.")


class StageWaits(TournamentError):
    """The stages before must be over."""

    code = "stage_waits"
    sentence = _("This stage begins when those before it are over.")


class BadLines(TournamentError):
    """The lines are no draw."""

    code = "bad_lines"
    sentence = _("A bracket has 2, 4, 8, … lines, and every player in this stage is on exactly one of them.")


class ByesMeet(TournamentError):
    """Somebody has to play in each first match."""

    code = "byes_meet"
    sentence = _("Lines %(line)s and %(next)s are both empty. One of them needs a player.")


class UnknownPairing(TournamentError):
    """There is no such match."""

    code = "unknown_pairing"
    sentence = _("There is no such match in this event.")


class NotOpen(TournamentError):
    """Nobody can play this match now."""

    code = "not_open"
    sentence = _("This match is not being played now. Look at the page again before you go on.")


class ResultStands(TournamentError):
    """A result is changed by a correction, which shows what follows."""

    code = "result_stands"
    sentence = _("This match has a result. If it is wrong, correct it.")


class BadScore(TournamentError):
    """No match ends like that."""

    code = "bad_score"
    sentence = _("A match to %(length)s ends when one has %(length)s points and the other fewer.")
    sentence_of_games = _("A best of %(best_of)s ends when one has won %(length)s games and the other fewer.")

    def __init__(self, *, length: int, best_of: int) -> None:
        super().__init__(length=length, best_of=best_of)

    def __str__(self) -> str:
        return str(self.sentence_of_games) % self.context if self.context["best_of"] else super().__str__()


class PointsForgotten(TournamentError):
    """Points for lateness are part of the score."""

    code = "points_forgotten"
    sentence = _("This match began at %(begun)s because of lateness. The score includes these points.")


class BadGames(TournamentError):
    """The games do not lead to the score."""

    code = "bad_games"
    sentence = _("The games do not add up to %(score)s: game %(number)s leads to %(found)s.")


class BadGame(TournamentError):
    """No game ends like that."""

    code = "bad_game"
    sentence = _("Game %(number)s cannot be worth %(points)s points.")


class NotYourMatch(TournamentError):
    """Players speak for their own matches."""

    code = "not_your_match"
    sentence = _("This is somebody else's match.")


class DirectorReports(TournamentError):
    """In this event the director enters the results."""

    code = "director_reports"
    sentence = _("In this event the director enters the results.")


class TooManyApart(TournamentError):
    """Each pairing is held against every group of those who are kept apart."""

    code = "too_many_apart"
    sentence = _("No more than %(most)s groups of players can be kept apart. Release one first.")


class TooFewApart(TournamentError):
    """Nobody is kept apart from nobody."""

    code = "too_few_apart"
    sentence = _("Choose two players or more.")


class NotApart(TournamentError):
    """What is not there cannot be released."""

    code = "not_apart"
    sentence = _("These players are not kept apart.")


class NoByeAgreed(TournamentError):
    """What was not agreed cannot be taken back."""

    code = "no_bye_agreed"
    sentence = _("No bye was agreed for this round.")


class NothingReported(TournamentError):
    """There is no report to answer."""

    code = "nothing_reported"
    sentence = _("No result of this match has been reported for you to answer.")


class Paused(TournamentError):
    """The event stands still."""

    code = "event_paused"
    sentence = _("The event is paused.")


class NoPlaceFree(TournamentError):
    """Nobody is let in to a place that is not there."""

    code = "no_place_free"
    sentence = _(
        "No place is free for %(name)s in the main draw. Choose another one, somebody whose place they take, "
        "or the waiting list."
    )


class PlaceTaken(TournamentError):
    """The place that was chosen is not free."""

    code = "place_taken"
    sentence = _("This place is not free. Look again at which places are.")


class NothingToStand(TournamentError):
    """A correction that drops nothing needs nothing to be left standing."""

    code = "nothing_to_stand"
    sentence = _("No later result would be lost here. Simply correct this one.")


class HasLeft(TournamentError):
    """Who has left cannot leave again."""

    code = "has_left"
    sentence = _("%(name)s has left this event already.")


class BadPosition(TournamentError):
    """What they are to play on from is no position."""

    code = "bad_position"
    sentence = _("This is no position. Copy the XGID of the board, or leave it out.")


class OtherScore(TournamentError):
    """A position belongs to a match at another score."""

    code = "other_score"
    sentence = _(
        "The position stands at %(said)s to %(said_length)s, the sheet at %(score)s to %(length)s. "
        "In an XGID the upper player is the one whom the sheet names first."
    )


class PositionElsewhere(TournamentError):
    """A position belongs to a match of the same length."""

    code = "position_elsewhere"
    sentence = _(
        "This position is of a match to %(said)s; here they play to %(length)s. Copy the XGID again."
    )


class NotRestorable(TournamentError):
    """This act cannot be taken back, or not any more."""

    code = "not_restorable"
    sentence = _("This cannot be taken back any more: too much has happened since.")


class NotJustEntered(TournamentError):
    """Only a slip is taken back without a reason: one's own, of this half minute, on which nothing rests."""

    code = "not_just_entered"
    sentence = _(
        "Without a reason you can take back only a result that you entered in the last 30 seconds, and only while no"
        " match that follows has begun. Correct this one on the page of its match, with a reason."
    )


class NoRounds(TournamentError):
    """This format has no rounds that could be added."""

    code = "no_rounds"
    sentence = _("In this format no round can be added.")


class NoPlayoffs(TournamentError):
    """Nobody can be made to play off here: another format, or a later stage has begun."""

    code = "no_playoffs"
    sentence = _(
        "How ties are broken can be changed as long as no later stage has begun, and not in a knock-out."
    )


class TiesUndecided(TournamentError):
    """A lot would decide who is in the stage or has a bye in it, and no director has allowed that."""

    code = "ties_undecided"
    sentence = _(
        "Players are level, and who goes on or has a bye depends on it. First say on the desk how that is decided: by a"
        " play-off, by an order of your own, or by lot."
    )


class NotLevel(TournamentError):
    """An order can be set only for all players of a tie together."""

    code = "not_level"
    sentence = _("These are not the players who are level. Reload and try again.")


class NotFinished(TournamentError):
    """Only what is over can be put away."""

    code = "not_finished"
    sentence = _("Only an event that is over can be archived.")


class NoReport(TournamentError):
    """The columns of a TRF report cannot hold it."""

    code = "no_trf"
    sentence = _("A TRF report exists only for events with a single stage that is paired round by round.")


class NotCheckedIn(TournamentError):
    """Who has not checked in is not drawn."""

    code = "not_checked_in"
    sentence = _("Fewer than two players have checked in.")


class NoAccounts(TournamentError):
    """A live board needs two accounts."""

    code = "no_accounts"
    sentence = _("Both players need an account to play on the board.")


class NotInRound(TournamentError):
    """Only those who are paired in a round, or sit it out, can be exchanged in it."""

    code = "not_in_round"
    sentence = _("Entry %(number)s is not in this round.")


class SamePairing(TournamentError):
    """An exchange that would change nothing."""

    code = "same_pairing"
    sentence = _("These two play each other, or both sit out: exchanging them would change nothing.")


class SameEntryTwice(TournamentError):
    """An exchange takes two."""

    code = "same_entry_twice"
    sentence = _("Choose two different players.")


class DoorFull(TournamentError):
    """More have asked at the door than stand at one."""

    code = "door_full"
    sentence = _("Too many people are waiting at the door. Please go to the desk.")


class TurnedAway(TournamentError):
    """The desk has looked, and there is no place."""

    code = "turned_away"
    sentence = _("The desk could not let you in. %(said)s")


class DoorRequestGone(TournamentError):
    """Whoever asked at the door is not known any more."""

    code = "door_request_gone"
    sentence = _("Nobody waits at the door under this name any more.")


class ChangedMeanwhile(TournamentError):
    """What is answered is not what was seen: somebody was faster."""

    code = "changed_meanwhile"
    sentence = _("%(what)s Nothing has been done yet: please look again.")


class NotOver(TournamentError):
    """There is no final order to approve yet."""

    code = "not_over"
    sentence = _(
        "The event waits for no approval: not everything is played, or its final order counts already."
    )


class NoModel(TournamentError):
    """A series has nothing that its events could be like."""

    code = "no_model"
    sentence = _(
        "The club has no event on this weekday yet that a series could repeat. Choose an event as the model."
    )


class BadSeries(TournamentError):
    """No evening would follow from this."""

    code = "bad_series"
    sentence = _("A series is announced 1 to %(most)s days before, and has an evening still to come.")


class SeriesGone(TournamentError):
    """Somebody has ended the series meanwhile."""

    code = "series_gone"
    sentence = _("This series has been ended meanwhile.")


class NoSuchEvening(TournamentError):
    """The series has no evening on that day, or it is over."""

    code = "no_such_evening"
    sentence = _("The series has no evening to come on that day.")


class EveningAnnounced(TournamentError):
    """The event of that day is there: it has a life of its own."""

    code = "evening_announced"
    sentence = _("The event of that day is announced already. Cancel it on its own page.")


class BadFriendly(TournamentError):
    """Nobody plays like that."""

    code = "bad_friendly"
    sentence = _("A friendly is played to 1 to 25 points, over the board or live on this site.")


class CannotPlayFriendly(TournamentError):
    """A friendly is between two members."""

    code = "cannot_play_friendly"
    sentence = _("A friendly is played between two members of the club who both have an account.")


class TooManyFriendlies(TournamentError):
    """Proposals wait for their answers."""

    code = "too_many_friendlies"
    sentence = _("You have %(most)s open proposals already. Withdraw one first.")


class NotYourFriendly(TournamentError):
    """It is between others."""

    code = "not_your_friendly"
    sentence = _("This friendly is between other players.")


class FriendlyAnswered(TournamentError):
    """Somebody was faster."""

    code = "friendly_answered"
    sentence = _("This proposal is not open any more: %(status)s.")


class FriendlyExpired(TournamentError):
    """A proposal stands for a week."""

    code = "friendly_expired"
    sentence = _("This proposal is more than a week old. Propose the friendly again.")


class FriendlyBegun(TournamentError):
    """What is played is not called off."""

    code = "friendly_begun"
    sentence = _("This friendly has begun or is over: it cannot be called off any more.")


class NotByAppointment(TournamentError):
    """The match is played at once, or has no deadline of days."""

    code = "not_by_appointment"
    sentence = _("Times are proposed only for matches that are played over days.")


class BadTimes(TournamentError):
    """None, too many, or not in the time to come."""

    code = "bad_times"
    sentence = _("Propose one to %(most)s times, each of them still to come and within a year.")


class PastDeadline(TournamentError):
    """The director may have ruled by then."""

    code = "past_deadline"
    sentence = _(
        "This match is to be played by %(deadline)s. A time after that counts only if the director waits: say that you mean it."
    )


class NothingProposed(TournamentError):
    """What is answered is not there, or not any more."""

    code = "nothing_proposed"
    sentence = _("This time is not proposed any more. Look at the page again.")


class AppointmentBegun(TournamentError):
    """A time that has come is not called off."""

    code = "appointment_begun"
    sentence = _("The agreed time has come. You can propose other times, or ask the director.")


class TooEarlyToCome(TournamentError):
    """Nobody is waited for days before the match."""

    code = "too_early_to_come"
    sentence = _(
        "You can say that you are at the table from an hour before the agreed time, or on the last day."
    )
