"""What a request of a warp costs, rightly and wrongly: what an exercise of lab 07 is made of."""

from __future__ import annotations


def asked(addresses):
    return [address for address in addresses if address is not None]


def sectors(addresses, size=32):
    return len({address // size for address in asked(addresses)})


def banks(addresses, bank=lambda address: address // 4 % 32, words=True):
    """Return how many different words, or lanes, each bank is asked for."""
    words_of: dict[int, list[int]] = {}
    for address in asked(addresses):
        words_of.setdefault(bank(address), []).append(address // 4)
    return [len(set(each) if words else each) for each in words_of.values()]


def turns(addresses):
    return max(banks(addresses), default=0)


def request_cost(addresses):
    return sectors(addresses), turns(addresses)


def sectors_by(count):
    return lambda addresses: (count(addresses), turns(addresses))


def turns_by(count):
    return lambda addresses: (sectors(addresses), count(addresses))


def turns_with(bank):
    """Count turns with other banks: `bank` says in which one an address is."""
    return turns_by(lambda addresses: max(banks(addresses, bank), default=0))


def turns_of_rows(addresses, count=32):
    """Let 128 bytes be a bank, one of `count`; None: let there be as many as there are rows."""
    return turns_with(lambda at: at // 128 % count if count else at // 128)(addresses)


def span(addresses):
    there = asked(addresses)
    return -(-(max(there) + 4 - min(there)) // 32) if there else 0


def between(addresses):
    numbers = [address // 32 for address in asked(addresses)]
    return max(numbers) - min(numbers) + 1 if numbers else 0


def at_least_one(addresses, which=(0, 1)):
    """Charge for one where there is nothing: for sectors (0), for turns (1), or for both."""
    return tuple(max(1, n) if i in which else n for i, n in enumerate(request_cost(addresses)))
