"""Climbing games: combinations that must beat the last one, until a hand is empty."""
