"""The ledger: accounts and entries; the only code that moves money."""
