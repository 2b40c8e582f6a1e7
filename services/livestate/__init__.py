"""The live state: the only room that touches Redis; everything in it may be lost at any time."""
