"""Uploaded pictures are re-encoded, or refused with a message."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Callable
from io import BytesIO

import pytest
from PIL import Image

from runtime import picture_child
from runtime.pictures import (
    LIMITS,
    MOST_BYTES,
    BadPicture,
    Kind,
    PictureTooComplex,
    PictureTooLarge,
    reencode_image,
)
from runtime.work import child_processes
from tests import attack_files

pytestmark = pytest.mark.pure
UPSIDE_DOWN, ORIENTATION, MAKER = 3, 0x0112, 0x010F


def file_of(picture: Image.Image, kind: str, **options: object) -> bytes:
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


@pytest.mark.long
@pytest.mark.share
@pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP"])
def test_a_picture_is_turned_upright_and_keeps_nothing_but_what_is_seen(kind: str) -> None:
    exif = Image.Exif()
    exif[ORIENTATION], exif[MAKER] = UPSIDE_DOWN, "Somebody's camera"
    sent = file_of(two_colours(), kind, exif=exif)
    assert b"Somebody's camera" in sent
    kept = reencode_image(sent, kind=Kind.PNG, side=40)
    assert b"Somebody" not in kept
    picture = shown(kept)
    assert picture.size == (40, 20)
    assert not picture.getexif()
    top, bottom = (picture.convert("RGB").getpixel((20, y)) for y in (2, 17))
    assert isinstance(top, tuple)
    assert isinstance(bottom, tuple)
    assert top[2] > 200 > top[0]
    assert bottom[0] > 200 > bottom[2]


@pytest.mark.long
@pytest.mark.share
def test_what_is_transparent_stays_so_in_a_drawing_and_a_photograph_is_a_jpeg() -> None:
    clear = file_of(Image.new("RGBA", (10, 10), (0, 0, 0, 0)), "PNG")
    assert shown(reencode_image(clear, kind=Kind.PNG, side=64)).getpixel((5, 5)) == (0, 0, 0, 0)
    photograph = shown(reencode_image(file_of(two_colours(), "PNG"), kind=Kind.JPEG, side=64))
    assert photograph.format == "JPEG"


@pytest.mark.long
@pytest.mark.share
def test_other_modes_are_read_as_well() -> None:
    for mode in ("L", "P", "CMYK", "1"):
        kind = "JPEG" if mode == "CMYK" else "PNG"
        data = file_of(two_colours().convert(mode), kind)
        assert shown(reencode_image(data, kind=Kind.JPEG, side=64)).size == (64, 32)


def bomb() -> bytes:
    """A PNG of a few bytes that says it is 60,000 pixels wide and high."""

    def chunk(name: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))

    head = struct.pack(">IIBBBBB", 60_000, 60_000, 8, 2, 0, 0, 0)
    body = zlib.compress(b"\0" * 1_000_000)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", body) + chunk(b"IEND", b"")


@pytest.mark.long
@pytest.mark.share
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
    with pytest.raises(BadPicture, match="picture cannot be read"):
        reencode_image(data, kind=Kind.PNG, side=64)


def test_half_a_picture_is_refused() -> None:
    whole = file_of(Image.effect_noise((200, 200), 90), "PNG")
    with pytest.raises(BadPicture):
        reencode_image(whole[: len(whole) // 2], kind=Kind.PNG, side=64)


def test_what_would_unpack_without_end_is_refused_before_it_does() -> None:
    with pytest.raises(PictureTooLarge, match="too large"):
        reencode_image(bomb(), kind=Kind.PNG, side=64)
    with pytest.raises(PictureTooLarge, match="at most 10 MB"):
        reencode_image(b"\0" * (MOST_BYTES + 1), kind=Kind.PNG, side=64)


@pytest.mark.long
@pytest.mark.share
def test_scans_are_counted_before_anything_is_decoded() -> None:
    most = picture_child.MOST_SCANS
    assert shown(reencode_image(attack_files.progressive(most), kind=Kind.PNG, side=8)).size == (8, 8)
    for many in (most + 1, 2_850):
        with pytest.raises(PictureTooComplex, match="too much work"):
            reencode_image(attack_files.progressive(many), kind=Kind.PNG, side=8)


def test_what_follows_a_picture_is_no_part_of_it() -> None:
    film = b"\xff\xda\x00\x02" * 5_000
    assert not picture_child.is_too_complex(attack_files.progressive(3, tail=film))
    assert not picture_child.is_too_complex(
        file_of(Image.effect_noise((400, 400), 90), "JPEG", progressive=True)
    )


def test_segments_and_chunks_are_counted() -> None:
    comment, most = b"\xff\xfe\x00\x02", picture_child.MOST_SEGMENTS
    whole = file_of(two_colours(), "JPEG")
    assert picture_child.is_too_complex(whole[:2] + comment * (most + 1) + whole[2:])
    assert not picture_child.is_too_complex(whole[:2] + comment * (most // 2) + whole[2:])
    assert picture_child.is_too_complex(
        attack_files.png(*[attack_files.chunk(b"tEXt", b"a\0b")] * (most + 1))
    )
    pixels = attack_files.chunk(b"IDAT")
    assert picture_child.is_too_complex(attack_files.png(*[pixels] * (picture_child.MOST_PIXEL_CHUNKS + 1)))
    assert not picture_child.is_too_complex(attack_files.png(*[pixels] * 100))


@pytest.mark.parametrize(
    "data",
    [
        b"\xff\xd8" + b"\xff" * 100_000,
        b"\xff\xd8" + b"\xff\x00" * 100_000,
        b"\xff\xd8\xff\xda",
        b"\xff\xd8\xff",
        b"\x89PNG\r\n\x1a\n" + b"\xff" * 20,
        b"\x89PNG",
    ],
    ids=["fill bytes", "stuffed bytes", "cut in a length", "cut in a marker", "long chunk", "cut head"],
)
def test_counting_comes_to_an_end_with_any_bytes(data: bytes) -> None:
    assert not picture_child.is_too_complex(data)


@pytest.mark.long
@pytest.mark.share
@pytest.mark.parametrize("kind", ["PNG", "WEBP"])
def test_an_animation_is_no_picture(kind: str) -> None:
    films = {"save_all": True, "append_images": [Image.new("RGB", (80, 40), "green")]}
    with pytest.raises(PictureTooComplex):
        reencode_image(file_of(two_colours(), kind, **films), kind=Kind.PNG, side=64)


@pytest.mark.long
@pytest.mark.share
def test_a_camera_may_put_a_second_picture_behind_the_first() -> None:
    both = file_of(two_colours(), "MPO", save_all=True, append_images=[Image.new("RGB", (80, 40), "green")])
    assert shown(reencode_image(both, kind=Kind.JPEG, side=64)).size == (64, 32)


@pytest.mark.long
@pytest.mark.share
@pytest.mark.parametrize("bomb", [attack_files.packed_text, attack_files.packed_profile])
def test_what_is_packed_beside_the_pixels_does_not_unpack_without_end(bomb: Callable[[int], bytes]) -> None:
    with pytest.raises(BadPicture):
        reencode_image(attack_files.png(bomb(20 << 20)), kind=Kind.PNG, side=64)


def test_a_picture_has_three_seconds_and_limited_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[child_processes.Limits] = []

    def out_of_time(*_arguments: object, limits: child_processes.Limits, **_more: object) -> bytes:
        asked.append(limits)
        raise child_processes.OutOfLimits(-24)

    monkeypatch.setattr(child_processes, "run", out_of_time)
    with pytest.raises(PictureTooComplex):
        reencode_image(file_of(two_colours(), "PNG"), kind=Kind.PNG, side=64)
    assert asked == [LIMITS]
    assert (LIMITS.cpu_seconds, LIMITS.memory) == (3, 280 << 20)
