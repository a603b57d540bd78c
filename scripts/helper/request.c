#include "request.h"

#include <bluetooth/bluetooth.h>
#include <bluetooth/hci.h>
#include <string.h>

static const struct {
  const char *word;
  enum action action;
  int has_adapter;
} actions[] = {
    {"luna 1 monitor", OPEN_MONITOR, 0}, {"luna 1 control", OPEN_CONTROL, 0},
    {"luna 1 query", OPEN_QUERY, 0},     {"luna 1 link", OPEN_LINK, 0},
    {"luna 1 user hci", OPEN_USER, 1},   {"luna 1 up hci", BRING_UP, 1},
    {"luna 1 down hci", TAKE_DOWN, 1},
};

// Decimal, without leading zeros, below the number that means none.
static int parse_adapter(const char *text, size_t length, uint16_t *adapter) {
  if (length == 0 || length > 5 || (text[0] == '0' && length > 1)) return -1;
  unsigned number = 0;
  for (size_t i = 0; i < length; i++) {
    if (text[i] < '0' || text[i] > '9') return -1;
    number = number * 10 + (unsigned)(text[i] - '0');
  }
  if (number >= HCI_DEV_NONE) return -1;
  *adapter = (uint16_t)number;
  return 0;
}

int parse_request(const char *text, size_t length, struct request *request) {
  for (size_t i = 0; i < sizeof actions / sizeof *actions; i++) {
    size_t known = strlen(actions[i].word);
    if (length < known || memcmp(text, actions[i].word, known) != 0) continue;
    *request = (struct request){actions[i].action, HCI_DEV_NONE};
    if (actions[i].has_adapter) return parse_adapter(text + known, length - known, &request->adapter);
    return length == known ? 0 : -1;
  }
  return -1;
}
