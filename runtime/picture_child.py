"""Decodes a picture in a process of its own, whose memory and time are bounded: `picture_child.py png|jpeg SIDE < file > file`.

What comes out was painted anew from the pixels: turned upright, no larger than SIDE, without anything that was not seen.
It imports nothing of ours. It ends with 2 where there is no picture of a known kind, with 3 where it is too large.
"""

import os
import sys
from io import BytesIO

from PIL import Image, ImageOps

MEMORY = 280 * 1024 * 1024
SECONDS = 10
NICENESS = 10
KINDS = ("PNG", "JPEG", "WEBP")
# Of a camera, and no more. Only a JPEG can be decoded small; of the others each pixel takes up to 16 bytes on the way.
MOST_PIXELS = {"JPEG": 50_000_000, "PNG": 15_000_000, "WEBP": 15_000_000}
# Some JPEGs of more pixels than this do not fit into the memory: those whose whole picture is kept until the last byte.
DOUBTFUL = 30_000_000
# In these the colours between two pixels can be worked out.
SMOOTH = ("L", "LA", "RGB", "RGBA", "CMYK", "YCbCr")
NO_PICTURE, TOO_LARGE = 2, 3


def bound() -> None:
    """Take no more memory and time than any honest picture needs, and let pages go first."""
    try:
        import resource
    except ImportError:
        # Windows: the parent still ends it after some seconds.
        return
    os.nice(NICENESS)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))


def main() -> int:
    """Write the picture anew."""
    kind, side = sys.argv[1], int(sys.argv[2])
    data = sys.stdin.buffer.read()
    bound()
    # We look at the size ourselves, before a pixel is decoded.
    Image.MAX_IMAGE_PIXELS = None
    pixels = 0
    try:
        with Image.open(BytesIO(data), formats=KINDS) as found:
            pixels = found.width * found.height
            if pixels > MOST_PIXELS[str(found.format)]:
                return TOO_LARGE
            # A camera's picture is decoded little finer than it will be seen.
            found.draft("RGB", (side, side))
            # Small before it is copied; a palette and what has one bit are turned into colours first.
            picture = found if found.mode in SMOOTH else found.convert("RGBA" if kind == "png" else "RGB")
            picture.thumbnail((side, side))
            ImageOps.exif_transpose(picture, in_place=True)
            picture = picture.convert("RGBA" if kind == "png" else "RGB")
    except MemoryError:
        return TOO_LARGE
    except Exception:  # noqa: BLE001 - whatever a decoder falls over, it is no picture to us
        # A decoder that is short of memory does not always say so.
        return TOO_LARGE if pixels > DOUBTFUL else NO_PICTURE
    # Pixels alone are carried over: no place, no camera, no comment.
    clean = Image.frombytes(picture.mode, picture.size, picture.tobytes())
    clean.save(sys.stdout.buffer, kind.upper(), **({"quality": 82} if kind == "jpeg" else {"optimize": True}))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
