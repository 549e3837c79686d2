// Where values lie: shared, constant, global, on the heap; and what may not be written.

//: shared memory of a fixed size
extern "C" __global__ void f(float *y) {
    __shared__ float tile[4][8], one;
    __shared__ int counts[16];
    tile[threadIdx.x % 4][0] = 1;
    if (threadIdx.x == 0) one = 2, counts[0] = 3;
    __syncthreads();
    y[threadIdx.x] = tile[0][0] + one + counts[0];
}

//: shared memory sized by a constant
constexpr int rows = 4;
enum { columns = 8 };
extern "C" __global__ void f(float *y) {
    const int pad = 1;
    __shared__ float tile[rows][columns + pad];
    tile[threadIdx.x % rows][0] = 1;
    y[threadIdx.x] = tile[threadIdx.x % rows][0];
}

//: refused: shared memory sized by a parameter
extern "C" __global__ void f(float *y, int n) {
    __shared__ float tile[n];
    tile[0] = 1;
    y[0] = tile[0];
}

//: refused: shared memory sized by blockDim
extern "C" __global__ void f(float *y) {
    __shared__ float tile[blockDim.x];
    tile[threadIdx.x] = 1;
    y[threadIdx.x] = tile[threadIdx.x];
}

//: refused: shared memory sized by warpSize
extern "C" __global__ void f(float *y) {
    __shared__ float tile[warpSize];
    tile[threadIdx.x] = 1;
    y[threadIdx.x] = tile[threadIdx.x];
}

//: refused: an initial value in shared memory
extern "C" __global__ void f(float *y) {
    __shared__ float sum = 0;
    sum += 1;
    y[0] = sum;
}

//: refused: initial values of a shared array
extern "C" __global__ void f(float *y) {
    __shared__ float tile[2] = {1, 2};
    y[0] = tile[threadIdx.x];
}

//: dynamic shared memory
extern __shared__ float outside[];
extern "C" __global__ void f(float *y) {
    extern __shared__ float tile[];
    tile[threadIdx.x] = 1;
    outside[threadIdx.x] = 1;
    y[threadIdx.x] = tile[threadIdx.x];
}

//: dynamic shared memory, cut into pieces
extern "C" __global__ void f(float *y, int n) {
    extern __shared__ __align__(16) unsigned char raw[];
    float *a = (float *)raw;
    int *b = reinterpret_cast<int *>(a + n);
    a[threadIdx.x] = 1;
    b[threadIdx.x] = 2;
    y[threadIdx.x] = a[threadIdx.x] + b[threadIdx.x];
}

//: two dynamic arrays of two types
extern "C" __global__ void f(float *y) {
    extern __shared__ float a[];
    extern __shared__ int b[];
    a[0] = 1;
    y[0] = b[0];
}

//: refused: one dynamic name, two types
extern "C" __global__ void g(int *y) {
    extern __shared__ int tile[];
    tile[0] = 1;
    y[0] = tile[0];
}
extern "C" __global__ void f(float *y) {
    extern __shared__ float tile[];
    tile[0] = 1;
    y[0] = tile[0];
}

//: a union in shared memory
extern "C" __global__ void f(float *y) {
    __shared__ union { float a[8]; int b[8]; } both;
    both.b[threadIdx.x] = 3;
    y[threadIdx.x] = both.a[threadIdx.x];
}

//: a structure in shared memory
struct Point { float a, b; };
extern "C" __global__ void f(float *y) {
    __shared__ Point points[8];
    points[threadIdx.x].a = 1;
    y[threadIdx.x] = points[threadIdx.x].a;
}

//: shared memory by a pointer
__device__ void fill(float *tile, int n) { for (int i = 0; i < n; i++) tile[i] = i; }
extern "C" __global__ void f(float *y) {
    __shared__ float tile[8];
    if (threadIdx.x == 0) fill(tile, 8);
    __syncthreads();
    y[threadIdx.x] = tile[threadIdx.x % 8];
}

//: __constant__ and __device__ variables
__constant__ float weights[4];
__constant__ float known[2] = {1, 2};
__device__ int launches = 5;
__device__ float buffer[64];
extern "C" __global__ void f(float *y) {
    buffer[threadIdx.x] = weights[threadIdx.x % 4] * known[1] + launches;
    y[threadIdx.x] = buffer[threadIdx.x];
}

//: refused: more constants than there is memory for
__constant__ float many[20000];
extern "C" __global__ void f(float *y) { y[0] = many[threadIdx.x]; }

//: refused: a __constant__ within a function
extern "C" __global__ void f(float *y) {
    __constant__ float weight = 2;
    y[0] = weight;
}

//: refused: a __device__ variable computed at the start
__device__ float start() { return 2; }
__device__ float first = start();
extern "C" __global__ void f(float *y) { y[0] = first; }

//: static and const variables of a function
extern "C" __global__ void f(float *y) {
    static const float weights[3] = {1, 2, 1};
    constexpr float more[3] = {3, 4, 3};
    static int calls = 0;
    y[threadIdx.x] = weights[threadIdx.x % 3] + more[threadIdx.x % 3] + calls;
}

//: refused: thread_local
extern "C" __global__ void f(float *y) {
    static thread_local int calls = 0;
    y[0] = calls;
}

//: malloc and free
extern "C" __global__ void f(float *y) {
    float *own = (float *)malloc(4 * sizeof(float));
    own[0] = 1;
    y[threadIdx.x] = own[0];
    free(own);
}

//: new and delete
extern "C" __global__ void f(float *y) {
    float *own = new float[4];
    own[0] = 1;
    y[threadIdx.x] = own[0];
    delete[] own;
}

//: memcpy and memset
extern "C" __global__ void f(float *y, const float *x) {
    float own[4];
    memset(own, 0, sizeof own);
    memcpy(own, x, 2 * sizeof(float));
    y[0] = own[0] + own[3];
}

//: refused: a store through const
extern "C" __global__ void f(const float *x, float *y) { x[0] = y[0]; }

//: refused: const dropped
extern "C" __global__ void f(const float *x, float *y) { float *p = x; p[0] = y[0]; }

//: refused: const dropped by a cast
extern "C" __global__ void f(const float *x, float *y) {
    float4 *p = reinterpret_cast<float4 *>(x);
    y[0] = p->x;
}

//: const kept by a cast
extern "C" __global__ void f(const float *x, float *y) {
    const float4 *p = reinterpret_cast<const float4 *>(x);
    y[0] = p->x;
}

//: refused: a const number changed
extern "C" __global__ void f(float *y, const int n) { n = 2; y[0] = n; }

//: refused: a const without a value
extern "C" __global__ void f(float *y) { const int n; y[0] = n; }

//: refused: a const method that changes
struct Counter {
    int n;
    __device__ int next() const { return ++n; }
};
extern "C" __global__ void f(int *y) { Counter c{0}; y[0] = c.next(); }

//: volatile
extern "C" __global__ void f(volatile int *y) {
    __shared__ volatile int flag;
    flag = y[0];
    y[1] = flag;
}

//: refused: a local array sized by a parameter
extern "C" __global__ void f(float *y, int n) {
    float own[n];
    own[0] = 1;
    y[0] = own[0];
}

//: a large local array
extern "C" __global__ void f(float *y) {
    float own[5000];
    for (int i = 0; i < 5000; i++) own[i] = y[i % 64];
    y[0] = own[(int)y[1]];
}

//: alignas and __align__
struct __align__(16) Four { float a, b, c, d; };
extern "C" __global__ void f(float *y) {
    alignas(16) float own[4] = {1, 2, 3, 4};
    Four *four = (Four *)own;
    y[0] = four->d;
}
