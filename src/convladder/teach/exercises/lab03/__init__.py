"""Lab 03: MEC from its bytes to a version that needs half of them or less."""
