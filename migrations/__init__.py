"""The database's schema: plain SQL in numbered revisions, run by ``services.eventlog.migrate``."""
