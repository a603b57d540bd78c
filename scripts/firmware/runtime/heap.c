// First fit, with neighbours that are free joined at once: a tracker has few and short-lived objects.
#include "heap.h"
#include <stdint.h>

#ifndef LUNA_HEAP
#define LUNA_HEAP 14336
#endif

enum { UNIT = 16, HEAD = 8, NO_MEMORY = 12 };

// Blocks follow each other without a gap; each begins 8 bytes before a multiple of 16, so that what is given out lies at
// one. `size` is a multiple of 16, its lowest bit says that the block is taken; the last block has size 0.
typedef struct {
  uint32_t size;
  uint32_t before;
} block;

_Static_assert(sizeof(block) == HEAD, "a head has 8 bytes");
_Static_assert(LUNA_HEAP % UNIT == 0, "a multiple of 16");

static _Alignas(UNIT) uint8_t region[LUNA_HEAP];
static int is_ready;
static size_t used, peak;

static block *first(void) { return (block *)(region + UNIT - HEAD); }
static uint32_t size_of(const block *b) { return b->size & ~1u; }
static block *after(block *b) { return (block *)((uint8_t *)b + size_of(b)); }
static block *before(block *b) { return (block *)((uint8_t *)b - b->before); }

static void prepare(void) {
  first()->size = LUNA_HEAP - UNIT;
  first()->before = 0;
  after(first())->size = 1;
  after(first())->before = LUNA_HEAP - UNIT;
  is_ready = 1;
}

void *malloc(size_t count) {
  if (!is_ready) prepare();
  if (count > LUNA_HEAP) return NULL;
  uint32_t wanted = (uint32_t)(count + HEAD + UNIT - 1) & ~(uint32_t)(UNIT - 1);
  for (block *b = first(); size_of(b) > 0; b = after(b)) {
    if (b->size & 1 || b->size < wanted) continue;
    uint32_t rest = b->size - wanted;
    b->size = wanted | 1;
    if (rest > 0) {
      after(b)->size = rest;
      after(b)->before = wanted;
      after(after(b))->before = rest;
    }
    used += wanted;
    if (used > peak) peak = used;
    return (uint8_t *)b + HEAD;
  }
  return NULL;
}

void free(void *address) {
  if (address == NULL) return;
  block *b = (block *)((uint8_t *)address - HEAD);
  // Freed twice, or not one of ours: whoever did that has lost its way.
  if (!(b->size & 1)) __builtin_trap();
  b->size &= ~1u;
  used -= b->size;
  if (!(after(b)->size & 1)) b->size += after(b)->size;
  if (b->before > 0 && !(before(b)->size & 1)) {
    before(b)->size += b->size;
    b = before(b);
  }
  after(b)->before = b->size;
}

int posix_memalign(void **address, size_t alignment, size_t count) {
  if (alignment > UNIT) return NO_MEMORY;
  *address = malloc(count);
  return *address == NULL ? NO_MEMORY : 0;
}

size_t luna_heap_used(void) { return used; }
size_t luna_heap_peak(void) { return peak; }
