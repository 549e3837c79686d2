"""Lab 13: reading a profile: rows, overlaps, streams, mistakes of measurements."""
