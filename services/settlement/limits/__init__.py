"""Limits of players where money moves: admission before a round, allowance of stakes during it."""
