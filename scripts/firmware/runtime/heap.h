// The heap of a board: a region of fixed size, of which Swift's runtime takes its memory.
#pragma once
#include <stddef.h>

int posix_memalign(void **address, size_t alignment, size_t count);
void *malloc(size_t count);
void free(void *address);

// The bytes that are taken now, with what the heap itself needs for them, and the most that ever were.
size_t luna_heap_used(void);
size_t luna_heap_peak(void);
