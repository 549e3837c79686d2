// A warp runs one instruction for all lanes that have come to it. The lanes' events are merged in
// that order: whoever is farthest behind in the code goes first, together with all that are there.
// Code lies in memory in the order in which it runs, and each piece of it that can be jumped to
// announces itself, so lanes that part at a branch meet again where their ways do.
#include <algorithm>
#include <map>

#include "report.h"
#include "warps.h"

struct Counts {
    uint64_t steps, partial;  // pieces of code begun; of them, by a part of the warp's lanes
    uint64_t requests, sectors, bytes, lanes, conflicts, turns;
};
struct Site {
    Counts of[8];                 // by kind of event
    uint64_t copied, overlapped;  // bytes of its asynchronous copies
};
static std::map<uint32_t, Site> sites;

struct Watched {  // one request of a warp that is to be drawn
    uint32_t pc;
    uint8_t kind, size, warp;
    unsigned mask;
    int array;           // number of the argument, -1: none
    const char *shared;  // or name of the shared array
    int64_t offset[32];  // of each lane, in bytes from the array's start
};
static std::vector<Watched> watched;
static uint64_t unwatched;  // that came after so many
static const size_t MOST_WATCHED = 16384;
static const uint8_t BARRIER = Event::step | SHARED;  // as a kind

void warps_start(const Launch &l) {
    sites.clear();
    watched.clear();
    unwatched = 0;
}

static uint64_t different(uint64_t *values, size_t count) {
    std::sort(values, values + count);
    return std::unique(values, values + count) - values;
}

// Different 32-byte sectors that the lanes touch; an aligned access lies within one.
static uint64_t sectors_of(const Event *const *events, size_t count) {
    uint64_t sectors[32];
    for (size_t i = 0; i < count; i++) sectors[i] = events[i]->at / 32;
    return different(sectors, count);
}

// Do lanes whose numbers differ by `bit` alone ask for the same place, as far as both ask?
static bool pairs_share(const Event *const *events, const unsigned *lane, size_t count,
                        unsigned bit) {
    uint64_t at[32] = {0};
    for (size_t i = 0; i < count; i++) at[lane[i]] = events[i]->at;
    for (unsigned l = 0; l < 32; l++)
        if (at[l] && at[l ^ bit] && at[l] != at[l ^ bit]) return false;
    return true;
}

// Passes beyond those that the width of the access needs. 32 banks of 4 bytes: lanes of 8 bytes go
// in two halves, of 16 in four quarters, twice as many lanes at a time where pairs of neighbours
// ask for the same; in each pass a bank gives one of its words to all who want it.
static uint64_t conflicts_of(const Event *const *events, const unsigned *lane, size_t count) {
    uint64_t extra = 0;
    unsigned together = events[0]->size == 16 ? 8 : events[0]->size == 8 ? 16 : 32;
    if (together < 32 &&
        (pairs_share(events, lane, count, 1) || pairs_share(events, lane, count, 2)))
        together *= 2;
    for (unsigned first = 0; first < 32; first += together) {
        uint64_t words[256], found = 0;
        for (size_t i = 0; i < count; i++)
            if (lane[i] >= first && lane[i] < first + together)
                for (uint64_t at = 0; at < events[i]->size; at += 4)
                    words[found++] = (events[i]->at + at) / 4;
        if (!found) continue;
        found = different(words, found);
        unsigned ways[32] = {0}, most = 0;
        for (size_t i = 0; i < found; i++) most = std::max(most, ++ways[words[i] % 32]);
        extra += most - 1;
    }
    return extra;
}

// In shared memory a bank does one lane's after the other's, whatever their places; but lanes that
// add one to the same word are counted, and their number added at once (see tests/cuda/test_turns).
static uint64_t shared_turns_of(const Event *const *events, size_t count) {
    uint64_t words[32], most = 0;
    bool ones = true;
    for (size_t i = 0; i < count; i++) {
        words[i] = events[i]->at / 4;
        ones &= events[i]->one;
    }
    size_t found = ones ? different(words, count) : count, ways[32] = {0};
    for (size_t i = 0; i < found; i++) most = std::max<uint64_t>(most, ++ways[words[i] % 32]);
    return most;
}

// In global memory those on one place are done one after the other.
static uint64_t turns_of(const Event *const *events, size_t count) {
    uint64_t places[32], most = 0, run = 0;
    for (size_t i = 0; i < count; i++) places[i] = events[i]->at;
    std::sort(places, places + count);
    for (size_t i = 0; i < count; i++) {
        run = i && places[i] == places[i - 1] ? run + 1 : 1;
        most = std::max(most, run);
    }
    return most;
}

void warps_copied(uint32_t pc, uint64_t bytes, bool overlapped) {
    (overlapped ? sites[pc].overlapped : sites[pc].copied) += bytes;
}

static void watch(const Event *const *events, const unsigned *lane, size_t count) {
    const Event &e = *events[0];
    Watched w = {e.pc, e.kind, e.size, (uint8_t)runner->current->self.warp, 0, -1, nullptr, {}};
    char *base = nullptr, *at = (char *)e.at;
    if (e.kind == Event::step) {
        base = at;
    } else if (e.kind & SHARED) {
        for (const Shared &s : runner->shared)
            if (at >= s.at && at < s.at + s.bytes) base = s.at, w.shared = s.name;
    } else {
        Fault where = {};
        where.array = -1;
        place_fault(where, at);
        w.array = where.array;
        base = w.array < 0 ? nullptr : at - where.offset;
    }
    for (size_t i = 0; i < count; i++) {
        w.mask |= 1u << lane[i];
        w.offset[lane[i]] = (char *)events[i]->at - base;
    }
    watched.push_back(w);
}

static bool in_watched_block() {
    const Launch &l = *launch_now;
    const uint3 &b = cl_now->block;
    return b.x + (uint64_t)l.grid.x * (b.y + (uint64_t)l.grid.y * b.z) == l.watched_block;
}

static bool is_watched() {
    if (!in_watched_block() || !(launch_now->watched_warps >> runner->current->self.warp & 1))
        return false;
    if (watched.size() < MOST_WATCHED) return true;
    unwatched++;
    return false;
}

static void request(const Event *const *events, const unsigned *lane, size_t count, size_t alive) {
    const Event &e = *events[0];
    Counts &c = sites[e.pc].of[e.kind];
    if (e.kind == Event::step) {
        c.steps++;
        c.partial += count < alive;
        c.lanes += count;
        if (launch_now->watched_whole && is_watched()) watch(events, lane, count);
        return;
    }
    c.requests++;
    c.lanes += count;
    for (size_t i = 0; i < count; i++) c.bytes += events[i]->size;
    if (e.kind == Event::atomic) c.turns += turns_of(events, count);
    if (e.kind == (Event::atomic | SHARED)) c.turns += shared_turns_of(events, count);
    if (e.kind & SHARED)
        c.conflicts += conflicts_of(events, lane, count);
    else
        c.sectors += sectors_of(events, count);
    if (is_watched()) watch(events, lane, count);
}

void warps_barrier() {
    if (launch_now->watched_whole && in_watched_block() && watched.size() < MOST_WATCHED)
        watched.push_back({0, BARRIER, 0, 0, ~0u, -1, nullptr, {}});
}

void merge_warp(Fiber *lanes, size_t count) {
    size_t at[32] = {0};
    for (;;) {
        uint64_t lowest = ~0ull;
        size_t alive = 0;
        for (size_t i = 0; i < count; i++) {
            if (at[i] == lanes[i].events.size()) continue;
            alive++;
            const Event &e = lanes[i].events[at[i]];
            lowest = std::min(lowest, (uint64_t)e.pc << 8 | e.kind);
        }
        if (!alive) return;
        const Event *events[32];
        unsigned lane[32];
        size_t found = 0;
        for (size_t i = 0; i < count; i++) {
            if (at[i] == lanes[i].events.size()) continue;
            const Event &e = lanes[i].events[at[i]];
            if (((uint64_t)e.pc << 8 | e.kind) != lowest) continue;
            events[found] = &e;
            lane[found++] = i;
            at[i]++;
        }
        request(events, lane, found, alive);
    }
}


static std::string numbers(std::initializer_list<uint64_t> values) {
    std::string text;
    for (uint64_t value : values) text += (text.empty() ? "[" : ",") + std::to_string(value);
    return text + "]";
}

std::string trace_text(const Launch &l) {
    static const char *const names[8] = {
        "steps",    "loads",        "stores",        "atomics",
        "barriers", "shared_loads", "shared_stores", "shared_atomics"};
    if (!l.traced) return "";
    std::string text = ",\"sites\":[";
    bool first = true;
    for (auto &[pc, site] : sites) {
        text += (first ? "{\"site\":" : ",{\"site\":") + std::to_string(pc);
        first = false;
        for (int kind = 0; kind < 8; kind++) {
            const Counts &c = site.of[kind];
            if (kind == Event::step && c.steps)
                text += ",\"steps\":" + numbers({c.steps, c.partial, c.lanes});
            else if (c.requests)
                text += ",\"" + std::string(names[kind]) + "\":" +
                        numbers({c.requests, c.sectors, c.bytes, c.lanes, c.conflicts, c.turns});
        }
        if (site.copied)
            text += ",\"copied\":" + std::to_string(site.copied) +
                    ",\"overlapped\":" + std::to_string(site.overlapped);
        text += "}";
    }
    text += "],\"watched\":[";
    for (const Watched &w : watched) {
        text += (&w == &watched[0] ? "{" : ",{") + std::string("\"site\":") +
                std::to_string(w.pc) + ",\"kind\":\"" + names[w.kind] + "\",\"size\":" +
                std::to_string(w.size) + ",\"warp\":" + std::to_string(w.warp) +
                ",\"array\":" + std::to_string(w.array);
        if (w.shared) text += ",\"shared\":\"" + std::string(w.shared) + "\"";
        text += ",\"mask\":" + std::to_string(w.mask) + ",\"offsets\":[";
        for (int lane = 0; lane < 32; lane++)
            text += (lane ? "," : "") + std::to_string(w.mask >> lane & 1 ? w.offset[lane] : 0);
        text += "]}";
    }
    return text + "],\"unwatched\":" + std::to_string(unwatched);
}
