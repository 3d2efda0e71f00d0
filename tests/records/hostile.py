"""Files that only an attacker would submit, and the error code of each."""

from __future__ import annotations

import bz2
import gzip
import io
import json
import lzma
import stat
import tarfile
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from tests import samples

HERE: Final = Path(samples.__file__).parent / "records"
MAT: Final = (HERE / "five-points.mat").read_bytes()
XG: Final = (HERE / "nine-points.xg").read_bytes()
SGF: Final = (HERE / "five-points.sgf").read_bytes()
JSON: Final = (HERE / "five-points.json").read_bytes()
MARKUP: Final = b"<script>alert(1)</script>"
PNG: Final = b"\x89PNG\r\n\x1a\n" + MARKUP


def zipped(*members: tuple[str, bytes], how: int = zipfile.ZIP_DEFLATED) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", how) as archive:
        for name, data in members:
            archive.writestr(name, data)
    return packed.getvalue()


def link() -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        member = zipfile.ZipInfo("link.mat")
        member.external_attr = (stat.S_IFLNK | 0o777) << 16
        archive.writestr(member, "/etc/passwd")
    return packed.getvalue()


def locked() -> bytes:
    data = bytearray(zipped(("a.mat", MAT)))
    data[6] |= 1
    data[data.rindex(b"PK\x01\x02") + 8] |= 1
    return bytes(data)


def liar() -> bytes:
    """Return a zip whose headers promise a file of four bytes."""
    data = bytearray(zipped(("a.mat", MAT)))
    for at in (22, data.rindex(b"PK\x01\x02") + 24):
        data[at : at + 4] = (4).to_bytes(4, "little")
    return bytes(data)


def tarred() -> bytes:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as archive:
        archive.addfile(tarfile.TarInfo("a.mat"), io.BytesIO())
    return packed.getvalue()


def cases() -> Iterator[tuple[str, str, bytes]]:
    """Yield what each case is called, the name of its file, and the bytes."""
    yield "zip bomb", "a.zip", zipped(("a.mat", bytes(60 << 20)))
    yield "many bombs", "a.zip", zipped(*((f"{n}.mat", bytes(4 << 20)) for n in range(30)))
    yield "nested zip", "a.zip", zipped(("b.zip", zipped(("c.mat", MAT))))
    yield "gzip in a zip", "a.zip", zipped(("b.mat.gz", gzip.compress(MAT)))
    yield "path out", "a.zip", zipped(("../../etc/passwd", MAT))
    yield "absolute path", "a.zip", zipped(("/etc/passwd", MAT))
    yield "drive", "a.zip", zipped(("C:\\a.mat", MAT))
    yield "backslashes", "a.zip", zipped(("..\\..\\a.mat", MAT))
    yield "link", "a.zip", link()
    yield "locked zip", "a.zip", locked()
    yield "lying zip", "a.zip", liar()
    yield "bzip2 inside", "a.zip", zipped(("a.mat", MAT), how=zipfile.ZIP_BZIP2)
    yield "empty zip", "a.zip", zipped()
    yield "cut zip", "a.zip", zipped(("a.mat", MAT))[:80]
    yield "crowded zip", "a.zip", zipped(*((f"{n}.mat", b"x") for n in range(600)))
    yield "no zip", "a.zip", MAT
    yield "gzip", "a.gz", gzip.compress(MAT)
    yield "bzip2", "a.bz2", bz2.compress(MAT)
    yield "xz", "a.xz", lzma.compress(MAT)
    yield "tar", "a.tar", tarred()
    yield "large text", "a.mat", b"13/7 " * (1 << 20)
    yield "NULs", "a.mat", bytes(10_000)
    yield "NUL in a name", "a.mat", MAT.replace(b"Ada", b"A\0a")
    yield "markup in a name", "a.mat", MAT.replace(b"Ada", MARKUP)
    yield "markup in a comment", "a.mat", b"; " + MARKUP + b"\n" + MAT
    yield "markup in a tag", "a.mat", b'; [Event "' + MARKUP + b'"]\n' + MAT
    yield "markup in a play", "a.mat", MAT.replace(b"13/", MARKUP, 1)
    yield "formula in a name", "a.mat", MAT.replace(b"Ada", b"=1+1")
    yield "steered terminal", "a.mat", MAT.replace(b"Ada", b"\x1b[2J")
    yield "text turned around", "a.mat", MAT.replace(b"Ada", "\u202eAda".encode())
    yield "long name", "a.mat", MAT.replace(b"Ada", b"A" * 10_000)
    yield (
        "endless games",
        "a.mat",
        MAT + b"".join(b" Game %d\n Ada : 0  Bo : 0\n  1) 31: 8/5 6/5\n" % n for n in range(2000)),
    )
    yield "endless lines", "a.mat", MAT + b"\n  1) 31: 8/5" * 60_000
    yield "one long line", "a.mat", b"  1) " + b"31: 8/5 6/5 " * 10_000
    yield "endless match", "a.mat", MAT.replace(b"5 point match", b"9" * 4_000 + b" point match")
    yield "great score", "a.mat", MAT.replace(b"Ada : 0", b"Ada : " + b"9" * 30, 1)
    yield "wrong extension", "a.xg", MAT
    yield "XG called text", "a.mat", XG
    yield "truncated XG", "a.xg", XG[: len(XG) // 2]
    yield "XG head alone", "a.xg", XG[:40]
    yield "damaged XG", "a.xg", XG[:2000] + bytes(200) + XG[2200:]
    yield "PNG that is a script", "a.png", PNG
    yield "page", "a.html", b"<!doctype html>" + MARKUP
    yield "SVG", "a.svg", b'<svg xmlns="http://www.w3.org/2000/svg">' + MARKUP + b"</svg>"
    yield "entities", "a.xml", b'<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>'
    yield "deep SGF", "a.sgf", b"(;GM[6]" + b"(;" * 100_000
    yield "cut SGF", "a.sgf", SGF[: len(SGF) // 2]
    yield "deep JSON", "a.json", b"[" * 200_000
    yield "wrong JSON", "a.json", json.dumps({"format": "bgmatch/v1", "players": [None, 3]}).encode()
    yield "cut JSON", "a.json", JSON[: len(JSON) // 2]
    yield (
        "great number",
        "a.json",
        JSON.replace(b'"length":5', b'"length":' + b"9" * 5_000).replace(
            b'"length": 5', b'"length": ' + b"9" * 5_000
        ),
    )
    yield "half a character", "a.json", JSON.replace(b"Ada", b"\\ud800")
    yield "UTF-7", "a.mat", b"+ADw-script+AD4-"
    yield "blank", "a.mat", b" \n\t\n"
    yield "executable", "a.mat", b"\x7fELF" + bytes(1000)
