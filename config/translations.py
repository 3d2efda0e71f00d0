"""Compilation of the translations of a checkout: django.po becomes django.mo, which gettext reads.

It needs the standard library only. Django calls this when it starts, setup.py when it builds a wheel. A wheel
contains no django.po, so there is nothing to compile.
"""

from __future__ import annotations

import array
import contextlib
import os
import re
import shutil
from pathlib import Path
from typing import Final

FIELD: Final = re.compile(r'^(?:(msgctxt|msgid|msgid_plural|msgstr)(?:\[\d\])? )?"(.*)"$', re.MULTILINE)
ESCAPE: Final = re.compile(r"\\(.)")
CHARACTERS: Final = {"n": "\n", "t": "\t", "r": "\r"}


def compile_translations(folder: Path) -> None:
    """Compile each catalogue in *folder* that is newer than its compiled form.

    Several processes may do so at once. In a read-only folder the existing files are used.
    """
    for source in folder.glob("*/LC_MESSAGES/*.po"):
        target = source.with_suffix(".mo")
        if target.exists() and target.stat().st_mtime_ns > source.stat().st_mtime_ns:
            continue
        new = target.with_name(f"{target.name}.{os.getpid()}")
        with contextlib.suppress(OSError):
            new.write_bytes(build_mo(read_messages(source.read_text("utf-8"))))
            shutil.copymode(source, new)
            new.replace(target)


def read_messages(text: str) -> dict[str, str]:
    """Return the translations of a .po file by gettext's lookup key, without fuzzy and missing ones."""
    messages = {}
    for entry in text.split("\n\n"):
        fields: dict[str, list[str]] = {"msgid": [], "msgstr": []}
        name = ""
        for line in FIELD.finditer(entry):
            if line[1]:
                name = line[1]
                fields.setdefault(name, []).append("")
            fields[name][-1] += line[2]
        if any(fields["msgstr"]) and (not fields["msgid"][0] or "\n#, fuzzy" not in f"\n{entry}"):
            context = "".join(f"{each}\x04" for each in fields.get("msgctxt", ()))
            key = context + "\0".join(fields["msgid"] + fields.get("msgid_plural", []))
            messages[_unescape(key)] = _unescape("\0".join(fields["msgstr"]))
    return messages


def _unescape(text: str) -> str:
    return ESCAPE.sub(lambda found: CHARACTERS.get(found[1], found[1]), text) if "\\" in text else text


def build_mo(messages: dict[str, str]) -> bytes:
    """Return a .mo file: a header, tables of lengths and offsets for keys and texts, then the strings.

    https://www.gnu.org/software/gettext/manual/html_node/MO-Files.html
    """
    keys = sorted(key.encode() for key in messages)
    texts = [messages[key.decode()].encode() for key in keys]
    count, head = len(keys), 28
    table = array.array("I", (0x950412DE, 0, count, head, head + 8 * count, 0, 0))
    offset = head + 16 * count
    for each in (*keys, *texts):
        table.extend((len(each), offset))
        offset += len(each) + 1
    return table.tobytes() + b"".join(each + b"\0" for each in (*keys, *texts))
