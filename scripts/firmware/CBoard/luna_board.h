// What a board gives to the firmware: 20 functions, which a port implements, and what it has. One thread calls them;
// interrupts of a port stay within it. Nothing here fails but where it says so: what cannot go on restarts.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Time since power-on, which only runs, also while the board sleeps: 64 bits, whatever the hardware counts with.
uint64_t luna_microseconds(void);
// Sleeps until then, or until the controller, the button or the console has something; it may return early.
void luna_sleep_until(uint64_t microseconds);

// Raw bytes of the hardware's source of entropy, not of a generator; false where it does not work.
bool luna_entropy(uint8_t *bytes, size_t count);

// H4 packets, as a stream (Core Specification, Vol 4, Part A). Receiving gives what is there, at most `limit` bytes.
size_t luna_hci_receive(uint8_t *bytes, size_t limit);
void luna_hci_send(const uint8_t *bytes, size_t count);

// Two pages of flash, 0 and 1, of at least 12,800 bytes each; a page may be several of the hardware. Offsets and counts
// of writes are multiples of 128.
size_t luna_flash_page_size(void);
void luna_flash_read(int page, size_t offset, uint8_t *bytes, size_t count);
void luna_flash_write(int page, size_t offset, const uint8_t *bytes, size_t count);
void luna_flash_erase(int page);

// What of these the board has, with the bits of PROTOCOL.md, 13.
enum { LUNA_HAS_BUZZER = 1, LUNA_HAS_LIGHT = 2, LUNA_HAS_BUTTON = 8 };
extern const uint16_t luna_capabilities;
// The buzzer at its loudest frequency, and the light.
void luna_sound(bool on);
void luna_light(bool on);
// Whether the contacts of the button are closed; they may bounce.
bool luna_button(void);
// The battery, mV; 0 where that cannot be measured.
uint16_t luna_battery(void);

// The tracker's clock, ms of Unix time, and a note of the firmware's, 0 when it says nothing: kept when the board starts
// again without a power cut. False when they were lost.
bool luna_clock(int64_t *milliseconds, uint32_t *note);
void luna_keep_clock(int64_t milliseconds, uint32_t note);

// Resets the board when it was not fed for so long.
void luna_watchdog_start(uint32_t milliseconds);
void luna_watchdog_feed(void);

// The console: a UART, RTT or USB; it may be absent. Reading gives a byte, or -1.
void luna_console_write(const uint8_t *bytes, size_t count);
int luna_console_read(void);

// Starts the board again.
_Noreturn void luna_restart(void);
