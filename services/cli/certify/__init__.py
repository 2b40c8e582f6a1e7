"""Certification: case files and recorded hands played against the rules alone or a running house."""
