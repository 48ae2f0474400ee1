"""Interview practice: what a candidate writes, scored by rules that can be read. No screen."""
