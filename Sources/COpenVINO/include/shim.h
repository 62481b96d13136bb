#pragma once
// `openvino` beside this file is a link to the headers that `make setup` unpacks under .deps/.
#if !__has_include("openvino/c/openvino.h")
#error "OpenVINO is missing: run 'make setup'"
#endif
#include "openvino/c/openvino.h"
