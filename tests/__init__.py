"""The tests of Headroom; CONTRIBUTING.md says which folder holds what."""
