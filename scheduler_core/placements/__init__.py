"""Placement rules, one file each; a file exports `PLACEMENT`."""
