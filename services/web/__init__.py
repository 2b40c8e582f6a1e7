"""The page in the browser: its static files, and the sign-in of guests."""
