"""Lab 11: tensor cores: what they read of a number, and products of parts."""
