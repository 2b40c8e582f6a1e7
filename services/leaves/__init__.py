"""The leaves of proven records: the order in which records entered their trees, and the trees' whole subtrees."""
