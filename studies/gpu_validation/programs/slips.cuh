// Slips of the pen.

//: refused: a missing semicolon
extern "C" __global__ void f(float *y) {
    int i = threadIdx.x
    y[i] = 1;
}

//: refused: a missing semicolon at the end of a structure
struct Sizes { int rows, columns; }
extern "C" __global__ void f(float *y) { y[0] = 1; }

//: refused: a missing closing brace
extern "C" __global__ void f(float *y) {
    if (threadIdx.x == 0) {
        y[0] = 1;
}

//: refused: a closing brace too many
extern "C" __global__ void f(float *y) {
    y[0] = 1;
}
}

//: refused: a missing bracket
extern "C" __global__ void f(float *y) { y[0] = (y[1] + 2 * (y[2] - 1); }

//: refused: a missing square bracket
extern "C" __global__ void f(float *y) { y[threadIdx.x = 1; }

//: refused: an undeclared name
extern "C" __global__ void f(float *y) { y[index] = 1; }

//: refused: an undeclared function
extern "C" __global__ void f(float *y) { y[0] = square(y[1]); }

//: refused: a misspelt type
extern "C" __global__ void f(flaot *y) { y[0] = 1; }

//: refused: threadidx
extern "C" __global__ void f(float *y) { y[threadidx.x] = 1; }

//: refused: threadIdx->x
extern "C" __global__ void f(float *y) { y[threadIdx->x] = 1; }

//: refused: threadIdx as an index
extern "C" __global__ void f(float *y) { y[threadIdx] = 1; }

//: refused: _shared_
extern "C" __global__ void f(float *y) { _shared_ float tile[8]; tile[0] = 1; y[0] = tile[0]; }

//: refused: _global_
extern "C" _global_ void f(float *y) { y[0] = 1; }

//: refused: a variable declared twice
extern "C" __global__ void f(float *y) { int i = 1; int i = 2; y[i] = 1; }

//: a variable that hides another
extern "C" __global__ void f(float *y) { int i = 1; { int i = 2; y[i] = 1; } y[i] = 2; }

//: refused: a function defined twice
__device__ int one() { return 1; }
__device__ int one() { return 1; }
extern "C" __global__ void f(int *y) { y[0] = one(); }

//: refused: a value from nothing
__device__ void none() {}
extern "C" __global__ void f(int *y) { y[0] = none(); }

//: refused: a value returned from void
extern "C" __global__ void f(int *y) { return y[0]; }

//: refused: a return type left out
__device__ twice(float v) { return 2 * v; }
extern "C" __global__ void f(float *y) { y[0] = twice(y[1]); }

//: refused: an assignment to a sum
extern "C" __global__ void f(float *y) { y[0] + 1 = y[1]; }

//: refused: an assignment to a number
extern "C" __global__ void f(float *y) { if (1 = threadIdx.x) y[0] = 1; }

//: = for ==
extern "C" __global__ void f(float *y, int n) { if (n = 0) y[0] = 1; }

//: a comparison that does nothing
extern "C" __global__ void f(float *y) { y[0] == 1; }

//: a loop that does nothing
extern "C" __global__ void f(float *y) { for (int i = 0; i < 4; i++); y[0] = 1; }

//: refused: a loop variable used behind its loop
extern "C" __global__ void f(float *y) { for (int i = 0; i < 4; i++) y[i] = 1; y[i] = 2; }

//: refused: else without if
extern "C" __global__ void f(float *y) { if (y[0] > 1) y[0] = 1; y[1] = 2; else y[0] = 3; }

//: refused: break outside of a loop
extern "C" __global__ void f(float *y) { if (y[0] > 1) break; y[0] = 1; }

//: refused: a comma for a dot
extern "C" __global__ void f(float *y) { y[threadIdx,x] = 1; }

//: refused: a semicolon in for's place of a comma
extern "C" __global__ void f(float *y) { for (int i = 0, i < 4, i++) y[i] = 1; }

//: refused: Python's and in its power
extern "C" __global__ void f(float *y) { y[0] = y[1] ** 2 and y[2]; z = 1; }

//: and, or, not
extern "C" __global__ void f(float *y, int n) { if (n > 1 and not(n > 4) or n == 9) y[0] = 1; }

//: refused: Python's range
extern "C" __global__ void f(float *y) { for i in range(4): y[i] = 1; }

//: refused: a string that does not end
extern "C" __global__ void f(float *y) { printf("value %g\n, y[0]); }

//: refused: a comment that does not end
extern "C" __global__ void f(float *y) { y[0] = 1; } /* here

//: refused: another alphabet
extern "C" __global__ void f(float *y) { y[0] = 1 – 2; }

//: refused: a name in another alphabet
extern "C" __global__ void f(float *y) { float größe = 1; y[0] = größe; }

//: printf with another type
extern "C" __global__ void f(float *y) { printf("%d %s\n", y[0], 3); }

//: an index outside, seen at once
extern "C" __global__ void f(float *y) { float own[2] = {1, 2}; y[0] = own[5]; }

//: a variable without a value
extern "C" __global__ void f(float *y) { float sum; sum += y[1]; y[0] = sum; }
