// Race detection as FastTrack does it (Flanagan and Freund, PLDI 2009, doi 10.1145/1542476.1542490)
// with lanes of a warp kept as one, since on a GPU thousands of threads may read one word.
#include "shadow.h"

#include <cstring>

static std::vector<std::vector<Group>> lists;  // of groups, for cells that need more than one
static std::vector<uint32_t> free_lists;
static bool any_narrow;

void shadows_end() {
    lists.clear();
    lists.shrink_to_fit();
    free_lists.clear();
    any_narrow = false;
}

static uint32_t new_list() {  // numbers count from 1
    if (free_lists.empty()) {
        lists.emplace_back();
        return lists.size();
    }
    uint32_t number = free_lists.back();
    free_lists.pop_back();
    return number;
}

static void free_list(uint32_t number) {
    lists[number - 1].clear();
    free_lists.push_back(number);
}

static void clear(Group &g) {
    if (!g.lanes && g.tick) free_list(g.tick);
    g = {};
}

static unsigned log2_of(size_t size) { return __builtin_ctzll(size); }

template <class T> static void cut(std::unique_ptr<T[]> &cells, size_t count, unsigned by) {
    if (!cells) return;
    std::unique_ptr<T[]> smaller(new T[count << by]);
    for (size_t i = 0; i < count << by; i++) smaller[i] = cells[i >> by];
    cells = std::move(smaller);
}

// After a cut several cells would have one list: all but the first get a copy.
static void copy_lists(Group *cells, size_t count, unsigned by) {
    for (size_t i = 0; cells && i < count << by; i++)
        if (i % (1u << by) && !cells[i].lanes && cells[i].tick) {
            uint32_t copy = new_list();
            lists[copy - 1] = lists[cells[i].tick - 1];
            cells[i].tick = copy;
        }
}

Shadow::Page &Shadow::page_of(size_t offset, size_t size) {
    std::unique_ptr<Page> &page = pages[offset / PAGE];
    if (!page) {
        page.reset(new Page());
        page->shift = log2_of(size);
    } else if (size < 1ull << page->shift) {
        size_t count = page->cells();
        unsigned by = page->shift - log2_of(size);
        cut(page->stores, count, by);
        for (auto *groups : {&page->loads, &page->atomics}) {
            cut(*groups, count, by);
            copy_lists(groups->get(), count, by);
        }
        page->shift -= by;
    }
    return *page;
}

unsigned Shadow::strangers_of(uint32_t tick, uint32_t warp, unsigned lanes) const {
    return of_block && tick < now.begin ? 0 : strangers(tick, warp, lanes);
}

static const uint32_t FLAGS = STRONG | NARROW;

// Are both atomic, for one another? Then they do not race, but for two volatile stores, of which
// one is lost.
bool Shadow::promised(const Group &g, uint32_t pc) const {
    return g.pc & pc & STRONG && (!((g.pc | pc) & NARROW) || g.tick >= now.begin);
}

bool Shadow::find_rival(const Group &g, Event::Kind kind, uint32_t pc, Rival &rival) const {
    if (promised(g, pc)) return false;
    unsigned lanes = strangers_of(g.tick, g.warp, g.lanes);
    if (!lanes) return false;
    rival = {true, g.warp * 32 + (uint32_t)__builtin_ctz(lanes), g.pc & ~FLAGS, kind};
    return true;
}

// May the thread that runs stand for the group? Whoever knows of it then knows of them, and of a
// block that left no word nobody will ever know: it is what the next store will race with.
bool Shadow::spoken_for(const Group &g, uint32_t pc) const {
    if ((!(g.pc & STRONG) && pc & STRONG) || (g.pc & ~pc & NARROW)) return false;
    return !strangers_of(g.tick, g.warp, g.lanes);
}

static bool speaks_for_all(const Group &g, uint32_t pc) {
    if (g.tick >= now.begin || (g.pc & STRONG && !(pc & STRONG)) || (pc & ~g.pc & NARROW))
        return false;
    return !now.released || lost(g.warp);
}

static bool same_group(const Group &g, uint32_t pc) {
    return g.warp == now.warp && g.tick == now.tick && !((g.pc ^ pc) & FLAGS);
}

void Shadow::add(Group &g, uint32_t pc) {
    Group mine = {now.tick, now.warp, now.bit, pc};
    if (g.lanes) {
        if (same_group(g, pc)) {
            g.lanes |= now.bit;
        } else if (spoken_for(g, pc)) {
            g = mine;
        } else if (!speaks_for_all(g, pc)) {
            uint32_t number = new_list();
            lists[number - 1] = {g, mine};
            g = {number, 0, 0, 0};
        }
    } else if (!g.tick) {
        g = mine;
    } else {
        std::vector<Group> &list = lists[g.tick - 1];
        // Of readers that nothing has ordered yet two warps are enough: whoever stores next, one of
        // them is another.
        if (!now.personal && list.size() > 1 && list[0].tick >= now.barrier &&
            list[1].tick >= now.barrier && list[0].warp != list[1].warp &&
            list[0].warp != now.warp && list[1].warp != now.warp &&
            !((list[0].pc ^ pc) & FLAGS) && !((list[1].pc ^ pc) & FLAGS))
            return;
        for (size_t i = list.size(); i--;)
            if (same_group(list[i], pc)) {
                list[i].lanes |= now.bit;
                return;
            }
        size_t kept = 0;
        for (const Group &old : list)
            if (!spoken_for(old, pc)) {
                if (speaks_for_all(old, pc)) {
                    Group one = old;
                    clear(g);
                    g = one;
                    return;
                }
                list[kept++] = old;
            }
        list.resize(kept);
        list.push_back(mine);
        if (!kept) {
            clear(g);
            g = mine;
        }
    }
}

void Shadow::touch_cell(Page &page, size_t cell, Event::Kind kind, uint32_t pc, bool taken,
                        Rival &rival) {
    if (page.stores && !rival.found) {
        const Store &s = page.stores[cell];
        if (s.tick && (kind == Event::store || !promised({s.tick, 0, 0, s.pc}, pc)) &&
            strangers_of(s.tick, s.thread / 32, 1u << s.thread % 32))
            rival = {true, s.thread, s.pc & ~FLAGS, Event::store};
    }
    auto look = [&](const Group &g, Event::Kind theirs) {
        if (rival.found) return;
        if (g.lanes)
            find_rival(g, theirs, pc, rival);
        else if (g.tick)
            for (const Group &one : lists[g.tick - 1])  // of another warp, if there is one
                if (find_rival(one, theirs, pc, rival) && one.warp != now.warp) return;
    };
    if (page.loads && kind != Event::load) look(page.loads[cell], Event::load);
    any_narrow |= (pc & NARROW) != 0;
    if (page.atomics && (kind != Event::atomic || any_narrow) && !taken)
        look(page.atomics[cell], Event::atomic);
    if (kind == Event::store) {
        if (!page.stores) page.stores.reset(new Store[page.cells()]());
        page.stores[cell] = {now.tick, now.warp * 32 + now.lane, pc};
        if (pc & STRONG || rival.found) return;
        if (page.loads) clear(page.loads[cell]);
        if (page.atomics) clear(page.atomics[cell]);
        return;
    }
    // An atomic that finds what was stored volatile, as a lock that is given back so, comes behind it:
    // whoever knows of the atomic, its own thread for one, may store there again.
    if (kind == Event::atomic && page.stores && !rival.found && !(pc & NARROW) &&
        page.stores[cell].pc & STRONG)
        page.stores[cell] = {now.tick, now.warp * 32 + now.lane, pc};
    std::unique_ptr<Group[]> &groups = kind == Event::load ? page.loads : page.atomics;
    if (!groups) groups.reset(new Group[page.cells()]());
    if (taken && kind == Event::atomic) clear(groups[cell]);
    add(groups[cell], pc);
}

Rival Shadow::touch(size_t offset, size_t size, Event::Kind kind, uint32_t pc, bool taken) {
    Rival rival = {};
    Page &page = page_of(offset, size);
    size_t first = offset % PAGE >> page.shift, count = size >> page.shift;
    for (size_t i = 0; i < count; i++) touch_cell(page, first + i, kind, pc, taken, rival);
    return rival;
}
