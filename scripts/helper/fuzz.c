// Any bytes: the parser takes those alone that are written in the one way that there is.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "request.h"

static int write_request(const struct request *request, char *text, size_t capacity) {
  switch (request->action) {
    case OPEN_MONITOR: return snprintf(text, capacity, "luna 1 monitor");
    case OPEN_CONTROL: return snprintf(text, capacity, "luna 1 control");
    case OPEN_QUERY: return snprintf(text, capacity, "luna 1 query");
    case OPEN_LINK: return snprintf(text, capacity, "luna 1 link");
    case OPEN_USER: return snprintf(text, capacity, "luna 1 user hci%u", request->adapter);
    case BRING_UP: return snprintf(text, capacity, "luna 1 up hci%u", request->adapter);
    case TAKE_DOWN: return snprintf(text, capacity, "luna 1 down hci%u", request->adapter);
  }
  abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length) {
  struct request request;
  if (parse_request((const char *)bytes, length, &request) != 0) return 0;
  char text[REQUEST_LIMIT + 1];
  size_t written = (size_t)write_request(&request, text, sizeof text);
  if (written > REQUEST_LIMIT || written != length || memcmp(text, bytes, length) != 0) abort();
  int has_adapter = request.action == OPEN_USER || request.action == BRING_UP || request.action == TAKE_DOWN;
  if ((request.adapter != 0xFFFF) != has_adapter) abort();
  return 0;
}
