"""Decodes a picture in a process whose memory and time are limited (`runtime.work.children`): `picture_child.py png|jpeg SIDE < file > file`.

What comes out was painted anew from the pixels: turned upright, no larger than SIDE, without anything that was not seen.
It imports nothing of ours. It ends with 2 where there is no picture of a known kind, with 3 where it is too large, with 4
where it has more parts than a photo or a drawing has.
"""

import re
import sys
from io import BytesIO

from PIL import Image, ImageOps

KINDS = ("PNG", "JPEG", "WEBP")
# Of a camera, and no more. Only a JPEG can be decoded small; of the others each pixel takes up to 16 bytes on the way.
MOST_PIXELS = {"JPEG": 50_000_000, "PNG": 15_000_000, "WEBP": 15_000_000}
# Some JPEGs of more pixels than this do not fit into the memory: those whose whole picture is kept until the last byte.
DOUBTFUL = 30_000_000
# In these the colours between two pixels can be worked out.
SMOOTH = ("L", "LA", "RGB", "RGBA", "CMYK", "YCbCr")
NO_PICTURE, TOO_LARGE, TOO_COMPLEX = 2, 3, 4
# Each scan of a progressive JPEG goes over all pixels, however few bytes it has; encoders write some ten.
MOST_SCANS = 100
# A colour profile and a preview may take some hundred segments of a JPEG, or chunks of a PNG.
MOST_SEGMENTS = 1_000
# The pixels of a PNG come in chunks of at least some hundred bytes.
MOST_PIXEL_CHUNKS = 20_000
# A JPEG's markers; those between two parts of one scan are no segments.
MARKER = re.compile(rb"\xff[^\x00\x01\xff\xd0-\xd7]", re.DOTALL)
START, END, SCAN = 0xD8, 0xD9, 0xDA


def is_too_complex(data: bytes) -> bool:
    """True if a JPEG or PNG has more segments than an honest one; nothing is decoded."""
    if data.startswith(b"\xff\xd8"):
        return _has_many_segments(data)
    return data.startswith(b"\x89PNG") and _has_many_chunks(data)


def _has_many_segments(data: bytes) -> bool:
    at, segments, scans = 2, 0, 0
    while found := MARKER.search(data, at):
        at, marker = found.end(), data[found.end() - 1]
        if marker == END:
            # What follows is no part of the picture: a preview, a film.
            break
        segments += 1
        scans += marker == SCAN
        if segments > MOST_SEGMENTS or scans > MOST_SCANS:
            return True
        at += 0 if marker == START else int.from_bytes(data[at : at + 2], "big")
    return False


def _has_many_chunks(data: bytes) -> bool:
    at, others, pixels = 8, 0, 0
    while len(name := data[at + 4 : at + 8]) == 4 and name != b"IEND":
        pixels += name == b"IDAT"
        others += name != b"IDAT"
        if others > MOST_SEGMENTS or pixels > MOST_PIXEL_CHUNKS:
            return True
        at += 12 + int.from_bytes(data[at : at + 4], "big")
    return False


def main() -> int:
    """Write the picture anew."""
    kind, side = sys.argv[1], int(sys.argv[2])
    data = sys.stdin.buffer.read()
    if is_too_complex(data):
        return TOO_COMPLEX
    # We look at the size ourselves, before a pixel is decoded.
    Image.MAX_IMAGE_PIXELS = None
    pixels = 0
    try:
        with Image.open(BytesIO(data), formats=KINDS) as found:
            pixels = found.width * found.height
            # Some cameras put a second picture behind the first, which alone is decoded.
            found_kind = "JPEG" if found.format == "MPO" else str(found.format)
            if pixels > MOST_PIXELS[found_kind]:
                return TOO_LARGE
            if found_kind != "JPEG" and getattr(found, "is_animated", False):
                return TOO_COMPLEX
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
