#pragma once
// `openvino` beside this file is a link to the headers that `make setup` unpacks under .deps/.
#if !__has_include("openvino/c/openvino.h")
#error "OpenVINO is missing: run 'make setup'"
#endif
#include "openvino/c/openvino.h"

#include <stdlib.h>

/// Keeps glibc from giving each of OpenVINO's threads a heap of its own, each of which keeps what it once took: about
/// 25 MB less with two threads. Does nothing with another C library. Swift's Glibc module lacks `mallopt`.
static inline void limit_malloc_arenas(void) {
#ifdef __GLIBC__
    extern int mallopt(int, int);
    const int m_arena_max = -8;  // M_ARENA_MAX of <malloc.h>
    mallopt(m_arena_max, 1);
#endif
}

/// Gives the system back what glibc keeps of the memory that was freed. Does nothing with another C library. Swift's
/// Glibc module lacks `malloc_trim`.
static inline void give_back_free_memory(void) {
#ifdef __GLIBC__
    extern int malloc_trim(size_t);
    malloc_trim(0);
#endif
}
