"""`check --deploy` as a public address would have it: not one warning."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile

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
    if done.returncode:
        print(done.stdout + done.stderr, file=sys.stderr)
    raise SystemExit(done.returncode)
