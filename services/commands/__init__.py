"""Commands at a table: what dealer and settlement share of deciding, answering once, and appending to the log."""
