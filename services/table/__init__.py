"""The table room: what happens at a table as events, the fold of them, commands decided, views for one viewer; pure."""
