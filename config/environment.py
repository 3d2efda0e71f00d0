"""Typed readings of the environment, for `config.settings` alone.

Every reader takes the name and a default and says plainly what is wrong when a value cannot be used.
"""

from __future__ import annotations

import os
import socket
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import SplitResult, parse_qsl, quote, unquote, urlsplit
from zoneinfo import ZoneInfo

from django.core.exceptions import ImproperlyConfigured

from runtime.install import keyfile

if TYPE_CHECKING:
    from collections.abc import Sequence

TRUE_WORDS = frozenset({"1", "true", "yes", "on"})
# What Django's own examples begin with.
PLACEHOLDER = "django-insecure"
FALSE_WORDS = frozenset({"0", "false", "no", "off"})


def text(name: str, default: str = "") -> str:
    """Return the variable, or what is in the file that NAME_FILE names, or *default* when both are unset or blank."""
    given, file = os.environ.get(name, "").strip(), os.environ.get(f"{name}_FILE", "").strip()
    if given and file:
        raise ImproperlyConfigured(f"{name} and {name}_FILE are both set; one of them is enough.")
    return given or (_contents(f"{name}_FILE", Path(file)) if file else "") or default


def _contents(name: str, path: Path) -> str:
    try:
        return path.read_text().strip()
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is not text"
        raise ImproperlyConfigured(f"{name} cannot be read: {why}: {path}") from None


def integer(name: str, default: int, *, least: int = 0, most: int = 65535) -> int:
    """Return the variable as a whole number between *least* and *most*."""
    raw = text(name)
    if not raw:
        return default
    try:
        value = int(raw)
    except ValueError:
        raise ImproperlyConfigured(f"{name} must be a whole number, not {raw!r}.") from None
    if not least <= value <= most:
        raise ImproperlyConfigured(f"{name} must be between {least} and {most}, not {value}.")
    return value


def flag(name: str, *, default: bool = False) -> bool:
    """Return the variable as yes or no."""
    raw = text(name)
    if not raw:
        return default
    word = raw.lower()
    if word in TRUE_WORDS:
        return True
    if word in FALSE_WORDS:
        return False
    raise ImproperlyConfigured(f"{name} must be 1 or 0, not {raw!r}.")


def words(name: str) -> list[str]:
    """Return the variable split at commas, blanks dropped."""
    return [word.strip() for word in text(name).split(",") if word.strip()]


def choice(name: str, options: Sequence[str]) -> str:
    """Return the variable if it is one of *options*, in whatever case; the first is the default."""
    value = text(name, options[0])
    for option in options:
        if value.lower() == option.lower():
            return option
    raise ImproperlyConfigured(f"{name} must be one of {', '.join(options)}, not {value!r}.")


def time_zone(name: str, default: str) -> str:
    """Return the variable if it names a time zone."""
    value = text(name, default)
    try:
        ZoneInfo(value)
    except (LookupError, ValueError, OSError):
        raise ImproperlyConfigured(
            f"{name} must name a time zone like Europe/Berlin, not {value!r}."
        ) from None
    return value


def address(name: str, schemes: Sequence[str], default: str = "", *, credential: str = "") -> str:
    """Return the variable as an address whose scheme is one of *schemes*; its password may stand in a variable of its own."""
    value = text(name, default)
    if value and _parts(name, value).scheme not in schemes:
        raise ImproperlyConfigured(f"{name} must start with {' or '.join(s + '://' for s in schemes)}.")
    return _with_password(name, value, text(credential)) if value and credential else value


def _with_password(name: str, url: str, password: str) -> str:
    parts = _parts(name, url)
    if not password:
        return url
    if parts.password:
        raise ImproperlyConfigured(f"{name} has a password of its own already.")
    user, _, host = parts.netloc.rpartition("@")
    return parts._replace(netloc=f"{user.rstrip(':')}:{quote(password, safe='')}@{host}").geturl()


def origin(name: str, default: str) -> str:
    """Return the variable as the http address of a host, in small letters and without a path."""
    value = address(name, ("http", "https"), default)
    parts = _parts(name, value)
    if not parts.hostname or parts.path.strip("/") or parts.query or parts.fragment or parts.username:
        raise ImproperlyConfigured(f"{name} must be an address like https://club.example, not {value!r}.")
    return f"{parts.scheme}://{parts.netloc.lower()}"


def data_home() -> Path:
    """Return where an installed Barpoint keeps its club unless it is told: where each account's programs keep theirs."""
    return Path(text("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "barpoint"


def folder_of(package: str, name: str) -> list[Path]:
    """Return a folder that comes with an installed package, without importing it."""
    found = find_spec(package)
    return [Path(place) / name for place in (found.submodule_search_locations or ())] if found else []


def _parts(name: str, value: str) -> SplitResult:
    """Split an address; one that cannot be split is refused by the name of its variable."""
    try:
        parts = urlsplit(value)
        parts.port  # noqa: B018 - looked at, because it is only then that it is read
    except ValueError as error:
        # The value itself may hold a password.
        raise ImproperlyConfigured(f"{name} is no address: {error}.") from None
    return parts


def secret(name: str, path: Path, *, is_kept: bool = True) -> str:
    """Return the variable, or a key made once and kept in *path* for this installation alone.

    Unless it *is_kept*: then a new one lasts as long as this process, and nobody takes it for the one that was lost.
    """
    if value := text(name):
        if value.startswith(PLACEHOLDER):
            raise ImproperlyConfigured(f"{name} is still the example: make one with `openssl rand -hex 32`.")
        return value
    if os.environ.get(f"{name}_FILE", "").strip():
        raise ImproperlyConfigured(f"{name}_FILE is empty: {os.environ[f'{name}_FILE']}")
    try:
        if kept := keyfile.kept(path):
            return kept
        return keyfile.keep(path, keyfile.fresh()) if is_kept else keyfile.fresh()
    except OSError as error:
        raise ImproperlyConfigured(describe_folder(path.parent, error)) from None


def describe_folder(path: Path, error: OSError) -> str:
    """Return why DATA_DIR cannot be used, and what to do where it cannot be made."""
    if path.exists():
        return f"DATA_DIR cannot be used: {error.strerror}: {path}"
    parent = next(each for each in path.parents if each.exists())
    return (
        f"DATA_DIR is {path}, which does not exist and cannot be made in {parent} ({error.strerror})."
        " Set DATA_DIR to a folder in which this account may write."
    )


def own_addresses() -> list[str]:
    """Return the names and numbers under which others in the same network reach this machine."""
    name = socket.gethostname().lower()
    found = [name, f"{name}.local"]
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            # Sends nothing: only asks which of our addresses would be used to reach the outside.
            probe.connect(("10.255.255.255", 9))
            found.insert(0, probe.getsockname()[0])
        except OSError:
            pass
    return found


def database(url: str, *, sqlite_path: Path, connections: int, gate: bool = True) -> dict[str, Any]:
    """Return Django's settings for the database that *url* names; SQLite, gated or not, when it is empty."""
    if not url:
        return sqlite(sqlite_path, gate=gate)
    parts = _parts("DATABASE_URL", url)
    query = dict(parse_qsl(parts.query))
    if not parts.path.strip("/") and "service" not in query:
        raise ImproperlyConfigured("DATABASE_URL must name a database: postgresql://user@host/name.")
    if parts.scheme == "sqlite":
        return sqlite(Path("/" + unquote(parts.path).lstrip("/")), gate=gate)
    return postgresql(parts, connections=connections)


def sqlite(path: Path, *, gate: bool = True) -> dict[str, Any]:
    """Return the settings of the embedded database (docs/adr/0011)."""
    return {
        "ENGINE": "runtime.sqlite",
        "NAME": path,
        "GATE": gate,
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


def postgresql(parts: SplitResult, *, connections: int) -> dict[str, Any]:
    """Return the settings of a PostgreSQL server, its connections pooled in each process."""
    limits = "-c statement_timeout=30000 -c lock_timeout=3000 -c idle_in_transaction_session_timeout=10000"
    return {
        "ENGINE": "runtime.postgresql",
        "NAME": unquote(parts.path.lstrip("/")),
        "USER": unquote(parts.username or ""),
        "PASSWORD": unquote(parts.password or ""),
        "HOST": parts.hostname or "",
        "PORT": str(parts.port or ""),
        "CONN_MAX_AGE": 0,
        # A restart of the server cuts the connections in a pool. Each is checked when it is taken, for 0.1 ms, so no visitor meets one.
        "CONN_HEALTH_CHECKS": True,
        "OPTIONS": {
            **dict(parse_qsl(parts.query)),
            "pool": {"min_size": 1, "max_size": connections, "timeout": 10},
            "options": limits,
            "application_name": "barpoint",
        },
    }


def mail(url: str, *, folder: Path) -> dict[str, Any]:
    """Return Django's e-mail settings; without a server, e-mails are files in *folder*."""
    if not url:
        return {
            "EMAIL_BACKEND": "django.core.mail.backends.filebased.EmailBackend",
            "EMAIL_FILE_PATH": folder,
        }
    parts = _parts("EMAIL_URL", url)
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


def cache(redis_url: str, name: str) -> dict[str, Any]:
    """Return a cache of its own: a key space in Redis, or a bounded table of this process."""
    if redis_url:
        return {
            "BACKEND": "runtime.cache.ForgivingRedisCache",
            "LOCATION": redis_url,
            "OPTIONS": {"socket_timeout": 1, "socket_connect_timeout": 1},
            "KEY_PREFIX": name,
        }
    return {
        "BACKEND": "runtime.http.counters.CounterCache",
        "LOCATION": name,
        "OPTIONS": {"MAX_ENTRIES": 20_000},
    }
