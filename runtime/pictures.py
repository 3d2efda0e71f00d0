"""Uploaded images. They are re-encoded, never stored as uploaded; other files are rejected."""

from __future__ import annotations

from collections.abc import Collection
from enum import StrEnum
from pathlib import Path
from typing import Final

from django.utils.translation import gettext_lazy as _

from runtime.refusals import Refusal
from runtime.work import child_processes

MOST_BYTES: Final = 10_000_000
CHILD: Final = Path(__file__).with_name("picture_child.py")
TOO_LARGE, TOO_COMPLEX = 3, 4
LIMITS: Final = child_processes.Limits(memory=280 << 20)


class Kind(StrEnum):
    """The format in which an image is stored."""

    # Drawings, with transparency.
    PNG = "png"
    # Photographs.
    JPEG = "jpeg"


class BadPicture(Refusal):
    """The file is not a usable image; str() is the message for the user."""

    code = "bad-picture"
    status = 400
    sentence = _("This picture cannot be read. Use a PNG, JPEG or WebP file.")
    anchor = "clubs#logo"


class PictureTooLarge(BadPicture):
    """Too many bytes or pixels (`picture_child.MOST_PIXELS`). *most*: the limit in megabytes."""

    code = "picture-too-large"
    status = 413
    sentence = _(
        "This picture is too large. Use one of at most %(most)s MB, and at most 50 million pixels as a JPEG "
        "or 15 million otherwise."
    )

    def __init__(self) -> None:
        super().__init__(most=MOST_BYTES // 1_000_000)


class PictureTooComplex(BadPicture):
    """Animated, too many segments, or too slow to decode."""

    code = "picture-too-complex"
    status = 413
    sentence = _(
        "This picture takes too much work to decode, or is animated. Save it again as a plain JPEG or PNG file."
    )


def reencode_image(data: bytes, *, kind: Kind, side: int, payers: Collection[str] = ()) -> bytes:
    """Re-encode an image upright, at most *side* pixels wide and high, without metadata.

    :raises BadPicture: it is not an image, or is too large or too complex.
    :raises FileInProgress: a file of one of the payers, or the maximum of other files, is being parsed.
    """
    if len(data) > MOST_BYTES:
        raise PictureTooLarge
    try:
        painted = child_processes.run(CHILD, kind.value, str(side), data=data, limits=LIMITS, payers=payers)
    except child_processes.OutOfLimits as error:
        raise PictureTooComplex from error
    except child_processes.ChildFailed as error:
        refusals = {TOO_LARGE: PictureTooLarge, TOO_COMPLEX: PictureTooComplex}
        raise refusals.get(error.status, BadPicture) from error
    if not painted:
        raise BadPicture
    return painted
