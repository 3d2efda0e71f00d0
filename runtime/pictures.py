"""Pictures that people bring along. What is kept is never their bytes, but the picture painted anew; what is none is refused."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext_lazy as _

from runtime.refusals import Refusal
from runtime.work import children

if TYPE_CHECKING:
    from collections.abc import Collection

MOST_BYTES: Final = 10_000_000
CHILD: Final = Path(__file__).with_name("picture_child.py")
TOO_LARGE, TOO_COMPLEX = 3, 4
LIMITS: Final = children.Limits(memory=280 << 20)


class Kind(StrEnum):
    """What a picture is kept as."""

    # Drawings, with what is transparent in them.
    PNG = "png"
    # Photographs.
    JPEG = "jpeg"


class BadPicture(Refusal):
    """A file that is not taken as a picture; str() is the sentence to show."""

    code = "bad-picture"
    sentence = _("This is no picture that can be read. Use a PNG, JPEG or WebP file.")
    anchor = "clubs#logo"


class PictureTooLarge(BadPicture):
    """It has too many bytes or pixels (`picture_child.MOST_PIXELS`). *most*: so many megabytes are taken."""

    code = "picture-too-large"
    sentence = _(
        "This picture is too large. Use one of at most %(most)s MB, with 50 million pixels as a JPEG and 15 million otherwise."
    )

    def __init__(self) -> None:
        super().__init__(most=MOST_BYTES // 1_000_000)


class PictureTooComplex(BadPicture):
    """It is animated, has more parts than a photo has, or takes too long to decode."""

    code = "picture-too-complex"
    sentence = _(
        "This picture takes too much work to decode, or is animated. Save it again as a plain JPEG or PNG file."
    )


def painted_anew(data: bytes, *, kind: Kind, side: int, payers: Collection[str] = ()) -> bytes:
    """Return a picture upright, at most *side* pixels wide and high, and with nothing but what is seen.

    :raises BadPicture: it is none, too large, or too much work.
    :raises FileInProgress: one of the payers, or enough others, have a file read at this moment.
    """
    if len(data) > MOST_BYTES:
        raise PictureTooLarge
    try:
        painted = children.run(CHILD, kind.value, str(side), data=data, limits=LIMITS, payers=payers)
    except children.OutOfLimits as error:
        raise PictureTooComplex from error
    except children.ChildFailed as error:
        refusals = {TOO_LARGE: PictureTooLarge, TOO_COMPLEX: PictureTooComplex}
        raise refusals.get(error.status, BadPicture) from error
    if not painted:
        raise BadPicture
    return painted
