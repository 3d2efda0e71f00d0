"""Refusals of rating lists and seasons, with code, sentence and help section."""

from __future__ import annotations

from functools import partial

from django.utils.translation import gettext_lazy as _

from players.models import Club, User
from runtime.refusals import Refusal
from tournaments.base.errors import TournamentError


class RankingError(Refusal):
    """A refused request to a rating list or season; str() is the sentence for the user."""

    code = "ranking_refused"
    anchor = "ratings#lists"


# A refusal that fits into 130 characters is one line.
# fmt: off
NotKeeper = RankingError.define(
    "not_keeper", _("Only a director of the club may do this."), anchor="directors#directors", status=403
)

refusal = partial(RankingError.define, anchor="ratings#lists")
NameTaken = refusal("name_taken", _("The club has a list of this name already."))
BadSystem = refusal("bad_system", _("A rating system cannot have these parameters: %(why)s"), status=400)
BadPolicy = refusal("bad_policy", _("The shortest rated match cannot be longer than the longest."), status=400)
PolicyUnchanged = refusal("policy_unchanged", _("The latest version of the policy says the same. Nothing has changed."))
PolicyChanged = refusal(
    "policy_changed",
    _("The policy has a newer version since you opened this form. Compare it with what you chose, then save again."),
)
PolicyTooEarly = refusal(
    "policy_too_early",
    _(
        "A new policy applies from now on or later. Matches already played keep the policy they were played under."
    ),
)
SeasonNameTaken = refusal("season_name_taken", _("The club has a season of this name already."))
BadSeason = refusal("bad_season", _("A season cannot have these rules: %(why)s"), status=400)
BadDays = refusal("bad_days", _("A season ends after its first day, and within two years."), status=400)

refusal = partial(RankingError.define, anchor="ratings#groups")
NotOperator = refusal("not_operator", _("Only an administrator of this site may open a list of all clubs."), status=403)
BadGroup = refusal("bad_group", _("Choose another club. A club is already in its own group, and a rehearsal is never rated."))
AskedAlready = refusal("asked_already", _("This club is already in the group, or has not answered its invitation yet."))
NotInGroup = refusal("not_in_group", _("This club is not in the group and has no open invitation."))
GroupChanged = refusal("group_changed", _("The club has joined or left the group since you opened the page."))

refusal = partial(RankingError.define, anchor="ratings#files")
# One bad row rejects the whole file.
BadOpenings = refusal("bad_openings", _("No rating was imported: row %(row)s, %(why)s"), status=400)
NothingToImport = refusal("nothing_to_import", _("No row was chosen, so nothing was imported."))
NoImport = refusal("no_import", _("This import has been saved or undone already."))

refusal = partial(RankingError.define, anchor="ratings#divisions")
BadDivisions = refusal(
    "bad_divisions", _("Give each division a different name. At most %(most)s players can go up, and at most %(most)s down."), status=400
)
DivisionNotEmpty = refusal("division_not_empty", _("There are still players in %(name)s. Put them into other divisions first."))
NoDivision = refusal("no_division", _("Choose a division of this season, and a member of the club."))
StandingChanged = refusal("standing_changed", _("This has changed in the meantime. Look at it again, then decide."))
SeasonClosed = refusal("season_closed", _("Promotion and relegation of this season have been confirmed already."))
SeasonRuns = refusal("season_runs", _("The season ends on %(day)s. Promotion and relegation are confirmed after that day."))
NoNextSeason = refusal(
    "no_next_season",
    _("Choose a later season of the club with as many divisions or none, into which no other season leads."),
)
CannotReopen = refusal(
    "cannot_reopen",
    _("This cannot be taken back: nothing is confirmed here, or the next season is closed as well."),
)

MoveNeedsReason = RankingError.define(
    "reason_needed",
    _("Give a short reason why %(name)s does not go where the table says."),
    anchor="running#corrections",
)

refusal = partial(RankingError.define, anchor="ratings#eligibility")
BadRequirement = refusal(
    "bad_requirement",
    _(
        "Choose a list that rates this club, a day, and limits that a player can meet: the lowest"
        " rating is not above the highest."
    ),
    status=400,
)
NoRequirement = refusal("no_requirement", _("Everybody may play here already, or the reason is missing."))

NotEligible = TournamentError.define(
    "not_eligible",
    _("You cannot enter: %(why)s %(rule)s A director may admit you."),
    anchor="ratings#eligibility",
)


def require_keeper(club: Club, by: User) -> None:
    """Require that the user is a director of the club that keeps a list or a season.

    :raises NotKeeper: they are not.
    """
    if not by.has_perm("tournaments.direct", club):
        raise NotKeeper
