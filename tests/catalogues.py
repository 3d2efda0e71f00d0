"""Translation catalogues: collect messages, and report incomplete ones.

python -m tests.catalogues          exit 1 if a sentence is missing, unfinished or stale
python -m tests.catalogues --write  collect again (needs GNU gettext)
"""

from __future__ import annotations

import itertools
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import polib

ROOT = Path(__file__).resolve().parent.parent
LANGUAGES = ("de",)
DOMAINS = ("django", "djangojs")
PLACEHOLDER = re.compile(r"%\(\w+\)[sd]|%[sd]|\{\w*\}")


def catalogue(language: str, root: Path = ROOT, domain: str = "django") -> Path:
    """Return the path of a language's .po file; the domain is "django" for pages, "djangojs" for scripts."""
    return root / "locale" / language / "LC_MESSAGES" / f"{domain}.po"


def collect(root: Path = ROOT) -> None:
    """Update the catalogues of *root* from the code of this tree."""
    locales = [part for language in LANGUAGES for part in ("--locale", language)]
    ignore = [
        part
        for name in (".venv", "var", "tests", "bench", "docs", "node_modules")
        for part in ("--ignore", name)
    ]
    for language in LANGUAGES:
        catalogue(language, root).parent.mkdir(parents=True, exist_ok=True)
    command = [
        sys.executable,
        "-m",
        "django",
        "makemessages",
        *locales,
        *ignore,
        "--no-location",
        "--no-obsolete",
    ]
    # makemessages only reads files; with the settings, it would import the whole product.
    environment = {name: value for name, value in os.environ.items() if name != "DJANGO_SETTINGS_MODULE"}
    for domain in DOMAINS:
        run = [*command, "--no-wrap", "--domain", domain]
        subprocess.run(run, cwd=root, env=environment, check=True, capture_output=True)
    for path in (catalogue(language, root, domain) for language in LANGUAGES for domain in DOMAINS):
        # Otherwise every run would change the date.
        text = re.sub(r'"POT-Creation-Date:.*?\\n"\n', "", path.read_text())
        path.write_text(text)


def problems() -> Iterator[str]:
    """Yield a line for each missing, unfinished or stale message."""
    for language, domain in itertools.product(LANGUAGES, DOMAINS):
        for entry in polib.pofile(str(catalogue(language, ROOT, domain))):
            translated = list(entry.msgstr_plural.values()) or [entry.msgstr]
            if not all(translated):
                yield f"{language}: not translated: {entry.msgid!r}"
            elif "fuzzy" in entry.flags:
                yield f"{language}: unsure: {entry.msgid!r}"
            else:
                wanted = set(PLACEHOLDER.findall(entry.msgid + (entry.msgid_plural or "")))
                got = set(PLACEHOLDER.findall("".join(translated)))
                if not got <= wanted or not (wanted <= got or entry.msgid_plural):
                    yield f"{language}: placeholders differ: {entry.msgid!r}"
    yield from _uncollected()


def _uncollected() -> Iterator[str]:
    if shutil.which("xgettext") is None:
        return
    with tempfile.TemporaryDirectory() as name:
        copy = Path(name) / "tree"
        listed = subprocess.run(
            ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
            cwd=ROOT,
            check=True,
            capture_output=True,
            text=True,
        )
        for relative in filter(None, listed.stdout.split("\0")):
            source = ROOT / relative
            if (
                source.is_file()
                and source.suffix in {".py", ".html", ".txt", ".po", ".js"}
                and not relative.startswith("tests/")
            ):
                (copy / relative).parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(source, copy / relative)
        collect(copy)
        for language, domain in itertools.product(LANGUAGES, DOMAINS):
            fresh = {entry.msgid for entry in polib.pofile(str(catalogue(language, copy, domain)))}
            known = {entry.msgid for entry in polib.pofile(str(catalogue(language, ROOT, domain)))}
            for sentence in sorted(fresh - known):
                yield f"{language}: not collected yet (make messages): {sentence!r}"


def main(arguments: list[str]) -> int:
    os.chdir(ROOT)
    if "--write" in arguments:
        if shutil.which("xgettext") is None:
            print("GNU gettext is needed to collect sentences (apt-get install gettext).", file=sys.stderr)
            return 2
        collect()
    found = list(problems())
    print("\n".join(found) or "Every sentence is translated.")
    return 1 if found and "--write" not in arguments else 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
