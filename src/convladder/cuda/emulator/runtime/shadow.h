// Who touched each word of an array, so that a race shows: the last plain store, all loads since
// that no later load speaks for, and all atomics likewise.
#pragma once
#include <memory>

#include "clocks.h"

const uint32_t STRONG = 1u << 31;  // of a place in the code: an atomic or volatile access
const uint32_t NARROW = 1u << 30;  // one that is atomic among the threads of its block only

struct Store {
    uint32_t tick, thread, pc;  // thread: the warp's number times 32, and the lane
};
struct Group {  // of lanes of one warp. No lanes but a tick: a list of groups, by that number
    uint32_t tick, warp, lanes, pc;
};

struct Rival {  // an access that may happen at the same time as the one at hand
    bool found;
    uint32_t thread, pc;
    Event::Kind kind;
};

class Shadow {
  public:
    // `of_block`: each block has such memory of its own.
    Shadow(size_t bytes, bool of_block) : pages(bytes / PAGE + 1), of_block(of_block) {}

    // Note an access of the thread that runs, aligned to its size, which is a power of 2 up to 16.
    // `taken`: by an atomic of its own there it comes after those of others.
    Rival touch(size_t offset, size_t size, Event::Kind kind, uint32_t pc, bool taken);

  private:
    static const size_t PAGE = 4096;  // bytes of the array
    // Cells are as large as the first access to their page, and cut when a smaller one comes, so
    // that vectors cost one cell and neighbouring bytes do not race.
    struct Page {
        unsigned shift;
        std::unique_ptr<Store[]> stores;  // each made when needed
        std::unique_ptr<Group[]> loads, atomics;
        size_t cells() const { return PAGE >> shift; }
    };
    std::vector<std::unique_ptr<Page>> pages;
    bool of_block;

    Page &page_of(size_t offset, size_t size);
    void touch_cell(Page &page, size_t cell, Event::Kind kind, uint32_t pc, bool taken,
                    Rival &rival);
    unsigned strangers_of(uint32_t tick, uint32_t warp, unsigned lanes) const;
    bool find_rival(const Group &group, Event::Kind kind, uint32_t pc, Rival &rival) const;
    bool spoken_for(const Group &group, uint32_t pc) const;
    bool promised(const Group &group, uint32_t pc) const;
    void add(Group &group, uint32_t pc);
};

void shadows_end();  // forget the lists of groups of all shadows
