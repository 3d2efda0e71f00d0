"""The table of formats: every file is known by what is in it."""

from __future__ import annotations

import tarfile

import pytest

from engine.errors import Impossible, Unreadable
from engine.formats import FORMATS, read, sniff, transcript, write
from engine.record import Record
from engine.rules import Rules
from engine.sheet import Sheet
from engine.side import BySide
from tests.engine.shared import OURS, RECORDS, Source, each_source, files, long_run, table

# How the manifest calls what the table calls otherwise.
NAMES = {"mat-text": "mat", "xg-binary": "xg"}
PROBES = {
    "probe_bgroom.bgf": "bgroom",
    "probe_position.txt": "snowie-position",
    "probe.sgg": "sgg",
    "probe.fibs": "oldmoves",
    "probe.tmg": "tmg",
    "probe.gam": "gam",
}
BROKEN = {"xg-binary-broken"}


@each_source
def test_every_file_is_known_for_what_it_is(source: Source):
    listed = {row["file"]: row for row in table(source.collected, "manifest.csv")}
    taken = {}
    for name, data in files(source.collected):
        row = listed[name]
        if row.get("dialect") not in BROKEN:
            taken[name] = sniff(data), NAMES.get(row["format"], row["format"])
    assert len(taken) == 51 if source.is_ours else len(taken) > 1_380
    assert {name: pair for name, pair in taken.items() if pair[0] != pair[1]} == {}


@long_run
def test_the_rare_ones_are_known():
    with tarfile.open(RECORDS / "real" / "format-probes.tar.gz") as archive:
        found = {
            member.name.split("/")[-1]: sniff(archive.extractfile(member).read())
            for member in archive
            if member.isfile()
        }
    assert found == PROBES


@long_run
def test_the_other_programs_files_are_known():
    with tarfile.open(RECORDS / "gnubg" / "gnubg-matches.tar.gz") as archive:
        for number, member in enumerate(archive):
            if member.isfile() and number % 12 == 0:
                expected = {"sgf": "sgf"}.get(member.name[-3:], "mat")
                assert sniff(archive.extractfile(member).read()) == expected
    for path in (RECORDS / "faults").glob("*.mat"):
        assert sniff(path.read_bytes()) == "mat"


@pytest.mark.parametrize(
    ("data", "name"),
    [
        (b'{"format":"BGF","version":"1.0"}', "bgblitz"),
        (b"BGF version 1.2\n", "bgroom"),
        (b"\x7e\x00\x00\x00", "jellyfish-position"),
        (b"BOARDID=1\n", "partygammon"),
    ],
)
def test_what_is_not_read_is_called_by_its_name(data, name):
    assert sniff(data) == name
    with pytest.raises(Unreadable) as caught:
        read(data)
    assert caught.value.code == "unsupported-format"
    assert FORMATS[name].write is None


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "empty-file"),
        (b" \r\n", "empty-file"),
        (b"Hello", "unknown-format"),
        (b"\x89PNG\r\n\x1a\n\x00\x00\x00", "unknown-format"),
        (b"(;FF[4]GM[1])", "other-game"),
        (b" 5 point match\n" * 400_000, "too-much"),
    ],
)
def test_what_is_no_record_is_refused(data, code):
    with pytest.raises(Unreadable) as caught:
        read(data)
    assert caught.value.code == code


def test_reading_and_writing_by_name():
    record = Record(BySide("Ann", "Ben"), Rules(length=5))
    assert read(write(record, "json")) == (record,)
    (sheet,) = read(b"(;GM[6]PW[Ann]PB[Ben])")
    assert isinstance(sheet, Sheet)
    for name in ("xg", "no such"):
        with pytest.raises(Impossible):
            write(record, name)


def test_names_are_unique_and_suffixes_are_suffixes():
    assert all(each.name == name and each.suffix.startswith(".") for name, each in FORMATS.items())


TEXTS = (
    *(f"one-point.{suffix}" for suffix in ("fibs", "json", "mat", "match", "sgf", "sgg", "tmg")),
    *(f"{name}.txt" for name in ("fibs-board", "gnubg-id", "ogid", "snowie-position", "xgid")),
    "unlimited.gam",
)


@pytest.mark.parametrize("name", [*TEXTS, "typed"])
def test_any_encoding_and_any_line_ending_will_do(name: str) -> None:
    if name == "typed":
        text = transcript.write(*read((OURS.collected / "one-point.mat").read_bytes())).decode()
    else:
        text = (OURS.collected / name).read_text()
    expected = read(text.encode())
    encoded = [text.encode(encoding) for encoding in ("utf-8-sig", "utf-16", "utf-16-le", "utf-16-be")]
    for data in (*encoded, text.replace("\n", "\r").encode(), text.replace("\n", "\r\n").encode("utf-16")):
        assert sniff(data) == sniff(text.encode())
        assert read(data) == expected


def test_a_blank_line_above_the_names_of_gamesgrid() -> None:
    data = (OURS.collected / "one-point.sgg").read_bytes()
    [sheet], [below] = read(data), read(b"\n" + data)
    assert (below.format, below.names, below.length) == ("sgg", sheet.names, sheet.length)
    assert [claim.text for claim in below.games[0].claims] == [claim.text for claim in sheet.games[0].claims]


@pytest.mark.parametrize("letters", [4_000, 4_001])
def test_a_name_that_no_format_could_write_is_refused_when_it_is_read(letters: int) -> None:
    text = f" 1 point match\n\n Game 1\n {'A' * letters} : 0      Ben : 0\n  1) 61: 13/7 8/7\n"
    if letters == 4_000:
        assert len(read(text.encode())[0].names.white) == letters
    else:
        with pytest.raises(Unreadable, match="A name or tag has more than 4,000 letters"):
            read(text.encode())
