"""Lab 11: reading a profile: rows, overlaps, streams, mistakes of measurements."""
