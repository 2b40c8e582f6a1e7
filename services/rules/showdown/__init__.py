"""Showdown games: no banker, all hands are laid open and compared (the sheet ``showdown``)."""
