"""Lab 01: im2col and GEMM, from the size of the output to edges in a photograph.

Each mistake is written as a learner would write it, so that it behaves alike on every case.
"""
