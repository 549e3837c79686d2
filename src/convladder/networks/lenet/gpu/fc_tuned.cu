// Eight images a block, and weights [outputs, inputs], as the network has them.
#include "products.cuh"

extern "C" __global__ void linear(const float* x, const float* w, const float* bias, float* y,
                                  int inputs, int outputs, int relu, int images) {
    auto weight = [=](int j, int o) {
        return w[o * inputs + j];  // still a row of weights from lane to lane
    };
    multiply(x, weight, bias, y, inputs, outputs, relu, images);
}
