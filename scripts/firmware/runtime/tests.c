// The heap and the arithmetic of the firmware, on this machine. Run by scripts/firmware/check-runtime, under other names
// than those of the C library.
#include "division.h"
#include "heap.h"
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t state = 1;
static uint64_t chance(void) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return state >> 20;
}
static int failed;
static void expect(bool holds, const char *what) {
  if (holds) return;
  failed++;
  printf("failed: %s\n", what);
}

enum { OBJECTS = 60 };
static struct { uint8_t *at; size_t count; uint8_t mark; } objects[OBJECTS];

static void test_heap(void) {
  size_t refused = 0;
  for (int step = 0; step < 200000; step++) {
    int i = (int)(chance() % OBJECTS);
    if (objects[i].at != NULL) {
      for (size_t k = 0; k < objects[i].count; k++)
        if (objects[i].at[k] != objects[i].mark) { expect(false, "an object keeps its bytes"); return; }
      luna_free(objects[i].at);
      objects[i].at = NULL;
      continue;
    }
    size_t count = chance() % 1000;
    void *at;
    if (luna_memalign(&at, 16, count) != 0) { refused++; continue; }
    expect(((uintptr_t)at & 15) == 0, "an object lies at a multiple of 16");
    objects[i].at = at;
    objects[i].count = count;
    objects[i].mark = (uint8_t)chance();
    memset(at, objects[i].mark, count);
  }
  expect(refused > 0, "a heap that is full refuses");
  for (int i = 0; i < OBJECTS; i++) luna_free(objects[i].at);
  expect(luna_heap_used() == 0, "all is given back");
  expect(luna_heap_peak() > 15000 && luna_heap_peak() <= 20480, "the peak is what was taken");
  void *all;
  expect(luna_memalign(&all, 16, 20480 - 16 - 8) == 0, "what is free is one piece again");
  luna_free(all);
  expect(luna_memalign(&all, 32, 8) != 0 && luna_memalign(&all, 8, (size_t)-1) != 0, "what cannot be is refused");
}

uint64_t __ashldi3(uint64_t, int);
uint64_t __lshrdi3(uint64_t, int);
int64_t __ashrdi3(int64_t, int);
uint64_t __muldi3(uint64_t, uint64_t);

static void test_words(void) {
  for (int step = 0; step < 100000; step++) {
    uint64_t a = chance() << 32 ^ chance(), b = chance() << 32 ^ chance();
    int count = (int)(chance() % 64);
    if (__ashldi3(a, count) != a << count || __lshrdi3(a, count) != a >> count ||
        __ashrdi3((int64_t)a, count) != (int64_t)a >> count || __muldi3(a, b) != a * b) {
      expect(false, "shifts and products");
      return;
    }
  }
}

static void test_division(void) {
  for (int step = 0; step < 1000000; step++) {
    uint64_t a = (chance() << 32 ^ chance()) >> (chance() % 64), b = (chance() << 32 ^ chance()) >> (chance() % 64);
    if (b == 0) b = 1;
    uint64_t rest;
    if (luna_divide(a, b, &rest) != a / b || rest != a % b) { expect(false, "a division"); return; }
    int64_t x = (int64_t)a, y = (int64_t)b, signed_rest;
    if (chance() & 1) x = -x;
    if (chance() & 1) y = -y;
    if (x == INT64_MIN && y == -1) continue;
    if (luna_divide_signed(x, y, &signed_rest) != x / y || signed_rest != x % y) {
      expect(false, "a division with signs");
      return;
    }
  }
}

static void test_remainder(void) {
  for (int step = 0; step < 100000; step++) {
    unsigned __int128 a = (unsigned __int128)chance() << 90 ^ (unsigned __int128)chance() << 44 ^ chance();
    unsigned __int128 b = ((unsigned __int128)chance() << 90 ^ (unsigned __int128)chance() << 44 ^ chance()) >> (chance() % 128);
    a >>= chance() % 128;
    if (b == 0) b = 1;
    luna_wide rest = luna_remainder((luna_wide){(uint64_t)a, (uint64_t)(a >> 64)}, (luna_wide){(uint64_t)b, (uint64_t)(b >> 64)});
    if (((unsigned __int128)rest.high << 64 | rest.low) != a % b) { expect(false, "a rest of 128 bits"); return; }
  }
}

int main(void) {
  test_heap();
  test_words();
  test_division();
  test_remainder();
  return failed != 0;
}
