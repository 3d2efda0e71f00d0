"""docs/operations.md is followed literally: what it names is there."""

from __future__ import annotations

import re
import subprocess
from datetime import UTC, datetime
from pathlib import Path

import pytest
import yaml
from django.core.management import get_commands

from runtime.http import views
from tests.config.test_compose import settings

ROOT = Path(__file__).resolve().parent.parent.parent
PAGE = (ROOT / "docs" / "operations.md").read_text()
README = (ROOT / "README.md").read_text()
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```", PAGE, re.M | re.S)
# The words after these are commands of the product.
LEADS = r"(?:sudo barpoint|^barpoint|`barpoint|manage\.py|docker compose run --rm web) ([a-z][a-z_]+)"


def test_the_table_of_settings_names_every_setting_and_no_other() -> None:
    table = PAGE.partition("## Environment")[2].partition("\n### ")[0]
    named = set(re.findall(r"^\| `([A-Z_]+)`", table, re.M))
    assert named == settings()


@pytest.mark.django_db
def test_every_figure_it_names_is_told_and_every_one_that_is_told_is_named() -> None:
    figures = set(re.findall(r"^# TYPE (\w+)", views.render_metrics(now=datetime.now(UTC)), re.M))
    named = {re.sub("_bucket$", "", name) for name in re.findall(r"barpoint_[a-z_]+", PAGE)}
    assert named == figures


def test_every_command_and_target_it_names_is_there() -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.M))
    asked = set(re.findall(r"(?<![\w-])make ([a-z]+(?:-[a-z]+)*)(?=[`\s)])", "\n".join(t for _, t in BLOCKS)))
    asked |= set(re.findall(r"`make ([a-z-]+)", PAGE + README))
    assert asked <= targets
    commands = set(re.findall(LEADS, PAGE, re.M))
    assert {"migrate", "verify", "release", "backup"} <= commands
    assert commands - {"help"} <= set(get_commands())


def test_every_unit_and_environment_is_read_as_systemd_reads_it() -> None:
    """In an EnvironmentFile nothing may follow a value, not even a comment; nor in a unit."""
    units = [text for kind, text in BLOCKS if kind == "ini"]
    files = [text for kind, text in BLOCKS if kind == "sh" and re.search(r"^PUBLIC_URL=", text, re.M)]
    assert len(units) == 3
    assert len(files) == 2
    for text in (*units, *files):
        assert not re.search(r"^[^#\n]+[ \t]#", text, re.M)
    for text in files:
        assert {line.partition("=")[0] for line in text.splitlines() if line[:1] not in "#"} <= settings()


def test_every_link_to_a_chapter_leads_to_one() -> None:
    headings = re.findall(r"^#+ (.+)$", re.sub(r"^```.*?^```", "", PAGE, flags=re.M | re.S), re.M)
    anchors = {re.sub(r"[^\w -]", "", heading).lower().replace(" ", "-") for heading in headings}
    assert set(re.findall(r"\]\(#([\w-]+)\)", PAGE)) <= anchors


@pytest.mark.parametrize("text", [text for kind, text in BLOCKS if kind == "yaml"])
def test_every_yaml_is_yaml(text: str) -> None:
    assert isinstance(yaml.safe_load(text), dict)


@pytest.mark.parametrize("text", [text for kind, text in BLOCKS if kind == "sh"])
def test_every_command_line_is_one(text: str) -> None:
    done = subprocess.run(["sh", "-n"], input=text, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_the_script_for_commands_finds_its_programs_under_cron() -> None:
    """Cron looks in /usr/bin and /bin only; Debian has runuser in /usr/sbin."""
    [script] = [text for _, text in BLOCKS if "exec runuser" in text]
    head = script.partition("[ ! -e")[0]
    done = subprocess.run(
        ["/bin/sh"],
        input=f"{head}printenv PATH\n",
        env={"PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
    )
    assert {"/usr/sbin", "/usr/bin", "/sbin", "/bin"} <= set(done.stdout.strip().split(":"))


def test_old_backups_are_deleted_only_after_a_new_one() -> None:
    [jobs] = [text for _, text in BLOCKS if text.startswith("# /etc/cron.d/barpoint\n")]
    commands = re.findall(r"^[\d* ]+ root (.+)$", jobs, re.M)
    assert "-delete" in jobs
    assert not re.search(r"(?<!\\)%", jobs)
    for backup, told in (("true", "find"), ("false", "")):
        done = ""
        for command in commands:
            job = command.replace("\\%", "%").replace("/usr/local/sbin/barpoint backup", backup)
            job = re.sub(r"\bfind .*", "echo find", job)
            done += subprocess.run(["/bin/sh", "-c", job], capture_output=True, text=True).stdout.strip()
        assert done == told
