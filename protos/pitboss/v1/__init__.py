"""The stubs that are generated from the protos beside them (``make protos``)."""
