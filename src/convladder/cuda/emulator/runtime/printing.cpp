// printf in a kernel: the first lines of a launch are passed on, the others counted.
#include "printing.h"

#include <atomic>
#include <cstdarg>
#include <cstdio>

#include "report.h"

// A page of a notebook has no use for more: of calls, of letters of one, and of all.
static const uint64_t MOST_CALLS = 1000, MOST_LETTERS = 1000, MOST_OF_ALL = 100000;
static std::atomic<uint64_t> calls, shown, letters;
static std::atomic<const void *> place;
static __thread const void *at_work __attribute__((tls_model("initial-exec")));

void printing_start() { calls = shown = letters = 0; }

const void *printing_now() { return at_work; }

// Takes one of the lines that may be shown, of which several threads want the last.
static bool may_show() {
    uint64_t seen = shown;
    while (seen < MOST_CALLS && letters < MOST_OF_ALL)
        if (shown.compare_exchange_weak(seen, seen + 1)) return true;
    return false;
}

extern "C" int cl_printf(const char *format, ...) {
    at_work = __builtin_return_address(0);
    int count = 0;
    calls++;
    if (may_show()) {
        char text[MOST_LETTERS + 1];
        va_list rest;
        va_start(rest, format);
        count = vsnprintf(text, sizeof text, format, rest);
        va_end(rest);
        fputs(text, stdout);
        if (count >= (int)sizeof text) fputs("...\n", stdout);
        letters += count < (int)sizeof text ? count : sizeof text;
    } else {
        place = at_work;
    }
    at_work = nullptr;
    return count;
}

std::string printing_text() {
    if (calls <= shown) return "";
    return ",\"printed\":[" + std::to_string(calls) + "," + std::to_string(shown) + "," +
           site_text(place) + "]";
}
