"""The command line: ``python -m scheduler_core``.

Text tables by default, ``--json`` and ``--csv`` for machines. Bad input ends with exit status 2 and one line on stderr,
Ctrl-C with 130; nothing is left half-written.
"""

import os
import sys
from collections.abc import Sequence
from typing import NoReturn

import click

from scheduler_core.cli._group import Late
from scheduler_core.cli._interrupt import interrupted, watch
from scheduler_core.cli._tables import printable
from scheduler_core.errors import CoreError, KernelError, ScenarioError
from scheduler_core.phrases import Phrase

PROGRAM = "python -m scheduler_core"
DONE, OUR_FAULT, BAD_INPUT, INTERRUPTED, PIPE_CLOSED = 0, 1, 2, 130, 141
LONGEST_LINE = 500


@click.group(cls=Late, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
def app() -> None:
    """Headroom: how long will people wait, why, and what would change it."""


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run the command line and end the program with its exit status.

    Parameters
    ----------
    arguments : sequence of str, optional
        Words of the command; those of the program by default.
    """
    sys.exit(run(arguments))


def run(arguments: Sequence[str] | None = None) -> int:
    """Run one command.

    Parameters
    ----------
    arguments : sequence of str, optional
        Words of the command; those of the program by default.

    Returns
    -------
    int
        Exit status: 0 done, 1 a fault of ours, 2 bad input, 130 interrupted, 141 nobody reads the output.
    """
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")  # a name the terminal cannot show is no reason to fail
    watch()
    try:
        return _run(None if arguments is None else list(arguments))
    except BrokenPipeError:
        # Python flushes stdout once more at the end; give it somewhere to go.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return PIPE_CLOSED
    except KeyboardInterrupt:
        return _fail("Interrupted.", INTERRUPTED)
    except TypeError:
        if not interrupted():
            raise
        return _fail("Interrupted.", INTERRUPTED)


def _run(arguments: list[str] | None) -> int:
    try:
        status = app.main(args=arguments, prog_name=PROGRAM, standalone_mode=False)
        sys.stdout.flush()
    except click.Abort:
        return _fail("Interrupted.", INTERRUPTED)
    except click.ClickException as error:
        return _refuse(error)
    except CoreError as error:
        return _fail(*_told(error))
    except MemoryError:
        return _fail("This needs more memory than there is; take fewer jobs or days.", BAD_INPUT)
    except BrokenPipeError:
        raise
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        return _fail(f"{where}{error.strerror or 'cannot be read or written'}.", BAD_INPUT)
    return status if isinstance(status, int) else DONE


def _refuse(error: click.ClickException) -> int:
    if isinstance(error, click.exceptions.NoArgsIsHelpError):
        click.echo(error.format_message(), err=True)
        return BAD_INPUT
    hint = ""
    if isinstance(error, click.UsageError):
        hint = Phrase(" (see {what} --help)", what=error.ctx.command_path if error.ctx is not None else PROGRAM)
    return _fail(f"{error.format_message().rstrip('.')}.{hint}", BAD_INPUT)


def _told(error: CoreError) -> tuple[str, int]:
    """Return the sentence of an error and the exit status."""
    if isinstance(error, KernelError):
        return f"This is a fault of the simulator, please report it: {error}", OUR_FAULT
    if isinstance(error, ScenarioError) and error.faults:
        more = len(error.faults) - 1
        rest = f" ({more} more; `scenario check` lists all)" if more else ""
        return f"{error.faults[0].sentence}{rest}", BAD_INPUT
    return ("Interrupted.", INTERRUPTED) if error.code == "cancelled" else (str(error), BAD_INPUT)


def _fail(sentence: str, status: int) -> int:
    """Say in one line what is wrong."""
    line = printable(" ".join(sentence.split()))
    click.echo(line if len(line) <= LONGEST_LINE else f"{line[: LONGEST_LINE - 3]}...", err=True)
    return status
