"""The dealer: commands in, events out, watchers, deadlines; stateless, any dealer serves any table of its families."""
