"""Signs of life on stderr for what takes over a second: one line a second at most, whether or not it is a terminal."""

import time

import click

from scheduler_core.cli._interrupt import interrupted

QUIET_S = 1.0
EVERY_S = 1.0


class Progress:
    """Says how far a piece of work is; silent in the first second.

    Parameters
    ----------
    what : str
        What is being done, as the line says it.
    """

    def __init__(self, what: str) -> None:
        self.what = what
        self._began = time.monotonic()
        self._said = self._began + QUIET_S - EVERY_S

    def __call__(self, share: float) -> bool:
        """Take note of the share done, 0 to 1; return whether to go on: not after a Ctrl-C that got lost."""
        now = time.monotonic()
        if now - self._said >= EVERY_S and now - self._began >= QUIET_S:
            self._said = now
            click.echo(
                f"{self.what}: {100 * min(max(share, 0.0), 1.0):.0f} % after {now - self._began:.0f} s", err=True
            )
        return not interrupted()


def note(text: str) -> None:
    """Say something on stderr that is no part of the answer."""
    click.echo(text, err=True)
