"""Static files are collected when something changed and not before."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Any

import pytest

from runtime import statics
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
        **settings.STORAGES, "staticfiles": {"BACKEND": "runtime.statics.HashedStaticFiles"}
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
