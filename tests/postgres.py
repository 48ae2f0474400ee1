"""A throw-away PostgreSQL server for the tests, started from the binaries that the machine has."""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

INSTALLED = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda one: float(one.parent.name), reverse=True)
"""Where Debian and Ubuntu keep the server's programs, the newest first; they are not on the path."""

LIMIT_S = 60


def find_server() -> Path | None:
    """Return the folder of `initdb` and `pg_ctl`, or None where no server is installed."""
    found = shutil.which("initdb")
    folders = [Path(found).resolve().parent] if found else INSTALLED
    return next((one for one in folders if (one / "initdb").exists() and (one / "pg_ctl").exists()), None)


@contextmanager
def serve_postgres(programs: Path) -> Iterator[str]:
    """Run an empty server that only this process reaches, and give its address.

    It listens on a socket in a folder of its own and on no port, so that several can run side by side.
    """
    home = Path(tempfile.mkdtemp(prefix="headroom-pg-"))  # a socket's path may have 107 characters: no longer folder
    user = _give_away(home)
    data, log = home / "data", home / "log"
    try:
        _run(user, programs / "initdb", "--pgdata", data, "--username", "tests", "--auth", "trust", "--no-sync")
        options = f"-c listen_addresses='' -c unix_socket_directories='{home}' -c fsync=off"
        _run(user, programs / "pg_ctl", "start", "--wait", "--pgdata", data, "--log", log, "--options", options)
        try:
            yield f"postgresql+psycopg://tests@/postgres?host={home}"
        finally:
            _run(user, programs / "pg_ctl", "stop", "--mode", "immediate", "--pgdata", data)
    finally:
        shutil.rmtree(home)


def _give_away(home: Path) -> str | None:
    """Return whom to run the server as, who then owns its folder: it refuses to be run by root."""
    if os.name == "nt" or os.getuid() != 0:
        return None
    for name in ("postgres", "nobody"):
        with suppress(LookupError):
            shutil.chown(home, name)
            return name
    return None


def _run(user: str | None, *command: str | Path) -> None:
    # Output goes to a file: the server that `pg_ctl` leaves behind would hold a pipe open.
    with tempfile.TemporaryFile() as said:
        done = subprocess.run(command, user=user, cwd="/", stdout=said, stderr=said, timeout=LIMIT_S, check=False)
        if done.returncode:
            said.seek(0)
            told = said.read().decode("utf-8", "replace")
            raise RuntimeError(f"{command[0]} ended with {done.returncode}; it must end with 0: {told[-2000:]}")
