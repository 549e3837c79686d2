// Included behind a learner's source: what the runtime calls. CL_KERNEL names its kernel.
//
// Whatever is written here stands among the learner's macros: keywords and names in `cl_` only.
#ifdef CL_OVERLOADED
#define CL_ADDRESS static_cast<void (*)(CL_TAKEN)>(&CL_KERNEL)
#else
#define CL_ADDRESS &CL_KERNEL
#endif
#undef warpSize
const cl_int warpSize = 32;

static_assert((CL_CONSTANT_BYTES) <= 64 << 10, "cl_constant_limit");

#pragma GCC visibility push(default)
extern "C" {
// Each has the kernel inlined, and one of them is called: for fibers, which are what is traced or
// checked and what may wait, or for a block's threads in turn.
#if CL_FIBERS || defined(CL_TRACED) || defined(CL_CHECKED)
void cl_run_thread(void **cl_arguments) { cl_thread_of(CL_ADDRESS, cl_arguments); }
void cl_run_block(void **) {}
#else
void cl_run_thread(void **) {}
void cl_run_block(void **cl_arguments) { cl_block_of(CL_ADDRESS, cl_arguments); }
#endif

cl_int cl_most_threads() { return CL_BOUNDS; }

cl_int cl_parameters(void *cl_out, cl_int cl_most) {
    return cl_parameters_of(CL_ADDRESS, cl_out, cl_most);
}

#ifdef CL_APPLE
extern cl_char cl_constants_begin __asm("section$start$__DATA$cl_constant");
extern cl_char cl_constants_end __asm("section$end$__DATA$cl_constant");
extern cl_char cl_text_begin __asm("segment$start$__TEXT");
extern cl_char cl_data_end __asm("segment$end$__DATA");
#else
extern cl_char __start_cl_constant[] __attribute__((__weak__, __visibility__("hidden")));
extern cl_char __stop_cl_constant[] __attribute__((__weak__, __visibility__("hidden")));
extern cl_char __ehdr_start[] __attribute__((__visibility__("hidden")));
extern cl_char _end[] __attribute__((__visibility__("hidden")));
#endif
// Those of the source, then one without a name. CL_VARIABLES lists them.
#define CL_VARIABLE(cl_of)                                                             \
    {#cl_of, (void *)&cl_of, sizeof(cl_of), cl_sides<decltype(cl_of)>::cl_element,     \
     cl_sides<decltype(cl_of)>::cl_extents}
const cl_variable *cl_variables() {
    static const cl_variable cl_all[] = {CL_VARIABLES{nullptr, nullptr, 0, 0, nullptr}};
    return cl_all;
}

// Structures of the source, which CL_STRUCTURES lists, then one of no bytes.
#define CL_STRUCTURE(cl_of) cl_layout_of<cl_of>(nullptr)
const cl_layout *cl_structures() {
    static const cl_layout cl_all[] = {CL_STRUCTURES{0, 0}};
    return cl_all;
}

cl_char *cl_module_range(cl_int cl_which) {
#ifdef CL_APPLE
    static cl_char *const cl_of[] = {&cl_constants_begin, &cl_constants_end, &cl_text_begin, &cl_data_end};
#else
    static cl_char *const cl_of[] = {__start_cl_constant, __stop_cl_constant, __ehdr_start, _end};
#endif
    return cl_of[cl_which];
}
}
#pragma GCC visibility pop
