"""Lab 03: MEC, its strips, partitions and bytes."""
