"""Exercises of lab 01: im2col and GEMM."""
