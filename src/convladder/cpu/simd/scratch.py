"""The scratch memory that each thread of Winograd's convolution has for itself."""


def own_values(places: int, i_c: int, k_c: int, lanes: int) -> int:
    """Return float32 values of a thread's own scratch memory.

    They are a table of addresses, a vector each, zeros for a pixel, and a pixel nobody reads.
    """
    return 2 * table(places) + places * lanes + lanes * (-(-i_c // lanes) + -(-k_c // lanes))


def table(places: int) -> int:
    """Return addresses of a table, whole cache lines of them."""
    return -(-places // 8) * 8
