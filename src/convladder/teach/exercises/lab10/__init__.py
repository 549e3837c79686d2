"""Lab 10: a profile read into a table, hidden time, Amdahl, streams, mistakes, a plan of one's own."""
