"""The revisions, in the order of their numbers.

What a released one makes is never changed. How it is made may be, so that it runs on more databases: 0003 makes today
what 0006 makes of a house that is older.
"""
