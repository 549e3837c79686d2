"""Lab 00: one output pixel, to practise how a check works."""
