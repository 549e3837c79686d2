"""Lab 03: MEC from its bytes to a version that needs less than half of them."""
