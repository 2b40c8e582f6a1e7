"""Survival games: who runs out of cards is out, the last one left wins the antes."""
