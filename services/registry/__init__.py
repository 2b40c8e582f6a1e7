"""The registry: switches, limits, adjustments, templates, significant events, and statistics of rounds."""
