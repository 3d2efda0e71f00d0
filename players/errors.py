"""What the players package refuses, and the sentence each refusal says."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from runtime.refusals import Refusal


class PlayersError(Refusal):
    """Something that accounts and clubs do not allow."""

    sentence = _("That is not possible.")


# Who may


class NotAllowed(PlayersError):
    """The act exists and is seen, but not by right of this person (HTTP: 403)."""

    code = "not_allowed"
    sentence = _("You may not do that.")


# Text


class InvalidText(PlayersError):
    """Text that we will not keep (HTTP: 400)."""

    code = "invalid_text"
    sentence = _("This text cannot be used.")


class EmptyName(InvalidText):
    """Nothing that could be read aloud."""

    code = "empty_name"
    sentence = _("A name needs at least one letter or number.")


class TooLong(InvalidText):
    """Longer than the field, once its characters are written out."""

    code = "too_long"
    sentence = _("Use at most %(limit)s characters.")


class HiddenCharacters(InvalidText):
    """Characters that show nothing or turn the text around."""

    code = "hidden_characters"
    sentence = _("This contains invisible or control characters. Please type it again without them.")


class UnknownTimeZone(InvalidText):
    """Not a place whose time we know."""

    code = "unknown_time_zone"
    sentence = _("We do not know this time zone.")


class OutOfBounds(InvalidText):
    """A number that is too small or too large."""

    code = "out_of_bounds"
    sentence = _("This number is too small or too large.")


# Accounts


class EmailTaken(PlayersError):
    """Another account has this address (HTTP: 409)."""

    code = "email_taken"
    sentence = _("There is already an account with this e-mail address.")


class WelcomeLinkUsed(PlayersError):
    """The welcome link was used, or never was one (HTTP: 404)."""

    code = "welcome_link_used"
    sentence = _("This welcome link has been used. Sign in instead.")


class SoleOwner(PlayersError):
    """Erasing this account would leave a club without an owner (HTTP: 409)."""

    code = "sole_owner"
    sentence = _("You are the only owner of %(clubs)s. Make someone else an owner first.")


# Clubs and members


class AlreadyMember(PlayersError):
    """Nothing to do: the player belongs to the club (HTTP: 409)."""

    code = "already_member"
    sentence = _("You are a member of this club already.")


class NotMember(PlayersError):
    """The player does not belong to the club (HTTP: 409)."""

    code = "not_member"
    sentence = _("This player is not a member of the club.")


class LastOwner(PlayersError):
    """A club is never left without an owner (HTTP: 409)."""

    code = "last_owner"
    sentence = _("A club needs an owner. Make someone else an owner first.")


class NotAGuest(PlayersError):
    """Whoever has an account says what they are called (HTTP: 409)."""

    code = "not_a_guest"
    sentence = _("Players with an account change their name themselves.")


class GuestHasNoRole(PlayersError):
    """A role is for someone who can sign in (HTTP: 409)."""

    code = "guest_has_no_role"
    sentence = _("A guest cannot have a role. Give them a claim link first.")


class ByInvitationOnly(PlayersError):
    """The club does not take in who comes along (HTTP: 403)."""

    code = "by_invitation_only"
    sentence = _("This club takes new members by invitation. Ask a director for a link.")


# Invitations


class InvitationRefused(PlayersError):
    """The link lets nobody in (HTTP: 409)."""

    code = "invitation_refused"
    sentence = _("This invitation cannot be used.")


class InvitationUnknown(InvitationRefused):
    """No such link (HTTP: 404)."""

    code = "invitation_unknown"
    sentence = _("We do not know this invitation. Check that the link is complete.")


class InvitationExpired(InvitationRefused):
    """Its time is over."""

    code = "invitation_expired"
    sentence = _("This invitation has expired. Ask the club for a new link.")


class InvitationSpent(InvitationRefused):
    """It let in as many as it was made for."""

    code = "invitation_spent"
    sentence = _("This invitation has been used up. Ask the club for a new link.")


class InvitationRevoked(InvitationRefused):
    """A director took it back."""

    code = "invitation_revoked"
    sentence = _("This invitation has been withdrawn. Ask the club for a new link.")


# Guests and duplicates


class AlreadyClaimed(PlayersError):
    """Someone took this guest's history over before (HTTP: 409)."""

    code = "already_claimed"
    sentence = _("This guest has been claimed already.")


class AlreadyMerged(PlayersError):
    """The duplicate is gone already (HTTP: 409)."""

    code = "already_merged"
    sentence = _("These players have been merged already.")


class NotMerged(PlayersError):
    """It has been undone (HTTP: 409)."""

    code = "not_merged"
    sentence = _("This merge has been undone already.")


class MergedOn(PlayersError):
    """The later merge took along what the earlier one had moved (HTTP: 409)."""

    code = "merged_on"
    sentence = _("%(name)s was merged with somebody else since. Undo that first.")


class CannotUnmerge(PlayersError):
    """One of the two is gone, or nobody knows any more what was moved (HTTP: 409)."""

    code = "cannot_unmerge"
    sentence = _("This merge cannot be undone.")


class CannotMerge(PlayersError):
    """Not two rows of one person (HTTP: 409)."""

    code = "cannot_merge"
    sentence = _("Choose two different players.")


class HasAccount(CannotMerge):
    """An account is never taken away by a merge (HTTP: 409)."""

    code = "has_account"
    sentence = _("%(name)s has an account, and only a guest can be merged into someone else.")


# Tables in files


class BadSheet(PlayersError):
    """A table in a file that cannot be read (HTTP: 400)."""

    code = "bad_sheet"
    sentence = _("This file cannot be read.")


class SheetTooLarge(BadSheet):
    """More bytes than a list of players has."""

    code = "sheet_too_large"
    sentence = _("The file is larger than %(most)s MB.")


class SheetTooMuchInside(BadSheet):
    """A small file that unpacks to far more, or asks for more memory or time than a list of players does."""

    code = "sheet_too_much_inside"
    sentence = _("The file holds far more than a list of players. Save only the list as a new file.")


class SheetTooLong(BadSheet):
    """More rows than are taken at once."""

    code = "sheet_too_long"
    sentence = _("The list has more than %(most)s rows. Divide it into several files.")


class WrongSheetType(BadSheet):
    """Its name does not say what it is, or it is none of the kinds that are read."""

    code = "wrong_sheet_type"
    sentence = _("Choose a csv, xlsx or ods file, with the ending that says what it is.")


class SheetUnreadable(BadSheet):
    """Broken, or protected by a password."""

    code = "sheet_unreadable"
    sentence = _("The file is damaged or protected. Save it again as csv and try once more.")


class EmptySheet(BadSheet):
    """Nothing in it."""

    code = "empty_sheet"
    sentence = _("There is nothing in the file.")
