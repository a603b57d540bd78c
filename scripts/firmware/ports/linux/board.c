// A board that is a process of Linux: its flash is a file, its controller a socket, its console the standard streams. B and
// b on the console press and release its button, L and H empty and fill its battery. To kill it is a power cut.
//
// Usage: luna-tracker FLASH CONTROLLER [ENTROPY]
//        CONTROLLER  the path of a Unix socket, or tcp:HOST:PORT, at which a controller speaks H4; or none
//        ENTROPY     the file that its entropy is read from, by default /dev/urandom
#define _GNU_SOURCE
#include "luna_board.h"
#include <fcntl.h>
#include <netdb.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

enum { PAGE = 16384, PAGES = 2, LOST = 3 };
static const char KEPT[] = "LUNA_BOARD_CLOCK", KEPT_NOTE[] = "LUNA_BOARD_NOTE";

static char **arguments;
static int flash = -1, controller = -1, entropy = -1;
static bool is_down, is_empty, has_console = true;

_Noreturn static void lose(const char *what) {
  perror(what);
  exit(LOST);
}

static int connect_local(const char *path) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  if (strlen(path) >= sizeof address.sun_path) return -1;
  strcpy(address.sun_path, path);
  int file = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  return file >= 0 && connect(file, (struct sockaddr *)&address, sizeof address) == 0 ? file : -1;
}

static int connect_remote(const char *place) {
  char host[256];
  const char *port = strrchr(place, ':');
  if (port == NULL || (size_t)(port - place) >= sizeof host) return -1;
  memcpy(host, place, (size_t)(port - place));
  host[port - place] = 0;
  struct addrinfo hints = {.ai_socktype = SOCK_STREAM}, *found;
  if (getaddrinfo(host, port + 1, &hints, &found) != 0) return -1;
  int file = socket(found->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (file < 0 || connect(file, found->ai_addr, found->ai_addrlen) != 0) file = -1;
  freeaddrinfo(found);
  return file;
}

// Before Swift's main, which is told no arguments.
__attribute__((constructor)) static void begin(int count, char **words) {
  arguments = words;
  if (count < 3) {
    fputs("usage: luna-tracker FLASH CONTROLLER [ENTROPY]\n", stderr);
    exit(2);
  }
  flash = open(words[1], O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (flash >= 0) {
    for (int page = 0; page < PAGES; page++) luna_flash_erase(page);
  } else if ((flash = open(words[1], O_RDWR | O_CLOEXEC)) < 0) {
    lose(words[1]);
  }
  controller = strncmp(words[2], "tcp:", 4) == 0 ? connect_remote(words[2] + 4) : connect_local(words[2]);
  if (controller < 0 && strcmp(words[2], "none") != 0) lose(words[2]);
  // One that is not there is a source that does not work.
  entropy = open(count > 3 ? words[3] : "/dev/urandom", O_RDONLY | O_CLOEXEC);
}

static bool waits(int file, int milliseconds) {
  struct pollfd one = {.fd = file, .events = POLLIN};
  return poll(&one, 1, milliseconds) > 0;
}

uint64_t luna_microseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_BOOTTIME, &now);
  return (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
}

void luna_sleep_until(uint64_t microseconds) {
  uint64_t now = luna_microseconds(), left = microseconds > now ? (microseconds - now + 999) / 1000 : 0;
  struct pollfd both[] = {{.fd = controller, .events = POLLIN}, {.fd = has_console ? 0 : -1, .events = POLLIN}};
  poll(both, 2, left > 60000 ? 60000 : (int)left);
}

bool luna_entropy(uint8_t *bytes, size_t count) {
  while (count > 0) {
    ssize_t got = read(entropy, bytes, count);
    if (got <= 0) return false;
    bytes += got;
    count -= (size_t)got;
  }
  return true;
}

size_t luna_hci_receive(uint8_t *bytes, size_t limit) {
  if (!waits(controller, 0)) return 0;
  ssize_t got = read(controller, bytes, limit);
  if (got <= 0) lose("controller");
  return (size_t)got;
}
void luna_hci_send(const uint8_t *bytes, size_t count) {
  // Nobody answers, which the host sees.
  if (controller < 0) return;
  while (count > 0) {
    ssize_t sent = send(controller, bytes, count, MSG_NOSIGNAL);
    if (sent <= 0) lose("controller");
    bytes += sent;
    count -= (size_t)sent;
  }
}

size_t luna_flash_page_size(void) { return PAGE; }
void luna_flash_read(int page, size_t offset, uint8_t *bytes, size_t count) {
  // What is not there is erased.
  memset(bytes, 0xFF, count);
  if (pread(flash, bytes, count, (off_t)((size_t)page * PAGE + offset)) < 0) lose("flash");
}
// What does not fit is found when it is read back.
void luna_flash_write(int page, size_t offset, const uint8_t *bytes, size_t count) {
  if (pwrite(flash, bytes, count, (off_t)((size_t)page * PAGE + offset)) < 0) perror("flash");
}
void luna_flash_erase(int page) {
  uint8_t erased[PAGE];
  memset(erased, 0xFF, sizeof erased);
  luna_flash_write(page, 0, erased, sizeof erased);
}

static void say(const char *text) { luna_console_write((const uint8_t *)text, strlen(text)); }
// What its console stands for.
const uint16_t luna_capabilities = LUNA_HAS_BUZZER | LUNA_HAS_LIGHT | LUNA_HAS_BUTTON;
void luna_sound(bool on) { say(on ? "sound on\r\n" : "sound off\r\n"); }
void luna_light(bool on) { say(on ? "light on\r\n" : "light off\r\n"); }
bool luna_button(void) { return is_down; }
uint16_t luna_battery(void) { return is_empty ? 2200 : 3000; }

static int64_t clock_now;
static uint32_t note_now;
static bool has_clock;
bool luna_clock(int64_t *milliseconds, uint32_t *note) {
  const char *kept = getenv(KEPT), *kept_note = getenv(KEPT_NOTE);
  if (!has_clock && (kept == NULL || kept_note == NULL)) return false;
  // What was kept since the start is newer.
  *milliseconds = has_clock ? clock_now : strtoll(kept, NULL, 10);
  *note = has_clock ? note_now : (uint32_t)strtoul(kept_note, NULL, 10);
  return true;
}
void luna_keep_clock(int64_t milliseconds, uint32_t note) {
  clock_now = milliseconds;
  note_now = note;
  has_clock = true;
}

// Ends the process, which whoever runs it sees.
static unsigned timeout;
void luna_watchdog_start(uint32_t milliseconds) {
  timeout = (milliseconds + 999) / 1000;
  alarm(timeout);
}
void luna_watchdog_feed(void) { alarm(timeout); }

void luna_console_write(const uint8_t *bytes, size_t count) {
  while (count > 0) {
    ssize_t written = write(1, bytes, count);
    // Nobody reads it.
    if (written <= 0) return;
    bytes += written;
    count -= (size_t)written;
  }
}
int luna_console_read(void) {
  char byte;
  if (!has_console || !waits(0, 0)) return -1;
  if (read(0, &byte, 1) <= 0) {
    has_console = false;
    return -1;
  }
  switch (byte) {
    case 'B': is_down = true; return -1;
    case 'b': is_down = false; return -1;
    case 'L': is_empty = true; return -1;
    case 'H': is_empty = false; return -1;
    default: return byte;
  }
}

_Noreturn void luna_restart(void) {
  char text[24], note[24];
  snprintf(text, sizeof text, "%lld", (long long)clock_now);
  snprintf(note, sizeof note, "%lu", (unsigned long)note_now);
  if (has_clock && setenv(KEPT, text, 1) == 0) setenv(KEPT_NOTE, note, 1);
  execv("/proc/self/exe", arguments);
  lose("restart");
}
