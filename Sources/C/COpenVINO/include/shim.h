#pragma once
// OpenVINO's C API as far as it is called here. It is declared and not included, and its library is opened when it is first needed and
// not linked: the package builds without OpenVINO. A test compares this with the headers that `make setup` installs.

#include <stdint.h>
#include <stdlib.h>

// The functions below have the library's names: hidden, they are not taken for the library's own.
#ifndef OPENVINO_HIDDEN
#define OPENVINO_HIDDEN __attribute__((visibility("hidden")))
#endif

typedef struct ov_compiled_model ov_compiled_model_t;
typedef struct ov_core ov_core_t;
typedef struct ov_infer_request ov_infer_request_t;
typedef struct ov_layout ov_layout_t;
typedef struct ov_model ov_model_t;
typedef struct ov_output_const_port ov_output_const_port_t;
typedef struct ov_preprocess_input_info ov_preprocess_input_info_t;
typedef struct ov_preprocess_input_model_info ov_preprocess_input_model_info_t;
typedef struct ov_preprocess_input_tensor_info ov_preprocess_input_tensor_info_t;
typedef struct ov_preprocess_prepostprocessor ov_preprocess_prepostprocessor_t;
typedef struct ov_preprocess_preprocess_steps ov_preprocess_preprocess_steps_t;
typedef struct ov_tensor ov_tensor_t;

#ifndef OPENVINO_HAS_TYPES
typedef enum { OK = 0, GENERAL_ERROR = -1 } ov_status_e;
typedef enum {
    DYNAMIC, BOOLEAN, BF16, F16, F32, F64, I4, I8, I16, I32, I64, U1, U2, U3, U4, U6, U8, U16, U32, U64
} ov_element_type_e;
typedef struct ov_dimension { int64_t min, max; } ov_dimension_t;
typedef ov_dimension_t ov_rank_t;
typedef struct { int64_t rank; int64_t *dims; } ov_shape_t;
typedef struct ov_partial_shape { ov_rank_t rank; ov_dimension_t *dims; } ov_partial_shape_t;
typedef struct { const char *key; const void *value; } ov_property_t;
typedef struct ov_version { const char *buildNumber, *description; } ov_version_t;
#endif

/// Functions that return a status: name, number of parameters, their types.
#define OPENVINO_CALLS(F) \
    F(ov_compiled_model_create_infer_request, 2, (const ov_compiled_model_t *, ov_infer_request_t **)) \
    F(ov_compiled_model_export_model, 2, (const ov_compiled_model_t *, const char *)) \
    F(ov_core_compile_model_props, 6, (const ov_core_t *, const ov_model_t *, const char *, size_t, const ov_property_t *, ov_compiled_model_t **)) \
    F(ov_core_create, 1, (ov_core_t **)) \
    F(ov_core_get_property, 4, (const ov_core_t *, const char *, const char *, char **)) \
    F(ov_core_import_model, 5, (const ov_core_t *, const char *, size_t, const char *, ov_compiled_model_t **)) \
    F(ov_core_read_model, 4, (const ov_core_t *, const char *, const char *, ov_model_t **)) \
    F(ov_core_read_model_from_memory_buffer, 5, (const ov_core_t *, const char *, size_t, const ov_tensor_t *, ov_model_t **)) \
    F(ov_core_set_properties, 4, (const ov_core_t *, const char *, size_t, const ov_property_t *)) \
    F(ov_get_openvino_version, 1, (ov_version_t *)) \
    F(ov_infer_request_get_input_tensor_by_index, 3, (const ov_infer_request_t *, size_t, ov_tensor_t **)) \
    F(ov_infer_request_get_output_tensor_by_index, 3, (const ov_infer_request_t *, size_t, ov_tensor_t **)) \
    F(ov_infer_request_infer, 1, (ov_infer_request_t *)) \
    F(ov_layout_create, 2, (const char *, ov_layout_t **)) \
    F(ov_model_const_input_by_index, 3, (const ov_model_t *, size_t, ov_output_const_port_t **)) \
    F(ov_model_const_output_by_index, 3, (const ov_model_t *, size_t, ov_output_const_port_t **)) \
    F(ov_model_inputs_size, 2, (const ov_model_t *, size_t *)) \
    F(ov_model_outputs_size, 2, (const ov_model_t *, size_t *)) \
    F(ov_model_reshape_by_port_indexes, 4, (const ov_model_t *, const size_t *, const ov_partial_shape_t *, size_t)) \
    F(ov_partial_shape_create, 3, (int64_t, const ov_dimension_t *, ov_partial_shape_t *)) \
    F(ov_port_get_any_name, 2, (const ov_output_const_port_t *, char **)) \
    F(ov_port_get_element_type, 2, (const ov_output_const_port_t *, ov_element_type_e *)) \
    F(ov_port_get_partial_shape, 2, (const ov_output_const_port_t *, ov_partial_shape_t *)) \
    F(ov_preprocess_input_info_get_model_info, 2, (const ov_preprocess_input_info_t *, ov_preprocess_input_model_info_t **)) \
    F(ov_preprocess_input_info_get_preprocess_steps, 2, (const ov_preprocess_input_info_t *, ov_preprocess_preprocess_steps_t **)) \
    F(ov_preprocess_input_info_get_tensor_info, 2, (const ov_preprocess_input_info_t *, ov_preprocess_input_tensor_info_t **)) \
    F(ov_preprocess_input_model_info_set_layout, 2, (ov_preprocess_input_model_info_t *, ov_layout_t *)) \
    F(ov_preprocess_input_tensor_info_set_element_type, 2, (ov_preprocess_input_tensor_info_t *, ov_element_type_e)) \
    F(ov_preprocess_input_tensor_info_set_layout, 2, (ov_preprocess_input_tensor_info_t *, ov_layout_t *)) \
    F(ov_preprocess_prepostprocessor_build, 2, (const ov_preprocess_prepostprocessor_t *, ov_model_t **)) \
    F(ov_preprocess_prepostprocessor_create, 2, (const ov_model_t *, ov_preprocess_prepostprocessor_t **)) \
    F(ov_preprocess_prepostprocessor_get_input_info, 2, (const ov_preprocess_prepostprocessor_t *, ov_preprocess_input_info_t **)) \
    F(ov_preprocess_preprocess_steps_convert_element_type, 2, (ov_preprocess_preprocess_steps_t *, ov_element_type_e)) \
    F(ov_preprocess_preprocess_steps_mean_multi_channels, 3, (ov_preprocess_preprocess_steps_t *, const float *, int32_t)) \
    F(ov_preprocess_preprocess_steps_reverse_channels, 1, (ov_preprocess_preprocess_steps_t *)) \
    F(ov_preprocess_preprocess_steps_scale_multi_channels, 3, (ov_preprocess_preprocess_steps_t *, const float *, int32_t)) \
    F(ov_shape_create, 3, (int64_t, const int64_t *, ov_shape_t *)) \
    F(ov_shape_free, 1, (ov_shape_t *)) \
    F(ov_tensor_data, 2, (const ov_tensor_t *, void **)) \
    F(ov_tensor_get_byte_size, 2, (const ov_tensor_t *, size_t *)) \
    F(ov_tensor_get_element_type, 2, (const ov_tensor_t *, ov_element_type_e *)) \
    F(ov_tensor_get_shape, 2, (const ov_tensor_t *, ov_shape_t *)) \
    F(ov_tensor_set_shape, 2, (ov_tensor_t *, ov_shape_t))

/// Functions that free: name, type.
#define OPENVINO_FREES(F) \
    F(ov_compiled_model_free, ov_compiled_model_t) \
    F(ov_core_free, ov_core_t) \
    F(ov_free, const char) \
    F(ov_infer_request_free, ov_infer_request_t) \
    F(ov_layout_free, ov_layout_t) \
    F(ov_model_free, ov_model_t) \
    F(ov_output_const_port_free, ov_output_const_port_t) \
    F(ov_partial_shape_free, ov_partial_shape_t) \
    F(ov_preprocess_input_info_free, ov_preprocess_input_info_t) \
    F(ov_preprocess_input_model_info_free, ov_preprocess_input_model_info_t) \
    F(ov_preprocess_input_tensor_info_free, ov_preprocess_input_tensor_info_t) \
    F(ov_preprocess_prepostprocessor_free, ov_preprocess_prepostprocessor_t) \
    F(ov_preprocess_preprocess_steps_free, ov_preprocess_preprocess_steps_t) \
    F(ov_tensor_free, ov_tensor_t) \
    F(ov_version_free, ov_version_t)

#define OPENVINO_1(A) (A a)
#define OPENVINO_2(A, B) (A a, B b)
#define OPENVINO_3(A, B, C) (A a, B b, C c)
#define OPENVINO_4(A, B, C, D) (A a, B b, C c, D d)
#define OPENVINO_5(A, B, C, D, E) (A a, B b, C c, D d, E e)
#define OPENVINO_6(A, B, C, D, E, F) (A a, B b, C c, D d, E e, F f)
#define OPENVINO_CALL(name, count, types) OPENVINO_HIDDEN ov_status_e name OPENVINO_##count types;
#define OPENVINO_FREE(name, type) OPENVINO_HIDDEN void name(type *object);
OPENVINO_CALLS(OPENVINO_CALL)
OPENVINO_FREES(OPENVINO_FREE)
OPENVINO_HIDDEN const char *ov_get_last_err_msg(void);

/// Opens OpenVINO's library, once in a process, before any other function. Returns NULL, or why it cannot be opened.
const char *openvino_open(const char *path);

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
