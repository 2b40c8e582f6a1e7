"""Pitboss, room by room; the README draws how they stand to each other."""
