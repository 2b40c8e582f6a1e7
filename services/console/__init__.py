"""The console of staff: pages that a server renders, from the house's own contract, with the reader's own token."""
