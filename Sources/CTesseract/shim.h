#pragma once
#if !__has_include(<tesseract/capi.h>)
#error "Tesseract 5 is missing: run 'make setup'"
#endif
#include <dlfcn.h>
#include <leptonica/allheaders.h>
#include <tesseract/capi.h>

/// Makes the calling thread run OpenMP regions by itself.
///
/// Tesseract asks for a fixed number of OpenMP threads for work too small to share, which on two cores doubles the time
/// of a page. OMP_THREAD_LIMIT, the documented remedy, is read before main; this does the same at run time. It is looked
/// up by name because nothing here links OpenMP: a Tesseract built without it needs no such call.
static inline void spinebench_disable_openmp_on_this_thread(void) {
    void *process = dlopen(NULL, RTLD_LAZY);
    if (!process) return;
    void (*set_max_active_levels)(int) = (void (*)(int))dlsym(process, "omp_set_max_active_levels");
    if (set_max_active_levels) set_max_active_levels(0);
    dlclose(process);
}
