"""What people fill in. A form shapes and checks; a service decides."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms
from django.conf import settings
from django.contrib.auth.password_validation import validate_password
from django.utils.translation import gettext_lazy as _

from players.fields import LONGEST_TYPED, NameField, PlayerField, ProseField, TimeZoneField
from players.models import Club, Felt, Joining, NameStyle, Player, Role, ShownAs, Theme, User
from players.models.clubs import LONGEST_TEXT
from players.selectors import members
from players.services.invitations import MOST_DAYS, MOST_USES

if TYPE_CHECKING:
    from django.http import HttpRequest


def guess_zone(form: forms.Form) -> None:
    """Let the page choose its visitor's own time zone, as long as nobody has chosen one."""
    if not form.is_bound and form.get_initial_for_field(form.fields["time_zone"], "time_zone") == "UTC":
        form.fields["time_zone"].widget.attrs["data-guess-zone"] = True


# Accounts


class SignupForm(forms.Form):
    """What a new account is asked besides the e-mail address and the password."""

    name = NameField(
        label=_("Your name"),
        max_length=80,
        help_text=_("As it should appear in draws and standings. You can choose an alias later."),
        widget=forms.TextInput(attrs={"autocomplete": "name"}),
    )
    field_order = ("name", "email", "password1")

    def signup(self, request: HttpRequest, user: User) -> None:
        """Do nothing more: the account adapter has made the player."""


class WelcomeForm(forms.Form):
    """The first person in: their account."""

    name = NameField(
        label=_("Your name"), max_length=80, widget=forms.TextInput(attrs={"autocomplete": "name"})
    )
    email = forms.EmailField(
        label=_("E-mail address"), widget=forms.EmailInput(attrs={"autocomplete": "email"})
    )
    password = forms.CharField(
        label=_("Password"),
        strip=False,
        max_length=128,
        help_text=_("At least 10 characters; several words are easy to remember and hard to guess."),
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
    )

    def clean(self) -> dict[str, Any]:
        """Check the password against what is known of its owner."""
        cleaned = super().clean() or self.cleaned_data
        if password := cleaned.get("password"):
            try:
                validate_password(password, User(email=cleaned.get("email", "")))
            except forms.ValidationError as error:
                self.add_error("password", error)
        return cleaned


class ProfileForm(forms.Form):
    """What a person is called and how we speak to them."""

    name = NameField(
        label=_("Name"),
        max_length=80,
        widget=forms.TextInput(attrs={"autocomplete": "name"}),
    )
    alias = NameField(label=_("Alias"), max_length=40, required=False)
    shown_as = forms.ChoiceField(
        label=_("Shown as"),
        choices=ShownAs.choices,
        widget=forms.RadioSelect,
        help_text=_("What everyone sees in draws and standings. Your directors see your name as well."),
    )
    language = forms.ChoiceField(
        label=_("Language"),
        required=False,
        choices=[("", _("Same as my browser")), *settings.LANGUAGES],
    )
    time_zone = TimeZoneField(label=_("Time zone"), required=False, blank=_("Same as my club"))

    def clean(self) -> dict[str, Any]:
        """An alias can only be shown if there is one."""
        cleaned = super().clean() or self.cleaned_data
        if cleaned.get("shown_as") == ShownAs.ALIAS and "alias" in cleaned and not cleaned["alias"]:
            self.add_error("alias", _("Choose an alias, or be shown by your name."))
        return cleaned


class AppearanceForm(forms.Form):
    """How the place looks; the footer sends the theme alone."""

    theme = forms.ChoiceField(label=_("Theme"), choices=Theme.choices, widget=forms.RadioSelect)
    high_contrast = forms.BooleanField(
        label=_("High contrast"),
        required=False,
        help_text=_("Stronger lines and darker text."),
    )


class PrivacyForm(forms.Form):
    """Who may find a person, and whether we may write to them."""

    hidden_from_search = forms.BooleanField(
        label=_("Hide me from searches"),
        required=False,
        help_text=_(
            "Only the directors of your clubs can find you. You still appear in draws and standings."
        ),
    )
    mails_notices = forms.BooleanField(
        label=_("Send me notices by e-mail"),
        required=False,
        help_text=_("Only those you have not read here within ten minutes."),
    )


class EraseForm(forms.Form):
    """The last question before an account is gone: the password, or for passkeys the address typed out."""

    def __init__(self, *args: Any, user: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.user = user
        if user.has_usable_password():
            self.fields["password"] = forms.CharField(
                label=_("Your password"),
                strip=False,
                max_length=LONGEST_TYPED,
                widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
            )
        else:
            self.fields["typed"] = forms.CharField(
                label=_("Type your e-mail address to confirm"),
                max_length=254,
                widget=forms.TextInput(attrs={"autocomplete": "off"}),
            )

    def clean_password(self) -> str:
        """Refuse a wrong password."""
        password = str(self.cleaned_data["password"])
        if not self.user.check_password(password):
            raise forms.ValidationError(_("This is not your password."), code="wrong_password")
        return password

    def clean_typed(self) -> str:
        """Refuse anything but the account's own address."""
        typed = str(self.cleaned_data["typed"]).strip().lower()
        if typed != self.user.email:
            raise forms.ValidationError(_("This is not your e-mail address."), code="not_confirmed")
        return typed


# Clubs


class ClubForm(forms.Form):
    """What a club says about itself."""

    name = NameField(label=_("Name"), max_length=80)
    city = NameField(label=_("Town"), max_length=80, required=False)
    country = NameField(label=_("Country"), max_length=60, required=False)
    about = ProseField(
        label=_("About"),
        max_length=2000,
        required=False,
        widget=forms.Textarea(attrs={"rows": 5}),
        help_text=_("When and where you play, and who is welcome. Markdown may be used."),
    )
    time_zone = TimeZoneField(label=_("Time zone"), initial="UTC")
    joining = forms.ChoiceField(
        label=_("Joining"), choices=Joining.choices, initial=Joining.OPEN, widget=forms.RadioSelect
    )
    felt = forms.ChoiceField(
        label=_("Colour"),
        choices=Felt.choices,
        initial=Felt.GREEN,
        required=False,
        widget=forms.RadioSelect,
        help_text=_("Of the felt on the club's pages and those of its events."),
    )
    language = forms.ChoiceField(
        label=_("Language"),
        choices=[("", _("That of this site")), *settings.LANGUAGES],
        required=False,
        help_text=_("For visitors whose browser asks for a language that this site does not speak."),
    )


class ClubSettingsForm(ClubForm):
    """What a club says about itself, and how it runs its events."""

    approves_orders = forms.BooleanField(
        label=_("A final order counts only when a director has approved it"),
        required=False,
        help_text=_(
            "Ratings, prizes, champions and the news that an event is finished wait for that. "
            "Holds for events that begin from now on."
        ),
    )

    name_style = forms.ChoiceField(
        label=_("Names in events"),
        choices=NameStyle.choices,
        required=False,
        help_text=_(
            "On the pages, screens and papers of the club's events. Two who would be called the same are "
            "called by their whole names; an alias stays as it is."
        ),
    )

    shows_evidence = forms.BooleanField(
        label=_("Directors may see how often players find the engine's play"),
        required=False,
        help_text=_(
            "Of matches played on this site in your club, beside what others of about the same rating find. "
            "It is evidence for a talk, and never a verdict; nobody else sees it."
        ),
    )


class FirstClubForm(forms.Form):
    """What is asked of a club at first; the rest is in its settings."""

    name = NameField(
        label=_("Name of your club"), max_length=80, widget=forms.TextInput(attrs={"autocomplete": "off"})
    )
    city = NameField(label=_("Town"), max_length=80, required=False)
    time_zone = TimeZoneField(
        label=_("Time zone of your club"), initial="UTC", help_text=_("Its events start in this time zone.")
    )
    language = forms.ChoiceField(
        label=_("Language of your club"),
        choices=settings.LANGUAGES,
        help_text=_("Everybody can choose another for themselves."),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        guess_zone(self)


class ClubTextsForm(forms.Form):
    """The texts of a club, in Markdown."""

    house_rules = ProseField(
        label=_("House rules"),
        max_length=LONGEST_TEXT,
        required=False,
        widget=forms.Textarea(attrs={"rows": 10}),
        help_text=_("How you play, what an evening costs, what to do when somebody is late. In Markdown."),
    )
    terms = ProseField(
        label=_("Terms of use"),
        max_length=LONGEST_TEXT,
        required=False,
        widget=forms.Textarea(attrs={"rows": 6}),
        help_text=_("Leave it empty, and the usual terms hold."),
    )
    privacy = ProseField(
        label=_("Privacy notice"),
        max_length=LONGEST_TEXT,
        required=False,
        widget=forms.Textarea(attrs={"rows": 6}),
        help_text=_("Leave it empty, and the usual notice holds. Name whoever is responsible for the data."),
    )


class GuestForm(forms.Form):
    """Someone without an account, by name."""

    name = NameField(
        label=_("Name of the guest"), max_length=80, widget=forms.TextInput(attrs={"autocomplete": "off"})
    )


class RoleForm(forms.Form):
    """Another role for a member."""

    role = forms.ChoiceField(label=_("Role"), choices=Role.choices)


class InvitationForm(forms.Form):
    """A link into the club."""

    role = forms.ChoiceField(label=_("They join as"), choices=Role.choices, initial=Role.MEMBER)
    guest = forms.ModelChoiceField(
        label=_("Hand over a guest's history"),
        queryset=Player.objects.none(),
        required=False,
        to_field_name="key",
        empty_label=_("No guest"),
        help_text=_("The person who accepts the link takes over this guest's matches and results."),
    )
    uses = forms.IntegerField(label=_("For how many people"), min_value=1, max_value=MOST_USES, initial=1)
    days = forms.IntegerField(label=_("Days it is valid"), min_value=1, max_value=MOST_DAYS, initial=14)
    note = NameField(
        label=_("Note to yourself"),
        max_length=80,
        required=False,
        help_text=_("Where you will put it, such as “poster at the door”."),
    )

    def __init__(self, *args: Any, club: Club, gives_roles: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        guests = self.fields["guest"]
        if isinstance(guests, forms.ModelChoiceField):
            guests.queryset = members.guests_of(club)
        if not gives_roles:
            del self.fields["role"]

    def clean(self) -> dict[str, Any]:
        """A guest is one person, so the link is for one."""
        cleaned = super().clean() or self.cleaned_data
        if cleaned.get("guest") is not None and cleaned.get("uses", 1) != 1:
            self.add_error("uses", _("A guest can be handed over to one person only."))
        return cleaned


class MergeForm(forms.Form):
    """Which guest is really which other member."""

    dropped = PlayerField(label=_("This guest …"), queryset=Player.objects.none(), to_field_name="key")
    kept = PlayerField(
        label=_("… is the same person as"), queryset=Player.objects.none(), to_field_name="key"
    )

    def __init__(self, *args: Any, club: Club, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name, choices in (("dropped", members.guests_of(club)), ("kept", members.players_of(club))):
            field = self.fields[name]
            if isinstance(field, forms.ModelChoiceField):
                field.queryset = choices

    def clean(self) -> dict[str, Any]:
        """Two rows are needed to make one of them."""
        cleaned = super().clean() or self.cleaned_data
        if cleaned.get("kept") is not None and cleaned.get("kept") == cleaned.get("dropped"):
            self.add_error("kept", _("Choose two different players."))
        return cleaned
