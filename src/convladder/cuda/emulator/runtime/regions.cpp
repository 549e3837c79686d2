#include "regions.h"

#include <algorithm>
#include <cstring>

#include "report.h"
#include "shadow.h"

enum Flag : uint8_t { UNWRITTEN, WRITTEN, IN_FLIGHT };  // the last: a copy is on its way there

struct Region {
    Shared what;  // of global memory only the place is known
    int array;    // number of the argument, -1: none
    bool shared, there;  // there: declared in this block
    bool constant;       // nobody may store to it, so loads need not be remembered
    uint8_t *written;    // a flag for each byte (see Flag); null: all of it was
    std::vector<uint8_t> flags;
    Shadow shadow;
    bool has(const char *at) const { return at >= what.at && at < what.at + what.bytes; }
};
static std::deque<Region> regions;
static Region *found[64];  // by page, the last that was found there
static bool overlapping;  // as the members of a union are: the first one stands for both

struct Pending {  // a store that races with another one, not yet done
    size_t fault, size;
    char *at, before[16];
};
static std::vector<Pending> pending;

static void add(const Shared &what, int array, bool constant, uint8_t *written) {
    regions.push_back({what, array, false, true, constant, written, {}, {what.bytes, false}});
}

void regions_start(const Launch &l) {
    regions_end();
    for (size_t i = 0; i < l.arrays.size(); i++) {
        const Array &a = l.arrays[i];
        Region *same = nullptr;  // passed twice, perhaps once as what is stored to
        for (Region &r : regions)
            if (r.what.at == a.at) same = &r;
        if (same)
            same->constant &= a.constant;
        else
            add({a.at, a.bytes, a.element, nullptr, nullptr, a.alignment}, i, a.constant, a.written);
    }
    add({l.module, (size_t)(l.module_end - l.module), 1, nullptr, nullptr, 1}, -1, false, nullptr);
}

static void forget_found() { std::fill(std::begin(found), std::end(found), nullptr); }

void regions_end() {
    forget_found();
    regions.clear();
    pending.clear();
    shadows_end();
}

void regions_block() {
    forget_found();
    overlapping = false;
    for (Region &r : regions) r.there = !r.shared;
}

void regions_shared(const Shared &array) {
    for (const Region &r : regions)
        overlapping |= r.there && r.shared && array.at < r.what.at + r.what.bytes &&
                       r.what.at < array.at + array.bytes;
    for (Region &r : regions)
        if (r.shared && r.what.at == array.at && r.what.bytes == array.bytes &&
            r.what.name == array.name) {
            r.there = true;
            std::memset(r.flags.data(), 0, r.flags.size());
            return;
        }
    regions.push_back({array, -1, true, true, false, nullptr, std::vector<uint8_t>(array.bytes),
                       {array.bytes, true}});
    regions.back().written = regions.back().flags.data();
}

static Fault fault_at(const char *kind, const void *site, const Region *region, int64_t offset,
                      size_t size, bool store) {
    Fault fault = fault_here(kind, site);
    fault.offset = offset;
    fault.size = size;
    fault.store = store;
    if (!region) return fault;
    fault.array = region->array;
    if (region->shared) {
        fault.name = region->what.name;
        fault.element = region->what.element;
        fault.sides = region->what.sides;
    } else if (region->array < 0) {
        name_variable(fault, region->what.at + offset);
    }
    return fault;
}

static void accuse(const char *kind, const void *site, const Region *region, int64_t offset,
                   size_t size, bool store) {
    note_fault(fault_at(kind, site, region, offset, size, store));
}

static void accuse_race(const void *site, const Region &region, char *at, size_t size,
                        Event::Kind kind, const Rival &rival) {
    Fault fault = fault_at("race", site, &region, at - region.what.at, size, kind != Event::load);
    uint32_t warp = rival.thread / 32;
    fault.has_other = true;
    fault.other = runner->fibers[warp % now.warps * 32 + rival.thread % 32].self;
    fault.other.block = block_of(*launch_now, warp / now.warps);
    fault.other_site = launch_now->module + rival.pc + 1;
    fault.kinds = 4 * kind + rival.kind;
    fault.same = kind == Event::store && rival.kind == Event::store;
    size_t number = note_fault(fault);
    if (!fault.same || number == NO_FAULT) return;
    pending.push_back({number, size, at, {}});
    std::memcpy(pending.back().before, at, size);
}

void settle_races() {
    for (const Pending &p : pending)
        if (std::memcmp(p.at, p.before, p.size)) differing_race(p.fault);
    pending.clear();
}

static const Copy *copy_to(const std::vector<Copy> &copies, const char *at, size_t size) {
    for (const Copy &c : copies)
        if (c.to < at + size && at < c.to + c.size) return &c;
    return nullptr;
}

static void accuse_flight(const void *site, const Region &region, char *at, size_t size,
                          Event::Kind kind) {
    const Copy *copy = nullptr;
    for (const Fiber &f : runner->fibers)
        if (!copy && f.copies) copy = copy_to(f.copies->under_way, at, size);
    for (auto &[place, phases] : runner->phases)
        if (!copy) copy = copy_to(phases.copies, at, size);
    if (!copy) return;
    Fault fault = fault_at("copy under way", site, &region, at - region.what.at, size,
                           kind != Event::load);
    fault.has_other = true;
    fault.other = copy->self;
    fault.other_site = copy->site;
    note_fault(fault);
}

void regions_flight(char *at, size_t size, bool under_way) {
    for (Region &r : regions)
        if (r.there && r.shared && r.has(at))
            std::memset(r.written + (at - r.what.at), under_way ? IN_FLIGHT : WRITTEN, size);
}

static size_t structure_unit;  // the alignment of the structure that is on the move; 0: none is

static size_t defined_alignment(size_t size, size_t least) {
    size_t found = 0;
    for (const cl_layout *s = launch_now->structures; s->size; s++)
        if (s->size == size && s->alignment >= least && (!found || s->alignment < found))
            found = s->alignment;
    return found;
}

// Has each part of a structure's size in alignment been written, but for padding?
static bool but_for_padding(const Region &region, int64_t offset, size_t size) {
    size_t unit = structure_unit ? structure_unit : defined_alignment(size, 1);
    if (!unit) return false;
    for (size_t i = 0; i < size; i += unit)
        if (!std::memchr(region.written + offset + i, WRITTEN, std::min(unit, size - i)))
            return false;
    return true;
}

static void check_inside(Region &region, char *at, size_t size, Event::Kind kind, unsigned how,
                         const void *site, uint32_t pc) {
    int64_t offset = at - region.what.at;
    now_is(*runner->current);
    Rival rival = {};
    if (!region.constant || kind != Event::load) {
        region.constant = false;
        if (how && how != SILENT) clocks_strong(at, region.shared, how);
        // Stores that are atomic are so for one another too; those that are volatile are not.
        bool atomic = kind == Event::store && how && !(how & OLD);
        rival = region.shadow.touch(offset, size, atomic ? Event::atomic : kind,
                                    pc | (how ? STRONG : 0) | (how & IN_BLOCK ? NARROW : 0),
                                    clocks_taken(at));
    }
    if (rival.found) accuse_race(site, region, at, size, kind, rival);
    if (!region.written) return;
    uint32_t flags = 0;
    if (size == 4) std::memcpy(&flags, region.written + offset, 4);
    if (flags == 0x01010101u * WRITTEN) return;  // as most are
    bool all = true, any = false;
    for (size_t i = 0; i < size; i++) {
        all &= region.written[offset + i] == WRITTEN;
        any |= region.written[offset + i] == IN_FLIGHT;
    }
    if (any)
        accuse_flight(site, region, at, size, kind);
    else if (!all && kind != Event::store && !rival.found &&
             !but_for_padding(region, offset, size))
        accuse("unwritten", site, &region, offset, size, false);
    if (kind != Event::load && !any) std::memset(region.written + offset, WRITTEN, size);
}

// Beside all memory of the launch: said of what lies nearest.
static Found check_outside(char *at, size_t size, Event::Kind kind, const void *site) {
    Region *nearest = nullptr;
    uint64_t distance = 64 << 20;  // as far as guards reach
    for (Region &r : regions) {
        if (!r.there || (r.array < 0 && !r.shared)) continue;
        uint64_t away = r.has(at) ? 0 : at < r.what.at ? r.what.at - at
                                                       : at - r.what.at - r.what.bytes + 1;
        if (away < distance && (!r.shared || away < 4096)) distance = away, nearest = &r;
    }
    Fault fault = fault_at("out of bounds", site, nearest,
                           nearest ? at - nearest->what.at : (int64_t)at, size, kind != Event::load);
    if (!nearest) fault.far = far_from_all(at);
    note_fault(fault);
    if (!nearest) abandon();
    if (!nearest->shared) return Found::global;
    if (kind != Event::load && nearest->what.at != runner->dynamic)
        abandon();  // behind a static array lies memory of our own
    return Found::nothing;
}

static Region *find_region(const char *at) {
    Region *&last = found[(uintptr_t)at >> 12 & 63];
    if (last && !overlapping && last->has(at)) return last;
    for (Region &r : regions)
        if (r.there && r.has(at)) return last = &r;
    return last = nullptr;
}

// Of a place in global memory NVIDIA's compiler knows its type's alignment and no more, so that is
// what it loads and stores at a time; shared memory it lays out itself.
size_t begin_structure(char *at, size_t size, size_t least) {
    const Region *r = find_region(at);
    bool its_own = r && r->what.element == size && r->what.alignment >= least;
    structure_unit = its_own ? r->what.alignment : defined_alignment(size, least);
    size_t piece = structure_unit;
    if (r && r->shared && (piece > 1 || (piece && r->what.at == runner->dynamic)))
        piece = size & -size;
    piece = std::min<size_t>(piece, 16);
    while (piece > structure_unit && (uintptr_t)at % piece) piece /= 2;
    return piece;
}

void end_structure() { structure_unit = 0; }

Found check_access(char *at, size_t size, Event::Kind kind, unsigned how, const void *site,
                   uint32_t pc) {
    const Launch &l = *launch_now;
    if (at >= l.constants && at < l.constants_end) {
        if (kind != Event::load) accuse("stores to a constant", site, nullptr, 0, size, true);
        return Found::nothing;
    }
    if ((uintptr_t)at & (size - 1)) {
        Fault fault = fault_at("misaligned", site, nullptr, 0, size, kind != Event::load);
        place_fault(fault, at);
        note_fault(fault);
        abandon();  // as on the GPU; and this processor may refuse it too
    }
    Region *region = find_region(at);
    if (!region || at + size > region->what.at + region->what.bytes)
        return check_outside(at, size, kind, site);
    // Volatile accesses to shared memory are not told from others: a warp needs its barrier.
    bool plain = region->shared && kind != Event::atomic && how & OLD;
    check_inside(*region, at, size, kind, plain ? 0 : how, site, pc);
    return region->shared ? Found::shared : Found::global;
}
