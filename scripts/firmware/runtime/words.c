// Shifts and products of 64 bits, by words of 32, for compilers that call functions to save space.
#include <stdint.h>

typedef union {
  uint64_t whole;
  // The lower word comes first on both processors.
  struct { uint32_t low, high; } half;
} pair;

__attribute__((used)) uint64_t __ashldi3(uint64_t number, int count) {
  pair in = {number}, out;
  if (count == 0) return number;
  out.half.low = count < 32 ? in.half.low << count : 0;
  out.half.high = count < 32 ? in.half.high << count | in.half.low >> (32 - count) : in.half.low << (count - 32);
  return out.whole;
}

__attribute__((used)) uint64_t __lshrdi3(uint64_t number, int count) {
  pair in = {number}, out;
  if (count == 0) return number;
  out.half.high = count < 32 ? in.half.high >> count : 0;
  out.half.low = count < 32 ? in.half.low >> count | in.half.high << (32 - count) : in.half.high >> (count - 32);
  return out.whole;
}

__attribute__((used)) int64_t __ashrdi3(int64_t number, int count) {
  pair in = {(uint64_t)number}, out;
  int32_t high = (int32_t)in.half.high;
  if (count == 0) return number;
  out.half.high = (uint32_t)(count < 32 ? high >> count : high >> 31);
  out.half.low = count < 32 ? in.half.low >> count | in.half.high << (32 - count) : (uint32_t)(high >> (count - 32));
  return (int64_t)out.whole;
}

__attribute__((used)) uint64_t __muldi3(uint64_t left, uint64_t right) {
  pair a = {left}, b = {right}, out;
  // A product of two words is an instruction, or two.
  out.whole = (uint64_t)a.half.low * b.half.low;
  out.half.high += a.half.low * b.half.high + a.half.high * b.half.low;
  return out.whole;
}

#ifdef __arm__
__attribute__((used)) uint64_t __aeabi_llsl(uint64_t number, int count) { return __ashldi3(number, count); }
__attribute__((used)) uint64_t __aeabi_llsr(uint64_t number, int count) { return __lshrdi3(number, count); }
__attribute__((used)) int64_t __aeabi_lasr(int64_t number, int count) { return __ashrdi3(number, count); }
__attribute__((used)) uint64_t __aeabi_lmul(uint64_t left, uint64_t right) { return __muldi3(left, right); }
#endif
