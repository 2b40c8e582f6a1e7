"""The live state: the only package that uses Redis. Everything in it may be lost at any time."""
