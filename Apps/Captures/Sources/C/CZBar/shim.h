#pragma once
#if !__has_include(<zbar.h>)
#error "libzbar is missing: run 'make setup'"
#endif
#include <zbar.h>
