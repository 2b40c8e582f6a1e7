"""Audit: replay and proof of what happened. It reads the log and writes only signed checkpoints."""
