"""The event log: append, read, follow, verify. No other code accesses the tables of events."""
