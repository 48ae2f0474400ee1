"""Shared links: a named case plus readable differences, and what to do with a damaged one."""

from scheduler_core.links.link import LONGEST_LINK, READABLE_LENGTH, Link, decode, encode

__all__ = ["LONGEST_LINK", "READABLE_LENGTH", "Link", "decode", "encode"]
