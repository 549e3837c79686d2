"""How an answer is judged: run, compared, recognised, put in words. Its face is `teach`."""
