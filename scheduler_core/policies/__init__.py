"""Orders, one file each; a file exports `POLICY`."""
