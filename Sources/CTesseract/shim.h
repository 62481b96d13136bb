#pragma once
#if !__has_include(<tesseract/capi.h>)
#error "Tesseract 5 is missing: run 'make setup'"
#endif
#include <tesseract/capi.h>
#include <leptonica/allheaders.h>
