// A whole CUDA program: chapter 07's kernel, and the host's part that Python did for you there.
//   nvcc -O3 -arch=native first_program.cu -o first_program && ./first_program
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

// begin kernel
__global__ void conv(const float* __restrict__ x, const float* __restrict__ w,
                     float* __restrict__ y, int i_w, int k_h, int k_w, int o_h, int o_w)
{
    int v = blockIdx.x * blockDim.x + threadIdx.x;
    int h = blockIdx.y * blockDim.y + threadIdx.y;
    if (h >= o_h || v >= o_w) return;
    float sum = 0;
    for (int a = 0; a < k_h; a++)
        for (int b = 0; b < k_w; b++)
            sum += x[(h + a) * i_w + v + b] * w[a * k_w + b];
    y[h * o_w + v] = sum;
}
// end kernel

// Every call of the CUDA runtime returns whether it worked. Nobody looks, unless you do.
#define CHECK(call)                                                                       \
    do {                                                                                  \
        cudaError_t status = (call);                                                      \
        if (status != cudaSuccess) {                                                      \
            const char* what = cudaGetErrorString(status);                                \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, what);                     \
            exit(1);                                                                      \
        }                                                                                 \
    } while (0)

int main()
{
    const int i_h = 2041, i_w = 2052, k_h = 3, k_w = 3, o_h = i_h - 2, o_w = i_w - 2;
    std::vector<float> x(i_h * i_w), w = {1, 2, 3, -4, 5, -6, 7, -8, 10}, y(o_h * o_w, NAN);
    for (size_t i = 0; i < x.size(); i++) x[i] = (float)(i % 251) - 125;

    float *x_gpu, *w_gpu, *y_gpu;  // addresses in the GPU's memory, of no use to the host
    CHECK(cudaMalloc(&x_gpu, x.size() * sizeof(float)));
    CHECK(cudaMalloc(&w_gpu, w.size() * sizeof(float)));
    CHECK(cudaMalloc(&y_gpu, y.size() * sizeof(float)));
    CHECK(cudaMemcpy(x_gpu, x.data(), x.size() * sizeof(float), cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(w_gpu, w.data(), w.size() * sizeof(float), cudaMemcpyHostToDevice));

    dim3 block(32, 8), grid((o_w + 31) / 32, (o_h + 7) / 8);
    conv<<<grid, block>>>(x_gpu, w_gpu, y_gpu, i_w, k_h, k_w, o_h, o_w);
    CHECK(cudaGetLastError());       // was the launch itself refused?
    CHECK(cudaDeviceSynchronize());  // did the kernel fail while it ran?

    cudaEvent_t begin, end;
    CHECK(cudaEventCreate(&begin));
    CHECK(cudaEventCreate(&end));
    CHECK(cudaEventRecord(begin));
    for (int run = 0; run < 20; run++)
        conv<<<grid, block>>>(x_gpu, w_gpu, y_gpu, i_w, k_h, k_w, o_h, o_w);
    CHECK(cudaEventRecord(end));
    CHECK(cudaEventSynchronize(end));
    float milliseconds;
    CHECK(cudaEventElapsedTime(&milliseconds, begin, end));

    CHECK(cudaMemcpy(y.data(), y_gpu, y.size() * sizeof(float), cudaMemcpyDeviceToHost));
    for (int h = 0; h < o_h; h++)
        for (int v = 0; v < o_w; v++) {
            double sum = 0;
            for (int a = 0; a < k_h; a++)
                for (int b = 0; b < k_w; b++)
                    sum += (double)x[(h + a) * i_w + v + b] * w[a * k_w + b];
            if (!(fabs(y[h * o_w + v] - sum) < 1e-2)) {
                fprintf(stderr, "y[%d, %d] is %g, not %g\n", h, v, y[h * o_w + v], sum);
                return 1;
            }
        }
    printf("%d pixels, all right; %.1f microseconds a launch\n", o_h * o_w, 50 * milliseconds);
    CHECK(cudaFree(x_gpu));
    CHECK(cudaFree(w_gpu));
    CHECK(cudaFree(y_gpu));
}
