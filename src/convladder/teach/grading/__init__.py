"""How an answer is judged: run, compared, recognised. Import `check` from `convladder.teach`."""
