"""Formulas as MathML, which browsers draw by themselves: no script, and no fonts to fetch."""

import re

BIG = re.compile(r"(\\[bB]igg?)(?![A-Za-z])")  # \big(, which docutils knows as \bigl( only


class FormulaError(ValueError):
    """A formula that has no MathML here; the text says which, and why."""


def mathml(text: str, block: bool = False) -> str:
    """Return the `<math>` of a formula in LaTeX. block: it stands on a line of its own.

    Raises FormulaError where docutils does not know a command. Needs docutils.
    """
    from docutils.utils.math import MathError, latex2mathml

    try:
        return latex2mathml.tex2mathml(BIG.sub(r"\1l", text.strip()), as_block=block)
    except MathError as error:
        raise FormulaError(f"the formula {text!r} has no MathML: {error}") from error
