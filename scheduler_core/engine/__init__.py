"""The event loop and its passes; `run` is the way in."""
