// The least that is firmware: what scripts/firmware/check-runtime links, to see that nothing is missing.
#include "heap.h"
#include "luna_board.h"
#include <string.h>

int main(int count, char **arguments) {
  (void)arguments;
  uint64_t now = luna_microseconds();
  int64_t kept = -1 - luna_capabilities;
  // What the processor has no instruction for.
  kept = (int64_t)(now / ((uint64_t)count | 1)) % (kept << (count & 63)) * (int64_t)now;
  uint8_t *bytes = malloc(sizeof kept);
  memcpy(bytes, &kept, sizeof kept);
  luna_console_write(bytes, sizeof kept);
  free(bytes);
  luna_sleep_until(now >> (count & 63));
  return 0;
}
