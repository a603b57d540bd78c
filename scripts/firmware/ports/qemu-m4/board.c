// An emulated Cortex-M4: qemu-system-arm -M mps2-an386 (Arm, application note AN386). UART 0 leads to a controller; UART 1
// is the console, and a hand on the board: B and b press and release its button, L and H empty and fill its battery. k asks
// how much of the stack was ever taken, i how many cycles it was awake since the last i, and at most at a stretch.
#include "luna_board.h"
#include "semihosting.h"
#include <string.h>

#define REGISTER(address) (*(volatile uint32_t *)(address))

enum { CLOCK = 25000000, TICK = 10000 /* us */, RELOAD = CLOCK / 1000000 * TICK };

// CMSDK APB UART.
typedef struct {
  volatile uint32_t data, state, control, interrupt, divisor;
} uart;
#define CONTROLLER ((uart *)0x40004000)
#define CONSOLE ((uart *)0x40005000)
enum { TRANSMIT_FULL = 1, RECEIVE_FULL = 2, ENABLE = 1 | 2 | 8 /* both ways, interrupt on receipt */ };

#define TICK_CONTROL REGISTER(0xE000E010)
#define TICK_RELOAD REGISTER(0xE000E014)
#define TICK_VALUE REGISTER(0xE000E018)
#define INTERRUPTS REGISTER(0xE000E100)
#define RESET_CONTROL REGISTER(0xE000ED0C)
// CMSDK APB watchdog: an interrupt at zero, and a reset when it comes to zero again.
#define WATCHDOG_LOAD REGISTER(0x40008000)
#define WATCHDOG_CONTROL REGISTER(0x40008008)
#define WATCHDOG_CLEAR REGISTER(0x4000800C)
#define WATCHDOG_LOCK REGISTER(0x40008C00)

// What came and was not taken.
enum { RING = 1024 };
typedef struct {
  volatile uint32_t in, out;
  uint8_t bytes[RING];
} ring;
static ring from_controller, from_console;
static volatile uint32_t ticks;
static bool is_down, is_empty;

// Not cleared at a start: it survives what is no power cut.
static struct {
  uint32_t mark, note;
  int64_t clock;
} kept __attribute__((section(".noinit")));
enum { MARK = 0x4C554E41 };

// What there is no room for stays where it is, and whoever sends waits: without a byte in the middle of a packet all that
// follows would be lost.
static void collect(uart *from, ring *to) {
  from->interrupt = 2;
  while (to->in - to->out < RING && from->state & RECEIVE_FULL) to->bytes[to->in++ % RING] = (uint8_t)from->data;
}

// For what has stayed there is no other interrupt.
static void refill(uart *from, ring *to) {
  __asm__ volatile("cpsid i");
  collect(from, to);
  __asm__ volatile("cpsie i");
}

static int take(ring *from) { return from->in == from->out ? -1 : from->bytes[from->out++ % RING]; }

static void send(uart *to, const uint8_t *bytes, size_t count) {
  for (; count > 0; count--, bytes++) {
    while (to->state & TRANSMIT_FULL) {}
    to->data = *bytes;
  }
}

static void on_tick(void) { ticks++; }
static void on_controller(void) { collect(CONTROLLER, &from_controller); }
static void on_console(void) { collect(CONSOLE, &from_console); }
// Also of the watchdog, which is an NMI.
static void on_fault(void) {
  luna_semihosting_write("fault handler\n");
  luna_restart();
}

extern uint8_t luna_stack, luna_stack_end, luna_data, luna_data_end, luna_data_source, luna_bss, luna_bss_end;
extern int main(int, char **);

// What was never taken of the stack.
enum { UNTOUCHED = 0xA5, OWN_FRAME = 128 };

static void reset(void) {
  memset(&luna_stack, UNTOUCHED, (size_t)((uint8_t *)__builtin_frame_address(0) - OWN_FRAME - &luna_stack));
  memcpy(&luna_data, &luna_data_source, (size_t)(&luna_data_end - &luna_data));
  memset(&luna_bss, 0, (size_t)(&luna_bss_end - &luna_bss));
  TICK_RELOAD = RELOAD - 1;
  TICK_VALUE = 0;
  TICK_CONTROL = 7;
  CONTROLLER->divisor = CONSOLE->divisor = 16;
  CONTROLLER->control = CONSOLE->control = ENABLE;
  INTERRUPTS = 1 << 0 | 1 << 2;
  luna_semihosting_begin();
  main(0, NULL);
  luna_restart();
}

void (*const luna_vectors[])(void) __attribute__((section(".vectors"), used)) = {
    (void (*)(void))&luna_stack_end, reset, on_fault, on_fault, on_fault, on_fault, on_fault, 0, 0, 0, 0, on_fault, 0, 0,
    on_fault, on_tick, on_controller, on_fault, on_console};

uint64_t luna_microseconds(void) {
  uint32_t before, value;
  do {
    before = ticks;
    value = TICK_VALUE;
  } while (before != ticks);
  // Ticks of 32 bits last 497 days; the value counts down.
  static uint32_t last, rounds;
  if (before < last) rounds++;
  last = before;
  return ((uint64_t)rounds << 32 | before) * TICK + (RELOAD - 1 - value) / (CLOCK / 1000000);
}

// Since power-on, as far as 32 bits hold them; when it woke, and how long it was awake.
static uint32_t cycles(void) {
  uint32_t before, value;
  do {
    before = ticks;
    value = TICK_VALUE;
  } while (before != ticks);
  return before * RELOAD + (RELOAD - 1 - value);
}
static uint32_t woke, awake, longest;

void luna_sleep_until(uint64_t microseconds) {
  uint32_t stretch = cycles() - woke;
  awake += stretch;
  if (stretch > longest) longest = stretch;
  bool is_over = false;
  while (!is_over && luna_microseconds() < microseconds) {
    // What comes between the question and the sleep ends the sleep.
    __asm__ volatile("cpsid i");
    is_over = from_controller.in != from_controller.out || from_console.in != from_console.out;
    if (!is_over) __asm__ volatile("wfi");
    __asm__ volatile("cpsie i");
  }
  woke = cycles();
}

size_t luna_hci_receive(uint8_t *bytes, size_t limit) {
  size_t count = 0;
  for (int byte; count < limit && (byte = take(&from_controller)) >= 0; count++) bytes[count] = (uint8_t)byte;
  refill(CONTROLLER, &from_controller);
  return count;
}
void luna_hci_send(const uint8_t *bytes, size_t count) { send(CONTROLLER, bytes, count); }

static void say(const char *text) { luna_console_write((const uint8_t *)text, strlen(text)); }
// What its console stands for.
const uint16_t luna_capabilities = LUNA_HAS_BUZZER | LUNA_HAS_LIGHT | LUNA_HAS_BUTTON;
void luna_sound(bool on) { say(on ? "sound on\r\n" : "sound off\r\n"); }
void luna_light(bool on) { say(on ? "light on\r\n" : "light off\r\n"); }
bool luna_button(void) { return is_down; }
uint16_t luna_battery(void) { return is_empty ? 2200 : 3000; }

bool luna_clock(int64_t *milliseconds, uint32_t *note) {
  if (kept.mark != MARK) return false;
  *milliseconds = kept.clock;
  *note = kept.note;
  return true;
}
void luna_keep_clock(int64_t milliseconds, uint32_t note) {
  kept.clock = milliseconds;
  kept.note = note;
  kept.mark = MARK;
}

void luna_watchdog_start(uint32_t milliseconds) {
  WATCHDOG_LOCK = 0x1ACCE551;
  // It counts down twice.
  WATCHDOG_LOAD = CLOCK / 1000 / 2 * milliseconds;
  WATCHDOG_CONTROL = 3;
}
void luna_watchdog_feed(void) { WATCHDOG_CLEAR = 1; }

void luna_console_write(const uint8_t *bytes, size_t count) { send(CONSOLE, bytes, count); }
static void say_number(const char *name, uint32_t number) {
  char digits[16], *digit = digits + sizeof digits;
  *--digit = 0;
  do *--digit = (char)('0' + number % 10);
  while ((number /= 10) > 0);
  say(name);
  say(digit);
}
static void say_stack(void) {
  const uint8_t *place = &luna_stack;
  while (*place == UNTOUCHED) place++;
  say_number("stack peak=", (uint32_t)(&luna_stack_end - place));
  say("\r\n");
}
static void say_awake(void) {
  say_number("awake cycles=", awake);
  say_number(" longest=", longest);
  say("\r\n");
  awake = longest = 0;
}

int luna_console_read(void) {
  int byte = take(&from_console);
  refill(CONSOLE, &from_console);
  switch (byte) {
    case 'B': is_down = true; return -1;
    case 'b': is_down = false; return -1;
    case 'L': is_empty = true; return -1;
    case 'H': is_empty = false; return -1;
    case 'k': say_stack(); return -1;
    case 'i': say_awake(); return -1;
    default: return byte;
  }
}

_Noreturn void luna_restart(void) {
  RESET_CONTROL = 0x05FA0004;
  for (;;) {}
}
