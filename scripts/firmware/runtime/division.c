#include "division.h"
#include <stdbool.h>

// Where a divisor is zero Swift has trapped before.
__attribute__((used)) uint64_t luna_divide(uint64_t dividend, uint64_t divisor, uint64_t *rest) {
  if (divisor == 0) __builtin_trap();
  if ((dividend | divisor) >> 32 == 0) {
    *rest = (uint32_t)dividend % (uint32_t)divisor;
    return (uint32_t)dividend / (uint32_t)divisor;
  }
  uint64_t quotient = 0;
  if (dividend >= divisor) {
    int shift = __builtin_clzll(divisor) - __builtin_clzll(dividend);
    for (divisor <<= shift; shift >= 0; shift--, divisor >>= 1) {
      quotient <<= 1;
      if (dividend >= divisor) {
        dividend -= divisor;
        quotient |= 1;
      }
    }
  }
  *rest = dividend;
  return quotient;
}

static uint64_t magnitude(int64_t number) { return number < 0 ? 0 - (uint64_t)number : (uint64_t)number; }

__attribute__((used)) int64_t luna_divide_signed(int64_t dividend, int64_t divisor, int64_t *rest) {
  uint64_t left;
  uint64_t quotient = luna_divide(magnitude(dividend), magnitude(divisor), &left);
  *rest = (int64_t)(dividend < 0 ? 0 - left : left);
  return (int64_t)((dividend < 0) != (divisor < 0) ? 0 - quotient : quotient);
}

static bool is_less(luna_wide one, luna_wide other) {
  return one.high < other.high || (one.high == other.high && one.low < other.low);
}

__attribute__((used)) luna_wide luna_remainder(luna_wide dividend, luna_wide divisor) {
  if ((divisor.high | divisor.low) == 0) __builtin_trap();
  luna_wide rest = {0, 0};
  for (int place = 127; place >= 0; place--) {
    // Beyond 128 bits it is more than any divisor.
    bool is_beyond = rest.high >> 63 != 0;
    uint64_t half = place < 64 ? dividend.low : dividend.high;
    rest.high = rest.high << 1 | rest.low >> 63;
    rest.low = rest.low << 1 | (half >> (place & 63) & 1);
    if (!is_beyond && is_less(rest, divisor)) continue;
    rest.high -= divisor.high + (rest.low < divisor.low);
    rest.low -= divisor.low;
  }
  return rest;
}

#ifdef __arm__
// The run-time ABI for Arm wants the quotient in r0 and r1, and the rest in r2 and r3.
#define BOTH(NAME, FUNCTION)                                          \
  __attribute__((naked, used)) void NAME(void) {                      \
    __asm__("push {r6, lr}\n sub sp, #16\n add r6, sp, #8\n"          \
            "str r6, [sp]\n bl " FUNCTION "\n ldr r2, [sp, #8]\n"     \
            "ldr r3, [sp, #12]\n add sp, #16\n pop {r6, pc}\n");      \
  }
BOTH(__aeabi_uldivmod, "luna_divide")
BOTH(__aeabi_ldivmod, "luna_divide_signed")
#elif defined(__riscv)
// A structure of 16 bytes goes where a number of 128 bits goes: both by reference.
luna_wide __umodti3(luna_wide dividend, luna_wide divisor) { return luna_remainder(dividend, divisor); }
uint64_t __udivdi3(uint64_t dividend, uint64_t divisor) {
  uint64_t rest;
  return luna_divide(dividend, divisor, &rest);
}
uint64_t __umoddi3(uint64_t dividend, uint64_t divisor) {
  uint64_t rest;
  luna_divide(dividend, divisor, &rest);
  return rest;
}
int64_t __divdi3(int64_t dividend, int64_t divisor) {
  int64_t rest;
  return luna_divide_signed(dividend, divisor, &rest);
}
int64_t __moddi3(int64_t dividend, int64_t divisor) {
  int64_t rest;
  luna_divide_signed(dividend, divisor, &rest);
  return rest;
}
#endif
