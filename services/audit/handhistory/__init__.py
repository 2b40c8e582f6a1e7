"""Hand histories: finished poker hands in the formats that other programs read."""
