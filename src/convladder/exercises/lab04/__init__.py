"""Lab 04: work split over threads, what that can gain, how many threads are too many."""
