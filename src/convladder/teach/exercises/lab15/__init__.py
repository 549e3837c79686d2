"""Lab 15: lifetimes, an arena, halos, strips of two layers, recomputation, a planner."""
