"""Lab 10: TF32, its second half, a fragment, a swizzle, float32 from tensor cores."""
