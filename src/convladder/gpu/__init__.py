"""Methods that run on a GPU, or on the emulator: one file a family, `kernels/*.cu` beside them.

Found by `convladder.registry`. A method's `run(x, w, problem)` takes and returns device arrays of
`convladder.cuda`, and its `prepare(w, problem)` takes the weights there; `conv2d` copies NumPy
arrays to the device and back.
"""
