"""Refusals: each has a stable code for programs and a sentence for people."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from runtime.refusals import Refusal
from tournaments.base.errors import TournamentError


class RankingError(Refusal):
    """Something that this list does not allow; str() is the sentence to show."""

    code = "ranking_refused"


class NotKeeper(RankingError):
    """Lists are kept by the club's directors."""

    code = "not_keeper"
    sentence = _("Only a director of the club may do this.")


class NameTaken(RankingError):
    """Two lists of one name could not be told apart; most often it is the same form sent twice."""

    code = "name_taken"
    sentence = _("The club has a list of this name already.")


class NotOperator(RankingError):
    """A list of every club is the operator's to open."""

    code = "not_operator"
    sentence = _("Only an administrator of this site may open a list of all clubs.")


class BadGroup(RankingError):
    """No such club joins that group."""

    code = "bad_group"
    sentence = _(
        "Choose another club. A club is in its own group already, and a rehearsal is rated by nobody."
    )


class AskedAlready(RankingError):
    """The club is in the group, or has not answered yet."""

    code = "asked_already"
    sentence = _("This club is in the group, or has been asked and has not answered yet.")


class NotInGroup(RankingError):
    """Somebody was quicker."""

    code = "not_in_group"
    sentence = _("This club is not in the group, and is not asked to join it any more.")


class BadSystem(RankingError):
    """The system does not take these parameters."""

    code = "bad_system"
    sentence = _("A rating system cannot have these parameters: %(why)s")


class BadPolicy(RankingError):
    """No match could be rated by this policy."""

    code = "bad_policy"
    sentence = _("The shortest rated match cannot be longer than the longest.")


class PolicyUnchanged(RankingError):
    """Each version says something new; most often it is the same form sent twice."""

    code = "policy_unchanged"
    sentence = _("The latest version of the policy says the same. Nothing has changed.")


class PolicyTooEarly(RankingError):
    """What is rated is said before it is played."""

    code = "policy_too_early"
    sentence = _(
        "A new policy applies from now on or later. Matches already played keep the policy they were played under."
    )


class SeasonNameTaken(RankingError):
    """Two seasons of one name could not be told apart."""

    code = "season_name_taken"
    sentence = _("The club has a season of this name already.")


class BadSeason(RankingError):
    """No season can be counted like that."""

    code = "bad_season"
    sentence = _("A season cannot have these rules: %(why)s")


class BadDays(RankingError):
    """A season begins before it ends, and does not last for ever."""

    code = "bad_days"
    sentence = _("A season ends after its first day, and within two years.")


class BadOpenings(RankingError):
    """Some opening ratings cannot be taken; none is (HTTP: 400)."""

    code = "bad_openings"
    sentence = _("No rating was imported: row %(row)s, %(why)s")


class NothingToImport(RankingError):
    """Every row was left out."""

    code = "nothing_to_import"
    sentence = _("No row was chosen, so nothing was imported.")


class NoImport(RankingError):
    """It was saved or undone already."""

    code = "no_import"
    sentence = _("This import has been saved or undone already.")


class BadDivisions(RankingError):
    """No league has such divisions (HTTP: 400)."""

    code = "bad_divisions"
    sentence = _(
        "Give each division a name of its own, and say for at most 64 players how many go up and down."
    )


class DivisionNotEmpty(RankingError):
    """Who plays in a division is not forgotten by taking it away."""

    code = "division_not_empty"
    sentence = _("There are still players in %(name)s. Put them into other divisions first.")


class NoDivision(RankingError):
    """The season has no such division, or the club no such member."""

    code = "no_division"
    sentence = _("Choose a division of this season, and a member of the club.")


class StandingChanged(RankingError):
    """Somebody else was there in the meantime, or a result has come in."""

    code = "standing_changed"
    sentence = _("This has changed while you were looking. Look at it as it is now, and say it again.")


class SeasonClosed(RankingError):
    """Who goes up and down was confirmed: the divisions stay as they were."""

    code = "season_closed"
    sentence = _("Promotion and relegation of this season have been confirmed already.")


class SeasonRuns(RankingError):
    """Nobody goes up before the last day is over."""

    code = "season_runs"
    sentence = _("The season ends on %(day)s. Promotion and relegation are confirmed after that day.")


class NoNextSeason(RankingError):
    """There is no season into which these players could be placed."""

    code = "no_next_season"
    sentence = _(
        "Choose a later season of the club with as many divisions or none, into which no other season leads."
    )


class MoveNeedsReason(RankingError):
    """A director may decide otherwise, and says why."""

    code = "reason_needed"
    sentence = _("Say in a word why %(name)s does not go where the table says.")


class CannotReopen(RankingError):
    """What follows from it was confirmed as well, or nothing was confirmed."""

    code = "cannot_reopen"
    sentence = _(
        "This cannot be taken back: nothing is confirmed here, or the next season is closed as well."
    )


class BadRequirement(RankingError):
    """No player could meet it, or no list says who does (HTTP: 400)."""

    code = "bad_requirement"
    sentence = _(
        "Choose a list that rates this club and a day, and limits that somebody can meet: the lowest rating is not above the highest."
    )


class NoRequirement(RankingError):
    """Nobody is admitted where everybody may play, or without a reason."""

    code = "no_requirement"
    sentence = _("Everybody may play here already, or the reason is missing.")


class NotEligible(TournamentError):
    """By the list of the day this player may not play; a director may admit them."""

    code = "not_eligible"
    sentence = _("You cannot enter: %(why)s %(rule)s A director may admit you.")
