"""House players: programs that play at demo and test tables through the public contract, as any client does."""
