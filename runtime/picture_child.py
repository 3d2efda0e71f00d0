"""Decoder of an image, run in a child process with limits: `picture_child.py png|jpeg SIDE`.

Started by `runtime.work.child_processes`. Reads stdin, writes stdout. The output is re-encoded from the
pixels: upright, no larger than SIDE, without metadata. Imports no other module of this project. Exits with 2
if the format is unknown, 3 if the image is too large, 4 if it has too many segments or scans.
"""

import re
import sys
from io import BytesIO

from PIL import Image, ImageOps

KINDS = ("PNG", "JPEG", "WEBP")
# Enough for a camera. Only a JPEG can be decoded at reduced size; other formats take up to 16 bytes a pixel.
MOST_PIXELS = {"JPEG": 50_000_000, "PNG": 15_000_000, "WEBP": 15_000_000}
# Some larger JPEGs exceed the memory: those that need the whole image in memory until the last byte
# (progressive).
DOUBTFUL = 30_000_000
# Modes that can be interpolated.
SMOOTH = ("L", "LA", "RGB", "RGBA", "CMYK", "YCbCr")
NO_PICTURE, TOO_LARGE, TOO_COMPLEX = 2, 3, 4
# Each scan of a progressive JPEG covers all pixels, however few bytes it has; encoders write about ten.
MOST_SCANS = 100
# A colour profile and a preview may take a few hundred JPEG segments or PNG chunks.
MOST_SEGMENTS = 1_000
# The pixels of a PNG come in chunks of at least some hundred bytes.
MOST_PIXEL_CHUNKS = 20_000
# JPEG markers, without restart markers, which do not begin a segment.
MARKER = re.compile(rb"\xff[^\x00\x01\xff\xd0-\xd7]", re.DOTALL)
START, END, SCAN = 0xD8, 0xD9, 0xDA


def is_too_complex(data: bytes) -> bool:
    """True if a JPEG or PNG has more segments than real ones have; decodes nothing."""
    if data.startswith(b"\xff\xd8"):
        return _has_many_segments(data)
    return data.startswith(b"\x89PNG") and _has_many_chunks(data)


def _has_many_segments(data: bytes) -> bool:
    at, segments, scans = 2, 0, 0
    while found := MARKER.search(data, at):
        at, marker = found.end(), data[found.end() - 1]
        if marker == END:
            # Data after the image, such as a preview or a video, is ignored.
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
    kind, side = sys.argv[1], int(sys.argv[2])
    data = sys.stdin.buffer.read()
    if is_too_complex(data):
        return TOO_COMPLEX
    # The size is checked below, before any pixel is decoded.
    Image.MAX_IMAGE_PIXELS = None
    pixels = 0
    try:
        with Image.open(BytesIO(data), formats=KINDS) as found:
            pixels = found.width * found.height
            # Some cameras append a second image (MPO); only the first is decoded.
            found_kind = "JPEG" if found.format == "MPO" else str(found.format)
            if pixels > MOST_PIXELS[found_kind]:
                return TOO_LARGE
            if found_kind != "JPEG" and getattr(found, "is_animated", False):
                return TOO_COMPLEX
            # Decode a JPEG at a resolution close to the output's.
            found.draft("RGB", (side, side))
            # Reduce before copying; palettes and bitmaps must be converted first.
            picture = found if found.mode in SMOOTH else found.convert("RGBA" if kind == "png" else "RGB")
            picture.thumbnail((side, side))
            ImageOps.exif_transpose(picture, in_place=True)
            picture = picture.convert("RGBA" if kind == "png" else "RGB")
    except MemoryError:
        return TOO_LARGE
    except Exception:  # noqa: BLE001 - decoders raise all kinds of errors
        # A decoder that runs out of memory may raise another error.
        return TOO_LARGE if pixels > DOUBTFUL else NO_PICTURE
    # Copy only the pixels: no location, camera or comment.
    clean = Image.frombytes(picture.mode, picture.size, picture.tobytes())
    clean.save(sys.stdout.buffer, kind.upper(), **({"quality": 82} if kind == "jpeg" else {"optimize": True}))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
