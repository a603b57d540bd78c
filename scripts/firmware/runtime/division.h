// Division of 64 bits, which neither a Cortex-M4 nor a 32-bit RISC-V has.
#pragma once
#include <stdint.h>

uint64_t luna_divide(uint64_t dividend, uint64_t divisor, uint64_t *rest);
int64_t luna_divide_signed(int64_t dividend, int64_t divisor, int64_t *rest);

// 128 bits, of which Swift's Duration has as many: a C compiler for 32 bits knows no such number.
typedef struct {
  uint64_t low, high;
} luna_wide;

// The rest of a division.
luna_wide luna_remainder(luna_wide dividend, luna_wide divisor);
