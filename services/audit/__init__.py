"""Audit: what happened, decided again and proven; reads the log, writes signed checkpoints and nothing else."""
