"""The board's tables.

session: a lesson, with the key of its pseudonyms. learner: who takes part, since when they know of
it (`told`), and the name shown. event: what `wire.Told` has, unique for a learner by its uid.
showing: what the instructor opened of a question.
"""

from __future__ import annotations

import sqlalchemy as sql

META = sql.MetaData()
SESSION = sql.Table(
    "session",
    META,
    sql.Column("id", sql.Integer, primary_key=True),
    sql.Column("begun", sql.Float, nullable=False),
    sql.Column("key", sql.String(64), nullable=False),
    sql.Column("named", sql.Boolean, nullable=False),
    sql.Column("started", sql.Float),
)  # the plan
LEARNER = sql.Table(
    "learner",
    META,
    sql.Column("session", sql.ForeignKey("session.id", ondelete="CASCADE"), primary_key=True),
    sql.Column("who", sql.String(32), primary_key=True),
    sql.Column("shown", sql.String(60), nullable=False),
    sql.Column("told", sql.String(40), nullable=False),
    sql.Column("cleared", sql.Float, nullable=False, default=0.0),
)
EVENT = sql.Table(
    "event",
    META,
    sql.Column("id", sql.Integer, primary_key=True),
    sql.Column("session", sql.ForeignKey("session.id", ondelete="CASCADE"), nullable=False),
    sql.Column("who", sql.String(32), nullable=False),
    sql.Column("uid", sql.String(64), nullable=False),
    sql.Column("kind", sql.String(16), nullable=False),
    sql.Column("at", sql.Float, nullable=False),
    sql.Column("notebook", sql.String(80), nullable=False),
    sql.Column("exercise", sql.String(80), nullable=False),
    sql.Column("stage", sql.String(40), nullable=False),
    sql.Column("misconception", sql.String(120), nullable=False),
    sql.Column("question", sql.String(80), nullable=False),
    sql.Column("prediction", sql.Float),
    sql.Column("measured", sql.Float),
    sql.UniqueConstraint("session", "who", "uid"),
)
SHOWING = sql.Table(
    "showing",
    META,
    sql.Column("session", sql.ForeignKey("session.id", ondelete="CASCADE"), primary_key=True),
    sql.Column("question", sql.String(80), primary_key=True),
    sql.Column("shown", sql.Boolean, nullable=False),
    sql.Column("revote", sql.Float),
    sql.Column("reveal", sql.Float),
)
