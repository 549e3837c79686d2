"""Lab 13: passes of a compiler, what is alive when, and which candidate wins."""
