// Types, and how values are given to them.

//: refused: designated initialisers
struct Sizes { int rows, columns; };
extern "C" __global__ void f(int *y) {
    Sizes sizes = {.rows = 2, .columns = 3};
    y[0] = sizes.rows;
}

//: refused: designated elements of an array
extern "C" __global__ void f(int *y) {
    int own[4] = {[2] = 1};
    y[0] = own[2];
}

//: refused: a compound literal
struct Sizes { int rows, columns; };
extern "C" __global__ void f(int *y) { y[0] = ((Sizes){1, 2}).rows; }

//: braces
struct Sizes { int rows, columns = 4; };
extern "C" __global__ void f(int *y) {
    Sizes sizes{2}, none{};
    int own[4] = {1, 2}, n{3};
    y[0] = sizes.columns + none.rows + own[3] + n;
}

//: a number narrowed in braces
extern "C" __global__ void f(float *y, int n) {
    int whole{1.5};
    float of{n};
    unsigned char small[] = {1, 300, 2};
    y[0] = whole + of + small[1];
}

//: a vector narrowed in braces
extern "C" __global__ void f(float4 *y, int n, double d) {
    y[0] = {n, 1, d, 2};
    y[1] = float4{1, n, 2, 3};
}

//: refused: a vector made of too few numbers
extern "C" __global__ void f(float4 *y) { y[0] = make_float4(1, 2, 3); }

//: refused: a vector made like a class
extern "C" __global__ void f(float4 *y) { y[0] = float4(1, 2, 3, 4); }

//: refused: a member that a vector has not
extern "C" __global__ void f(float4 *y) { y[0].x = y[1].r; }

//: refused: float3 defined again
struct float3 { float x, y, z; };
extern "C" __global__ void f(float *y) { float3 a{1, 2, 3}; y[0] = a.x; }

//: vectors of every kind
extern "C" __global__ void f(float *y) {
    uchar4 a = make_uchar4(1, 2, 3, 4);
    short2 b{5, 6};
    longlong2 c = {7, 8};
    double3 d = make_double3(1, 2, 3);
    dim3 e(2, 3);
    y[0] = a.w + b.y + c.x + d.z + e.z;
}

//: refused: a pointer to a number
extern "C" __global__ void f(float *y) { y[0] = y; }

//: refused: a number to a pointer
extern "C" __global__ void f(float *y) { float *p = 3; y[0] = p[0]; }

//: refused: a pointer of another type
extern "C" __global__ void f(float *y) { int *p = y; y[0] = p[0]; }

//: refused: a pointer of another type, passed on
__device__ int first(const int *p) { return p[0]; }
extern "C" __global__ void f(float *y) { y[0] = first(y); }

//: refused: void* without a cast
extern "C" __global__ void f(float *y) { float *p = malloc(4); y[0] = p[0]; }

//: refused: an index that is no whole number
extern "C" __global__ void f(float *y) { y[1.0f] = 2; }

//: refused: a remainder of floats
extern "C" __global__ void f(float *y) { y[0] = y[1] % 2; }

//: refused: a float shifted
extern "C" __global__ void f(float *y) { y[0] = y[1] << 2; }

//: refused: a string for a number
extern "C" __global__ void f(int *y) { int n = "three"; y[0] = n; }

//: a string for a char*
extern "C" __global__ void f(int *y) { char *text = "three"; y[0] = text[1]; }

//: a number that does not fit
extern "C" __global__ void f(int *y) {
    unsigned char small = 300;
    char complex = 128;
    int large = 3000000000;
    y[0] = small + complex + large;
}

//: enumerations
enum Side { left, right = 5 };
enum class Colour : unsigned char { red, green };
extern "C" __global__ void f(int *y) {
    Side side = right;
    y[0] = side + (int)Colour::green;
}

//: refused: an enum class for a number
enum class Colour { red, green };
extern "C" __global__ void f(int *y) { int n = Colour::green; y[0] = n; }

//: refused: a number for an enum
enum Side { left, right };
extern "C" __global__ void f(int *y) { Side side = 1; y[0] = side; }

//: inheritance
struct Base { int a; };
struct More : Base { int b; };
extern "C" __global__ void f(int *y) {
    More more;
    more.a = 1, more.b = 2;
    Base &base = more;
    y[0] = base.a + more.b;
}

//: refused: a private member
class Counter { int n = 0; };
extern "C" __global__ void f(int *y) { Counter c; y[0] = c.n; }

//: refused: a member that is not there
struct Sizes { int rows, columns; };
extern "C" __global__ void f(int *y) { Sizes s{1, 2}; y[0] = s.depth; }

//: a union without a name
struct Word { union { float value; int bits; }; };
extern "C" __global__ void f(int *y) { Word w; w.value = 1; y[0] = w.bits; }

//: bit fields
struct Packed { unsigned a : 4, b : 12; };
extern "C" __global__ void f(int *y) { Packed p{3, 5}; y[0] = p.a + p.b; }

//: a template class and its members
template <class T, int n> struct Stack {
    T items[n];
    int used = 0;
    __device__ void push(T item) { items[used++] = item; }
    __device__ T pop() { return items[--used]; }
    static constexpr int room = n;
};
extern "C" __global__ void f(float *y) {
    Stack<float, 4> stack;
    stack.push(y[1]);
    y[0] = stack.pop() + Stack<int, 3>::room;
}

//: refused: a template without its type
template <class T> struct Box { T item; };
extern "C" __global__ void f(float *y) { Box box; box.item = 1; y[0] = box.item; }

//: specialisation
template <class T> struct Zero { static constexpr T value = 0; };
template <> struct Zero<float> { static constexpr float value = -0.0f; };
extern "C" __global__ void f(float *y) { y[0] = Zero<int>::value + Zero<float>::value; }

//: refused: a dependent type without typename
template <class T> struct Box { typedef T Item; };
template <class T> __device__ T first(T v) { Box<T>::Item item = v; return item; }
extern "C" __global__ void f(float *y) { y[0] = first(y[1]); }

//: auto and decltype
extern "C" __global__ void f(float *y) {
    auto n = 3;
    decltype(y[0] + n) sum = y[1] + n;
    const auto *p = y;
    y[0] = sum + p[2];
}

//: refused: auto without a value
extern "C" __global__ void f(float *y) { auto n; n = 3; y[0] = n; }

//: refused: a static_assert that fails
extern "C" __global__ void f(float *y) { static_assert(sizeof(float) == 8, "of eight bytes"); }

//: refused: typeid
extern "C" __global__ void f(float *y) { y[0] = typeid(y[0]) == typeid(float); }

//: refused: dynamic_cast
struct Base { __device__ virtual int kind() { return 1; } };
struct More : Base { __device__ int kind() override { return 2; } };
extern "C" __global__ void f(int *y) { More more; Base *p = &more; y[0] = dynamic_cast<More *>(p) != 0; }

//: refused: a 128-bit number
extern "C" __global__ void f(int *y) { __int128 n = 3; y[0] = n; }

//: refused: a bool counted up
extern "C" __global__ void f(int *y) { bool b = false; b++; y[0] = b; }

//: half and float
#include <cuda_fp16.h>
extern "C" __global__ void f(half *y, float v) {
    half a = v, b = __float2half(2.0f);
    if (a > b) a = a * b + b;
    y[0] = a;
}

//: refused: half plus float
#include <cuda_fp16.h>
extern "C" __global__ void f(half *y) { float sum = y[0] + 1.0f; y[0] = sum; }
