"""The product's settings with a test database and fast password hashing."""

import os
import tempfile
from pathlib import Path

os.environ.setdefault("DATA_DIR", str(Path(tempfile.gettempdir()) / "barpoint-tests"))
os.environ.setdefault("LOG_LEVEL", "ERROR")
# Each pytest worker uses its own Redis database, since tests clear the cache.
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
# As in production, browsers should cache static files, on which offline tests depend.
WHITENOISE_MAX_AGE = 3600
# Argon2 is deliberately slow, which adds up in a test run.
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
# Fixed, since the dice depend on it.
SECRET_KEY = (
    os.environ.get("SECRET_KEY") or "one key for every run of the tests, so that every run has the same dice"
)
EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
REST_FRAMEWORK = {**REST_FRAMEWORK, "DEFAULT_THROTTLE_CLASSES": []}
ACCOUNT_RATE_LIMITS = False
# Tests do not depend on an installed engine; tests of analysis enable it.
OPINION = False

if DATABASES["default"]["ENGINE"] == "runtime.sqlite":
    # The data is temporary, so fsync is not needed.
    DATABASES["default"]["OPTIONS"]["init_command"] += "PRAGMA synchronous=OFF;"
    # A file rather than memory, so that threads and other processes share it, through the gate.
    DATABASES["default"]["TEST"] = {"NAME": Path(os.environ["DATA_DIR"]) / f"test-{os.getpid()}.sqlite3"}
    Path(os.environ["DATA_DIR"]).mkdir(parents=True, exist_ok=True)
