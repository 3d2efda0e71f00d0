"""Pictures that people bring along. What is kept is never their bytes, but the picture painted anew; what is none is refused."""

from __future__ import annotations

import subprocess
import sys
import threading
from enum import StrEnum
from pathlib import Path
from typing import Final

from django.utils.translation import gettext_lazy as _

from runtime.refusals import Refusal

MOST_BYTES: Final = 10_000_000
CHILD: Final = Path(__file__).with_name("picture_child.py")
NO_PICTURE, TOO_LARGE = 2, 3
# The child ends itself before that.
SECONDS: Final = 20
# One after the other: many that are sent at once take the memory of one.
_turn: Final = threading.Lock()


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


class PictureTooLarge(BadPicture):
    """It has too many bytes or pixels (`picture_child.MOST_PIXELS`). *most*: so many megabytes are taken."""

    code = "picture-too-large"
    sentence = _(
        "This picture is too large. Use one of at most %(most)s MB, with 50 million pixels as a JPEG and 15 million otherwise."
    )

    def __init__(self) -> None:
        super().__init__(most=MOST_BYTES // 1_000_000)


def painted_anew(data: bytes, *, kind: Kind, side: int) -> bytes:
    """Return a picture upright, at most *side* pixels wide and high, and with nothing but what is seen.

    :raises BadPicture: it is none, or too large.
    """
    if len(data) > MOST_BYTES:
        raise PictureTooLarge
    command = [sys.executable, "-I", str(CHILD), kind.value, str(side)]
    try:
        with _turn:
            # The same Python, a file of ours and two words of ours.
            done = subprocess.run(  # noqa: S603
                command, input=data, capture_output=True, timeout=SECONDS, check=False
            )
    except subprocess.TimeoutExpired as error:
        raise BadPicture from error
    if done.returncode == TOO_LARGE:
        raise PictureTooLarge
    if done.returncode != 0 or not done.stdout:
        raise BadPicture
    return done.stdout
