#pragma once
#if !__has_include(<png.h>)
#error "libpng is missing: run 'make setup'"
#endif
#include <png.h>
