"""How the notebooks are made: executed, saved in one form, turned into labs, checked."""
