"""Lab 11: a table from activities, hidden time, Amdahl, streams, mistakes, a plan."""
