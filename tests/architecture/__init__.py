"""Rules about the sources themselves. The checkers take text, so each is also shown a planted violation."""
