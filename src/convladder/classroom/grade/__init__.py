"""`convladder grade`: submissions run behind walls, and judged by checks that they cannot reach."""
