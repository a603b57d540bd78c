#include "semihosting.h"
#include "luna_board.h"
#include <string.h>

enum { OPEN = 0x01, WRITE0 = 0x04, WRITE = 0x05, READ = 0x06, SEEK = 0x0A, COMMAND_LINE = 0x15 };
enum { READ_BINARY = 1, UPDATE_BINARY = 3, CREATE_BINARY = 7 };
enum { PAGE = 16384, PAGES = 2 };

static char arguments[256];
static int flash = -1, entropy = -1;

#ifdef __arm__
static int ask(int operation, void *argument) {
  register int r0 __asm__("r0") = operation;
  register void *r1 __asm__("r1") = argument;
  __asm__ volatile("bkpt 0xab" : "+r"(r0) : "r"(r1) : "memory");
  return r0;
}
#else
static int ask(int operation, void *argument) {
  register int a0 __asm__("a0") = operation;
  register void *a1 __asm__("a1") = argument;
  // These three as they are, and in one page.
  __asm__ volatile(
      ".balign 16\n .option push\n .option norvc\n slli x0, x0, 0x1f\n ebreak\n srai x0, x0, 7\n .option pop\n"
      : "+r"(a0)
      : "r"(a1)
      : "memory");
  return a0;
}
#endif

// The word with this number of the arguments; an empty one where there are not so many.
static char *word(int number) {
  char *at = arguments;
  for (; number > 0 && *at; number--) at += strlen(at) + 1;
  return at;
}

static int open_file(const char *name, int mode) {
  struct { const char *name; int mode; size_t count; } request = {name, mode, strlen(name)};
  return ask(OPEN, &request);
}

static void put(size_t position, const void *bytes, size_t count) {
  struct { int file; size_t position; } place = {flash, position};
  struct { int file; const void *bytes; size_t count; } request = {flash, bytes, count};
  if (ask(SEEK, &place) == 0) ask(WRITE, &request);
}

static bool get(int file, void *bytes, size_t count) {
  struct { int file; void *bytes; size_t count; } request = {file, bytes, count};
  // The bytes that were not read.
  return ask(READ, &request) == 0;
}

void luna_semihosting_begin(void) {
  struct { char *line; size_t count; } request = {arguments, sizeof arguments - 2};
  ask(COMMAND_LINE, &request);
  // Words that follow each other, with an empty one at the end.
  for (char *at = arguments; *at; at++)
    if (*at == ' ') *at = 0;
  flash = open_file(word(1), UPDATE_BINARY);
  if (flash < 0) {
    flash = open_file(word(1), CREATE_BINARY);
    for (int page = 0; page < PAGES; page++) luna_flash_erase(page);
  }
  entropy = open_file(word(2), READ_BINARY);
}

void luna_semihosting_write(const char *text) { ask(WRITE0, (void *)text); }

bool luna_entropy(uint8_t *bytes, size_t count) { return entropy >= 0 && get(entropy, bytes, count); }

size_t luna_flash_page_size(void) { return PAGE; }

void luna_flash_read(int page, size_t offset, uint8_t *bytes, size_t count) {
  struct { int file; size_t position; } place = {flash, (size_t)page * PAGE + offset};
  // What is not there is erased.
  memset(bytes, 0xFF, count);
  if (ask(SEEK, &place) == 0) get(flash, bytes, count);
}

void luna_flash_write(int page, size_t offset, const uint8_t *bytes, size_t count) {
  put((size_t)page * PAGE + offset, bytes, count);
}

void luna_flash_erase(int page) {
  uint8_t erased[128];
  memset(erased, 0xFF, sizeof erased);
  for (size_t offset = 0; offset < PAGE; offset += sizeof erased)
    put((size_t)page * PAGE + offset, erased, sizeof erased);
}
