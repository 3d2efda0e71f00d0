"""What people send as a picture is painted anew, or refused with a sentence."""

from __future__ import annotations

import struct
import zlib
from io import BytesIO

import pytest
from PIL import Image

from runtime.pictures import MOST_BYTES, BadPicture, Kind, PictureTooLarge, painted_anew

pytestmark = pytest.mark.pure
UPSIDE_DOWN, ORIENTATION, MAKER = 3, 0x0112, 0x010F


def file_of(picture: Image.Image, kind: str, **options: object) -> bytes:
    """Return a file of that kind."""
    kept = BytesIO()
    picture.save(kept, kind, **options)
    return kept.getvalue()


def two_colours() -> Image.Image:
    """Red above, blue below."""
    picture = Image.new("RGB", (80, 40), "red")
    picture.paste("blue", (0, 20, 80, 40))
    return picture


def shown(data: bytes) -> Image.Image:
    found = Image.open(BytesIO(data))
    found.load()
    return found


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP"])
def test_a_picture_is_turned_upright_and_keeps_nothing_but_what_is_seen(kind: str) -> None:
    exif = Image.Exif()
    exif[ORIENTATION], exif[MAKER] = UPSIDE_DOWN, "Somebody's camera"
    sent = file_of(two_colours(), kind, exif=exif)
    assert b"Somebody's camera" in sent
    kept = painted_anew(sent, kind=Kind.PNG, side=40)
    assert b"Somebody" not in kept
    picture = shown(kept)
    assert picture.size == (40, 20)
    assert not picture.getexif()
    top, bottom = (picture.convert("RGB").getpixel((20, y)) for y in (2, 17))
    assert isinstance(top, tuple)
    assert isinstance(bottom, tuple)
    assert top[2] > 200 > top[0]
    assert bottom[0] > 200 > bottom[2]


def test_what_is_transparent_stays_so_in_a_drawing_and_a_photograph_is_a_jpeg() -> None:
    clear = file_of(Image.new("RGBA", (10, 10), (0, 0, 0, 0)), "PNG")
    assert shown(painted_anew(clear, kind=Kind.PNG, side=64)).getpixel((5, 5)) == (0, 0, 0, 0)
    photograph = shown(painted_anew(file_of(two_colours(), "PNG"), kind=Kind.JPEG, side=64))
    assert photograph.format == "JPEG"


def test_other_modes_are_read_as_well() -> None:
    for mode in ("L", "P", "CMYK", "1"):
        kind = "JPEG" if mode == "CMYK" else "PNG"
        data = file_of(two_colours().convert(mode), kind)
        assert shown(painted_anew(data, kind=Kind.JPEG, side=64)).size == (64, 32)


def bomb() -> bytes:
    """A PNG of a few bytes that says it is 60,000 pixels wide and high."""

    def chunk(name: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))

    head = struct.pack(">IIBBBBB", 60_000, 60_000, 8, 2, 0, 0, 0)
    body = zlib.compress(b"\0" * 1_000_000)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", body) + chunk(b"IEND", b"")


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"no picture",
        b"<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>",
        b"\x89PNG\r\n\x1a\n<script>alert(1)</script>",
        b"GIF89a" + b"\0" * 40,
        b"%PDF-1.7",
        b"P6 9999999 9999999 255\n",
    ],
    ids=["nothing", "text", "svg", "script", "gif", "pdf", "pnm"],
)
def test_what_is_no_picture_is_refused(data: bytes) -> None:
    with pytest.raises(BadPicture, match="no picture that can be read"):
        painted_anew(data, kind=Kind.PNG, side=64)


def test_half_a_picture_is_refused() -> None:
    whole = file_of(Image.effect_noise((200, 200), 90), "PNG")
    with pytest.raises(BadPicture):
        painted_anew(whole[: len(whole) // 2], kind=Kind.PNG, side=64)


def test_what_would_unpack_without_end_is_refused_before_it_does() -> None:
    with pytest.raises(PictureTooLarge, match="too large"):
        painted_anew(bomb(), kind=Kind.PNG, side=64)
    with pytest.raises(PictureTooLarge, match="at most 10 MB"):
        painted_anew(b"\0" * (MOST_BYTES + 1), kind=Kind.PNG, side=64)
