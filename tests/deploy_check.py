"""Runs `check --deploy` with the settings of a public site, and fails for any warning."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile

# About the Python that runs this, not about the settings.
OF_THE_MACHINE = {"runtime.W004"}

with tempfile.TemporaryDirectory(prefix="barpoint-deploy-") as folder:
    environment = {
        **os.environ,
        "DATA_DIR": folder,
        "PUBLIC_URL": "https://club.example",
        "EMAIL_URL": "smtp://mail.example",
        "TRUSTED_PROXIES": "1",
        "DJANGO_SETTINGS_MODULE": "config.settings",
    }
    command = [sys.executable, "manage.py", "check", "--deploy", "--fail-level", "WARNING"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    said = done.stdout + done.stderr
    found = set(re.findall(r"\((\w+\.[A-Z]\d{3})\)", said))
    is_sound = not done.returncode or (found and found <= OF_THE_MACHINE)
    if not is_sound:
        print(said, file=sys.stderr)
    raise SystemExit(0 if is_sound else 1)
