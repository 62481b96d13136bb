#pragma once
#if !__has_include(<libxml/HTMLparser.h>)
#error "libxml2 is missing: run 'make setup'"
#endif
#include <libxml/xmlversion.h>
// Foundation has an ICU of its own, whose types Debian's would contradict; nothing that is used here names one.
#undef LIBXML_ICU_ENABLED
#include <libxml/HTMLparser.h>
#include <libxml/tree.h>
