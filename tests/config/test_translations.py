"""django.po is compiled where it is needed: at a start, by several processes at once, with the standard library alone."""

from __future__ import annotations

import gettext
import io
import os
import re
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace

import polib
import pytest
from django.template.loader import render_to_string
from django.utils import timezone, translation

from config.translations import build_mo, compile_translations, read_messages
from tests.catalogues import ROOT, catalogue

SAMPLE = r"""# A comment.
msgid ""
msgstr ""
"Content-Type: text/plain; charset=UTF-8\n"
"Plural-Forms: nplurals=2; plural=(n != 1);\n"

msgid "plain"
msgstr "schlicht"

msgctxt "of a match"
msgid "plain"
msgstr "Zusammenhang"

#, python-format
msgid "%(n)s point"
msgid_plural "%(n)s points"
msgstr[0] "%(n)s Punkt"
msgstr[1] "%(n)s Punkte"

msgid ""
"two\n"
"lines with \"marks\", a \\n and a\ttab"
msgstr ""
"zwei\n"
"Zeilen mit \"Zeichen\", einem \\n und einem\tTab"

#, fuzzy
msgid "unsure"
msgstr "unsicher"

msgid "missing"
msgstr ""

#~ msgid "gone"
#~ msgstr "weg"
"""
OF_THE_SAMPLE = {
    "plain": "schlicht",
    "of a match\x04plain": "Zusammenhang",
    "%(n)s point\0%(n)s points": "%(n)s Punkt\0%(n)s Punkte",
    'two\nlines with "marks", a \\n and a\ttab': 'zwei\nZeilen mit "Zeichen", einem \\n und einem\tTab',
}


def loaded(mo: bytes) -> object:
    return gettext.GNUTranslations(io.BytesIO(mo))._catalog  # type: ignore[attr-defined]


def write(folder: Path, text: str = SAMPLE) -> Path:
    source = folder / "de" / "LC_MESSAGES" / "django.po"
    source.parent.mkdir(parents=True, exist_ok=True)
    source.write_text(text)
    return source


def test_context_plurals_several_lines_and_what_is_left_out() -> None:
    found = read_messages(SAMPLE)
    assert found.pop("").startswith("Content-Type:")
    assert found == OF_THE_SAMPLE


@pytest.mark.parametrize("path", [None, catalogue("de")])
def test_gettext_reads_what_polib_would_have_compiled(path: Path | None) -> None:
    text = path.read_text("utf-8") if path else SAMPLE
    assert loaded(build_mo(read_messages(text))) == loaded(polib.pofile(text).to_binary())


def test_only_what_is_newer_is_compiled(tmp_path: Path) -> None:
    source = write(tmp_path)
    compile_translations(tmp_path)
    target = source.with_suffix(".mo")
    first = target.stat()
    compile_translations(tmp_path)
    assert target.stat() == first
    assert first.st_mode == source.stat().st_mode

    write(tmp_path, SAMPLE.replace("schlicht", "einfach"))
    os.utime(source, ns=(first.st_mtime_ns, first.st_mtime_ns))
    compile_translations(tmp_path)
    assert b"einfach" in target.read_bytes()
    assert {path.name for path in source.parent.iterdir()} == {"django.po", "django.mo"}


def test_a_folder_that_cannot_be_written_is_used_as_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = write(tmp_path)

    def refuse(*_: object) -> None:
        raise PermissionError(13, "read-only")

    monkeypatch.setattr(Path, "write_bytes", refuse)
    compile_translations(tmp_path)
    assert not source.with_suffix(".mo").exists()


def test_several_processes_compile_at_once(tmp_path: Path) -> None:
    """Each writes its own file and renames it, so that no reader meets half a file."""
    source = write(tmp_path)
    code = f"from pathlib import Path; import config.translations as t; t.compile_translations(Path({str(tmp_path)!r}))"
    running = [subprocess.Popen([sys.executable, "-c", code], cwd=ROOT) for _ in range(4)]
    assert [each.wait(60) for each in running] == [0] * 4
    assert loaded(source.with_suffix(".mo").read_bytes()) == loaded(polib.pofile(SAMPLE).to_binary())
    assert {path.name for path in source.parent.iterdir()} == {"django.po", "django.mo"}


@pytest.mark.parametrize(("language", "said"), [("en", "Wed 9 Dec, 19:06"), ("de", "Mi, 9. Dez, 19:06")])
def test_a_deadline_is_written_as_the_language_writes_dates(language: str, said: str) -> None:
    play = SimpleNamespace(deadline_at=datetime(2026, 12, 9, 18, 6, tzinfo=UTC))
    with translation.override(language), timezone.override("Europe/Vienna"):
        shown = render_to_string(
            "tournaments/_meeting_deadline.html", {"meeting": SimpleNamespace(play=play)}
        )
    assert f">{said}</time>" in shown


def test_templates_write_days_as_the_language_does() -> None:
    """A pattern of letters has the English order and no German dots."""
    by_letters = re.compile(r"""date:["'](?![A-Z_]+["']|c["']|U["']|Y-m-d["']|M["'])[^"']*[jDlFM]""")
    found = {str(path): by_letters.findall(path.read_text()) for path in (ROOT / "templates").rglob("*.html")}
    assert {name: each for name, each in found.items() if each} == {}
