"""Lab 10: tensor cores: formats, fragments, swizzles, products of parts."""
