#pragma once
// zlib; its macros as functions.

#include <zlib.h>

// Reads one gzip member.
static inline int czlib_inflate_start(z_stream *stream) { return inflateInit2(stream, 15 + 16); }

// Writes one gzip member, at the usual level.
static inline int czlib_deflate_start(z_stream *stream) {
  return deflateInit2(stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
}

// Writes the zlib format (RFC 1950), which PNG has within.
static inline int czlib_deflate_start_zlib(z_stream *stream) {
  return deflateInit2(stream, Z_BEST_COMPRESSION, Z_DEFLATED, 15, 8, Z_DEFAULT_STRATEGY);
}
