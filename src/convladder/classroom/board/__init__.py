"""The board: where everybody in the room is, on one page that a projector can show.

A notebook sends nothing until its learner has joined by `journal.join("http://…/#key")`. From then
on it sends which notebook was opened, the verdicts of checks with the mistake or the smallest
failing case, and predictions. It never sends code or output. A name is what its owner typed.
"""
