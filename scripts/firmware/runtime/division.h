// Division of 64 bits, which neither a Cortex-M4 nor a 32-bit RISC-V has.
#pragma once
#include <stdint.h>

uint64_t luna_divide(uint64_t dividend, uint64_t divisor, uint64_t *rest);
int64_t luna_divide_signed(int64_t dividend, int64_t divisor, int64_t *rest);
