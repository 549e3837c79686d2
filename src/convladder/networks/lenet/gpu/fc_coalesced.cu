// Eight images a block, and weights [inputs, outputs]: neighbouring lanes read neighbours.
#include "products.cuh"

extern "C" __global__ void linear(const float* x, const float* w, const float* bias, float* y,
                                  int inputs, int outputs, int relu, int images) {
    auto weight = [=](int j, int o) {
        return w[j * outputs + o];  // 32 lanes, one run of 128 bytes
    };
    multiply(x, weight, bias, y, inputs, outputs, relu, images);
}
