"""The emulator: CUDA C++ compiled for this processor, run block by block, every access seen.

Read in this order: `source.py` readies a `.cu` text (only declarations of shared memory change),
`rules.py` knows where NVRTC is stricter, `include/` is CUDA's own side of the language
(`cl_device.h` begins with three rules for whoever adds a header there: a learner's macros may have
any name), `toolchain.py` knows the C++ compiler, `compiler.py` builds with it twice, plain and
traced, and `diagnostics.py` says what is wrong. `launcher.py` sends launches to a worker
(`process.py`, `worker.py`), so that a crash takes nothing with it. There, `runtime/` runs threads
as turns of a loop, or as fibers where they wait for one another. The traced build carries the
thread sanitizer's and the coverage instrumentation, without their libraries: `runtime/trace.cpp`
is what it calls. Lanes of a warp are then put side by side (`runtime/warps.cpp`) and their
requests, sectors and bank conflicts counted. `runtime/regions.cpp` looks at each access:
`shadow.cpp` remembers who touched a word, `clocks.cpp` what orders two accesses. Races are found
whatever order the threads happen to run in here, but for what a kernel does only in another order
(`cuda.shuffle_blocks`).

A watched launch of a kernel that has arrays of a known size which are not shared (a thread's own,
constant ones) runs a second time, on the values it began with: a third build compares each index
with the declared size, a row's of `a[i][j]` too, by the bounds sanitizer's instrumentation
(`runtime/bounds.cpp`; `subscripts.py` finds the array's name in the source). With GCC it also
has room around each such array, so that a pointer or a parameter that leaves it is told
(`runtime/red_zones.cpp`), unless it lands in another array. With Clang a pointer that leaves an
array is not seen. A row of a shared array may be read past while the access stays in the array.

What C++ leaves open and SASS defines has the GPU's value, as far as it is written as a cast or a
shift (`exact_operators.py`): `(unsigned)-5.0f` is 0, `1u << 32` too. A float that is stored in an
integer without a cast has the processor's. A structure is loaded whole, in pieces of its
alignment, as NVRTC does where all of it is used; members that nobody uses NVRTC leaves out.

The counts are those of the source as written, each value loaded where a compiler must load it.
NVIDIA's compiler may do more: unroll a loop whose lanes leave it at different times (requests
regroup), or load neighbours of one array at once where it can prove them aligned (fewer requests,
the same sectors). `studies.gpu_validation` holds what an H200 counted, launch by launch.
"""
