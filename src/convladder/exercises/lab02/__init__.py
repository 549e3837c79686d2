"""Exercises of lab 02: counting cost."""
