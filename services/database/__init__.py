"""What all stores share of the database: how statements are sent, and that what lost against others is run again."""
