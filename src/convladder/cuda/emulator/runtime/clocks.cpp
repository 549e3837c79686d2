// Vector clocks, kept short: a barrier makes all threads of a block know the same, so that only
// what came by other ways since then is written down thread by thread. Blocks run one after the
// other here; what a block left at an atomic is kept with the atomic (a channel), block by block.
#include "clocks.h"

#include <unordered_map>

#include "clock.h"

Now now;
std::vector<uint32_t> warp_ticks;
static uint32_t top;  // the greatest tick so far

enum Scope { BLOCK, DEVICE };
struct Known {  // `fenced`: what came before a fence, which an atomic may pass on
    Clock seen, fenced[2];
    Clock offered;  // found by atomic loads that did not acquire it; the next fence does
};
struct Entry {
    uint32_t turn;
    Clock left[2];
};
struct Channel {
    bool shared;
    std::vector<Entry> entries;  // in the order of their turns
    Sorted<Link> links;
};

static std::vector<Known> known;  // of each thread since the last barrier, if `personal`
static Known all;                 // what all threads of the block know by its barriers
static std::unordered_map<const char *, uint32_t> channel_at;
static std::vector<Channel> channels;
static std::unordered_map<const char *, Clock> arrived[2];  // by barrier: of an odd phase or not
static std::vector<bool> told;  // of each turn: did its block leave anything for others?
// The last access that took and left all that there was, and how: once more would change nothing.
static struct { const char *at; const Fiber *fiber; unsigned how; } repeated;

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
    repeated = {};
}

static Known &mine() { return known[runner->current - &runner->fibers[0]]; }

static void forget_known() {
    if (now.personal)
        for (Known &k : known) k = Known();
    now.personal = false;
}

static void next_tick() {
    repeated = {};
    now.barrier = ++top;
    for (Fiber &f : runner->fibers) f.tick = top;
}

void clocks_block() {
    next_tick();
    now.begin = top;
    now.turn++;
    warp_ticks.assign(now.warps, top);
    forget_known();
    for (auto &phases : arrived) phases.clear();
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
        all.seen.links.join(k.seen.links);
        for (Scope scope : {BLOCK, DEVICE}) all.fenced[scope].join(k.fenced[scope]);
    }
    now.common = true;
    forget_known();
}

void clocks_syncwarp(unsigned warp, unsigned lanes) {
    repeated = {};
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
            if (lanes >> i & 1) {
                joined.offered = std::move(known[first + i].offered);
                known[first + i] = joined;
            }
        now.personal = true;
    }
    for (size_t i = 0; i < count; i++)
        if (lanes >> i & 1) runner->fibers[first + i].tick = tick;
}

// All that the thread that runs knows, and what it did until now.
static Clock all_told() {
    const Fiber &f = *runner->current;
    Clock clock = mine().seen;
    clock.base = now.barrier;
    Row own = {now.warp, {}};
    if (warp_ticks[f.self.warp] > now.barrier)
        for (uint32_t &before : own.before) before = warp_ticks[f.self.warp];
    own.before[now.lane] = f.tick + 1;
    clock.rows.join(own);
    clock.links.join(all.seen.links);
    return clock;
}

static void tick_on() {
    repeated = {};
    top = std::max(top, ++runner->current->tick);
}

void clocks_fence(bool device) {
    now_is(*runner->current);
    Known &k = mine();
    k.seen.join(k.offered);
    k.offered = Clock();
    k.fenced[BLOCK] = all_told();  // what it fenced before is in it
    if (device) k.fenced[DEVICE] = k.fenced[BLOCK];
    tick_on();
    now.personal = true;
}

void clocks_arrive(const char *barrier, bool odd, bool first) {
    now_is(*runner->current);
    Clock &clock = arrived[odd][barrier];
    if (first) clock = Clock();
    clock.join(all_told());
    tick_on();
}

void clocks_depart(const char *barrier, bool odd) {
    repeated = {};
    mine().seen.join(arrived[odd][barrier]);
    now.personal = true;
}

void clocks_strong(const char *at, bool shared, unsigned how) {
    bool releases = how & RELEASES;
    if (repeated.at == at && repeated.fiber == runner->current && repeated.how == how) return;
    if (!releases && !now.personal && !now.common && channel_at.empty()) return;
    auto found = channel_at.find(at);
    bool known_before = found != channel_at.end();
    repeated = {};
    if (how & LOADS && found != channel_at.end()) {
        Channel &c = channels[found->second];
        Clock &seen = how & (ACQUIRES | OLD) ? mine().seen : mine().offered;
        if (c.entries.back().turn == now.turn) seen.join(c.entries.back().left[BLOCK]);
        if (!(how & IN_BLOCK)) {
            const Link here = {found->second, c.entries.back().turn};
            if (!c.links.empty()) c.links.join(here);  // what passes on many links is shared
            c.links.empty() ? seen.links.join(here) : seen.links.join(c.links);
        }
        now.personal = true;
    }
    if (!(how & STORES)) return;
    Known released;  // by this access itself
    if (releases) {
        released.fenced[BLOCK] = released.fenced[DEVICE] = all_told();
        tick_on();
    }
    const Known &own = mine();
    if (!releases && own.fenced[BLOCK].empty() && all.fenced[BLOCK].empty()) return;
    if (found == channel_at.end()) {
        found = channel_at.emplace(at, channels.size()).first;
        channels.push_back({shared, {}, {}});
    }
    Channel &c = channels[found->second];
    if (c.entries.empty() || c.entries.back().turn != now.turn) c.entries.push_back({now.turn, {}});
    for (const Known *k : {&own, (const Known *)&all, (const Known *)&released}) {
        c.entries.back().left[BLOCK].join(k->fenced[BLOCK]);
        if (how & IN_BLOCK) continue;
        c.entries.back().left[DEVICE].join(k->fenced[DEVICE]);
        c.links.join(k->fenced[DEVICE].links);
        if (!shared && !k->fenced[DEVICE].empty()) told[now.turn] = now.released = true;
    }
    if (known_before && !releases) repeated = {at, runner->current, how};
}

bool clocks_taken(const char *at) {
    if (!now.personal && !now.common) return false;
    auto found = channel_at.find(at);
    return found != channel_at.end() && ((now.personal && mine().seen.links.find(found->second)) ||
                                         all.seen.links.find(found->second));
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
