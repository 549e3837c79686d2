"""Formulas as MathML, which browsers draw by themselves: no script, and no fonts to fetch."""

import re
from xml.etree import ElementTree

MATHML = "http://www.w3.org/1998/Math/MathML"
BRACE = "\N{BOTTOM CURLY BRACKET}"
BIG = re.compile(r"(\\[bB]igg?)(?![A-Za-z])")  # \big(, which docutils knows as \bigl( only


class FormulaError(ValueError):
    """A formula that has no MathML here; the text says which, and why."""


def mathml(text: str, block: bool = False) -> str:
    """Return the `<math>` of a formula in LaTeX. block: it stands on a line of its own.

    Raises FormulaError where docutils does not know a command. Needs docutils.
    """
    from docutils.utils.math import MathError, latex2mathml

    try:
        formula = latex2mathml.tex2mathml(BIG.sub(r"\1l", text.strip()), as_block=block)
    except MathError as error:
        raise FormulaError(f"the formula {text!r} has no MathML: {error}") from error
    return _label_braces(formula) if BRACE in formula else formula


def _label_braces(formula: str) -> str:
    """Put what stands below a brace there; docutils makes it an index beside what is embraced."""
    ElementTree.register_namespace("", MATHML)
    math = ElementTree.fromstring(formula)
    for index in math.iter(f"{{{MATHML}}}msub"):
        if index[0].tag == f"{{{MATHML}}}munder" and index[0][-1].text == BRACE:
            index.tag = f"{{{MATHML}}}munder"
    return ElementTree.tostring(math, encoding="unicode")
