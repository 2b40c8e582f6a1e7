"""Names and free texts of players: sealed under a key for each player, opened for views, erased with the key."""
