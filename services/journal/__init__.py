"""The journal: the domain's events as rows of the log, and rows as events; private to the house."""
