"""The pages of the console; each module holds one, with what can be done on it."""
