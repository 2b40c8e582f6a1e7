"""The registry: what the house decides beside the tables, what must be told of it, and the figures of its rounds."""
