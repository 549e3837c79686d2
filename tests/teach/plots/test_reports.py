"""The ledger of claims."""

import pytest

from convladder.teach.plots import Ledger, percent


def test_claims_hold_or_get_a_reason():
    ledger = Ledger("the text", "we")
    ledger.claim("a", 3, 3)
    ledger.claim("b", "1.00 %", percent(1, 100))
    ledger.claim("c", 1000, 1210, "a round number")
    ledger.claim("d", 9, 8.84, "holds: below 9")
    with pytest.raises(AssertionError, match="e: 1 is not 2"):
        ledger.claim("e", 1, 2)
    assert ledger.held == 3 and str(ledger) == "4 claims checked, 3 hold"
    assert "4 claims: 3 hold, 1 need a word" in repr(ledger.table())
    assert list(ledger.rows[0]) == ["claim", "the text", "we", "verdict"]
