"""The command line: ``pitboss …``, and the house that starts every process."""
