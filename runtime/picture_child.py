"""Decodes a picture in a process of its own, whose memory and time are bounded: `picture_child.py png|jpeg SIDE < file > file`.

What comes out was painted anew from the pixels: turned upright, no larger than SIDE, without anything that was not seen.
It imports nothing of ours. It ends with 2 where there is no picture of a known kind, with 3 where it is too large.
"""

import sys
from io import BytesIO

from PIL import Image, ImageOps

MEMORY = 768 * 1024 * 1024
SECONDS = 10
KINDS = ("PNG", "JPEG", "WEBP")
# Of a camera, and no more.
MOST_PIXELS = 50_000_000
NO_PICTURE, TOO_LARGE = 2, 3


def bound() -> None:
    """Take no more memory and time than any honest picture needs."""
    try:
        import resource
    except ImportError:
        # Windows: the parent still ends it after some seconds.
        return
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))


def main() -> int:
    """Write the picture anew."""
    kind, side = sys.argv[1], int(sys.argv[2])
    data = sys.stdin.buffer.read()
    bound()
    # We look at the size ourselves, before a pixel is decoded.
    Image.MAX_IMAGE_PIXELS = None
    try:
        with Image.open(BytesIO(data), formats=KINDS) as found:
            if found.width * found.height > MOST_PIXELS:
                return TOO_LARGE
            # A camera's picture is decoded no finer than it will be seen.
            found.draft("RGB", (2 * side, 2 * side))
            picture = ImageOps.exif_transpose(found)
            picture = picture.convert("RGBA" if kind == "png" else "RGB")
            picture.thumbnail((side, side))
    except MemoryError:
        return TOO_LARGE
    except Exception:  # noqa: BLE001 - whatever a decoder falls over, it is no picture to us
        return NO_PICTURE
    # Pixels alone are carried over: no place, no camera, no comment.
    clean = Image.frombytes(picture.mode, picture.size, picture.tobytes())
    clean.save(sys.stdout.buffer, kind.upper(), **({"quality": 82} if kind == "jpeg" else {"optimize": True}))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
