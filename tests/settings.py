"""The product's settings, on a database of the tests' own and without slow hashing."""

import os
import tempfile
from pathlib import Path

os.environ.setdefault("DATA_DIR", str(Path(tempfile.gettempdir()) / "barpoint-tests"))
os.environ.setdefault("LOG_LEVEL", "ERROR")
# Of those that run at once (pytest -n) each has a Redis of its own, as it has a PostgreSQL: one clears its cache.
if (worker := os.environ.get("PYTEST_XDIST_WORKER", "")) and os.environ.get("REDIS_URL", "").endswith("/0"):
    os.environ["REDIS_URL"] = f"{os.environ['REDIS_URL'][:-1]}{1 + int(worker.removeprefix('gw'))}"

from config.settings import *  # noqa: F403
from config.settings import DATABASES, REST_FRAMEWORK, STORAGES

STORAGES = {
    **STORAGES,
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}
WHITENOISE_AUTOREFRESH = True
WHITENOISE_USE_FINDERS = True
# As long as a run: in play, browsers may keep files with hashed names for ever, and without a connection they are all there is.
WHITENOISE_MAX_AGE = 3600
# Argon2 is meant to be slow; a thousand sign-ins in a test run are not.
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
# Our dice hang on it: with a new key in every clone a test would be another one there.
SECRET_KEY = (
    os.environ.get("SECRET_KEY") or "one key for every run of the tests, so that every run has the same dice"
)
EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
REST_FRAMEWORK = {**REST_FRAMEWORK, "DEFAULT_THROTTLE_CLASSES": []}
ACCOUNT_RATE_LIMITS = False
# Tests do not depend on whether an engine is installed; those of it switch it on.
OPINION = False

if DATABASES["default"]["ENGINE"] == "runtime.sqlite":
    # Nothing of it outlives the run: it need not wait for the disk.
    DATABASES["default"]["OPTIONS"]["init_command"] += "PRAGMA synchronous=OFF;"
    # A file, not memory: threads and other processes must see it, through the gate.
    DATABASES["default"]["TEST"] = {"NAME": Path(os.environ["DATA_DIR"]) / f"test-{os.getpid()}.sqlite3"}
    Path(os.environ["DATA_DIR"]).mkdir(parents=True, exist_ok=True)
