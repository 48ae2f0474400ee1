"""Code shared by the pages: frame, text, numbers as people say them, charts, widgets, storage."""
