"""The event log: append, read, follow, verify; the only code that touches the tables of events."""
