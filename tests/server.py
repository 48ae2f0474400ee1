"""A dashboard server for the tests: started on a free port, with a data folder of its own."""

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
START_LIMIT_S = 60.0
STOP_LIMIT_S = 10.0
CHROMIUM_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "msedge")
CHROMIUM_FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-quic",
    "--no-first-run",
)


class ServerError(RuntimeError):
    """The dashboard server ended or did not answer; the message holds the end of its log."""


@dataclass(frozen=True)
class AppServer:
    """A running dashboard.

    Attributes
    ----------
    url : str
        Address of the default page, without a slash at the end.
    data : Path
        Its data folder, used by nobody else.
    log_path : Path
        What it wrote to standard output and standard error.
    """

    url: str
    data: Path
    log_path: Path

    def log(self) -> str:
        """Return everything the server wrote so far."""
        return self.log_path.read_text(encoding="utf-8", errors="replace")

    def has_traceback(self) -> bool:
        """Say whether the server logged a Python traceback."""
        return "Traceback (most recent call last)" in self.log()


def find_chromium() -> str | None:
    """Return the browser to drive (HEADROOM_CHROMIUM, or the first one on the path), None without one."""
    named = os.environ.get("HEADROOM_CHROMIUM")
    if named:
        return shutil.which(named)
    return next((found for name in CHROMIUM_NAMES if (found := shutil.which(name))), None)


def free_port() -> int:
    """Return a TCP port that nobody listens on just now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def is_healthy(url: str) -> bool:
    """Say whether the server at `url` answers its health check."""
    try:
        with urllib.request.urlopen(f"{url}/_stcore/health", timeout=2) as answer:  # noqa: S310 our own http address
            return bool(answer.status == 200)
    except (urllib.error.URLError, OSError):
        return False


@contextmanager
def serve(data: Path, *options: str) -> Iterator[AppServer]:
    """Run the dashboard until the block ends.

    Parameters
    ----------
    data : Path
        Folder for its database, stored logs and server log; made when missing.
    *options : str
        More options of `streamlit run`.

    Raises
    ------
    ServerError
        When it ends early or does not answer within 60 s.
    """
    data.mkdir(parents=True, exist_ok=True)
    port = free_port()
    server = AppServer(url=f"http://127.0.0.1:{port}", data=data, log_path=data / "server.log")
    command = [
        *(sys.executable, "-m", "dashboard"),
        *("--server.address=127.0.0.1", f"--server.port={port}", "--server.headless=true", *options),
    ]
    environment = {**os.environ, "HEADROOM_DATA": str(data), "PYTHONUNBUFFERED": "1"}
    environment.pop("DATABASE_URL", None)  # the data folder is the database too
    with server.log_path.open("wb") as log:
        process = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=log, stderr=subprocess.STDOUT)
        try:
            _wait_until_healthy(process, server)
            yield server
        finally:
            process.terminate()
            try:
                process.wait(STOP_LIMIT_S)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def _wait_until_healthy(process: "subprocess.Popen[bytes]", server: AppServer) -> None:
    deadline = time.monotonic() + START_LIMIT_S
    while not is_healthy(server.url):
        if process.poll() is not None:
            raise ServerError(f"the server ended with status {process.returncode}:\n{server.log()[-4000:]}")
        if time.monotonic() > deadline:
            raise ServerError(f"no answer within {START_LIMIT_S:.0f} s:\n{server.log()[-4000:]}")
        time.sleep(0.05)
