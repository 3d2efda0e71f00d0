"""What a package refuses to do: the one shape of all refusals."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Protocol

from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

if TYPE_CHECKING:
    from django_stubs_ext import StrPromise


class HasCode(Protocol):
    """A refusal with a code for programs."""

    @property
    def code(self) -> str: ...


class Refusal(Exception):
    """A refusal that the person who gets it can understand.

    `code` is stable and for programs; `str()` is a sentence in the reader's language, filled in from the context.
    """

    code: ClassVar[str] = "refused"
    sentence: ClassVar[StrPromise] = _("This is not possible now.")

    def __init__(self, **context: object) -> None:
        super().__init__(self.code)
        self.context = context

    def __str__(self) -> str:
        return str(self.sentence) % self.context


def for_form(refusal: HasCode) -> ValidationError:
    """Return a refusal as forms show their own, with the code by which help explains it."""
    return ValidationError(str(refusal), code=refusal.code)
