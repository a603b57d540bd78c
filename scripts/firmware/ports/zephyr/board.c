// A board of Zephyr's (3.7 to 4.1), whose controller is on the chip, or wherever zephyr,bt-hci says. What it has is told by
// the devicetree: sw0 (button), led0 (light), luna-buzzer (PWM), storage_partition (flash), the first io-channel of
// zephyr,user (the battery), watchdog0 or wdt0, and the UART of zephyr,console. What is not there is not used.
#include "luna_board.h"
#include <string.h>
#include <zephyr/bluetooth/buf.h>
#include <zephyr/bluetooth/hci_raw.h>
#include <zephyr/drivers/adc.h>
#include <zephyr/drivers/entropy.h>
#include <zephyr/drivers/gpio.h>
#include <zephyr/drivers/hwinfo.h>
#include <zephyr/drivers/pwm.h>
#include <zephyr/drivers/uart.h>
#include <zephyr/drivers/watchdog.h>
#include <zephyr/kernel.h>
#include <zephyr/net_buf.h>
#include <zephyr/storage/flash_map.h>
#include <zephyr/sys/reboot.h>

#define HAS_BUZZER DT_NODE_EXISTS(DT_ALIAS(luna_buzzer))
#define HAS_LIGHT DT_NODE_EXISTS(DT_ALIAS(led0))
#define HAS_BUTTON DT_NODE_EXISTS(DT_ALIAS(sw0))
#define HAS_CONSOLE DT_HAS_CHOSEN(zephyr_console)
#define HAS_BATTERY DT_NODE_HAS_PROP(DT_PATH(zephyr_user), io_channels)
// nRF54 has none by the name of wdt0.
#if DT_NODE_HAS_STATUS(DT_ALIAS(watchdog0), okay)
#define WATCHDOG DT_ALIAS(watchdog0)
#else
#define WATCHDOG DT_NODELABEL(wdt0)
#endif
#define HAS_WATCHDOG DT_NODE_HAS_STATUS(WATCHDOG, okay)

enum { TONE = 250 /* us, 4 kHz */, ERASE = 4096, LONGEST_SLEEP = 60000000 /* us */ };

extern int luna_main(int, char **);

static K_FIFO_DEFINE(from_controller);
// Given by whatever else than the controller ends a sleep.
static K_SEM_DEFINE(something, 0, 1);
K_MSGQ_DEFINE(typed, 1, 32, 1);

#if HAS_CONSOLE
static const struct device *const console = DEVICE_DT_GET(DT_CHOSEN(zephyr_console));
#endif
static const struct flash_area *flash;
static struct net_buf *packet;

// Kept over a reset that is no power cut.
static __noinit struct {
  uint32_t mark, note;
  int64_t clock;
} kept;
enum { MARK = 0x4C554E41 };
// Memory outlives a power cut of some seconds, and the clock in it stood still meanwhile.
static void forget_clock(void) {
  const uint32_t power = RESET_POR | RESET_BROWNOUT;
  // What an nRF tells after a power cut is none of these.
  const uint32_t others = RESET_SOFTWARE | RESET_WATCHDOG | RESET_CPU_LOCKUP | RESET_PIN;
  uint32_t cause = 0;
  if (hwinfo_get_reset_cause(&cause) != 0 || cause & power || !(cause & others)) kept.mark = 0;
  hwinfo_clear_reset_cause();
}

#if HAS_BUTTON
static const struct gpio_dt_spec button = GPIO_DT_SPEC_GET(DT_ALIAS(sw0), gpios);
static struct gpio_callback on_button;
static void see_button(const struct device *port, struct gpio_callback *callback, gpio_port_pins_t pins) {
  k_sem_give(&something);
}
#endif
#if HAS_LIGHT
static const struct gpio_dt_spec light = GPIO_DT_SPEC_GET(DT_ALIAS(led0), gpios);
#endif
#if HAS_BUZZER
static const struct pwm_dt_spec buzzer = PWM_DT_SPEC_GET(DT_ALIAS(luna_buzzer));
#endif
#if HAS_BATTERY
static const struct adc_dt_spec battery = ADC_DT_SPEC_GET_BY_IDX(DT_PATH(zephyr_user), 0);
#endif

#if HAS_CONSOLE
static void read_console(const struct device *device, void *data) {
  uint8_t byte;
  while (uart_irq_update(device) && uart_irq_rx_ready(device) && uart_fifo_read(device, &byte, 1) == 1)
    k_msgq_put(&typed, &byte, K_NO_WAIT);
  k_sem_give(&something);
}
#endif

int main(void) {
  forget_clock();
#if HAS_CONSOLE
  if (device_is_ready(console) && uart_irq_callback_user_data_set(console, read_console, NULL) == 0)
    uart_irq_rx_enable(console);
#endif
#if HAS_BUTTON
  gpio_pin_configure_dt(&button, GPIO_INPUT);
  gpio_pin_interrupt_configure_dt(&button, GPIO_INT_EDGE_BOTH);
  gpio_init_callback(&on_button, see_button, BIT(button.pin));
  gpio_add_callback(button.port, &on_button);
#endif
#if HAS_LIGHT
  gpio_pin_configure_dt(&light, GPIO_OUTPUT_INACTIVE);
#endif
#if HAS_BATTERY
  adc_channel_setup_dt(&battery);
#endif
  if (flash_area_open(FIXED_PARTITION_ID(storage_partition), &flash) != 0 || bt_enable_raw(&from_controller) != 0) {
    // Who reads the console sees why there is no tracker.
    luna_console_write((const uint8_t *)"fault board\r\n", 13);
    // Nobody counts this time.
    kept.note = 0;
    k_sleep(K_SECONDS(10));
    luna_restart();
  }
  luna_main(0, NULL);
  luna_restart();
}

uint64_t luna_microseconds(void) { return k_ticks_to_us_floor64(k_uptime_ticks()); }

void luna_sleep_until(uint64_t microseconds) {
  uint64_t now = luna_microseconds();
  if (packet != NULL || k_msgq_num_used_get(&typed) > 0 || microseconds <= now) return;
  uint64_t left = microseconds - now;
  struct k_poll_event events[] = {
      K_POLL_EVENT_INITIALIZER(K_POLL_TYPE_FIFO_DATA_AVAILABLE, K_POLL_MODE_NOTIFY_ONLY, &from_controller),
      K_POLL_EVENT_INITIALIZER(K_POLL_TYPE_SEM_AVAILABLE, K_POLL_MODE_NOTIFY_ONLY, &something),
  };
  k_poll(events, ARRAY_SIZE(events), K_USEC(left < LONGEST_SLEEP ? left : LONGEST_SLEEP));
  k_sem_take(&something, K_NO_WAIT);
}

bool luna_entropy(uint8_t *bytes, size_t count) {
  const struct device *source = DEVICE_DT_GET(DT_CHOSEN(zephyr_entropy));
  if (!device_is_ready(source)) return false;
  for (size_t part; count > 0; bytes += part, count -= part) {
    part = MIN(count, 128);
    if (entropy_get_entropy(source, bytes, (uint16_t)part) != 0) return false;
  }
  return true;
}

size_t luna_hci_receive(uint8_t *bytes, size_t limit) {
  if (packet == NULL) packet = k_fifo_get(&from_controller, K_NO_WAIT);
  if (packet == NULL) return 0;
  size_t count = MIN(limit, packet->len);
  memcpy(bytes, net_buf_pull_mem(packet, count), count);
  if (packet->len == 0) {
    net_buf_unref(packet);
    packet = NULL;
  }
  return count;
}

void luna_hci_send(const uint8_t *bytes, size_t count) {
  struct net_buf *sent = bt_buf_get_tx(BT_BUF_H4, K_SECONDS(2), bytes, count);
  // A controller that takes nothing is one that does not answer: the host sees that.
  if (sent != NULL && bt_send(sent) != 0) net_buf_unref(sent);
}

size_t luna_flash_page_size(void) { return flash->fa_size / 2 / ERASE * ERASE; }
static off_t place(int page, size_t offset) { return (off_t)((size_t)page * luna_flash_page_size() + offset); }
void luna_flash_read(int page, size_t offset, uint8_t *bytes, size_t count) {
  if (flash_area_read(flash, place(page, offset), bytes, count) != 0) memset(bytes, 0, count);
}
// What fails is seen when it is read back.
void luna_flash_write(int page, size_t offset, const uint8_t *bytes, size_t count) {
  flash_area_write(flash, place(page, offset), bytes, count);
}
void luna_flash_erase(int page) { flash_area_flatten(flash, place(page, 0), luna_flash_page_size()); }

const uint16_t luna_capabilities =
    (HAS_BUZZER ? LUNA_HAS_BUZZER : 0) | (HAS_LIGHT ? LUNA_HAS_LIGHT : 0) | (HAS_BUTTON ? LUNA_HAS_BUTTON : 0);
void luna_sound(bool on) {
#if HAS_BUZZER
  pwm_set_dt(&buzzer, PWM_USEC(TONE), on ? PWM_USEC(TONE / 2) : 0);
#endif
}
void luna_light(bool on) {
#if HAS_LIGHT
  gpio_pin_set_dt(&light, on);
#endif
}
bool luna_button(void) {
#if HAS_BUTTON
  return gpio_pin_get_dt(&button) > 0;
#else
  return false;
#endif
}
uint16_t luna_battery(void) {
#if HAS_BATTERY
  int16_t sample = 0;
  struct adc_sequence sequence = {.buffer = &sample, .buffer_size = sizeof sample};
  if (adc_sequence_init_dt(&battery, &sequence) != 0 || adc_read_dt(&battery, &sequence) != 0) return 0;
  int32_t millivolts = sample;
  return adc_raw_to_millivolts_dt(&battery, &millivolts) == 0 && millivolts > 0 ? (uint16_t)millivolts : 0;
#else
  return 0;
#endif
}

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

#if HAS_WATCHDOG
static const struct device *const watchdog = DEVICE_DT_GET(WATCHDOG);
static int channel = -1;
#endif
void luna_watchdog_start(uint32_t milliseconds) {
#if HAS_WATCHDOG
  struct wdt_timeout_cfg timeout = {.window = {.min = 0, .max = milliseconds}, .flags = WDT_FLAG_RESET_SOC};
  channel = wdt_install_timeout(watchdog, &timeout);
  if (channel >= 0) wdt_setup(watchdog, WDT_OPT_PAUSE_HALTED_BY_DBG);
#endif
}
void luna_watchdog_feed(void) {
#if HAS_WATCHDOG
  if (channel >= 0) wdt_feed(watchdog, channel);
#endif
}

void luna_console_write(const uint8_t *bytes, size_t count) {
#if HAS_CONSOLE
  if (!device_is_ready(console)) return;
  for (; count > 0; count--, bytes++) uart_poll_out(console, *bytes);
#endif
}
int luna_console_read(void) {
  uint8_t byte;
  return k_msgq_get(&typed, &byte, K_NO_WAIT) == 0 ? byte : -1;
}

_Noreturn void luna_restart(void) {
  sys_reboot(SYS_REBOOT_WARM);
  CODE_UNREACHABLE;
}
