"""The maintainers' commands in a checkout: `python -m tools notebooks|book|results`.

Learners do not have these commands, so none of theirs can overwrite a lab.
"""
