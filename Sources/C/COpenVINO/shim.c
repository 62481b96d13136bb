#include "shim.h"

#include <dlfcn.h>
#include <stdio.h>

#define OPENVINO_ARGUMENTS_1 (a)
#define OPENVINO_ARGUMENTS_2 (a, b)
#define OPENVINO_ARGUMENTS_3 (a, b, c)
#define OPENVINO_ARGUMENTS_4 (a, b, c, d)
#define OPENVINO_ARGUMENTS_5 (a, b, c, d, e)
#define OPENVINO_ARGUMENTS_6 (a, b, c, d, e, f)
#define OPENVINO_POINTER(name, count, types) static ov_status_e(*library_##name) types;
#define OPENVINO_FREE_POINTER(name, type) static void (*library_##name)(type *);
OPENVINO_CALLS(OPENVINO_POINTER)
OPENVINO_FREES(OPENVINO_FREE_POINTER)
static const char *(*library_ov_get_last_err_msg)(void);

#define OPENVINO_FORWARD(name, count, types) \
    ov_status_e name OPENVINO_##count types { \
        return library_##name ? library_##name OPENVINO_ARGUMENTS_##count : GENERAL_ERROR; \
    }
#define OPENVINO_FORWARD_FREE(name, type) \
    void name(type *object) { if (library_##name) library_##name(object); }
OPENVINO_CALLS(OPENVINO_FORWARD)
OPENVINO_FREES(OPENVINO_FORWARD_FREE)

const char *ov_get_last_err_msg(void) {
    return library_ov_get_last_err_msg ? library_ov_get_last_err_msg() : "the library is not open";
}

const char *openvino_open(const char *path) {
    static char missing[256];
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library) return dlerror();
    #define OPENVINO_FIND(name, ...) \
        if (!(*(void **)&library_##name = dlsym(library, #name))) { \
            snprintf(missing, sizeof missing, "%s: it lacks %s, which OpenVINO has from 2026.4 on", path, #name); \
            return missing; \
        }
    OPENVINO_CALLS(OPENVINO_FIND)
    OPENVINO_FREES(OPENVINO_FIND)
    OPENVINO_FIND(ov_get_last_err_msg)
    return NULL;
}
