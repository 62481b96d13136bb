#pragma once
#if !__has_include(<libxml/HTMLparser.h>)
#error "libxml2 is missing: run 'make setup'"
#endif
#include <libxml/HTMLparser.h>
#include <libxml/tree.h>
#include <libxml/xmlerror.h>
