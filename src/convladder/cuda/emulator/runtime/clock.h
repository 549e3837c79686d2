// What is known of other threads' accesses: a vector clock, kept short (see clocks.cpp). Clocks are
// handed on from thread to atomic to thread, mostly unchanged, so they share what they hold.
#pragma once
#include <algorithm>
#include <utility>
#include <vector>

#include "clocks.h"

struct Row {  // of one warp: accesses that are known of each lane, those before these ticks
    uint32_t warp, before[32];
    uint32_t key() const { return warp; }
    bool covers(const Row &other) const {
        bool all = true;
        for (unsigned lane = 0; lane < 32; lane++) all &= before[lane] >= other.before[lane];
        return all;
    }
    void join(const Row &other) {
        for (unsigned lane = 0; lane < 32; lane++)
            before[lane] = std::max(before[lane], other.before[lane]);
    }
};
struct Link {  // what blocks left at this channel, up to this turn
    uint32_t channel, turn;
    uint32_t key() const { return channel; }
    bool covers(const Link &other) const { return turn >= other.turn; }
    void join(const Link &other) { turn = std::max(turn, other.turn); }
};

// Items in the order of their keys, in memory that copies share until one of them changes. Watched
// launches run on one core, so nothing is counted atomically.
template <class Item> class Sorted {
  public:
    Sorted() = default;
    Sorted(const Sorted &other) : body(other.body) { body ? body->users++ : 0; }
    Sorted(Sorted &&other) noexcept : body(std::exchange(other.body, nullptr)) {}
    Sorted &operator=(Sorted other) noexcept {
        std::swap(body, other.body);
        return *this;
    }
    ~Sorted() {
        if (body && !--body->users) delete body;
    }
    bool empty() const { return !body; }
    const Item *begin() const { return body ? body->items.data() : nullptr; }
    const Item *end() const { return body ? begin() + body->items.size() : nullptr; }
    const Item *find(uint32_t key) const {
        const Item *at = place(key);
        return at != end() && at->key() == key ? at : nullptr;
    }

    void join(const Item &item) {
        const Item *at = place(item.key());
        bool there = at != end() && at->key() == item.key();
        if (there && at->covers(item)) return;
        size_t index = at - begin();
        own();
        if (there)
            body->items[index].join(item);
        else
            body->items.insert(body->items.begin() + index, item);
    }
    void join(const Sorted &other) {
        if (body == other.body || other.empty() || joined_in_place(other)) return;
        if (body && body->users == 1 && other.body->items.size() <= FEW) {
            for (const Item &item : other) join(item);
            return;
        }
        bool mine = !empty(), theirs = true;  // has it all that both have?
        for (const Item *a = begin(), *b = other.begin(); mine || theirs;) {
            if (a == end() || b == other.end()) {
                mine &= b == other.end();
                theirs &= a == end();
                break;
            }
            if (a->key() != b->key()) {
                (a->key() < b->key() ? theirs : mine) = false;
                (a->key() < b->key() ? a : b)++;
            } else {
                mine &= a->covers(*b);
                theirs &= b++->covers(*a++);
            }
        }
        if (mine) return;
        if (theirs)
            *this = other;
        else
            merge(other);
    }

  private:
    static const size_t FEW = 4;  // that are put in one by one
    struct Body {
        uint32_t users;
        std::vector<Item> items;
    };
    Body *body = nullptr;

    const Item *place(uint32_t key) const {
        return std::lower_bound(begin(), end(), key,
                                [](const Item &item, uint32_t k) { return item.key() < k; });
    }
    // Where nobody shares these items, and no key is new.
    bool joined_in_place(const Sorted &other) {
        if (!body || body->users > 1 || body->items.size() < other.body->items.size()) return false;
        const Item *b = other.begin();
        for (const Item *a = begin(); a != end() && b != other.end(); a++) b += a->key() == b->key();
        if (b != other.end()) return false;
        b = other.begin();
        for (Item &item : body->items)
            if (b != other.end() && item.key() == b->key()) item.join(*b++);
        return true;
    }
    void own() {
        if (body && body->users == 1) return;
        Body *copy = new Body{1, {}};
        copy->items.assign(begin(), end());
        body ? body->users-- : 0;
        body = copy;
    }
    void merge(const Sorted &other) {
        Body *both = new Body{1, {}};
        both->items.reserve((end() - begin()) + (other.end() - other.begin()));
        const Item *a = begin(), *b = other.begin();
        while (a != end() && b != other.end()) {
            both->items.push_back(b->key() < a->key() ? *b : *a);
            if (a->key() == b->key()) both->items.back().join(*b);
            bool next_a = a->key() <= b->key(), next_b = b->key() <= a->key();
            a += next_a;
            b += next_b;
        }
        both->items.insert(both->items.end(), a, end());
        both->items.insert(both->items.end(), b, other.end());
        Sorted old;
        old.body = std::exchange(body, both);
    }
};

struct Clock {
    uint32_t base = 0;  // all accesses of the block before this tick, and
    Sorted<Row> rows;
    Sorted<Link> links;

    bool empty() const { return !base && rows.empty() && links.empty(); }

    void add(uint32_t warp, unsigned lanes, uint32_t before) {
        Row row = {warp, {}};
        for (; lanes; lanes &= lanes - 1) row.before[__builtin_ctz(lanes)] = before;
        rows.join(row);
    }
    void join(const Clock &other) {
        base = std::max(base, other.base);
        rows.join(other.rows);
        links.join(other.links);
    }
    // Those of `lanes` whose accesses at `tick` are not in it.
    unsigned without(uint32_t tick, uint32_t warp, unsigned lanes) const {
        if (tick < base) return 0;
        if (const Row *row = rows.find(warp))
            for (unsigned lane = 0; lane < 32; lane++)
                if (tick < row->before[lane]) lanes &= ~(1u << lane);
        return lanes;
    }
};
