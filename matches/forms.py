"""What people choose when they want to play, made fit for the services."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from django import forms
from django.utils.translation import gettext_lazy as _

from engine.rules import LONGEST
from matches import clock_words
from matches.models import Bot
from matches.models.challenges import WantedSide
from matches.services import agreed, bots
from players.models import Membership, Player

if TYPE_CHECKING:
    from matches.terms import Terms

MOST_LISTED: Final = 300
ANYONE: Final = "anyone"
NO_CLOCK: Final = "none"
# What a form offers by a click; whoever wants another clock sets an own one.
OFFERED_CLOCKS: Final = ("blitz", "fast", "club", "slow", "correspondence")


def clock_choices() -> list[tuple[str, str]]:
    """Return the clocks that are offered by a click, in words."""
    return [
        (NO_CLOCK, clock_words.said(None)),
        *((name, clock_words.name_of(name)) for name in OFFERED_CLOCKS),
    ]


class OfferForm(forms.Form):
    """Whom to play, how long, and by which clock."""

    opponent = forms.ChoiceField(label=_("Opponent"), initial=ANYONE)
    length = forms.IntegerField(label=_("Points"), min_value=1, max_value=LONGEST, initial=5)
    clock = forms.ChoiceField(label=_("Clock"), choices=clock_choices, initial="club")
    side = forms.ChoiceField(label=_("Your side"), choices=WantedSide, initial=WantedSide.RANDOM.value)
    is_rated = forms.BooleanField(label=_("Rated"), required=False)
    is_private = forms.BooleanField(label=_("Without spectators"), required=False)

    def __init__(self, *args: Any, player: Player, **options: Any) -> None:
        super().__init__(*args, **options)
        house = [(bot.player.key, bot.player.public_name) for bot in bots.available()]
        members = [(each.key, each.public_name) for each in _others(player)]
        choices: list[Any] = [(ANYONE, _("Whoever comes: an open seat")), (_("Practice"), house)]
        if members:
            choices.append((_("Members of your clubs"), members))
        self.fields["opponent"].choices = choices  # type: ignore[attr-defined]

    def terms(self) -> Terms:
        """Return what was chosen.

        :raises BadTerms: it does not go together.
        """
        told = self.cleaned_data
        clock = None if told["clock"] == NO_CLOCK else told["clock"]
        is_bot = Bot.objects.filter(player__key=told["opponent"]).exists()
        return agreed.terms_from(length=told["length"], clock=clock, has_chat=not is_bot)

    def chosen(self) -> Player | None:
        """Return who was chosen, None for an open seat."""
        key = self.cleaned_data["opponent"]
        return Player.objects.select_related("user").get(key=key) if key != ANYONE else None


def _others(player: Player) -> list[Player]:
    """Return the people with accounts in the player's clubs, by name."""
    clubs = Membership.objects.filter(player=player).values("club")
    found = Player.objects.filter(memberships__club__in=clubs, user__is_active=True).exclude(pk=player.pk)
    return list(found.distinct().order_by("name", "pk")[:MOST_LISTED])
