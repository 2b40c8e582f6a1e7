"""How house players choose, one module for each family; each chooses from what the view of its own seat shows."""
