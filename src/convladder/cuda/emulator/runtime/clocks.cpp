// Vector clocks, kept short: a barrier makes all threads of a block know the same, so that only
// what came by other ways since then is written down thread by thread. Blocks run one after the
// other here; what a block left at an atomic is kept with the atomic (a channel), block by block.
#include "clocks.h"

#include <algorithm>
#include <unordered_map>

Now now;
std::vector<uint32_t> warp_ticks;
static uint32_t top;  // the greatest tick so far

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

enum Scope { BLOCK, DEVICE };
struct Known {  // `fenced`: what came before a fence, which an atomic may pass on
    Clock seen, fenced[2];
};
struct Entry {
    uint32_t turn;
    Clock left[2];
};
struct Channel {
    bool shared;
    std::vector<Entry> entries;  // in the order of their turns
    Clock links;
};

static std::vector<Known> known;  // of each thread since the last barrier, if `personal`
static Known all;                 // what all threads of the block know by its barriers
static std::unordered_map<const char *, uint32_t> channel_at;
static std::vector<Channel> channels;
static std::vector<bool> told;  // of each turn: did its block leave anything for others?

void clocks_start(const Launch &l) {
    size_t threads = (size_t)l.block.x * l.block.y * l.block.z;
    now = {};
    now.warps = (threads + 31) / 32;
    now.turn = ~0u;
    top = 0;
    known.assign(threads, Known());
    all = Known();
    channel_at.clear();
    channels.clear();
    told.clear();
}

static void forget_known() {
    if (now.personal)
        for (Known &k : known) k = Known();
    now.personal = false;
}

static void next_tick() {
    now.barrier = ++top;
    for (Fiber &f : runner->fibers) f.tick = top;
}

void clocks_block() {
    next_tick();
    now.begin = top;
    now.turn++;
    warp_ticks.assign(now.warps, top);
    forget_known();
    if (now.common) all = Known();
    now.common = false;
    for (auto c = channel_at.begin(); c != channel_at.end();)
        c = channels[c->second].shared ? channel_at.erase(c) : std::next(c);
    told.push_back(false);
}

void clocks_barrier() {
    next_tick();
    if (!now.personal) return;
    for (const Known &k : known) {
        for (const Link &l : k.seen.links) all.seen.link(l);
        for (Scope scope : {BLOCK, DEVICE}) all.fenced[scope].join(k.fenced[scope]);
    }
    now.common = true;
    forget_known();
}

void clocks_syncwarp(unsigned warp, unsigned lanes) {
    size_t first = warp * 32, count = std::min<size_t>(32, runner->fibers.size() - first);
    unsigned there = count == 32 ? ~0u : (1u << count) - 1;
    uint32_t tick = 0, number = now.turn * now.warps + warp;
    lanes &= there;
    for (size_t i = 0; i < count; i++)
        if (lanes >> i & 1) tick = std::max(tick, runner->fibers[first + i].tick + 1);
    top = std::max(top, tick);
    if (lanes == there) warp_ticks[warp] = tick;
    if (lanes != there || now.personal) {
        Known joined;
        joined.seen.add(number, lanes, tick);
        for (size_t i = 0; i < count; i++) {
            if (!(lanes >> i & 1)) continue;
            joined.seen.join(known[first + i].seen);
            for (Scope scope : {BLOCK, DEVICE})
                joined.fenced[scope].join(known[first + i].fenced[scope]);
        }
        for (size_t i = 0; i < count; i++)
            if (lanes >> i & 1) known[first + i] = joined;
        now.personal = true;
    }
    for (size_t i = 0; i < count; i++)
        if (lanes >> i & 1) runner->fibers[first + i].tick = tick;
}

static Known &mine() { return known[runner->current - &runner->fibers[0]]; }

void clocks_fence(bool device) {
    Fiber &f = *runner->current;
    now_is(f);
    Known &k = mine();
    for (Scope scope : {BLOCK, DEVICE}) {
        if (scope == DEVICE && !device) break;
        Clock &fenced = k.fenced[scope];
        fenced.join(k.seen);
        fenced.base = now.barrier;
        if (warp_ticks[f.self.warp] > now.barrier)
            fenced.add(now.warp, ~0u, warp_ticks[f.self.warp]);
        fenced.add(now.warp, now.bit, f.tick + 1);
        for (const Link &l : all.seen.links) fenced.link(l);
    }
    top = std::max(top, ++f.tick);
    now.personal = true;
}

void clocks_strong(const char *at, bool shared, bool load, bool store) {
    if (!now.personal && !now.common && channel_at.empty()) return;
    auto found = channel_at.find(at);
    if (load && found != channel_at.end()) {
        Channel &c = channels[found->second];
        Clock &seen = mine().seen;
        if (c.entries.back().turn == now.turn) seen.join(c.entries.back().left[BLOCK]);
        seen.join(c.links);
        seen.link({found->second, now.turn});
        now.personal = true;
    }
    if (!store) return;
    const Known &own = mine();
    if (own.fenced[BLOCK].empty() && all.fenced[BLOCK].empty()) return;
    if (found == channel_at.end()) {
        found = channel_at.emplace(at, channels.size()).first;
        channels.push_back({shared, {}, {}});
    }
    Channel &c = channels[found->second];
    if (c.entries.empty() || c.entries.back().turn != now.turn) c.entries.push_back({now.turn, {}});
    for (const Known *k : {&own, (const Known *)&all}) {
        for (Scope scope : {BLOCK, DEVICE}) c.entries.back().left[scope].join(k->fenced[scope]);
        for (const Link &l : k->fenced[DEVICE].links) c.links.link(l);
        if (!shared && !k->fenced[DEVICE].empty()) told[now.turn] = now.released = true;
    }
}

static bool linked(const Clock &seen, uint32_t channel) {
    for (const Link &l : seen.links)
        if (l.channel == channel) return true;
    return false;
}

bool clocks_taken(const char *at) {
    if (!now.personal && !now.common) return false;
    auto found = channel_at.find(at);
    return found != channel_at.end() && ((now.personal && linked(mine().seen, found->second)) ||
                                         linked(all.seen, found->second));
}

bool lost(uint32_t warp) {
    uint32_t turn = warp / now.warps;
    return turn < now.turn && !told[turn];
}

static unsigned not_linked(const Clock &seen, uint32_t tick, uint32_t warp, unsigned lanes) {
    uint32_t turn = warp / now.warps;
    for (const Link &l : seen.links) {
        if (!lanes || l.turn < turn) continue;
        const std::vector<Entry> &entries = channels[l.channel].entries;
        auto at = std::lower_bound(entries.begin(), entries.end(), turn,
                                   [](const Entry &e, uint32_t t) { return e.turn < t; });
        if (at != entries.end() && at->turn == turn)
            lanes = at->left[DEVICE].without(tick, warp, lanes);
    }
    return lanes;
}

unsigned strangers_beyond_barriers(uint32_t tick, uint32_t warp, unsigned lanes) {
    if (tick >= now.begin) return mine().seen.without(tick, warp, lanes);
    if (now.personal) lanes = not_linked(mine().seen, tick, warp, lanes);
    return lanes ? not_linked(all.seen, tick, warp, lanes) : 0;
}
