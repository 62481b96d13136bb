#pragma once
#if !__has_include(<libheif/heif.h>)
#error "libheif is missing: run 'make setup'"
#endif
#include <libheif/heif.h>
