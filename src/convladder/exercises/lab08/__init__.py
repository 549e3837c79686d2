"""Lab 08: GPU memory: sectors, banks, tiles, vectors, occupancy, copies that overlap."""
