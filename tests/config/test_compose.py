"""What compose.yaml promises: nothing floats, nothing is secret in it, everything is watched, bounded and understood."""

from __future__ import annotations

import re
import stat
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml
from django.conf import settings as site

ROOT = Path(__file__).resolve().parent.parent.parent
COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "compose.yaml").read_text())
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]
OURS = {name: service for name, service in SERVICES.items() if "build" in service}
ASKED = re.compile(r"\$\{(\w+)(:[?-])?([^}]*)\}")
SETTING = re.compile(r'env\.\w+\(\s*"([A-Z_]+)"')
CREDENTIAL = re.compile(r'credential="([A-Z_]+)"')


def settings() -> set[str]:
    text = (ROOT / "config" / "settings.py").read_text()
    return {*SETTING.findall(text), *CREDENTIAL.findall(text)}


def test_every_variable_of_ours_is_a_setting() -> None:
    for name, service in OURS.items():
        given = {each.removesuffix("_FILE") for each in set(service["environment"]) - settings()}
        assert given <= settings(), name
    assert {"web", "migrate", "beat", "worker-clocks", "worker-slow"} == set(OURS)


def test_every_package_of_ours_is_in_the_image() -> None:
    taken = set(re.findall(r"^!(\w+)/$", (ROOT / ".dockerignore").read_text(), re.M))
    apps = {name.partition(".")[0] for name in site.INSTALLED_APPS}
    ours = {
        name
        for name in {*apps, "config", "draw", "engine", "locale", "static", "templates"}
        if (ROOT / name).is_dir()
    }
    assert len(ours) > 12
    assert ours <= taken


def test_every_setting_is_given_to_the_containers_but_those_of_the_image() -> None:
    environment = OURS["web"]["environment"]
    given = {*environment, *(each.removesuffix("_FILE") for each in environment)}
    assert settings() - given == {"DATA_DIR", "DEBUG", "HOST", "PORT", "STATIC_ROOT"}


def test_every_variable_of_the_example_is_asked_for_and_the_other_way_round() -> None:
    example = (ROOT / "deploy" / "env.example").read_text()
    offered = set(re.findall(r"^(?:# )?([A-Z_]+)=", example, re.M))
    asked = {name for name, *_ in ASKED.findall((ROOT / "compose.yaml").read_text())}
    assert offered - {"COMPOSE_PROJECT_NAME"} == asked


def test_as_it_comes_the_example_does_not_start() -> None:
    """`:?` refuses what is empty; an example that works would be the address and the key of a person's
    club."""
    example = dict(re.findall(r"^([A-Z_]+)=(.*)$", (ROOT / "deploy" / "env.example").read_text(), re.M))
    required = {name for name, how, _ in ASKED.findall((ROOT / "compose.yaml").read_text()) if how == ":?"}
    assert required == {"PUBLIC_URL"}
    assert not any(example[name] for name in required)


def test_no_secret_is_in_the_environment_or_on_a_command_line() -> None:
    for name, service in SERVICES.items():
        said = {**service.get("environment", {}), "command": str(service.get("command", ""))}
        for variable, value in said.items():
            if re.search("PASSWORD|SECRET|EMAIL_URL", variable):
                assert variable.endswith("_FILE"), (name, variable)
                assert Path(value).name in service["secrets"], (name, variable)
            assert not re.search(r"://[^@/]*:[^@/]*@|requirepass \w|--requirepass", str(value)), name
    assert {f"./secrets/{name}" for name in COMPOSE["secrets"]} == {
        each["file"] for each in COMPOSE["secrets"].values()
    }


@pytest.mark.parametrize("name", SERVICES)
def test_every_service_is_watched_and_bounded(name: str) -> None:
    service = SERVICES[name]
    assert re.fullmatch(r"\d+[mg]", service["mem_limit"])
    if service["restart"] == "no":
        return  # it runs once, and the others wait until it has ended well
    check = service.get("healthcheck")
    if check is None:
        assert name == "web"
        assert "HEALTHCHECK" in (ROOT / "Dockerfile").read_text(), "the image's own"
    else:
        assert check["test"][0] in {"CMD", "CMD-SHELL"}


def test_no_image_floats_further_than_its_major_version_and_each_can_be_pinned() -> None:
    pinned = (ROOT / "deploy" / "pin.sh").read_text()
    images = [service["image"] for service in SERVICES.values() if "build" not in service]
    images += [COMPOSE["x-app"]["build"]["args"]["PYTHON_IMAGE"]]
    for image in images:
        [(variable, _, default)] = ASKED.findall(image)
        assert variable.endswith("_IMAGE")
        assert re.fullmatch(r"[a-z]+:\d[\w.-]*", default), image
        assert f'pin {variable} "${{{variable}:-{default}}}"' in pinned
    froms = re.findall(r"^FROM (\S+)", (ROOT / "Dockerfile").read_text(), re.M)
    assert set(froms) == {"${PYTHON_IMAGE}"}


def test_a_health_check_looks_at_the_file_that_the_heart_touches() -> None:
    file = COMPOSE["x-app"]["environment"]["PULSE_FILE"]
    for name in ("worker-clocks", "worker-slow", "beat"):
        assert file in SERVICES[name]["healthcheck"]["test"][1]
        assert SERVICES[name]["tmpfs"] == [str(Path(file).parent)]


def test_secrets_are_made_once_and_kept_from_others(tmp_path: Path) -> None:
    folder = tmp_path / "secrets"
    run = ["sh", str(ROOT / "deploy" / "secrets.sh"), str(folder)]
    subprocess.run(run, check=True)
    made = {each.name: each.read_text() for each in folder.iterdir()}
    assert set(made) == set(COMPOSE["secrets"])
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    keys = [made[name] for name in ("secret_key", "postgres_password", "redis_password")]
    assert len(set(keys)) == 3
    assert all(re.fullmatch("[0-9a-f]{64}", key) for key in keys)
    assert made["email_url"] == made["secret_key_fallbacks"] == ""
    (folder / "redis_password").unlink()
    subprocess.run(run, check=True)
    again = {each.name: each.read_text() for each in folder.iterdir()}
    assert {name for name in made if made[name] != again[name]} == {"redis_password"}


def test_pinning_names_each_image_with_its_digest(tmp_path: Path) -> None:
    docker = tmp_path / "docker"
    docker.write_text('#!/bin/sh\n[ "$1" = pull ] || echo "library/x@sha256:0123"\n')
    docker.chmod(0o755)
    told = subprocess.run(
        ["sh", str(ROOT / "deploy" / "pin.sh")],
        env={"PATH": f"{tmp_path}:/usr/bin:/bin"},
        check=True,
        capture_output=True,
        text=True,
    ).stdout.splitlines()
    assert told == [
        "PYTHON_IMAGE=python:3.13-slim@sha256:0123",
        "POSTGRES_IMAGE=postgres:17@sha256:0123",
        "REDIS_IMAGE=redis:7@sha256:0123",
        "CADDY_IMAGE=caddy:2@sha256:0123",
    ]
