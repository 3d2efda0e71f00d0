"""What a package refuses to do: the one shape of all refusals."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, ClassVar, Final, Protocol, cast

from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

if TYPE_CHECKING:
    from typing import Self

    from django_stubs_ext import StrPromise

# The section of help that explains a refusal, as "page#section", by the code of the refusal.
ANCHORS: Final[dict[str, str]] = {}


class HasCode(Protocol):
    """A refusal with a code for programs."""

    @property
    def code(self) -> str: ...


class Refusal(Exception):
    """A refusal that the person who gets it can understand.

    `code` is stable and for programs; `str()` is a sentence in the reader's language, filled in from the context.
    `anchor` is the section of help that explains it, as "page#section".
    """

    code: ClassVar[str] = "refused"
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
    def define(cls, code: str, sentence: StrPromise, *, anchor: str) -> type[Self]:
        """Create a refusal of this kind, named in logs by its code: `no_bye_agreed` is `NoByeAgreed`."""
        name = "".join(word.capitalize() for word in re.split("[-_]", code))
        values = {"__module__": cls.__module__, "code": code, "sentence": sentence, "anchor": anchor}
        return cast("type[Self]", type(name, (cls,), values))


def for_form(refusal: HasCode) -> ValidationError:
    """Return a refusal as forms show their own, with the code by which help explains it."""
    return ValidationError(str(refusal), code=refusal.code)
