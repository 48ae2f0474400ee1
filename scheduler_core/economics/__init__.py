"""Money and capacity: small pure formulas, one topic a module, and one dated table of what they assume.

No formula reads a clock, a file or a random state of its own; the table (`defaults/`) is the only data.
"""
