"""The operator's house: switches, adjustments, limits, significant events and reports."""
