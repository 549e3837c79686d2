from convladder import cuda


def kernel_of(body: str, parameters: str = "float *x", head: str = "") -> cuda.Kernel:
    """A kernel `f`. Its body begins on line 4, or further down behind a longer head."""
    source = f'{head}\nextern "C" __global__ void f({parameters})\n{{\n{body}\n}}'
    return cuda.Kernel(source, "f")
