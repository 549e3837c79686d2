// Fibers: stacks of their own, and the switch from one to another.
#include <sys/mman.h>
#include <unistd.h>

#include <cstring>
#include <mutex>

#include "fiber.h"

// Stacks of runners that have ended, for those to come: making them costs more than small launches.
static std::mutex spare_lock;
static std::vector<std::pair<char *, size_t>> spare;

char *take_stacks(size_t count) {
    {
        std::lock_guard<std::mutex> hold(spare_lock);
        for (size_t i = 0; i < spare.size(); i++)
            if (spare[i].second >= count) {
                char *stacks = spare[i].first;
                spare.erase(spare.begin() + i);
                return stacks;
            }
    }
    char *stacks = (char *)mmap(nullptr, count * STACK, PROT_READ | PROT_WRITE,
                                MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    for (size_t i = 0; i < count; i++)
        mprotect(stacks + i * STACK, sysconf(_SC_PAGESIZE), PROT_NONE);
    clear_shadow(stacks, count * STACK);
    return stacks;
}

void give_stacks(char *stacks, size_t count) {
    std::lock_guard<std::mutex> hold(spare_lock);
    spare.push_back({stacks, count});
}

// cl_switch(&mine, other): store the stack pointer here, go on there. Only what a call must keep
// is kept.
#if defined(__x86_64__) && !defined(CL_UCONTEXT)
asm(R"(
.text
.p2align 4
cl_switch:
_cl_switch:
    pushq %rbp
    pushq %rbx
    pushq %r12
    pushq %r13
    pushq %r14
    pushq %r15
    movq %rsp, (%rdi)
    movq %rsi, %rsp
    popq %r15
    popq %r14
    popq %r13
    popq %r12
    popq %rbx
    popq %rbp
    ret
)");
static const int SAVED = 6;  // words below the return address
#elif defined(__aarch64__) && !defined(CL_UCONTEXT)
asm(R"(
.text
.p2align 4
cl_switch:
_cl_switch:
    stp x29, x30, [sp, #-160]!
    stp x19, x20, [sp, #16]
    stp x21, x22, [sp, #32]
    stp x23, x24, [sp, #48]
    stp x25, x26, [sp, #64]
    stp x27, x28, [sp, #80]
    stp d8, d9, [sp, #96]
    stp d10, d11, [sp, #112]
    stp d12, d13, [sp, #128]
    stp d14, d15, [sp, #144]
    mov x9, sp
    str x9, [x0]
    mov sp, x1
    ldp x19, x20, [sp, #16]
    ldp x21, x22, [sp, #32]
    ldp x23, x24, [sp, #48]
    ldp x25, x26, [sp, #64]
    ldp x27, x28, [sp, #80]
    ldp d8, d9, [sp, #96]
    ldp d10, d11, [sp, #112]
    ldp d12, d13, [sp, #128]
    ldp d14, d15, [sp, #144]
    ldp x29, x30, [sp], #160
    ret
)");
#else
#undef CL_UCONTEXT
#define CL_UCONTEXT 1
#include <ucontext.h>
#endif

static void fiber_main() {
    Fiber *fiber = runner->current;
    runner->launch->run_thread(runner->launch->arguments);
    if (fiber->copies) check_copies(fiber->copies->under_way);
    fiber->state = State::done;
    fiber->site = nullptr;
    yield_fiber();
}

#ifdef CL_UCONTEXT
void *scheduler_context() {
    static thread_local ucontext_t context;
    return &context;
}
void switch_to(void **mine, void *other) {
    swapcontext((ucontext_t *)*mine, (ucontext_t *)other);
}
void prepare_fiber(Fiber &fiber, char *stack, size_t size) {
    ucontext_t *context = (ucontext_t *)(stack + size) - 1;
    getcontext(context);
    context->uc_stack.ss_sp = stack;
    context->uc_stack.ss_size = size - sizeof *context;
    context->uc_link = nullptr;
    makecontext(context, fiber_main, 0);
    fiber.stack_pointer = context;
}
#else
void *scheduler_context() { return nullptr; }
extern "C" void cl_switch(void **mine, void *other);
void switch_to(void **mine, void *other) { cl_switch(mine, other); }
void prepare_fiber(Fiber &fiber, char *stack, size_t size) {
    void **top = (void **)(stack + size);
#if defined(__x86_64__)
    // A function begins with the stack 8 bytes off a multiple of 16, as after a call.
    *--top = nullptr;
    *--top = (void *)fiber_main;
    top -= SAVED;
    std::memset(top, 0, SAVED * sizeof *top);
#else
    top -= 20;
    std::memset(top, 0, 20 * sizeof *top);
    top[1] = (void *)fiber_main;
#endif
    fiber.stack_pointer = top;
}
#endif

void yield_fiber() {
    Fiber *fiber = runner->current;
    switch_to(&fiber->stack_pointer, runner->scheduler);
}
