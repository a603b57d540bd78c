// An ESP32 with Bluetooth LE, by ESP-IDF (5.2 or later): its own controller through the virtual HCI. The pins of button,
// buzzer and light are those of menuconfig ("Luna tracker"), -1 for what is not there; the battery is not measured, since
// these boards have a cable.
#include "luna_board.h"
#include "driver/gpio.h"
#include "driver/ledc.h"
#include "driver/uart.h"
#include "esp_attr.h"
#include "esp_bt.h"
#include "esp_partition.h"
#include "esp_random.h"
#include "esp_system.h"
#include "esp_task_wdt.h"
#include "esp_timer.h"
#include "freertos/FreeRTOS.h"
#include "freertos/stream_buffer.h"
#include "freertos/task.h"
#include "nvs_flash.h"
#include <string.h>

enum { PAGE = 16384, ERASE = 4096, TONE = 4000 /* Hz */ };
// Bytes of what comes from the controller, and the kind of H4 of a peer's data.
enum { FROM_CONTROLLER = 2048, FOR_EVENTS = 512, DATA = 2 };
// Nothing wakes the tracker when somebody types: so it looks this often.
enum { LOOK = 250 /* ms */, SEND = 2000 /* ms */ };
#define CONSOLE ((uart_port_t)CONFIG_ESP_CONSOLE_UART_NUM)
#define HAS_BUTTON (CONFIG_LUNA_BUTTON >= 0)
#define HAS_LIGHT (CONFIG_LUNA_LIGHT >= 0)
#define HAS_BUZZER (CONFIG_LUNA_BUZZER >= 0)

extern int luna_main(int, char **);

static TaskHandle_t tracker;
static StreamBufferHandle_t from_controller;
static const esp_partition_t *flash;
static bool is_timed;

// Kept over a reset that is no power cut.
static RTC_NOINIT_ATTR struct {
  uint32_t mark, note;
  int64_t clock;
} kept;
enum { MARK = 0x4C554E41 };

static void wake(void) { xTaskNotifyGive(tracker); }
static int receive(uint8_t *bytes, uint16_t count) {
  // In one piece or not at all: the stream would be lost with a part of a packet. What a peer sends without end leaves
  // room for events.
  size_t reserve = count > 0 && bytes[0] == DATA ? FOR_EVENTS : 0;
  if (xStreamBufferSpacesAvailable(from_controller) >= count + reserve) xStreamBufferSend(from_controller, bytes, count, 0);
  wake();
  return 0;
}
#if HAS_BUTTON
static void IRAM_ATTR on_button(void *unused) {
  BaseType_t is_urgent = pdFALSE;
  vTaskNotifyGiveFromISR(tracker, &is_urgent);
  portYIELD_FROM_ISR(is_urgent);
}
#endif

static void begin_pins(void) {
#if HAS_BUTTON
  gpio_config_t input = {
      .pin_bit_mask = 1ULL << CONFIG_LUNA_BUTTON,
      .mode = GPIO_MODE_INPUT,
      .pull_up_en = GPIO_PULLUP_ENABLE,
      .intr_type = GPIO_INTR_ANYEDGE};
  ESP_ERROR_CHECK(gpio_config(&input));
  ESP_ERROR_CHECK(gpio_install_isr_service(0));
  ESP_ERROR_CHECK(gpio_isr_handler_add(CONFIG_LUNA_BUTTON, on_button, NULL));
#endif
#if HAS_LIGHT
  gpio_config_t output = {.pin_bit_mask = 1ULL << CONFIG_LUNA_LIGHT, .mode = GPIO_MODE_OUTPUT};
  ESP_ERROR_CHECK(gpio_config(&output));
#endif
#if HAS_BUZZER
  ledc_timer_config_t timer = {
      .speed_mode = LEDC_LOW_SPEED_MODE,
      .duty_resolution = LEDC_TIMER_10_BIT,
      .timer_num = LEDC_TIMER_0,
      .freq_hz = TONE,
      .clk_cfg = LEDC_AUTO_CLK};
  ledc_channel_config_t buzzer = {
      .gpio_num = CONFIG_LUNA_BUZZER, .speed_mode = LEDC_LOW_SPEED_MODE, .channel = LEDC_CHANNEL_0, .timer_sel = LEDC_TIMER_0};
  ESP_ERROR_CHECK(ledc_timer_config(&timer));
  ESP_ERROR_CHECK(ledc_channel_config(&buzzer));
#endif
}

static void begin_controller(void) {
  static const esp_vhci_host_callback_t host = {.notify_host_send_available = wake, .notify_host_recv = receive};
  esp_bt_controller_config_t controller = BT_CONTROLLER_INIT_CONFIG_DEFAULT();
  ESP_ERROR_CHECK(esp_bt_controller_init(&controller));
  ESP_ERROR_CHECK(esp_bt_controller_enable(ESP_BT_MODE_BLE));
  ESP_ERROR_CHECK(esp_vhci_host_register_callback(&host));
}

void app_main(void) {
  tracker = xTaskGetCurrentTaskHandle();
  from_controller = xStreamBufferCreate(FROM_CONTROLLER, 1);
  flash = esp_partition_find_first(ESP_PARTITION_TYPE_DATA, ESP_PARTITION_SUBTYPE_ANY, "luna");
  // After a dip of the voltage nobody knows for how long it was away.
  esp_reset_reason_t reason = esp_reset_reason();
  if (reason == ESP_RST_POWERON || reason == ESP_RST_BROWNOUT || reason == ESP_RST_UNKNOWN) kept.mark = 0;
  // The controller keeps the calibration of its radio there.
  if (nvs_flash_init() != ESP_OK) {
    nvs_flash_erase();
    nvs_flash_init();
  }
  ESP_ERROR_CHECK(uart_driver_install(CONSOLE, 256, 0, 0, NULL, 0));
  begin_pins();
  begin_controller();
  if (flash == NULL || flash->size < 2 * PAGE) abort();
  luna_main(0, NULL);
  luna_restart();
}

uint64_t luna_microseconds(void) { return (uint64_t)esp_timer_get_time(); }

void luna_sleep_until(uint64_t microseconds) {
  uint64_t now = luna_microseconds();
  if (microseconds <= now || !xStreamBufferIsEmpty(from_controller)) return;
  uint64_t left = (microseconds - now + 999) / 1000;
  TickType_t ticks = pdMS_TO_TICKS(left < LOOK ? left : LOOK);
  ulTaskNotifyTake(pdTRUE, ticks > 0 ? ticks : 1);
}

// The hardware's generator is fed by noise of the radio, which runs since before.
bool luna_entropy(uint8_t *bytes, size_t count) {
  esp_fill_random(bytes, count);
  return true;
}

size_t luna_hci_receive(uint8_t *bytes, size_t limit) { return xStreamBufferReceive(from_controller, bytes, limit, 0); }
void luna_hci_send(const uint8_t *bytes, size_t count) {
  for (uint64_t end = luna_microseconds() + SEND * 1000; !esp_vhci_host_check_send_available();) {
    // A controller that takes nothing is one that does not answer: the host sees that.
    if (luna_microseconds() > end) return;
    vTaskDelay(1);
  }
  uint8_t packet[300];
  if (count > sizeof packet) return;
  memcpy(packet, bytes, count);
  esp_vhci_host_send_packet(packet, (uint16_t)count);
}

size_t luna_flash_page_size(void) { return PAGE; }
void luna_flash_read(int page, size_t offset, uint8_t *bytes, size_t count) {
  if (esp_partition_read(flash, (size_t)page * PAGE + offset, bytes, count) != ESP_OK) memset(bytes, 0, count);
}
// What fails is seen when it is read back.
void luna_flash_write(int page, size_t offset, const uint8_t *bytes, size_t count) {
  esp_partition_write(flash, (size_t)page * PAGE + offset, bytes, count);
}
void luna_flash_erase(int page) { esp_partition_erase_range(flash, (size_t)page * PAGE, PAGE); }

const uint16_t luna_capabilities =
    (HAS_BUZZER ? LUNA_HAS_BUZZER : 0) | (HAS_LIGHT ? LUNA_HAS_LIGHT : 0) | (HAS_BUTTON ? LUNA_HAS_BUTTON : 0);
void luna_sound(bool on) {
#if HAS_BUZZER
  ledc_set_duty(LEDC_LOW_SPEED_MODE, LEDC_CHANNEL_0, on ? 512 : 0);
  ledc_update_duty(LEDC_LOW_SPEED_MODE, LEDC_CHANNEL_0);
#endif
}
void luna_light(bool on) {
#if HAS_LIGHT
  gpio_set_level(CONFIG_LUNA_LIGHT, on);
#endif
}
bool luna_button(void) {
#if HAS_BUTTON
  return gpio_get_level(CONFIG_LUNA_BUTTON) == 0;
#else
  return false;
#endif
}
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

void luna_watchdog_start(uint32_t milliseconds) {
  esp_task_wdt_config_t watchdog = {.timeout_ms = milliseconds, .trigger_panic = true};
  if (esp_task_wdt_reconfigure(&watchdog) == ESP_ERR_INVALID_STATE) esp_task_wdt_init(&watchdog);
  is_timed = esp_task_wdt_add(NULL) == ESP_OK;
}
void luna_watchdog_feed(void) {
  if (is_timed) esp_task_wdt_reset();
}

void luna_console_write(const uint8_t *bytes, size_t count) { uart_write_bytes(CONSOLE, bytes, count); }
int luna_console_read(void) {
  uint8_t byte;
  return uart_read_bytes(CONSOLE, &byte, 1, 0) == 1 ? byte : -1;
}

_Noreturn void luna_restart(void) { esp_restart(); }
