// What orders the accesses of a watched launch: barriers, __syncwarp, and atomics behind fences.
//
// Each thread has a tick, which grows whenever something orders it. An access is stamped with it,
// with the thread's warp (counted over all blocks, in the order in which they run) and lane. A
// thread knows an access if that must have happened before what the thread does now; what it does
// not know may happen at the same time on a GPU.
#pragma once
#include "state.h"

struct Now {  // the thread that runs, as its accesses are stamped; and what all of its block know
    uint32_t tick, warp, lane, bit;
    uint32_t begin;    // of the block: all earlier ticks are of blocks that have ended
    uint32_t barrier;  // the last one: all accesses of the block before this tick are known
    uint32_t turn;     // blocks that ran before this one
    uint32_t warps;    // of a block
    bool personal;     // some thread of the block knows more than the last barrier told it
    bool common;       // that barrier told of other blocks
    bool released;     // some block has let others know, so far
};
extern Now now;

void clocks_start(const Launch &l);
void clocks_block();
void clocks_barrier();
void clocks_syncwarp(unsigned warp, unsigned lanes);
void clocks_fence(bool device);  // of the whole device, or of the block
// An atomic or volatile access passes on what was fenced before it, and takes what was left there.
bool clocks_taken(const char *at);  // was that done there, by the thread that runs or for it?
void clocks_strong(const char *at, bool shared, unsigned how);
// A barrier with phases, of which the odd and the even ones take turns: who waits for the end of
// one knows what all did who arrived in it. `first`: of its arrivals.
void clocks_arrive(const char *barrier, bool odd, bool first);
void clocks_depart(const char *barrier, bool odd);

enum How : unsigned {  // as cl_atomics.h has it
    LOADS = 1, STORES = 2, ACQUIRES = 4, RELEASES = 8, IN_BLOCK = 16, OLD = 32,
    SILENT = 64,  // atomic, but tells others nothing
    ONE = 128,
};

unsigned strangers_beyond_barriers(uint32_t tick, uint32_t warp, unsigned lanes);
extern std::vector<uint32_t> warp_ticks;  // of the block's: all lanes know what came before

// Those of `lanes` whose access the thread that runs does not know.
inline unsigned strangers(uint32_t tick, uint32_t warp, unsigned lanes) {
    if (tick >= now.begin) {
        if (tick < now.barrier) return 0;
        if (warp == now.warp) {
            lanes &= ~now.bit;
            if (!lanes || tick < warp_ticks[warp - now.turn * now.warps]) return 0;
        }
        if (!now.personal) return lanes;
    } else if (!now.personal && !now.common) {
        return lanes;
    }
    return strangers_beyond_barriers(tick, warp, lanes);
}

// Has the warp's block ended without a word, so that no other block can ever know of it?
bool lost(uint32_t warp);

inline void now_is(const Fiber &f) {
    now.tick = f.tick;
    now.warp = now.turn * now.warps + f.self.warp;
    now.lane = f.self.lane;
    now.bit = 1u << f.self.lane;
}
