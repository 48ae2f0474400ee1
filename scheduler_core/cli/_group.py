"""Commands that are loaded when they are called, so that help and refusals come at once."""

import importlib

import click

COMMANDS = ("simulate", "replay", "compare", "sweep", "plan", "price", "scenario", "link")
"""Each is a module of this package and the command of the same name in it."""


class Late(click.Group):
    """A group whose commands are imported on demand."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        """Return the names of the commands, in the order of the help."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """Return a command by name."""
        if cmd_name not in COMMANDS:
            return None
        command = getattr(importlib.import_module(f"scheduler_core.cli.{cmd_name}"), cmd_name)
        return command if isinstance(command, click.Command) else None
