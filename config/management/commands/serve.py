"""`manage.py serve`: run the whole installation, or its web processes."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand
from django.db import connection

from config import preparation, servers
from config.preparation import Refusal
from players.accounts import accounts


class Command(BaseCommand):
    help = "Serve pages and do the background work; or only one of the two."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "part",
            nargs="?",
            choices=["all", "web"],
            default="all",
            help="all (default): web server and background work in one process",
        )
        parser.add_argument("--processes", type=int, default=settings.WEB_PROCESSES, help="for web: how many")

    def handle(self, *, part: str, processes: int, **_: Any) -> None:
        try:
            preparation.create_data_folder()
            serve = servers.serve_all if part == "all" else servers.serve_web
            serve(processes, announce=self._announce)
        except Refusal as refusal:
            self.stderr.write(f"barpoint: {refusal}")
            sys.exit(2)

    def _announce(self) -> None:
        lines = ["", f"  Barpoint is open at {settings.PUBLIC_URL}/"]
        if settings.OWN_ADDRESSES:
            lines += [
                f"  and to phones in the same network at http://{settings.OWN_ADDRESSES[0]}:{settings.PORT}/"
            ]
        if token := accounts.find_welcome_token():
            lines += [
                "",
                "  Nobody has an account yet. Whoever follows this link first becomes the first director:",
                f"  {settings.PUBLIC_URL}/welcome/{token}/",
            ]
        lines += ["", f"  Ctrl-C closes it. Everything is kept in {_describe_location()}", ""]
        self.stdout.write("\n".join(lines))
        self.stdout.flush()


def _describe_location() -> str:
    name, host = connection.settings_dict["NAME"], connection.settings_dict["HOST"]
    if connection.vendor == "sqlite":
        return str(Path(name).parent)
    return f"the database {name} on {host or 'this machine'}"
