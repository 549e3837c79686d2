"""The board: where everybody in a room is, on one page that a projector can show.

What it is told, and what becomes of it (for `classroom/privacy.md`):

- A notebook tells the board when a chapter or lab is opened, the verdict of a check with the name
  of the mistake recognised, and a prediction: when it is written down, and again with what was
  measured. That is the exercise's name, the stage, two numbers, the words that the course puts
  beside them, the time, and an eight-digit digest of the cell, by which the board knows which cell
  of the course it is and which it does not keep. Never code, never output, never what a learner
  writes elsewhere.
- It tells nothing by itself. On a hub the notebook says so once, at the first event, and shares
  from that event on; alone, the learner joins with an address from the instructor. Nothing from
  before is sent. `journal.leave()` ends it at once, also for later notebooks.
- The board keeps: a digest for each learner (HMAC-SHA256 with a key of the lesson), the name or the
  pseudonym shown, when they were told, and the events above. By the instructor's choice it shows
  names or pseudonyms; with pseudonyms no name is stored at all. Texts of learners, but for their
  names, are not kept: what does not stand in the course's own files is refused.
- A learner sees all that is held of them, on the board's page `mine` or by `journal.shared()`, and
  deletes it there, or by `journal.unshare()`. It is gone at once and is not sent again.
- A lesson is deleted 14 days after it began, or when the next one begins: its events, names and the
  key, without which no pseudonym leads to a learner. What is deleted is overwritten in SQLite.
  Backups of the machine are its owner's affair.
- Who sees it: the instructor, and the room what the instructor puts on the wall. Whoever runs the
  machine could read the database, and could link pseudonyms while the key is there.
- It is for teaching the room at that moment, and never for grades: there is no export.
- It is a learner's own word: a notebook can send what was never checked. That is one reason more.
"""
