// What is known of other threads' accesses: a vector clock, kept short (see clocks.cpp).
#pragma once
#include <algorithm>
#include <vector>

#include "clocks.h"

struct Row {  // of one warp: accesses that are known of each lane, those before these ticks
    uint32_t warp, before[32];
};
struct Link {  // what blocks left at this channel, up to this turn
    uint32_t channel, turn;
};

struct Clock {
    uint32_t base = 0;  // all accesses of the block before this tick, and
    std::vector<Row> rows;
    std::vector<Link> links;

    bool empty() const { return !base && rows.empty() && links.empty(); }

    Row &row(uint32_t warp) {
        for (Row &r : rows)
            if (r.warp == warp) return r;
        rows.push_back({warp, {}});
        return rows.back();
    }
    void add(uint32_t warp, unsigned lanes, uint32_t before) {
        Row &r = row(warp);
        for (; lanes; lanes &= lanes - 1) {
            uint32_t &known = r.before[__builtin_ctz(lanes)];
            known = std::max(known, before);
        }
    }
    void link(Link l) {
        auto at = std::lower_bound(links.begin(), links.end(), l, [](const Link &a, const Link &b) {
            return a.channel < b.channel;
        });
        if (at != links.end() && at->channel == l.channel)
            at->turn = std::max(at->turn, l.turn);
        else
            links.insert(at, l);
    }
    void join(const Clock &other) {
        base = std::max(base, other.base);
        for (const Row &from : other.rows) {
            Row &r = row(from.warp);
            for (unsigned lane = 0; lane < 32; lane++)
                r.before[lane] = std::max(r.before[lane], from.before[lane]);
        }
        for (const Link &l : other.links) link(l);
    }
    // Those of `lanes` whose accesses at `tick` are not in it.
    unsigned without(uint32_t tick, uint32_t warp, unsigned lanes) const {
        if (tick < base) return 0;
        for (const Row &r : rows)
            if (r.warp == warp)
                for (unsigned lane = 0; lane < 32; lane++)
                    if (tick < r.before[lane]) lanes &= ~(1u << lane);
        return lanes;
    }
};
