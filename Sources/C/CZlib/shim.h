#pragma once
#if !__has_include(<zlib.h>)
#error "zlib is missing: run 'make setup'"
#endif
#include <zlib.h>

/// Prepares a stream that inflates gzip or zlib, whichever it finds. Here because `inflateInit2` is a macro.
static inline int spine_inflate_init(z_stream *stream) { return inflateInit2(stream, 15 + 32); }
