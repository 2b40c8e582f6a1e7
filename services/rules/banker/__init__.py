"""Games in which every player plays against one bank, and one against a common pool."""
