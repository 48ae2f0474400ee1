"""Long differences, compressed: JSON, zlib, base64 for addresses; bounded when it is opened again."""

import base64
import binascii
import json
import zlib

from scheduler_core.errors import CoreError
from scheduler_core.phrases import Phrase

LARGEST_UNPACKED = 1_000_000
"""Bytes a packed difference may unfold to."""


class PackingError(CoreError):
    """A packed difference cannot be opened; the text says why."""

    code = "link"


def pack(changes: dict[str, object]) -> str:
    """Return changes as text for an address.

    Parameters
    ----------
    changes : dict
        Path -> plain value, in the order in which they are applied.

    Returns
    -------
    str
        Letters, digits, `-` and `_` only.
    """
    text = json.dumps(list(changes.items()), separators=(",", ":"), ensure_ascii=True)
    return base64.urlsafe_b64encode(zlib.compress(text.encode(), 9)).rstrip(b"=").decode()


def unpack(text: str) -> list[tuple[str, object]]:
    """Open what `pack` made.

    Parameters
    ----------
    text : str
        From an address; may be damaged or hostile.

    Returns
    -------
    list of (str, object)
        Paths and values in their order.

    Raises
    ------
    PackingError
        If it is not base64, not compressed, unfolds to over 1,000,000 bytes, or does not hold changes.
    """
    try:
        packed = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
        opener = zlib.decompressobj()
        raw = opener.decompress(packed, LARGEST_UNPACKED)
    except (binascii.Error, ValueError, zlib.error) as error:
        raise PackingError(Phrase("its compressed part (z=) is damaged.")) from error
    if opener.unconsumed_tail:
        raise PackingError(
            Phrase(
                "its compressed part (z=) unfolds to more than the {largest_unpacked:,} bytes allowed.",
                largest_unpacked=LARGEST_UNPACKED,
            )
        )
    if not opener.eof:
        raise PackingError(Phrase("its compressed part (z=) is cut off."))
    try:
        found = json.loads(raw)
    except (ValueError, RecursionError) as error:
        raise PackingError(Phrase("its compressed part (z=) does not hold changes.")) from error
    if not isinstance(found, list) or not all(_is_change(change) for change in found):
        raise PackingError(Phrase("its compressed part (z=) does not hold changes."))
    return [(path, value) for path, value in found]


def _is_change(change: object) -> bool:
    return isinstance(change, list) and len(change) == 2 and isinstance(change[0], str)
