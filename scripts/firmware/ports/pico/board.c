// A Raspberry Pi Pico W or Pico 2 W, by the Pico SDK (2.0 or later): the controller is the CYW43439, over its SPI. The
// button is between GPIO 15 and ground, a piezo buzzer at GPIO 16; the light is that of the board. The last 32 kB of flash
// are the tracker's, on a Pico 2 those before the last sector. The battery is not measured: its divider hangs on a pin of
// the radio's SPI.
#include "luna_board.h"
#include "cyw43.h"
#include "hardware/clocks.h"
#include "hardware/flash.h"
#include "hardware/gpio.h"
#include "hardware/pwm.h"
#include "hardware/structs/rosc.h"
#include "hardware/sync.h"
#include "hardware/watchdog.h"
#include "pico/cyw43_arch.h"
#include "pico/stdlib.h"
#include <string.h>

enum { BUTTON = 15, BUZZER = 16, TONE = 4000 /* Hz */ };
// With a new program an RP2350 may get a block of its UF2 into the last sector (data sheet, RP2350-E10), and the newest
// record would be gone.
#if PICO_RP2350
enum { SPARE = FLASH_SECTOR_SIZE };
#else
enum { SPARE = 0 };
#endif
enum { PAGE = 16384, PAGES = 2, FIRST = PICO_FLASH_SIZE_BYTES - SPARE - PAGES * PAGE };
// In front of a packet the radio wants three bytes of its own. What it reads into and writes from begins at a word, and
// goes on to the end of one.
enum { OWN = 3, PACKET = 272 };
// Nothing wakes the tracker when somebody types or presses: so it looks this often.
enum { LOOK = 20 /* ms */, BARK = 8000 /* ms */, FEED = 1000 /* ms */ };

// The SDK's stack has 4 kB: too little for X25519 within a tracker.
static uint8_t stack[14336] __attribute__((aligned(8)));
__attribute__((naked)) static void run(void *top) {
  (void)top;
  __asm__("msr msp, r0\n movs r0, #0\n movs r1, #0\n bl luna_main\n bl luna_restart\n");
}

_Static_assert((OWN + PACKET + 1) % 4 == 0, "whole words");
static _Alignas(4) uint8_t packet[OWN + PACKET + 1];
static uint32_t start, end;

// Kept over a reset that is no power cut.
static struct {
  uint32_t mark, note;
  int64_t clock;
} __uninitialized_ram(kept);
enum { MARK = 0x4C554E41 };

// What the SDK calls of a host of its own, which is not there.
void cyw43_bluetooth_hci_process(void) {}
bool btstack_cyw43_init(async_context_t *context) {
  (void)context;
  return true;
}
void btstack_cyw43_deinit(async_context_t *context) { (void)context; }

int main(void) {
  stdio_init_all();
  // A power cut clears the scratch register, memory outlives one of some seconds, and the boot loader ends with the
  // watchdog, too.
  if (!watchdog_caused_reboot() || watchdog_hw->scratch[0] != MARK) kept.mark = 0;
  watchdog_hw->scratch[0] = MARK;
  gpio_init(BUTTON);
  gpio_pull_up(BUTTON);
  gpio_set_function(BUZZER, GPIO_FUNC_PWM);
  uint32_t wrap = 1000000 / TONE;
  pwm_set_clkdiv(pwm_gpio_to_slice_num(BUZZER), (float)clock_get_hz(clk_sys) / 1e6f);
  pwm_set_wrap(pwm_gpio_to_slice_num(BUZZER), (uint16_t)(wrap - 1));
  pwm_set_enabled(pwm_gpio_to_slice_num(BUZZER), true);
  if (cyw43_arch_init() != 0 || cyw43_bluetooth_hci_init() != 0) {
    // Who reads the console sees why there is no tracker.
    luna_console_write((const uint8_t *)"fault board\r\n", 13);
    // Nobody counts this time.
    kept.note = 0;
    sleep_ms(10000);
    luna_restart();
  }
  run(stack + sizeof stack);
}

uint64_t luna_microseconds(void) { return time_us_64(); }

void luna_sleep_until(uint64_t microseconds) {
  uint64_t look = time_us_64() + LOOK * 1000;
  if (start == end) cyw43_arch_wait_for_work_until(from_us_since_boot(microseconds < look ? microseconds : look));
  cyw43_arch_poll();
}

// The phase of the ring oscillator: a bit of it has little entropy when it is asked often, so that each bit of a byte is
// made of many.
bool luna_entropy(uint8_t *bytes, size_t count) {
  for (; count > 0; count--, bytes++) {
    uint8_t byte = 0;
    for (int bit = 0; bit < 8; bit++) {
      uint32_t parity = 0;
      for (int draw = 0; draw < 32; draw++) {
        parity ^= rosc_hw->randombit & 1;
        busy_wait_at_least_cycles(37);
      }
      byte = (uint8_t)(byte << 1 | parity);
    }
    *bytes = byte;
  }
  return true;
}

size_t luna_hci_receive(uint8_t *bytes, size_t limit) {
  if (start == end) {
    uint32_t count = 0;
    if (cyw43_bluetooth_hci_read(packet, sizeof packet, &count) != 0 || count <= OWN) return 0;
    start = OWN;
    end = count;
  }
  size_t count = end - start < limit ? end - start : limit;
  memcpy(bytes, packet + start, count);
  start += (uint32_t)count;
  return count;
}
void luna_hci_send(const uint8_t *bytes, size_t count) {
  // Of its own: what was received is perhaps not taken yet.
  static _Alignas(4) uint8_t sent[OWN + PACKET + 1];
  if (count > sizeof sent - OWN) return;
  memset(sent, 0, OWN);
  memcpy(sent + OWN, bytes, count);
  cyw43_bluetooth_hci_write(sent, OWN + count);
}

size_t luna_flash_page_size(void) { return PAGE; }
static uint32_t place(int page, size_t offset) { return FIRST + (uint32_t)page * PAGE + (uint32_t)offset; }
void luna_flash_read(int page, size_t offset, uint8_t *bytes, size_t count) {
  memcpy(bytes, (const uint8_t *)(XIP_NOCACHE_NOALLOC_BASE + place(page, offset)), count);
}
// It writes 256 bytes at once: ones leave what is there.
void luna_flash_write(int page, size_t offset, const uint8_t *bytes, size_t count) {
  while (count > 0) {
    uint8_t whole[FLASH_PAGE_SIZE];
    size_t within = offset % FLASH_PAGE_SIZE, part = FLASH_PAGE_SIZE - within;
    if (part > count) part = count;
    memset(whole, 0xFF, sizeof whole);
    memcpy(whole + within, bytes, part);
    uint32_t state = save_and_disable_interrupts();
    flash_range_program(place(page, offset - within), whole, sizeof whole);
    restore_interrupts(state);
    bytes += part;
    offset += part;
    count -= part;
  }
}
void luna_flash_erase(int page) {
  uint32_t state = save_and_disable_interrupts();
  flash_range_erase(place(page, 0), PAGE);
  restore_interrupts(state);
}

const uint16_t luna_capabilities = LUNA_HAS_BUZZER | LUNA_HAS_LIGHT | LUNA_HAS_BUTTON;
void luna_sound(bool on) { pwm_set_gpio_level(BUZZER, on ? 1000000 / TONE / 2 : 0); }
void luna_light(bool on) { cyw43_arch_gpio_put(CYW43_WL_GPIO_LED_PIN, on); }
bool luna_button(void) { return !gpio_get(BUTTON); }
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

// The hardware's bears eight seconds: an interrupt feeds it as long as the tracker has fed this one in time.
static volatile uint64_t fed;
static uint32_t patience;
static bool feed(repeating_timer_t *timer) {
  (void)timer;
  if (time_us_64() - fed < (uint64_t)patience * 1000) watchdog_update();
  return true;
}
void luna_watchdog_start(uint32_t milliseconds) {
  static repeating_timer_t timer;
  patience = milliseconds;
  fed = time_us_64();
  watchdog_enable(BARK, true);
  add_repeating_timer_ms(FEED, feed, NULL, &timer);
}
void luna_watchdog_feed(void) { fed = time_us_64(); }

void luna_console_write(const uint8_t *bytes, size_t count) {
  for (; count > 0; count--, bytes++) putchar_raw(*bytes);
}
int luna_console_read(void) {
  int byte = getchar_timeout_us(0);
  return byte >= 0 ? byte : -1;
}

_Noreturn void luna_restart(void) {
  watchdog_reboot(0, 0, 0);
  for (;;) {}
}
