"""Marks: each notebook runs in a jail, values come out, and are judged outside on secret cases.

Read `marking.py` first; `jail.py` has the walls, and `inside.py` is what runs behind them.
"""
