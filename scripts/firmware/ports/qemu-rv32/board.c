// An emulated 32-bit RISC-V: qemu-system-riscv32 -M virt -bios none. Its one UART leads to a controller; what it writes to
// the console comes out of the emulator, and nothing is read from it, but for vectors. It has no button and no watchdog.
#include "luna_board.h"
#include "semihosting.h"
#include <string.h>

#define BYTE(address) (*(volatile uint8_t *)(address))
#define WORD(address) (*(volatile uint32_t *)(address))

// 16550 (data, line status) and its bits.
#define UART_DATA BYTE(0x10000000)
#define UART_FIFO BYTE(0x10000002)
#define UART_STATUS BYTE(0x10000005)
enum { RECEIVED = 1, CAN_SEND = 0x20 };
// CLINT: a time of 10 MHz, and when the first hart is interrupted.
#define TIME_LOW WORD(0x0200BFF8)
#define TIME_HIGH WORD(0x0200BFFC)
#define WAKE_LOW WORD(0x02004000)
#define WAKE_HIGH WORD(0x02004004)
enum { CYCLES = 10 /* in a microsecond */, PAUSE = 1000 * CYCLES };
// SiFive test: resets the machine.
#define TEST WORD(0x00100000)
enum { RESET = 0x7777 };

extern uint8_t luna_data, luna_data_end, luna_data_source, luna_bss, luna_bss_end;
extern int main(int, char **);

static struct {
  uint32_t mark, note;
  int64_t clock;
} kept __attribute__((section(".noinit")));
enum { MARK = 0x4C554E41 };

__attribute__((used)) static void begin(void) {
  memcpy(&luna_data, &luna_data_source, (size_t)(&luna_data_end - &luna_data));
  memset(&luna_bss, 0, (size_t)(&luna_bss_end - &luna_bss));
  UART_FIFO = 1;
  luna_semihosting_begin();
  main(0, NULL);
  luna_restart();
}

__attribute__((used, aligned(4))) static void on_trap(void) {
  luna_semihosting_write("fault handler\n");
  luna_restart();
}

// The timer wakes, but interrupts nothing.
__attribute__((naked, section(".start"), used)) void luna_start(void) {
  __asm__(
      "la sp, luna_stack_end\n la t0, on_trap\n csrw mtvec, t0\n li t0, 0x80\n csrw mie, t0\n csrw mstatus, zero\n"
      "j begin\n");
}

static uint64_t now(void) {
  uint32_t high, low;
  do {
    high = TIME_HIGH;
    low = TIME_LOW;
  } while (high != TIME_HIGH);
  return (uint64_t)high << 32 | low;
}

uint64_t luna_microseconds(void) { return now() / CYCLES; }

void luna_sleep_until(uint64_t microseconds) {
  while (!(UART_STATUS & RECEIVED) && luna_microseconds() < microseconds) {
    uint64_t wake = now() + PAUSE;
    WAKE_HIGH = UINT32_MAX;
    WAKE_LOW = (uint32_t)wake;
    WAKE_HIGH = (uint32_t)(wake >> 32);
    __asm__ volatile("wfi");
  }
}

size_t luna_hci_receive(uint8_t *bytes, size_t limit) {
  size_t count = 0;
  while (count < limit && UART_STATUS & RECEIVED) bytes[count++] = UART_DATA;
  return count;
}
void luna_hci_send(const uint8_t *bytes, size_t count) {
  for (; count > 0; count--, bytes++) {
    while (!(UART_STATUS & CAN_SEND)) {}
    UART_DATA = *bytes;
  }
}

const uint16_t luna_capabilities = LUNA_HAS_BUZZER | LUNA_HAS_LIGHT;
void luna_sound(bool on) { luna_semihosting_write(on ? "sound on\r\n" : "sound off\r\n"); }
void luna_light(bool on) { luna_semihosting_write(on ? "light on\r\n" : "light off\r\n"); }
bool luna_button(void) { return false; }
uint16_t luna_battery(void) { return 0; }

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

void luna_watchdog_start(uint32_t milliseconds) { (void)milliseconds; }
void luna_watchdog_feed(void) {}

#ifdef LUNA_VECTORS
// There is no controller then, and the UART is the console.
void luna_console_write(const uint8_t *bytes, size_t count) { luna_hci_send(bytes, count); }
int luna_console_read(void) {
  uint8_t byte;
  return luna_hci_receive(&byte, 1) == 1 ? byte : -1;
}
#else
void luna_console_write(const uint8_t *bytes, size_t count) {
  char text[64];
  while (count > 0) {
    size_t part = count < sizeof text - 1 ? count : sizeof text - 1;
    memcpy(text, bytes, part);
    text[part] = 0;
    luna_semihosting_write(text);
    bytes += part;
    count -= part;
  }
}
int luna_console_read(void) { return -1; }
#endif

_Noreturn void luna_restart(void) {
  TEST = RESET;
  for (;;) {}
}
