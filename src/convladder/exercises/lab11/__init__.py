"""Lab 11: tensor cores: formats, fragments, swizzles, products of parts."""
