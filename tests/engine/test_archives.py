"""The files that the command line finds under a path, and attacks by archives."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import os
import tarfile
import tracemalloc
import zipfile

import pytest

from engine.cli import archives, sources
from engine.cli.terminal import UsageError
from engine.errors import Unreadable

PARTS = {"a.mat": b"first", "deep/b.sgf": b"second"}


def zipped(path, parts=PARTS, compression=zipfile.ZIP_DEFLATED):
    with zipfile.ZipFile(path, "w", compression) as archive:
        archive.mkdir("deep")
        for name, data in parts.items():
            archive.writestr(name, data)


def tarred(path, mode="w", parts=PARTS):
    with tarfile.open(path, mode) as archive:
        folder = tarfile.TarInfo("deep")
        folder.type = tarfile.DIRTYPE
        archive.addfile(folder)
        for name, data in parts.items():
            info = tarfile.TarInfo(f"./{name}")
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))


def found(path):
    return {source.name.removeprefix(f"{path}/"): source.read() for source in sources.list_sources(str(path))}


@pytest.mark.parametrize("mode", ["w", "w:gz", "w:bz2", "w:xz"])
def test_tar_archives_are_looked_into(tmp_path, mode):
    tarred(tmp_path / "some", mode)
    assert found(tmp_path / "some") == PARTS


@pytest.mark.parametrize("compression", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
def test_zip_archives_are_looked_into(tmp_path, compression):
    zipped(tmp_path / "some", compression=compression)
    assert found(tmp_path / "some") == PARTS


@pytest.mark.parametrize("packer", [gzip, bz2, lzma])
def test_a_packed_file_is_one_file(tmp_path, packer):
    path = tmp_path / "a.mat.packed"
    path.write_bytes(packer.compress(b"first"))
    (source,) = sources.list_sources(str(path))
    assert (source.name, source.read()) == (str(path), b"first")


def test_folders_are_walked_in_order_and_names_stay_as_given(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("b.mat", "a.mat", "deep/c.mat", ".hidden", ".git/d.mat"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(b"x")
    assert sources.list_files(["./", "b.mat", "-"]) == ["./a.mat", "./b.mat", "./deep/c.mat", "b.mat", "-"]
    with pytest.raises(UsageError, match=r"There is no nowhere\.mat"):
        sources.list_files(["nowhere.mat"])


def test_one_file_is_asked_for_by_name(tmp_path, monkeypatch):
    (tmp_path / "a.mat").write_bytes(b"first")
    assert sources.read_single_file(str(tmp_path / "a.mat")) == b"first"
    for path in (tmp_path, tmp_path / "b.mat"):
        with pytest.raises(UsageError):
            sources.read_single_file(str(path))


def test_a_file_that_has_gone_is_said_to_be_unreadable(tmp_path):
    (source,) = sources.list_sources(str(tmp_path / "gone.mat"))
    with pytest.raises(Unreadable, match="cannot be opened: No such file"):
        source.read()


@pytest.mark.parametrize("cut", [3, 150, -1500])
def test_a_damaged_archive_is_refused_with_a_reason(tmp_path, cut):
    whole = tmp_path / "whole"
    tarred(whole, "w:gz", {"a.mat": os.urandom(2000)})
    (tmp_path / "cut").write_bytes(whole.read_bytes()[:cut])
    *_, last = sources.list_sources(str(tmp_path / "cut"))
    with pytest.raises(Unreadable, match="cannot be read"):
        last.read()


def test_a_zip_with_no_end_is_refused(tmp_path):
    path = tmp_path / "broken.zip"
    path.write_bytes(b"PK\x03\x04 and nothing else")
    (source,) = sources.list_sources(str(path))
    assert source.name == str(path)
    with pytest.raises(Unreadable, match="cannot be read"):
        source.read()


def test_a_damaged_member_does_not_hide_the_others(tmp_path):
    path = tmp_path / "some.zip"
    zipped(path, {"a.mat": b"first" * 99, "b.mat": b"second"}, zipfile.ZIP_STORED)
    path.write_bytes(path.read_bytes().replace(b"firstfirst", b"fIrstfirst"))
    bad, good = sources.list_sources(str(path))
    with pytest.raises(Unreadable, match="cannot be unpacked"):
        bad.read()
    assert good.read() == b"second"


def test_other_ways_of_packing_are_refused(tmp_path):
    zipped(tmp_path / "some.zip", compression=zipfile.ZIP_LZMA)
    for source in sources.list_sources(str(tmp_path / "some.zip")):
        with pytest.raises(Unreadable, match="packed in a way"):
            source.read()


def test_a_large_member_is_read_no_further_than_needed(tmp_path):
    zipped(tmp_path / "bomb.zip", {"zeros": bytes(32 << 20)})
    tracemalloc.start()
    (source,) = sources.list_sources(str(tmp_path / "bomb.zip"))
    assert len(source.read()) == sources.ENOUGH
    assert tracemalloc.get_traced_memory()[1] < 16 << 20
    tracemalloc.stop()


def test_a_name_longer_than_any_file_is_not_read(tmp_path):
    """tarfile reads a long name in one piece; its header may claim that the name fills the archive."""
    header = tarfile.TarInfo("././@LongLink")
    header.type, header.size = tarfile.GNUTYPE_LONGNAME, 32 << 20
    (tmp_path / "bomb").write_bytes(gzip.compress(header.tobuf(tarfile.GNU_FORMAT) + bytes(32 << 20)))
    tracemalloc.start()
    (source,) = sources.list_sources(str(tmp_path / "bomb"))
    with pytest.raises(Unreadable, match="bytes in it"):
        source.read()
    assert tracemalloc.get_traced_memory()[1] < 16 << 20
    tracemalloc.stop()


def test_an_archive_has_a_limit_to_its_members(tmp_path, monkeypatch):
    monkeypatch.setattr(archives, "MOST_MEMBERS", 1)
    tarred(tmp_path / "some.tar")
    first, refused = sources.list_sources(str(tmp_path / "some.tar"))
    assert first.read() == b"first"
    with pytest.raises(Unreadable, match="more than 1 files"):
        refused.read()


@pytest.mark.parametrize("make", [tarred, zipped])
def test_an_archive_has_a_limit_to_its_size(tmp_path, monkeypatch, make):
    monkeypatch.setattr(archives, "MOST_UNPACKED", 700)
    make(tmp_path / "some", parts={"a": b"a" * 400, "b": b"b" * 400})
    *_, refused = sources.list_sources(str(tmp_path / "some"))
    with pytest.raises(Unreadable, match="700 bytes in it"):
        refused.read()
