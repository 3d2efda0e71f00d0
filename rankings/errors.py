"""Refusals: each has a stable code for programs and a sentence for people."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from runtime.refusals import Refusal


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


class BadSystem(RankingError):
    """The system does not take these parameters."""

    code = "bad_system"
    sentence = _("A rating system cannot have these parameters: %(why)s")


class BadPolicy(RankingError):
    """No match could be rated by this policy."""

    code = "bad_policy"
    sentence = _("The shortest rated match cannot be longer than the longest.")


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
