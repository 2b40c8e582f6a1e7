"""Fairness: seed, shuffle, commitment, seal and proofs; pure, the operating system's seed is an argument."""
