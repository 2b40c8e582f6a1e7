"""Claims to chips, as pure functions in the order that rules/README gives."""
