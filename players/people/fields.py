"""Form fields that normalise names, texts and time zones."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from django import forms
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext

from players import names
from players.errors import PlayersError
from players.models import Player

if TYPE_CHECKING:
    PlayerChoice = forms.ModelChoiceField[Player]
else:
    PlayerChoice = forms.ModelChoiceField


# A typed password or code. Some old ones are longer than today's limit.
LONGEST_TYPED: Final = 1_000
# The response of a passkey: two kilobytes, more with attestations.
LONGEST_CREDENTIAL: Final = 20_000
LONGEST_FILE_NAME: Final = 200
DAY_INPUT: Final = forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")


def clean_text(how: Callable[..., str], text: str, *, limit: int) -> str:
    """Normalise a text, or raise a ValidationError with the reason."""
    try:
        return how(text, limit=limit)
    except PlayersError as error:
        raise forms.ValidationError(str(error), code=error.code) from None


class NameField(forms.CharField):
    """A normalised name; see `players.names`."""

    def clean(self, value: Any) -> str:
        return clean_text(names.clean_optional, str(super().clean(value)), limit=self.max_length or 80)


class LongTextField(forms.CharField):
    """Text of several lines. A line break counts as one character, as in the browser, which sends two."""

    def to_python(self, value: Any) -> str:
        return str(super().to_python(value)).replace("\r\n", "\n")


class ProseField(LongTextField):
    widget = forms.Textarea

    def clean(self, value: Any) -> str:
        return clean_text(names.clean_prose, str(super().clean(value)), limit=self.max_length or 2000)


class DefaultChoiceField(forms.ChoiceField):
    """A choice with a default, so pages do not mark it as optional.

    If nothing is sent, the form uses its default.
    """

    has_usual = True

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(required=False, **kwargs)


class TimeZoneField(forms.ChoiceField):
    def __init__(self, *, blank: Any = None, **kwargs: Any) -> None:
        def choices() -> list[tuple[str, Any]]:
            zones = [(name, name.replace("_", " ")) for name in names.list_time_zones()]
            return zones if blank is None else [("", blank), *zones]

        super().__init__(choices=choices, **kwargs)


class PlayerField(PlayerChoice):
    """One of a club's players, distinguishable from others of the same name."""

    def label_from_instance(self, obj: Player) -> str:
        """Return the name with the e-mail address, or for a guest the date they were added."""
        if obj.user is not None:
            return f"{obj.name} ({obj.user.email})"
        day = date_format(timezone.localtime(obj.created_at), "DATE_FORMAT")
        return gettext("%(name)s (guest since %(day)s)") % {"name": obj.name, "day": day}
