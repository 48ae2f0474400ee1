"""The scenario document: what is asked, as frozen models."""
