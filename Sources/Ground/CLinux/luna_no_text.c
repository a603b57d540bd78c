#include <stdint.h>

// How Swift hands a text back.
struct luna_text {
  uint64_t count_and_flags;
  uint64_t object;
};

struct luna_text luna_no_text(void);

// An empty text. It takes the place of what the standard library says of vectors of numbers (SIMD2 and its like), of
// buffers' pointers, key paths, mirrors, sets of ranges, views of dictionaries and texts, lists that are no array, errors
// of encoders that are not here, to debuggers, and of its own inner states in programs that are installed
// (scripts/lib/release.ld), which is 235 kB: nothing here prints one. Elsewhere nobody calls it.
struct luna_text luna_no_text(void) {
  struct luna_text text = {0, 0xE000000000000000};
  return text;
}
