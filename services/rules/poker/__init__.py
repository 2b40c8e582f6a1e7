"""Poker: seven games on one betting engine (rule sheet poker)."""
