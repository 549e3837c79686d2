// The last header before a learner's source: what the compiler says of itself, NVRTC does not.
#pragma once
#ifdef __APPLE__
#define CL_APPLE
#endif
#undef __GNUC__
#undef __GNUG__
#undef __clang__
#undef __linux__
#undef __linux
#undef __unix__
#undef __unix
#undef __APPLE__
#undef __x86_64__
#undef __x86_64
#undef __amd64__
#undef __aarch64__
