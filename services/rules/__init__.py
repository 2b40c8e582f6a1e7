"""The rules room: every game, pure, with no clock, no input or output and no chance of its own."""
