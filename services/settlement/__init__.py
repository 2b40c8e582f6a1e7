"""Settlement: rounds, buy-ins and wallets to ledger entries, in the same transaction as their events."""
