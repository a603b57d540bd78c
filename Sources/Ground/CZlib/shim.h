#pragma once
// zlib; its macros as functions. Only the gzip format (RFC 1952) is used.

#include <zlib.h>

// Reads one gzip member.
static inline int czlib_inflate_start(z_stream *stream) { return inflateInit2(stream, 15 + 16); }

// Writes one gzip member, at the usual level.
static inline int czlib_deflate_start(z_stream *stream) {
  return deflateInit2(stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
}
