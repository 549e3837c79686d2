"""Exercises of chapter 00: start here."""
