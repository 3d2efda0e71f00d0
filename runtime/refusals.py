"""Base class of expected errors with a message for the user."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, ClassVar, Final, Protocol, Self, TypeVar, cast

from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

if TYPE_CHECKING:
    from django_stubs_ext import StrPromise

Found = TypeVar("Found")
# The help section that explains a refusal, as "page#section", by the refusal's code.
ANCHORS: Final[dict[str, str]] = {}


class HasCode(Protocol):
    """An exception with a machine-readable code."""

    @property
    def code(self) -> str: ...


class Refusal(Exception):
    """An expected error with a message for the user.

    `code` is stable and machine-readable; `str()` is a translated sentence, formatted with the context.
    `status` is that of HTTP; `anchor` is the help section that explains it, as "page#section".
    """

    code: ClassVar[str] = "refused"
    status: ClassVar[int] = 409
    sentence: ClassVar[StrPromise] = _("This is not possible now.")
    anchor: ClassVar[str] = ""

    def __init_subclass__(cls) -> None:
        if cls.anchor:
            ANCHORS[cls.code] = cls.anchor

    def __init__(self, **context: object) -> None:
        super().__init__(self.code)
        self.context = context

    def __str__(self) -> str:
        return str(self.sentence) % self.context

    @classmethod
    def raise_if_none(cls, found: Found | None, **context: object) -> Found:
        """Return *found*, or raise this refusal if it is None."""
        if found is None:
            raise cls(**context)
        return found

    @classmethod
    def define(cls, code: str, sentence: StrPromise, *, anchor: str, status: int | None = None) -> type[Self]:
        """Create a subclass, named after its code: `no_bye_agreed` is `NoByeAgreed`."""
        name = "".join(word.capitalize() for word in re.split("[-_]", code))
        values = {"code": code, "sentence": sentence, "anchor": anchor, "status": status or cls.status}
        return cast("type[Self]", type(name, (cls,), {"__module__": cls.__module__, **values}))


def build_form_error(refusal: HasCode) -> ValidationError:
    """Convert a refusal to a form's ValidationError with the same code."""
    return ValidationError(str(refusal), code=refusal.code)
