#pragma once
#include <stddef.h>

/// The vector files that are built in: they lie beside this target's source. The large one as one gzip member, which
/// makes every program half a megabyte smaller.
const unsigned char *luna_vectors_v1(size_t *count);
const unsigned char *luna_vectors_standards(size_t *count);
const unsigned char *luna_vectors_share(size_t *count);
