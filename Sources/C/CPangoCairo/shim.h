#pragma once
#if !__has_include(<pango/pangocairo.h>)
#error "Pango is missing: run 'make setup'"
#endif
#include <pango/pangocairo.h>
