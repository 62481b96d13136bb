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

/// Functions that return a status: name, parameters, arguments.
#define OPENVINO_CALLS(F) \
    F(ov_compiled_model_create_infer_request, (const ov_compiled_model_t *model, ov_infer_request_t **request), (model, request)) \
    F(ov_compiled_model_export_model, (const ov_compiled_model_t *model, const char *path), (model, path)) \
    F(ov_core_compile_model_props, (const ov_core_t *core, const ov_model_t *model, const char *device, size_t count, const ov_property_t *properties, ov_compiled_model_t **compiled_model), (core, model, device, count, properties, compiled_model)) \
    F(ov_core_create, (ov_core_t **core), (core)) \
    F(ov_core_get_property, (const ov_core_t *core, const char *device, const char *key, char **value), (core, device, key, value)) \
    F(ov_core_import_model, (const ov_core_t *core, const char *bytes, size_t count, const char *device, ov_compiled_model_t **model), (core, bytes, count, device, model)) \
    F(ov_core_read_model, (const ov_core_t *core, const char *path, const char *weights_path, ov_model_t **model), (core, path, weights_path, model)) \
    F(ov_core_read_model_from_memory_buffer, (const ov_core_t *core, const char *bytes, size_t count, const ov_tensor_t *weights, ov_model_t **model), (core, bytes, count, weights, model)) \
    F(ov_core_set_properties, (const ov_core_t *core, const char *device, size_t count, const ov_property_t *properties), (core, device, count, properties)) \
    F(ov_get_openvino_version, (ov_version_t *version), (version)) \
    F(ov_infer_request_get_input_tensor_by_index, (const ov_infer_request_t *request, size_t index, ov_tensor_t **tensor), (request, index, tensor)) \
    F(ov_infer_request_get_output_tensor_by_index, (const ov_infer_request_t *request, size_t index, ov_tensor_t **tensor), (request, index, tensor)) \
    F(ov_infer_request_infer, (ov_infer_request_t *request), (request)) \
    F(ov_layout_create, (const char *description, ov_layout_t **layout), (description, layout)) \
    F(ov_model_const_input_by_index, (const ov_model_t *model, size_t index, ov_output_const_port_t **port), (model, index, port)) \
    F(ov_model_const_output_by_index, (const ov_model_t *model, size_t index, ov_output_const_port_t **port), (model, index, port)) \
    F(ov_model_inputs_size, (const ov_model_t *model, size_t *count), (model, count)) \
    F(ov_model_outputs_size, (const ov_model_t *model, size_t *count), (model, count)) \
    F(ov_model_reshape_by_port_indexes, (const ov_model_t *model, const size_t *ports, const ov_partial_shape_t *shape, size_t count), (model, ports, shape, count)) \
    F(ov_partial_shape_create, (int64_t rank, const ov_dimension_t *dims, ov_partial_shape_t *shape), (rank, dims, shape)) \
    F(ov_port_get_any_name, (const ov_output_const_port_t *port, char **name), (port, name)) \
    F(ov_port_get_element_type, (const ov_output_const_port_t *port, ov_element_type_e *type), (port, type)) \
    F(ov_port_get_partial_shape, (const ov_output_const_port_t *port, ov_partial_shape_t *shape), (port, shape)) \
    F(ov_preprocess_input_info_get_model_info, (const ov_preprocess_input_info_t *info, ov_preprocess_input_model_info_t **model_info), (info, model_info)) \
    F(ov_preprocess_input_info_get_preprocess_steps, (const ov_preprocess_input_info_t *info, ov_preprocess_preprocess_steps_t **steps), (info, steps)) \
    F(ov_preprocess_input_info_get_tensor_info, (const ov_preprocess_input_info_t *info, ov_preprocess_input_tensor_info_t **tensor_info), (info, tensor_info)) \
    F(ov_preprocess_input_model_info_set_layout, (ov_preprocess_input_model_info_t *model_info, ov_layout_t *layout), (model_info, layout)) \
    F(ov_preprocess_input_tensor_info_set_element_type, (ov_preprocess_input_tensor_info_t *tensor_info, ov_element_type_e type), (tensor_info, type)) \
    F(ov_preprocess_input_tensor_info_set_layout, (ov_preprocess_input_tensor_info_t *tensor_info, ov_layout_t *layout), (tensor_info, layout)) \
    F(ov_preprocess_prepostprocessor_build, (const ov_preprocess_prepostprocessor_t *processor, ov_model_t **model), (processor, model)) \
    F(ov_preprocess_prepostprocessor_create, (const ov_model_t *model, ov_preprocess_prepostprocessor_t **processor), (model, processor)) \
    F(ov_preprocess_prepostprocessor_get_input_info, (const ov_preprocess_prepostprocessor_t *processor, ov_preprocess_input_info_t **info), (processor, info)) \
    F(ov_preprocess_preprocess_steps_convert_element_type, (ov_preprocess_preprocess_steps_t *steps, ov_element_type_e type), (steps, type)) \
    F(ov_preprocess_preprocess_steps_mean_multi_channels, (ov_preprocess_preprocess_steps_t *steps, const float *values, int32_t count), (steps, values, count)) \
    F(ov_preprocess_preprocess_steps_reverse_channels, (ov_preprocess_preprocess_steps_t *steps), (steps)) \
    F(ov_preprocess_preprocess_steps_scale_multi_channels, (ov_preprocess_preprocess_steps_t *steps, const float *values, int32_t count), (steps, values, count)) \
    F(ov_shape_create, (int64_t rank, const int64_t *dims, ov_shape_t *shape), (rank, dims, shape)) \
    F(ov_shape_free, (ov_shape_t *shape), (shape)) \
    F(ov_tensor_data, (const ov_tensor_t *tensor, void **data), (tensor, data)) \
    F(ov_tensor_get_byte_size, (const ov_tensor_t *tensor, size_t *count), (tensor, count)) \
    F(ov_tensor_get_element_type, (const ov_tensor_t *tensor, ov_element_type_e *type), (tensor, type)) \
    F(ov_tensor_get_shape, (const ov_tensor_t *tensor, ov_shape_t *shape), (tensor, shape)) \
    F(ov_tensor_set_shape, (ov_tensor_t *tensor, ov_shape_t shape), (tensor, shape))

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

#define OPENVINO_CALL(name, parameters, arguments) OPENVINO_HIDDEN ov_status_e name parameters;
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
