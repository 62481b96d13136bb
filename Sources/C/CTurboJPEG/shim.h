#pragma once
#if !__has_include(<turbojpeg.h>)
#error "libjpeg-turbo is missing: run 'make setup'"
#endif
#include <turbojpeg.h>
