"""The scratch memory that each thread of Winograd's convolution has for itself."""


def own_values(a: int, i_c: int, k_c: int, lanes: int) -> int:
    """Return float32 values of a thread's own scratch memory.

    They are a table of addresses, `a²` vectors, zeros for a pixel, and a pixel nobody reads.
    """
    return 2 * table(a) + a * a * lanes + lanes * (-(-i_c // lanes) + -(-k_c // lanes))


def table(a: int) -> int:
    """Return addresses of a table, whole cache lines of them."""
    return -(-a * a // 8) * 8
