#include <stdint.h>

int64_t luna_no_scalar_name(uint32_t scalar, uint8_t *name, int64_t capacity);

// Says that a character of Unicode has no name. It takes the place of the standard library's function in
// programs that are installed (scripts/lib/release.ld), whose tables are half a megabyte: nothing here asks
// for `Unicode.Scalar.Properties.name`. Elsewhere nobody calls it.
int64_t luna_no_scalar_name(uint32_t scalar, uint8_t *name, int64_t capacity) {
  (void)scalar;
  (void)name;
  (void)capacity;
  return 0;
}
