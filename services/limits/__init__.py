"""Players' limits as pure values: what they are, which is the strictest, and what is left of them."""
