// A board in a world where time passes at once: as soon as the tracker sleeps it is as late as it wants to be woken. Its
// flash is a file that is only read, its controller answers every command, and nobody connects. Once a day somebody asks for
// the heap; at the end it is told what happened. For scripts/firmware/year.
//
// Usage: luna-tracker FLASH DAYS
#define _GNU_SOURCE
#include "luna_board.h"
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

enum { PAGE = 16384, PAGES = 2, LOST = 3 };
#define HOUR (3600ull * 1000000)

static uint8_t flash[PAGES][PAGE];
static unsigned long writes, erases[PAGES], wakes, in_hour, most_in_hour, commands;
static uint64_t now, end, fed, longest, patience, asked;

_Noreturn static void lose(const char *what) {
  fprintf(stderr, "%s at %llu s\n", what, (unsigned long long)(now / 1000000));
  exit(LOST);
}

// Before Swift's main, which is told no arguments.
__attribute__((constructor)) static void begin(int count, char **words) {
  int file = count == 3 ? open(words[1], O_RDONLY | O_CLOEXEC) : -1;
  if (file < 0 || read(file, flash, sizeof flash) != sizeof flash) {
    fputs("usage: luna-tracker FLASH DAYS\n", stderr);
    exit(2);
  }
  close(file);
  end = strtoull(words[2], NULL, 10) * 24 * HOUR;
}

// What the controller has to say.
enum { RING = 4096 };
static uint8_t said[RING];
static size_t in, out;

uint64_t luna_microseconds(void) { return now; }

_Noreturn static void finish(void) {
  printf("simulated hours=%llu wakes=%lu hourly=%lu commands=%lu unfed=%llu writes=%lu erases=%lu,%lu\n",
         (unsigned long long)(now / HOUR), wakes, most_in_hour, commands, (unsigned long long)(longest / 1000), writes,
         erases[0], erases[1]);
  fflush(stdout);
  exit(0);
}

void luna_sleep_until(uint64_t microseconds) {
  if (in != out || microseconds <= now) return;
  if (microseconds / HOUR != now / HOUR) in_hour = 0;
  now = microseconds;
  wakes++;
  if (++in_hour > most_in_hour) most_in_hour = in_hour;
  if (patience > 0 && now - fed > patience) lose("the watchdog was not fed");
  if (now >= end) finish();
}

bool luna_entropy(uint8_t *bytes, size_t count) { return getrandom(bytes, count, 0) == (ssize_t)count; }

static void answer(const uint8_t *command) {
  uint16_t opcode = (uint16_t)(command[1] | command[2] << 8);
  uint8_t event[80] = {0x04, 0x0E, 0, 1, command[1], command[2]};
  uint8_t *parameters = event + 7;
  size_t count = 0;
  switch (opcode) {
    // Read Local Version Information: 5.3
    case 0x1001: count = 8; parameters[0] = 0x0C; break;
    // Read Local Supported Commands: none beyond those of Bluetooth 4.0
    case 0x1002: count = 64; break;
    // Read Local Supported Features: LE alone
    case 0x1003: count = 8; parameters[4] = 0x60; break;
    // Read BD_ADDR: it has none
    case 0x1009: count = 6; break;
    // LE Read Buffer Size
    case 0x2002: count = 3; parameters[0] = 251; parameters[2] = 4; break;
    // LE Read Local Supported Features
    case 0x2003: count = 8; break;
  }
  event[2] = (uint8_t)(4 + count);
  for (size_t i = 0; i < 7 + count; i++) said[in++ % RING] = event[i];
}
void luna_hci_send(const uint8_t *bytes, size_t count) {
  if (count < 4 || bytes[0] != 0x01) lose("no command");
  commands++;
  answer(bytes);
}
size_t luna_hci_receive(uint8_t *bytes, size_t limit) {
  size_t count = 0;
  while (count < limit && out != in) bytes[count++] = said[out++ % RING];
  return count;
}

size_t luna_flash_page_size(void) { return PAGE; }
void luna_flash_read(int page, size_t offset, uint8_t *bytes, size_t count) { memcpy(bytes, flash[page] + offset, count); }
void luna_flash_write(int page, size_t offset, const uint8_t *bytes, size_t count) {
  writes++;
  for (size_t i = 0; i < count; i++) flash[page][offset + i] &= bytes[i];
}
void luna_flash_erase(int page) {
  erases[page]++;
  memset(flash[page], 0xFF, PAGE);
}

// Nobody is there to hear, see or press them; what is measured is a tracker that has them.
const uint16_t luna_capabilities = LUNA_HAS_BUZZER | LUNA_HAS_LIGHT | LUNA_HAS_BUTTON;
void luna_sound(bool on) { (void)on; }
void luna_light(bool on) { (void)on; }
bool luna_button(void) { return false; }
uint16_t luna_battery(void) { return 3000; }

bool luna_clock(int64_t *milliseconds, uint32_t *note) {
  (void)milliseconds;
  (void)note;
  return false;
}
void luna_keep_clock(int64_t milliseconds, uint32_t note) {
  (void)milliseconds;
  (void)note;
}

void luna_watchdog_start(uint32_t milliseconds) {
  patience = (uint64_t)milliseconds * 1000;
  fed = now;
}
void luna_watchdog_feed(void) {
  if (now - fed > longest) longest = now - fed;
  fed = now;
}

void luna_console_write(const uint8_t *bytes, size_t count) { fwrite(bytes, 1, count, stdout); }
int luna_console_read(void) {
  if (in != out || now < asked) return -1;
  asked = now + 24 * HOUR;
  return 'm';
}

_Noreturn void luna_restart(void) { lose("the board starts again"); }
