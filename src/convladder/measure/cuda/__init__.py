"""Measuring on a GPU: its name and versions, times by events, profiles by CUPTI."""
