"""Trick games: endurance, honeymoon, spoil five, loo, napoleon (rule sheet "tricks")."""
