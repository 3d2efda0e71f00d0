"""Refusals of accounts, clubs and files, with code, sentence and help section."""

from __future__ import annotations

from functools import partial

from django.utils.translation import gettext_lazy as _

from runtime.refusals import Refusal


class PlayersError(Refusal):
    """Base of the refusals of accounts, clubs and files."""

    sentence = _("That is not possible.")


# A refusal that fits into 130 characters is one line.
# fmt: off
# The caller may know that the act exists: 403, not 404.
NotAllowed = PlayersError.define("not_allowed", _("You may not do that."), anchor="directors#directors", status=403)

InvalidText = PlayersError.define("invalid_text", _("This text cannot be used."), anchor="clubs#names", status=400)

refusal = partial(InvalidText.define, anchor="clubs#names")
EmptyName = refusal("empty_name", _("A name needs at least one letter or number."))
TooLong = refusal("too_long", _("Use at most %(limit)s characters."))
HiddenCharacters = refusal(
    "hidden_characters",
    _("This contains invisible or control characters. Please type it again without them."),
)
UnknownTimeZone = refusal("unknown_time_zone", _("We do not know this time zone."))
OutOfBounds = refusal("out_of_bounds", _("This number is too small or too large."))

refusal = partial(PlayersError.define, anchor="clubs#account")
EmailTaken = refusal("email_taken", _("There is already an account with this e-mail address."))
WelcomeLinkUsed = refusal("welcome_link_used", _("This welcome link has been used. Sign in instead."), status=404)

refusal = partial(PlayersError.define, anchor="clubs#roles")
SoleOwner = refusal("sole_owner", _("You are the only owner of %(clubs)s. Make someone else an owner first."))
LastOwner = refusal("last_owner", _("A club needs an owner. Make someone else an owner first."))

refusal = partial(PlayersError.define, anchor="clubs#joining")
AlreadyMember = refusal("already_member", _("You are a member of this club already."))
NotMember = refusal("not_member", _("This player is not a member of the club."))
ByInvitationOnly = refusal(
    "by_invitation_only", _("This club takes new members by invitation. Ask a director for a link."), status=403
)
InvitationRefused = refusal("invitation_refused", _("This invitation cannot be used."))

refusal = partial(PlayersError.define, anchor="clubs#guests")
NotAGuest = refusal("not_a_guest", _("Players with an account change their name themselves."))
GuestHasNoRole = refusal("guest_has_no_role", _("A guest cannot have a role. Give them a claim link first."))
AlreadyClaimed = refusal("already_claimed", _("This guest has been claimed already."))

refusal = partial(InvitationRefused.define, anchor="clubs#joining")
InvitationUnknown = refusal(
    "invitation_unknown", _("We do not know this invitation. Check that the link is complete."), status=404
)
InvitationExpired = refusal("invitation_expired", _("This invitation has expired. Ask the club for a new link."))
InvitationSpent = refusal("invitation_spent", _("This invitation has been used up. Ask the club for a new link."))
InvitationRevoked = refusal("invitation_revoked", _("This invitation has been withdrawn. Ask the club for a new link."))

refusal = partial(PlayersError.define, anchor="clubs#merging")
AlreadyMerged = refusal("already_merged", _("These players have been merged already."))
NotMerged = refusal("not_merged", _("This merge has been undone already."))
# The later merge has also moved what the earlier one had moved.
MergedOn = refusal("merged_on", _("%(name)s has been merged with another player since. Undo that first."))
# One of the two is erased, or the merge has no record of what was moved.
CannotUnmerge = refusal("cannot_unmerge", _("This merge cannot be undone."))
CannotMerge = refusal("cannot_merge", _("Choose two different players."))

HasAccount = CannotMerge.define(
    "has_account",
    _("%(name)s has an account, and only a guest can be merged into someone else."),
    anchor="clubs#merging",
)

PlayedEachOther = CannotMerge.define(
    "played_each_other",
    _("%(one)s and %(other)s have played a match against each other."),
    anchor="clubs#merging",
)

BothInUse = CannotMerge.define(
    "both_in_use",
    _(
        "Both have entered %(event)s, and payments or lots are recorded for both. First take them back for one of"
        " the two."
    ),
    anchor="clubs#merging",
)

refusal = partial(PlayersError.define, anchor="clubs#programs")
TooManyTokens = refusal("too_many_tokens", _("You have %(most)s tokens already. Revoke one that you no longer use."))
BadAddress = refusal(
    "bad_address",
    _("This address cannot be called. It must begin with https:// and be on the public internet."),
)
TooManyWebhooks = refusal("too_many_webhooks", _("The club has %(most)s webhooks already. Remove one that is not used."))

BadSheet = PlayersError.define("bad_sheet", _("This file cannot be read."), anchor="ratings#files", status=400)

refusal = partial(BadSheet.define, anchor="ratings#files")
SheetTooLarge = refusal("sheet_too_large", _("The file is larger than %(most)s MB."))
# A small file that unpacks to far more, or needs too much memory or time.
SheetTooMuchInside = refusal(
    "sheet_too_much_inside",
    _("The file holds far more than a list of players. Save only the list as a new file."),
)
SheetTooLong = refusal("sheet_too_long", _("The list has more than %(most)s rows. Divide it into several files."))
WrongSheetType = refusal("wrong_sheet_type", _("Choose a csv, xlsx or ods file, with the ending that says what it is."))
SheetUnreadable = refusal("sheet_unreadable", _("The file is damaged or protected. Save it again as csv and try once more."))
EmptySheet = refusal("empty_sheet", _("There is nothing in the file."))
