#pragma once
#if !__has_include(<tesseract/capi.h>)
#error "Tesseract 5 is missing: run 'make setup'"
#endif
#include <dlfcn.h>
#include <leptonica/allheaders.h>
#include <tesseract/capi.h>

/// A function of a library that Tesseract brought into the process and nothing here links; null when there is none.
static inline void *spinebench_loaded_function(const char *name) {
    void *process = dlopen(NULL, RTLD_LAZY);
    if (!process) return NULL;
    void *function = dlsym(process, name);
    dlclose(process);
    return function;
}

/// Makes the calling thread run OpenMP regions by itself.
///
/// Tesseract asks for a fixed number of OpenMP threads for work too small to share, which on two cores doubles the time
/// of a page. OMP_THREAD_LIMIT, the documented remedy, is read before main; this does the same at run time. It is looked
/// up by name because a Tesseract built without OpenMP has no such call and needs none.
static inline void spinebench_disable_openmp_on_this_thread(void) {
    void (*set_max_active_levels)(int) = (void (*)(int))spinebench_loaded_function("omp_set_max_active_levels");
    if (set_max_active_levels) set_max_active_levels(0);
}

/// Keeps Leptonica from writing its warnings to standard error.
///
/// It is looked up by name because the library's own name changed (lept, then leptonica), and linking needs one.
static inline void spinebench_silence_leptonica(void) {
    l_int32 (*set_severity)(l_int32) = (l_int32(*)(l_int32))spinebench_loaded_function("setMsgSeverity");
    if (set_severity) set_severity(L_SEVERITY_NONE);
}
