"""Lab 02: count what a layer costs, fold a batch norm, add up float16 without losing it."""
