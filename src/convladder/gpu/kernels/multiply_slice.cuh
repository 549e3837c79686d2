// What implicit_gemm.cu and batched_gemm.cu share: how a thread multiplies two slices that lie in
// shared memory, As[BK][AM] by Bs[BK][BN], AM and BN values a row.
//
// A warp's lanes lie LY x LX over its tile. Of every 4 * LY rows and 4 * LX columns each lane has
// four in a row, so that what it reads is a float4 and its neighbours' are beside it. `a` and `b`
// point to the lane's first. TM + TN values that are read feed TM * TN multiply-adds.
template <int BK, int AM, int BN, int LX, int LY, int TM, int TN>
__device__ __forceinline__ void multiply_slice(const float* a, const float* b,
                                               float (&sum)[TM][TN])
{
    #pragma unroll
    for (int k = 0; k < BK; k++) {
        float am[TM], bn[TN];
        #pragma unroll
        for (int i = 0; i < TM; i += 4) {
            float4 v = *(const float4*)(a + k * AM + i * LY);
            am[i] = v.x; am[i + 1] = v.y; am[i + 2] = v.z; am[i + 3] = v.w;
        }
        #pragma unroll
        for (int j = 0; j < TN; j += 4) {
            float4 v = *(const float4*)(b + k * BN + j * LX);
            bn[j] = v.x; bn[j + 1] = v.y; bn[j + 2] = v.z; bn[j + 3] = v.w;
        }
        #pragma unroll
        for (int i = 0; i < TM; i++)
            #pragma unroll
            for (int j = 0; j < TN; j++) sum[i][j] = fmaf(am[i], bn[j], sum[i][j]);
    }
}
