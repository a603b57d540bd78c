// What compilers take for granted. Words where both sides allow it; the rest byte by byte.
#include <stddef.h>
#include <stdint.h>

// Otherwise a compiler that knows memcpy makes a call of memcpy of its loop.
#define PLAIN __attribute__((no_builtin, used))

typedef uint32_t __attribute__((may_alias)) word;

PLAIN void *memcpy(void *restrict to, const void *restrict from, size_t count) {
  uint8_t *t = to;
  const uint8_t *f = from;
  if ((((uintptr_t)t | (uintptr_t)f) & 3) == 0)
    for (; count >= 4; count -= 4, t += 4, f += 4) *(word *)t = *(const word *)f;
  while (count-- > 0) *t++ = *f++;
  return to;
}

PLAIN void *memmove(void *to, const void *from, size_t count) {
  uint8_t *t = to;
  const uint8_t *f = from;
  if ((uintptr_t)t - (uintptr_t)f >= count) return memcpy(to, from, count);
  while (count-- > 0) t[count] = f[count];
  return to;
}

PLAIN void *memset(void *bytes, int value, size_t count) {
  uint8_t *b = bytes;
  for (; count > 0 && (uintptr_t)b & 3; count--) *b++ = (uint8_t)value;
  for (word w = 0x01010101u * (uint8_t)value; count >= 4; count -= 4, b += 4) *(word *)b = w;
  while (count-- > 0) *b++ = (uint8_t)value;
  return bytes;
}

PLAIN int memcmp(const void *left, const void *right, size_t count) {
  const uint8_t *l = left, *r = right;
  for (; count > 0; count--, l++, r++)
    if (*l != *r) return *l < *r ? -1 : 1;
  return 0;
}

PLAIN size_t strlen(const char *text) {
  const char *end = text;
  while (*end) end++;
  return (size_t)(end - text);
}

#ifdef __arm__
// The names of the run-time ABI for Arm, with its order of arguments.
PLAIN void __aeabi_memcpy(void *to, const void *from, size_t count) { memcpy(to, from, count); }
PLAIN void __aeabi_memcpy4(void *to, const void *from, size_t count) { memcpy(to, from, count); }
PLAIN void __aeabi_memcpy8(void *to, const void *from, size_t count) { memcpy(to, from, count); }
PLAIN void __aeabi_memmove(void *to, const void *from, size_t count) { memmove(to, from, count); }
PLAIN void __aeabi_memmove4(void *to, const void *from, size_t count) { memmove(to, from, count); }
PLAIN void __aeabi_memmove8(void *to, const void *from, size_t count) { memmove(to, from, count); }
PLAIN void __aeabi_memset(void *bytes, size_t count, int value) { memset(bytes, value, count); }
PLAIN void __aeabi_memset4(void *bytes, size_t count, int value) { memset(bytes, value, count); }
PLAIN void __aeabi_memset8(void *bytes, size_t count, int value) { memset(bytes, value, count); }
PLAIN void __aeabi_memclr(void *bytes, size_t count) { memset(bytes, 0, count); }
PLAIN void __aeabi_memclr4(void *bytes, size_t count) { memset(bytes, 0, count); }
PLAIN void __aeabi_memclr8(void *bytes, size_t count) { memset(bytes, 0, count); }
#endif
