"""Colours: one for each tenant everywhere, a fixed set for the causes of waiting, red only for a broken target.

They are told apart by colour-blind readers and keep their meaning in dark mode.
"""

from dataclasses import dataclass
from typing import Final

import streamlit as st

TENANTS: Final = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00")
CAUSES: Final = {
    "quota": "#4C6FB3",
    "order": "#7A8FA6",
    "fragmentation": "#C77D2E",
    "capacity": "#A9B4C2",
    "grace": "#8E6BB0",
    "reservation": "#5E9C94",
    "topology": "#B08D3C",
    "type": "#A0616A",
    "gang_hold": "#6B5F9E",
    "provisioning": "#7FA65A",
    "failure": "#8A5A44",
    "scheduler": "#5F6B78",
}


@dataclass(frozen=True)
class Shades:
    """What differs between light and dark."""

    ink: str
    faint: str
    grid: str
    idle: str
    queue: str
    broken: str
    before: str
    after: str


_LIGHT: Final = Shades(
    "#1B2430", "#5C6875", "#E4E9EF", "rgba(169,180,194,0.22)", "#7A8FA6", "#B3261E", "#9AA7B5", "#1F5FBF"
)
_DARK: Final = Shades(
    "#E6EBF2", "#9AA7B5", "#2C3542", "rgba(154,167,181,0.14)", "#7A8FA6", "#F28B82", "#7C8896", "#7FB2FF"
)


def shades() -> Shades:
    """Return the shades of the theme the reader sees."""
    theme = getattr(st.context, "theme", None)
    return _DARK if getattr(theme, "type", None) == "dark" else _LIGHT


def tenant(index: int) -> str:
    """Return the colour of a tenant by its position in the scenario."""
    return TENANTS[index % len(TENANTS)]


def faded(colour: str, share: float) -> str:
    """Return a hex colour with an opacity of `share`."""
    red, green, blue = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
    return f"rgba({red},{green},{blue},{share})"
