"""The contract room: the words of ``protos/pitboss/v1`` put for the words of rules and tables, and back; pure."""
