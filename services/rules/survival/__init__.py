"""Survival games: a seat without cards is out, the last one left wins the antes."""
