"""Static files are collected when something changed and not before."""

from __future__ import annotations

import json
import os
import re
import time
from pathlib import Path
from typing import Any

import brotli
import pytest
from django.apps import apps
from django.conf import settings as settings_of_django
from django.contrib import admin
from django.contrib.staticfiles.finders import find

from runtime.install import statics
from tests.runtime.support import together


@pytest.fixture
def source(settings: Any, tmp_path: Path) -> Path:
    folder = tmp_path / "source"
    (folder / "js").mkdir(parents=True)
    (folder / "js" / "main.js").write_text('import { say } from "./other.js";\nsay();\n' + "say();\n" * 200)
    (folder / "js" / "other.js").write_text("export function say() {}\n")
    (folder / "site.css").write_text('body { background: url("dot.svg"); }\n')
    (folder / "dot.svg").write_text("<svg xmlns='http://www.w3.org/2000/svg'/>\n")
    settings.STATIC_ROOT = tmp_path / "collected"
    settings.STATICFILES_DIRS = [folder]
    settings.STATICFILES_FINDERS = ["django.contrib.staticfiles.finders.FileSystemFinder"]
    settings.STORAGES = {
        **settings.STORAGES, "staticfiles": {"BACKEND": "runtime.install.statics.HashedStaticFiles"}
    }  # fmt: skip
    from django.contrib.staticfiles import finders

    finders.get_finder.cache_clear()
    yield folder
    finders.get_finder.cache_clear()


def test_files_are_collected_once_and_again_when_one_changes(source: Path) -> None:
    assert statics.collect_if_stale()
    assert not statics.collect_if_stale()
    (source / "site.css").write_text("body { color: red; }\n")
    assert statics.collect_if_stale()
    assert not statics.collect_if_stale()
    (source / "new.css").write_text("p { color: red; }\n")
    assert statics.collect_if_stale()
    (source / "new.css").unlink()
    assert statics.collect_if_stale()


def test_the_sheets_of_a_page_are_collected_into_one(source: Path, settings: Any) -> None:
    (source / "more.css").write_text("p { color: red; }\n")
    settings.STYLE_SHEETS = {"all.css": ["more.css", "site.css"], "none.css": ["site.css", "missing.css"]}
    statics.collect_if_stale()
    told = json.loads((Path(settings.STATIC_ROOT) / "staticfiles.json").read_text())["paths"]

    assert "none.css" not in told
    made = (Path(settings.STATIC_ROOT) / told["all.css"]).read_text()
    assert made.index("color: red") < made.index(told["dot.svg"])
    assert (Path(settings.STATIC_ROOT) / f"{told['all.css']}.br").exists() or len(made) < 200

    settings.STYLE_SHEETS = {"all.css": ["site.css", "more.css"]}
    assert statics.collect_if_stale()
    assert (
        json.loads((Path(settings.STATIC_ROOT) / "staticfiles.json").read_text())["paths"]["all.css"]
        != told["all.css"]
    )


def test_a_collection_that_was_cut_short_is_done_again(
    source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    statics.collect_if_stale()
    (source / "new.css").write_text("p { color: red; }\n")

    def half(*_: Any, **__: Any) -> None:
        (tmp_path / "collected" / "staticfiles.json").unlink()
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(statics, "call_command", half)
        with pytest.raises(KeyboardInterrupt):
            statics.collect_if_stale()
    assert statics.collect_if_stale()
    assert (tmp_path / "collected" / "staticfiles.json").exists()


def test_of_four_that_start_at_once_one_collects_and_the_others_wait(
    source: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    inside: list[int] = []
    real = statics.call_command

    def collect(*arguments: Any, **options: Any) -> None:
        inside.append(1)
        assert len(inside) == 1, "two clear the folder at once"
        real(*arguments, **options)
        time.sleep(0.05)
        inside.pop()

    monkeypatch.setattr(statics, "call_command", collect)
    assert together(4, lambda _: statics.collect_if_stale()).count(True) == 1


def test_names_carry_the_hash_of_the_content_and_links_follow(source: Path, tmp_path: Path) -> None:
    statics.collect_if_stale()
    collected = tmp_path / "collected"
    (script,) = collected.glob("js/main.*.js")
    (other,) = collected.glob("js/other.*.js")
    assert f"./{other.name}" in script.read_text()
    (style,) = collected.glob("site.*.css")
    (dot,) = collected.glob("dot.*.svg")
    assert dot.name in style.read_text()
    assert (collected / f"js/{script.name}.gz").exists()
    assert (collected / f"js/{script.name}.br").exists()
    best = brotli.compress(script.read_bytes())
    assert (collected / f"js/{script.name}.br").read_bytes() == best, "a board weighs what is promised"
    assert not (collected / "js/main.js").exists(), "nobody asks for a name without its hash"


def test_what_pages_ask_for_is_collected_and_what_none_asks_for_is_not() -> None:
    collected = {line.split()[0] for line in statics._list_files()}
    assert asked_for() - collected == set()
    for name in ("django_htmx/htmx-4.js", "admin/js/vendor/jquery/jquery.js"):
        assert find(name), f"{name} is no longer what other packages bring"
        assert name not in collected


def asked_for() -> set[str]:
    """The static files named in the templates, the back office and its forms."""
    folders = [settings_of_django.BASE_DIR / "templates"]
    folders += [Path(apps.get_app_config(app).path) / "templates" for app in ("admin", "account", "mfa")]
    found = {
        name
        for folder in folders
        for page in folder.rglob("*.html")
        for name in re.findall(r"""{% static ['"]([^'"]+)['"]""", page.read_text())
    }
    media = [admin.site.get_model_admin(model).media for model in admin.site._registry]
    for each in media:
        found |= {str(path) for path in each._js if isinstance(path, str) and "://" not in path}
        found |= {path for paths in each._css.values() for path in paths if isinstance(path, str)}
    found.add("django_htmx/htmx-2.min.js")  # by its own tag
    assert len(found) > 50
    return found


def test_a_folder_that_came_with_an_image_is_left_alone(
    source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    collected = tmp_path / "collected"
    collected.mkdir()
    (collected / "staticfiles.json").write_text("{}")
    real = os.access
    monkeypatch.setattr(os, "access", lambda path, mode: Path(path) != collected and real(path, mode))
    assert not statics.collect_if_stale()
    assert (collected / "staticfiles.json").read_text() == "{}"


# While others serve what is there


def names(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}


def test_what_others_serve_stays_when_the_next_release_is_collected(source: Path, settings: Any) -> None:
    root = Path(settings.STATIC_ROOT)
    statics.collect_if_stale()
    before = {name: (root / name).read_bytes() for name in names(root) - {"staticfiles.json", ".stamp"}}
    (source / "site.css").write_text("body { color: red; }\n" * 100)
    assert statics.collect_if_stale(is_open=True)
    assert not statics.collect_if_stale(is_open=True)
    assert {name: (root / name).read_bytes() for name in before} == before
    added = {re.sub(r"[.][0-9a-f]{12}[.]", ".", name) for name in names(root) - set(before)}
    assert added == {"site.css", "site.css.br", "site.css.gz", "staticfiles.json", ".stamp"}
    listed = json.loads((root / "staticfiles.json").read_text())["paths"]
    assert (root / listed["site.css"]).read_text().startswith("body { color: red; }")
    assert not list(root.parent.glob("collected-*"))
    (source / "site.css").write_text("p { color: red; }\n")
    assert statics.collect_if_stale()
    assert len([name for name in names(root) if name.startswith("site.")]) == 1, "a start clears up"
