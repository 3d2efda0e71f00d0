"""Typed environment variables, read only by `config.settings`.

All readers raise ImproperlyConfigured with a message for the operator if a value is invalid.
"""

from __future__ import annotations

import os
import socket
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from urllib.parse import SplitResult, parse_qsl, quote, unquote, urlsplit
from zoneinfo import ZoneInfo

from django.core.exceptions import ImproperlyConfigured

from runtime.install import keyfile

FLAGS = dict.fromkeys(("1", "true", "yes", "on"), True) | dict.fromkeys(("0", "false", "no", "off"), False)
# Prefix of Django's example keys.
PLACEHOLDER = "django-insecure"


def read_string(name: str, default: str = "") -> str:
    """Return the variable, or the contents of the file NAME_FILE, or *default* if both are unset or blank."""
    given, file = os.environ.get(name, "").strip(), os.environ.get(f"{name}_FILE", "").strip()
    if given and file:
        raise ImproperlyConfigured(f"{name} and {name}_FILE are both set; one of them is enough.")
    if file:
        try:
            given = Path(file).read_text().strip()
        except (OSError, UnicodeDecodeError) as error:
            why = error.strerror if isinstance(error, OSError) else "it is not text"
            raise ImproperlyConfigured(f"{name}_FILE cannot be read: {why}: {Path(file)}") from None
    return given or default


def read_integer(name: str, default: int, *, least: int = 0, most: int = 65535) -> int:
    raw = read_string(name)
    if not raw:
        return default
    try:
        value = int(raw)
    except ValueError:
        raise ImproperlyConfigured(f"{name} must be a whole number, not {raw!r}.") from None
    if not least <= value <= most:
        raise ImproperlyConfigured(f"{name} must be between {least} and {most}, not {value}.")
    return value


def read_flag(name: str, *, default: bool = False) -> bool:
    raw = read_string(name)
    if not raw:
        return default
    if raw.lower() not in FLAGS:
        raise ImproperlyConfigured(f"{name} must be 1 or 0, not {raw!r}.")
    return FLAGS[raw.lower()]


def read_words(name: str) -> list[str]:
    return [word.strip() for word in read_string(name).split(",") if word.strip()]


def read_choice(name: str, options: Sequence[str]) -> str:
    """Read one of *options*, ignoring case; the first is the default."""
    value = read_string(name, options[0])
    for option in options:
        if value.lower() == option.lower():
            return option
    raise ImproperlyConfigured(f"{name} must be one of {', '.join(options)}, not {value!r}.")


def read_time_zone(name: str, default: str) -> str:
    value = read_string(name, default)
    try:
        ZoneInfo(value)
    except (LookupError, ValueError, OSError):
        raise ImproperlyConfigured(
            f"{name} must name a time zone like Europe/Berlin, not {value!r}."
        ) from None
    return value


def read_url(name: str, schemes: Sequence[str], default: str = "", *, credential: str = "") -> str:
    """Read a URL with one of *schemes*; its password may be in the separate variable *credential*."""
    value = read_string(name, default)
    if value and _parse_url(name, value).scheme not in schemes:
        raise ImproperlyConfigured(f"{name} must start with {' or '.join(s + '://' for s in schemes)}.")
    return _add_password(name, value, read_string(credential)) if value and credential else value


def _add_password(name: str, url: str, password: str) -> str:
    parts = _parse_url(name, url)
    if not password:
        return url
    if parts.password:
        raise ImproperlyConfigured(f"{name} has a password of its own already.")
    user, _, host = parts.netloc.rpartition("@")
    return parts._replace(netloc=f"{user.rstrip(':')}:{quote(password, safe='')}@{host}").geturl()


def read_origin(name: str, default: str) -> str:
    """Read an http(s) origin: lower case, without a path."""
    value = read_url(name, ("http", "https"), default)
    parts = _parse_url(name, value)
    if not parts.hostname or parts.path.strip("/") or parts.query or parts.fragment or parts.username:
        raise ImproperlyConfigured(f"{name} must be an address like https://club.example, not {value!r}.")
    return f"{parts.scheme}://{parts.netloc.lower()}"


def get_data_home() -> Path:
    """Return the default DATA_DIR of an installed Barpoint (XDG base directories)."""
    return Path(read_string("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "barpoint"


def find_package_folder(package: str, name: str) -> list[Path]:
    """Return a folder inside an installed package, without importing it; [] if the package is missing."""
    found = find_spec(package)
    return [Path(place) / name for place in (found.submodule_search_locations or ())] if found else []


def _parse_url(name: str, value: str) -> SplitResult:
    """Parse a URL; the error names the variable."""
    try:
        parts = urlsplit(value)
        parts.port  # noqa: B018 - the property validates the port
    except ValueError as error:
        # The value may contain a password, so it is not shown.
        raise ImproperlyConfigured(f"{name} is no address: {error}.") from None
    return parts


def read_secret(name: str, path: Path, *, is_kept: bool = True) -> str:
    """Read a secret, or else the key in the file *path*, which is created if missing.

    Without *is_kept* a missing key is generated for this process only, so that it does not pass for the lost
    one.
    """
    if value := read_string(name):
        if value.startswith(PLACEHOLDER):
            raise ImproperlyConfigured(f"{name} is still the example: make one with `openssl rand -hex 32`.")
        return value
    if os.environ.get(f"{name}_FILE", "").strip():
        raise ImproperlyConfigured(f"{name}_FILE is empty: {os.environ[f'{name}_FILE']}")
    try:
        if stored := keyfile.read_key(path):
            return stored
        return keyfile.store_key(path, keyfile.generate_key()) if is_kept else keyfile.generate_key()
    except OSError as error:
        raise ImproperlyConfigured(describe_folder_error(path.parent, error)) from None


def describe_folder_error(path: Path, error: OSError) -> str:
    if path.exists():
        return f"DATA_DIR cannot be used: {error.strerror}: {path}"
    parent = next(each for each in path.parents if each.exists())
    return (
        f"DATA_DIR is {path}, which does not exist and cannot be made in {parent} ({error.strerror})."
        " Set DATA_DIR to a folder in which this account may write."
    )


def list_own_addresses() -> list[str]:
    """Return this machine's IP address, if found, and host names in the local network."""
    name = socket.gethostname().lower()
    found = [name, f"{name}.local"]
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            # Sends nothing; only selects the local address of the outgoing route.
            probe.connect(("10.255.255.255", 9))
            found.insert(0, probe.getsockname()[0])
        except OSError:
            pass
    return found


def build_database_settings(url: str, *, sqlite_path: Path, connections: int) -> dict[str, Any]:
    if not url:
        return build_sqlite_settings(sqlite_path)
    parts = _parse_url("DATABASE_URL", url)
    query = dict(parse_qsl(parts.query))
    if not parts.path.strip("/") and "service" not in query:
        raise ImproperlyConfigured("DATABASE_URL must name a database: postgresql://user@host/name.")
    if parts.scheme == "sqlite":
        return build_sqlite_settings(Path("/" + unquote(parts.path).lstrip("/")))
    return build_postgresql_settings(parts, connections=connections)


def build_sqlite_settings(path: Path) -> dict[str, Any]:
    return {
        "ENGINE": "runtime.sqlite",
        "NAME": path,
        "CONN_MAX_AGE": None,
        "OPTIONS": {
            "transaction_mode": "IMMEDIATE",
            "timeout": 20,
            "init_command": (
                "PRAGMA journal_mode=WAL;"
                "PRAGMA synchronous=FULL;"
                "PRAGMA journal_size_limit=67108864;"
                "PRAGMA cache_size=-20000;"
            ),
        },
    }


def build_postgresql_settings(parts: SplitResult, *, connections: int) -> dict[str, Any]:
    limits = "-c statement_timeout=30000 -c lock_timeout=3000 -c idle_in_transaction_session_timeout=10000"
    return {
        "ENGINE": "runtime.postgresql",
        "NAME": unquote(parts.path.lstrip("/")),
        "USER": unquote(parts.username or ""),
        "PASSWORD": unquote(parts.password or ""),
        "HOST": parts.hostname or "",
        "PORT": str(parts.port or ""),
        "CONN_MAX_AGE": 0,
        # A restart of PostgreSQL breaks pooled connections, so each is checked when it is taken (0.1 ms).
        "CONN_HEALTH_CHECKS": True,
        "OPTIONS": {
            **dict(parse_qsl(parts.query)),
            "pool": {"min_size": 1, "max_size": connections, "timeout": 10},
            "options": limits,
            "application_name": "barpoint",
        },
    }


def build_mail_settings(url: str, *, folder: Path) -> dict[str, Any]:
    """Return Django's e-mail settings; without a server, e-mails are written to *folder*."""
    if not url:
        return {
            "EMAIL_BACKEND": "django.core.mail.backends.filebased.EmailBackend",
            "EMAIL_FILE_PATH": folder,
        }
    parts = _parse_url("EMAIL_URL", url)
    return {
        "EMAIL_BACKEND": "django.core.mail.backends.smtp.EmailBackend",
        "EMAIL_HOST": parts.hostname or "localhost",
        "EMAIL_PORT": parts.port or (465 if parts.scheme == "smtps" else 587),
        "EMAIL_HOST_USER": unquote(parts.username or ""),
        "EMAIL_HOST_PASSWORD": unquote(parts.password or ""),
        "EMAIL_USE_SSL": parts.scheme == "smtps",
        "EMAIL_USE_TLS": parts.scheme == "smtp" and parts.hostname not in {"localhost", "127.0.0.1"},
        "EMAIL_TIMEOUT": 10,
    }


def build_broker_url(redis_url: str) -> str:
    """Return the URL by which Celery finds Redis: a socket is written otherwise there.

    >>> build_broker_url("unix:///run/redis.sock?db=1")
    'redis+socket:///run/redis.sock?virtual_host=1'
    """
    parts = _parse_url("REDIS_URL", redis_url)
    if parts.scheme != "unix":
        return redis_url
    number = dict(parse_qsl(parts.query)).get("db", "0")
    return f"redis+socket://{parts.netloc}{parts.path}?virtual_host={number}"


def build_cache_settings(redis_url: str, name: str) -> dict[str, Any]:
    """Return the settings of a separate cache: a key prefix in Redis, or a bounded in-process cache."""
    if redis_url:
        return {
            "BACKEND": "runtime.cache.ForgivingRedisCache",
            "LOCATION": redis_url,
            "OPTIONS": {"socket_timeout": 1, "socket_connect_timeout": 1},
            "KEY_PREFIX": name,
        }
    return {
        "BACKEND": "runtime.http.rate_limits.CounterCache",
        "LOCATION": name,
        "OPTIONS": {"MAX_ENTRIES": 20_000},
    }
