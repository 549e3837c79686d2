// Global memory: each array is a file that the caller maps too, with room around it that nobody
// may touch.
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstring>

#include "state.h"

static const size_t GUARD = 64 << 20;  // bytes of addresses on either side
static const uint8_t CANARY = 0xc5;

static size_t page() { return sysconf(_SC_PAGESIZE); }
static size_t whole_pages(size_t bytes) { return (bytes + page() - 1) / page() * page(); }

// Where in its pages an array of so many bytes begins: at a multiple of 256, as near to their end
// as can be, so that what lies behind it is caught.
extern "C" size_t cl_array_begin(size_t bytes) {
    return whole_pages(bytes + !bytes) - (bytes + !bytes + 255) / 256 * 256;
}

// Map the file at `path`, which is `cl_array_begin(bytes)` and `bytes` long or longer.
extern "C" char *cl_array_map(const char *path, size_t bytes) {
    size_t room = whole_pages(bytes + !bytes);
    int file = open(path, O_RDWR);
    if (file < 0) return nullptr;
    // Far below the end of all addresses, behind which the processor tells no place of a fault.
    static char *next = (char *)(32ull << 40);
    char *all = (char *)mmap(next, room + 2 * GUARD, PROT_NONE,
                             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    void *inside = mmap(all + GUARD, room, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file, 0);
    close(file);
    next = all + room + 2 * GUARD;
    return inside == MAP_FAILED ? nullptr : all + GUARD + cl_array_begin(bytes);
}

extern "C" void cl_array_unmap(char *at, size_t bytes) {
    munmap(at - cl_array_begin(bytes) - GUARD, whole_pages(bytes + !bytes) + 2 * GUARD);
}

// Let a launch reach around its arrays (every such access is told), or not.
void open_guards(const Array &a, bool open) {
    size_t room = whole_pages(a.bytes + !a.bytes);
    char *first = a.at - cl_array_begin(a.bytes);
    int may = open ? PROT_READ | PROT_WRITE : PROT_NONE;
    mprotect(first - GUARD, GUARD, may);
    mprotect(first + room, GUARD, may);
}

// The few bytes around an array in its own pages: written before a launch, looked at behind it.
void set_canaries(const Array &a) {
    size_t before = cl_array_begin(a.bytes);
    std::memset(a.at - before, CANARY, before);
    std::memset(a.at + a.bytes, CANARY, whole_pages(a.bytes + !a.bytes) - before - a.bytes);
}

// Bytes from the array's start to the first that was overwritten, 0 if none was.
int64_t dead_canary(const Array &a) {
    int64_t begin = -(int64_t)cl_array_begin(a.bytes);
    int64_t end = (int64_t)whole_pages(a.bytes + !a.bytes) + begin;
    for (int64_t i = begin; i < end; i++)
        if ((i < 0 || i >= (int64_t)a.bytes) && (uint8_t)a.at[i] != CANARY) return i;
    return 0;
}
