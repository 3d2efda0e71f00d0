"""The form of an offer, validated for the services."""

from __future__ import annotations

from typing import Any, Final

from django import forms
from django.utils.translation import gettext_lazy as _

from engine.clock import MINUTE, PRESETS, SECOND, DelayMethod
from engine.rules import LONGEST, VARIANTS, DeadCube
from matches.bots import bots
from matches.lobby import opponents
from matches.models.challenges import WantedSide
from matches.play import terms_validation
from matches.state import clock_words, rule_words
from matches.state.errors import BadTerms
from matches.state.terms import LIMIT, Terms
from players.models import Club, Player

ANYONE: Final = "anyone"
NO_CLOCK: Final = "none"
OWN_CLOCK: Final = "own"
MONEY: Final = "0"
OTHER_LENGTH: Final = "other"
LENGTHS: Final = ("1", "3", "5", "7", "9", "11")
USUAL_CLOCKS: Final = ("blitz", "fast", "club", "slow", "correspondence")
# Defaults of the form.
USUAL_LENGTH: Final = "5"
USUAL_CLOCK: Final = "club"
BOOK_CLOCKS: Final = tuple(name for name in PRESETS if name not in USUAL_CLOCKS)

TIMINGS: Final = (
    (DelayMethod.SIMPLE.value, _("Delay before each move")),
    (DelayMethod.BRONSTEIN.value, _("Bronstein delay")),
    (DelayMethod.FISCHER.value, _("Increment (Fischer)")),
    (DelayMethod.PLAIN.value, _("No delay")),
)
DEAD_CUBES: Final = (
    (DeadCube.ALLOWED.value, _("Allowed")),
    (DeadCube.WARNED.value, _("Allowed, after a warning")),
    (DeadCube.REFUSED.value, _("Not allowed")),
)
# Rules of money play only.
OF_MONEY: Final = ("jacoby", "beavers", "automatic_doubles")
# Fields of a service's refusal that have another name in the form.
FIELDS: Final = {"cube": "no_cube", "crawford": "no_crawford"}


def _make_picks_widget() -> forms.RadioSelect:
    return forms.RadioSelect(attrs={"class": "choices--picks"})


def _list_lengths() -> list[tuple[str, Any]]:
    return [*((n, n) for n in LENGTHS), (OTHER_LENGTH, _("Other")), (MONEY, _("Money play"))]


def _list_clocks() -> list[tuple[str, str]]:
    """Return the clock choices, those of rule books after the usual ones."""
    presets = [(name, clock_words.get_preset_name(name)) for name in (*USUAL_CLOCKS, *BOOK_CLOCKS)]
    return [
        (NO_CLOCK, clock_words.describe_clock(None, limit=LIMIT)),
        *presets,
        (OWN_CLOCK, str(_("Own clock"))),
    ]


class OfferForm(forms.Form):
    opponent = forms.CharField(label=_("Opponent"), max_length=80)
    length = forms.ChoiceField(
        label=_("Points"), choices=_list_lengths, initial=USUAL_LENGTH, widget=_make_picks_widget()
    )
    other_length = forms.IntegerField(
        label=_("Another length"), min_value=1, max_value=LONGEST, required=False
    )
    clock = forms.ChoiceField(
        label=_("Clock"), choices=_list_clocks, initial=USUAL_CLOCK, widget=_make_picks_widget()
    )
    timing = forms.ChoiceField(
        label=_("Kind"),
        choices=TIMINGS,
        initial=DelayMethod.SIMPLE.value,
        required=False,
        widget=forms.Select,
    )
    reserve = forms.DecimalField(
        label=_("Minutes for the match"),
        min_value=0,
        initial=10,
        required=False,
        max_digits=8,
        decimal_places=2,
    )
    delay = forms.IntegerField(
        label=_("Seconds a move"),
        min_value=0,
        max_value=terms_validation.LONGEST_DELAY // SECOND,
        initial=12,
        required=False,
    )
    jacoby = forms.BooleanField(
        label=_("Jacoby rule"), help_text=_("Gammons count only after a double."), required=False
    )
    beavers = forms.BooleanField(
        label=_("Beavers"),
        help_text=_("A player who is doubled may redouble at once and keep the cube."),
        required=False,
    )
    automatic_doubles = forms.IntegerField(
        label=_("Automatic doubles, at most"),
        help_text=_("A tie on the opening roll doubles the stake."),
        min_value=0,
        max_value=terms_validation.MOST_AUTOMATIC,
        initial=0,
        required=False,
    )
    variant = forms.ChoiceField(
        label=_("Game"),
        choices=[(name, rule_words.VARIANTS[name]) for name in VARIANTS],
        initial="backgammon",
        required=False,
        widget=_make_picks_widget(),
    )
    no_cube = forms.BooleanField(label=_("Without the doubling cube"), required=False)
    no_crawford = forms.BooleanField(label=_("Without the Crawford rule"), required=False)
    dead_cube = forms.ChoiceField(
        label=_("A dead double"),
        choices=DEAD_CUBES,
        initial=DeadCube.ALLOWED.value,
        required=False,
    )
    side = forms.ChoiceField(
        label=_("Your side"),
        choices=WantedSide,
        initial=WantedSide.RANDOM.value,
        required=False,
        widget=_make_picks_widget(),
    )
    club = forms.ModelChoiceField(
        label=_("On behalf of a club"),
        help_text=_("Its directors may make rulings, and only its members may take an open seat."),
        queryset=Club.objects.none(),
        to_field_name="slug",
        required=False,
        empty_label=_("No club"),
    )
    is_private = forms.BooleanField(label=_("No spectators"), required=False)
    no_chat = forms.BooleanField(label=_("No chat"), required=False)

    def __init__(self, *args: Any, player: Player, **options: Any) -> None:
        super().__init__(*args, **options)
        self.player = player
        self.bot_keys = {bot.player.key for bot in bots.list_available()}
        self.made: Terms | None = None
        clubs: forms.ModelChoiceField[Club] = self.fields["club"]  # type: ignore[assignment]
        clubs.queryset = Club.objects.filter(memberships__player=player).order_by("folded_name", "pk")

    @property
    def opponent_key(self) -> str:
        return str(self["opponent"].value() or ANYONE)

    @property
    def usual_clocks(self) -> str:
        """The clocks that are always shown, as a template slice."""
        return f":{1 + len(USUAL_CLOCKS)}"

    @property
    def other_clocks(self) -> str:
        """The clocks in the collapsed part, as a template slice."""
        return f"{1 + len(USUAL_CLOCKS)}:"

    @property
    def has_other_clock(self) -> bool:
        return self["clock"].value() in {*BOOK_CLOCKS, OWN_CLOCK}

    @property
    def has_more(self) -> bool:
        """True if the collapsed part has a value or an error."""
        folded = ("variant", "no_cube", "no_crawford", "dead_cube", "side", "club", "is_private", "no_chat")
        return any(
            self[name].errors or (self[name].value() or "") not in {"", False, self.fields[name].initial}
            for name in folded
        )

    def clean_opponent(self) -> Player | None:
        key = self.cleaned_data["opponent"]
        if key == ANYONE:
            return None
        people = Player.objects.select_related("user")
        found = people.filter(key=key).filter(pk__in=opponents.list_challengeable(self.player)).first()
        if found is None and key in self.bot_keys:
            found = people.get(key=key)
        if found is None:
            raise forms.ValidationError(_("This player cannot be challenged."))
        return found

    def clean(self) -> dict[str, Any]:
        """Build the terms, or add errors to the fields."""
        cleaned = super().clean() or self.cleaned_data
        if self.errors:
            return cleaned
        if cleaned["length"] == OTHER_LENGTH and not cleaned["other_length"]:
            self.add_error("other_length", _("How many points?"))
        elif cleaned["clock"] == OWN_CLOCK and cleaned["reserve"] is None:
            self.add_error("reserve", _("How many minutes?"))
        else:
            try:
                self.made = self._build_terms()
            except BadTerms as error:
                self.refuse(error)
        return cleaned

    def refuse(self, error: BadTerms) -> None:
        fields = error.context.get("fields") or {"": str(error)}
        for name, sentence in fields.items():
            place = self._get_field_name(FIELDS.get(name, name))
            self.add_error(place if place in self.fields else None, sentence)

    def _get_field_name(self, name: str) -> str:
        cleaned = self.cleaned_data
        if name == "clock" and cleaned.get("clock") == OWN_CLOCK:
            return "reserve"
        return "other_length" if name == "length" and cleaned.get("length") == OTHER_LENGTH else name

    def _build_terms(self) -> Terms:
        cleaned = self.cleaned_data
        length = cleaned["other_length"] if cleaned["length"] == OTHER_LENGTH else int(cleaned["length"])
        money: dict[str, Any] = {name: cleaned[name] or 0 for name in OF_MONEY} if length == 0 else {}
        return terms_validation.read_terms(
            length=length,
            variant=cleaned["variant"] or "backgammon",
            cube=not cleaned["no_cube"],
            crawford=not cleaned["no_crawford"],
            dead_cube=cleaned["dead_cube"] or DeadCube.ALLOWED.value,
            clock=self._read_clock(),
            has_chat=not cleaned["no_chat"],
            **money,
        )

    def _read_clock(self) -> str | terms_validation.OwnClock | None:
        cleaned = self.cleaned_data
        if cleaned["clock"] == NO_CLOCK:
            return None
        if cleaned["clock"] != OWN_CLOCK:
            return str(cleaned["clock"])
        timing = cleaned["timing"] or DelayMethod.SIMPLE.value
        delay = 0 if timing == DelayMethod.PLAIN else cleaned["delay"] or 0
        return terms_validation.OwnClock(timing, int(cleaned["reserve"] * MINUTE), delay * SECOND)
