"""The command line ``pitboss``."""
