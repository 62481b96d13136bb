#pragma once
#if !__has_include(<openssl/sha.h>)
#error "libssl-dev is missing: run 'make setup'"
#endif
// OpenSSL 3 prefers contexts on its heap; a digest in a Swift struct is a value.
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/sha.h>
