"""Lab 15: passes of a compiler, what is alive when, and which candidate wins."""
