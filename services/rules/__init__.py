"""Every game, pure: no clock, no input or output and no chance of its own."""
