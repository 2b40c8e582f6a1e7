"""Ladders: one file for each way in which hands of cards are ranked."""
