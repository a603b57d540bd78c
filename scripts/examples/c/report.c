/* Seals where a tracker was heard for its owner, and opens it as the owner does.
 *
 *   cc report.c $(pkg-config --cflags --libs luna) -lm -o report
 *   ./report MASTERKEY EID AOTP ESF PERIOD        (hexadecimal, but for the period)
 */
#include <luna.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool read_hex(const char *text, uint8_t *bytes, size_t count) {
  if (strlen(text) != 2 * count) return false;
  for (size_t index = 0; index < count; index++) {
    unsigned value;
    if (sscanf(text + 2 * index, "%2x", &value) != 1) return false;
    bytes[index] = (uint8_t)value;
  }
  return true;
}

int main(int count, char **words) {
  uint8_t key[32], eid[8], aotp[7], esf[3], heid[16];
  if (count != 6 || !read_hex(words[1], key, 32) || !read_hex(words[2], eid, 8) ||
      !read_hex(words[3], aotp, 7) || !read_hex(words[4], esf, 3)) {
    fprintf(stderr, "usage: report MASTERKEY EID AOTP ESF PERIOD\n");
    return 2;
  }
  uint32_t period = (uint32_t)strtoul(words[5], NULL, 10);
  luna_location here = {
    .time = (int64_t)period * 1024 * 1000, .latitude = 52.52, .longitude = 13.405, .altitude = NAN,
    .horizontal_accuracy = 5, .vertical_accuracy = NAN, .speed = NAN, .course = NAN, .rssi = -67};
  char report[LUNA_REPORT_SIZE];
  if (luna_report_seal(eid, aotp, esf, &here, heid, report) != LUNA_OK) {
    fprintf(stderr, "report: %s\n", luna_error_text());
    return 1;
  }
  printf("%s\n", report);
  luna_location there;
  char *json = NULL;
  if (luna_report_open(key, report, heid, esf, period, period, &there, &json) != LUNA_OK) {
    fprintf(stderr, "report: %s\n", luna_error_text());
    return 1;
  }
  printf("%s\n%.4f %.4f\n", json, there.latitude, there.longitude);
  luna_free(json);
  return 0;
}
