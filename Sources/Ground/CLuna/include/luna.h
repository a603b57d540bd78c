/*
 * libluna: Luna for programs in C and in languages that call C.
 *
 * Strings are UTF-8 and end with a zero byte. A function that can fail returns a luna_status; what went
 * wrong is then told by luna_error_text() and luna_error_remedy(), for the thread that called, until it
 * calls something that can fail again. What a function has not filled in on failure is left as it was.
 *
 * Ownership: what is returned through `char **` belongs to the caller, who gives it to luna_free(). A
 * luna_scan or luna_following belongs to the caller until it is given to its stop function. What a
 * callback gets belongs to Luna, and is gone when the callback returns.
 *
 * Threads: every function may be called from any thread, also at once. The callbacks of one handle are
 * called one at a time, on a thread of Luna's; while a callback works, Luna goes on listening and drops,
 * and counts, what does not fit its queue. Do not fork() after the first call, unless exec follows.
 *
 * Nothing of Luna ends the process. One thing is written to standard error: that a following could not save
 * what it has learned.
 */
#ifndef LUNA_H
#define LUNA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How a call ended. More may be added. */
typedef enum luna_status {
  LUNA_OK = 0,
  /* An argument makes no sense: NULL where none may be, a value out of its range, an unknown source. */
  LUNA_INVALID = 1,
  /* Bytes, a text or a file are not what they should be. */
  LUNA_MALFORMED = 2,
  /* The report is not of this tracker or not of these periods. */
  LUNA_NOT_FOUND = 3,
  /* The radio, the recording or the directory with the devices cannot be used. */
  LUNA_UNAVAILABLE = 4,
  /* A stop function was called from a callback of the same handle. Nothing was stopped. */
  LUNA_BUSY = 5
} luna_status;

/* The version of the library, such as "0.2.0"; need not be freed. Semantic versioning counts for this
 * header: below 1.0 a new minor version may change it, and then the soname changes too. */
const char *luna_version(void);

/* What went wrong in the last call of this thread that failed, and what can be done about it; "" for
 * nothing. Good until this thread calls something that can fail. */
const char *luna_error_text(void);
const char *luna_error_remedy(void);

/* Frees what Luna gave through `char **`; NULL is allowed. */
void luna_free(char *text);

/* --- Bytes -------------------------------------------------------------------------------------- */

/* Says what the data of an advertisement mean: a JSON object, as `luna decode` prints it.
 *
 * data, count: AD structures (Core Specification, Vol 3, Part C, 11), at most 1650 bytes.
 * address: the random address that they came from, "C0:FF:EE:00:00:01"; NULL when it is not known.
 *   Some families keep a part of their data there.
 * Fails with LUNA_INVALID. Data that are damaged are no failure: "malformed" is true. */
luna_status luna_decode(const uint8_t *data, size_t count, const char *address, char **json);

/* --- Listening ---------------------------------------------------------------------------------- */

/* One advertisement. */
typedef struct luna_advertisement {
  /* When it was heard, µs since 1970; INT64_MIN when that is not known. */
  int64_t time;
  /* What it carried; may be NULL when data_count is 0. */
  const uint8_t *data;
  size_t data_count;
  /* The JSON object that `luna scan --format jsonl` prints for it. */
  const char *json;
  /* The address, as it is written: the most significant byte first. Zero for anonymous ones. */
  uint8_t address[6];
  /* 0 public, 1 random, 2 public identity, 3 random identity, 255 none or not known. */
  uint8_t address_type;
  /* dBm; 127 when it is not known. */
  int8_t rssi;
} luna_advertisement;

typedef void (*luna_advertisement_callback)(const luna_advertisement *advertisement, void *context);

/* Called once when listening ends by itself: with LUNA_OK at the end of a recording, else with what
 * went wrong, in words. The handle is still to be stopped. May be NULL. */
typedef void (*luna_end_callback)(luna_status status, const char *text, void *context);

typedef struct luna_scan luna_scan;

/* Begins to listen to everything on the air. Returns when the radio delivers, which takes seconds.
 *
 * source: "auto", "observe", "mgmt", "dbus", "exclusive" (`man luna-scan`), with "@ADAPTER" behind it
 *   for one that is not the first ("auto@hci1"); "h4:tcp:HOST:PORT" or "h4:PATH" for a controller;
 *   "virtual" or "virtual:SEED" for a simulated room; "file:PATH" for a recording (btsnoop, pcap, pcapng).
 * context: given to the callbacks.
 * Fails with LUNA_INVALID or LUNA_UNAVAILABLE. */
luna_status luna_scan_start(
  const char *source, luna_advertisement_callback advertisement, luna_end_callback end, void *context,
  luna_scan **scan);

/* Ends it, and frees the handle: no callback is running or will be called when this returns. Fails with
 * LUNA_BUSY in a callback of this scan. NULL is allowed. */
luna_status luna_scan_stop(luna_scan *scan);

/* --- Following one's own trackers --------------------------------------------------------------- */

/* What happened to a tracker: the JSON object that `luna local --format jsonl` prints. */
typedef void (*luna_following_callback)(const char *json, void *context);

typedef struct luna_following luna_following;

/* Follows the trackers of a directory by their rotating identifiers. Returns when the radio delivers.
 *
 * source: as for luna_scan_start().
 * state: the directory of `luna --state DIR`; NULL for the usual one.
 * Fails with LUNA_INVALID or LUNA_UNAVAILABLE. */
luna_status luna_following_start(
  const char *source, const char *state, luna_following_callback update, luna_end_callback end,
  void *context, luna_following **following);

/* As luna_scan_stop(). */
luna_status luna_following_stop(luna_following *following);

/* --- Reports ------------------------------------------------------------------------------------ */

/* Where and how a tracker was heard. */
typedef struct luna_location {
  /* ms since 1970. */
  int64_t time;
  /* Degrees, -90 to 90 and -180 to 180. */
  double latitude, longitude;
  /* m above the WGS84 ellipsoid; NAN when it is not known, here and below. */
  double altitude;
  /* m, not negative. */
  double horizontal_accuracy, vertical_accuracy;
  /* m/s, not negative. */
  double speed;
  /* Degrees from north, 0 to 360. */
  double course;
  /* dBm, -128 to 126; 127 when it is not known. */
  int8_t rssi;
  /* Whether the position comes from a simulated source. */
  bool is_simulated;
} luna_location;

/* The number of characters of a report, and the zero byte behind them. */
#define LUNA_REPORT_SIZE 85

/* Seals a location for the owner of a tracker (the Luna protocol, 9), with the fields of the frame that
 * was heard.
 *
 * heid: gets the 16 bytes under which a backend stores the report.
 * report: gets 84 characters of base64 and a zero byte.
 * Fails with LUNA_INVALID when a field of the location is out of its range. */
luna_status luna_report_seal(
  const uint8_t eid[8], const uint8_t aotp[7], const uint8_t esf[3], const luna_location *location,
  uint8_t heid[16], char report[LUNA_REPORT_SIZE]);

/* Opens a report with the master key of the tracker. Tries the periods from last_period down to
 * first_period (a period has 1,024 s, counted from 1970); a million take about a second.
 *
 * location: gets where it was; NULL is allowed.
 * json: gets the object that `luna report open` prints; NULL is allowed.
 * Fails with LUNA_MALFORMED when the report is damaged, LUNA_NOT_FOUND when it does not open. */
luna_status luna_report_open(
  const uint8_t master_key[32], const char *report, const uint8_t heid[16], const uint8_t esf[3],
  uint32_t first_period, uint32_t last_period, luna_location *location, char **json);

#ifdef __cplusplus
}
#endif

#endif
