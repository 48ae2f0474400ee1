"""An interrupt that a library swallows still ends the command."""

import signal
from collections.abc import Callable

import pytest

from scheduler_core import cli
from scheduler_core.cli._progress import Progress


@pytest.fixture(autouse=True)
def handler_as_before() -> object:
    before = signal.getsignal(signal.SIGINT)
    yield
    signal.signal(signal.SIGINT, before)


def swallow() -> None:
    """Press Ctrl-C where nobody lets it through."""
    try:
        signal.raise_signal(signal.SIGINT)
    except KeyboardInterrupt:
        return


def turned_into_a_type_error(**_: object) -> int:
    swallow()
    raise TypeError("_get_jit_address() missing 1 required positional argument: 'sig'")


def lost(**_: object) -> int:
    swallow()
    if not Progress("Simulating")(0.5):
        raise KeyboardInterrupt
    return 0


@pytest.mark.parametrize("work", [turned_into_a_type_error, lost])
def test_swallowed_interrupt_ends_with_130(
    work: Callable[..., int], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(cli.app, "main", work)
    assert cli.run([]) == 130
    assert capsys.readouterr().err == "Interrupted.\n"


def test_type_error_without_an_interrupt_is_a_fault_of_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    def wrong(**_: object) -> int:
        raise TypeError("no")

    monkeypatch.setattr(cli.app, "main", wrong)
    with pytest.raises(TypeError, match="no"):
        cli.run([])
