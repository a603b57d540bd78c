// What luna asks of luna-helper: one packet of text. There is one way to write each request.
#pragma once
#include <stddef.h>
#include <stdint.h>

// No request is longer; a packet that is has been cut off.
enum { REQUEST_LIMIT = 31 };

enum action {
  // The kernel's monitor channel, let through a filter that cannot be taken off again.
  OPEN_MONITOR,
  // The kernel's management.
  OPEN_CONTROL,
  // The user channel of an adapter: the adapter for one program alone.
  OPEN_USER,
  // Sockets that everybody may have, for services that are kept from making any of Bluetooth: one that is
  // bound to nothing, to ask for adapters with, and one to connect with a tracker. They are opened when all
  // capabilities are gone.
  OPEN_QUERY,
  OPEN_LINK,
  // An adapter's interface up or down; no socket is handed over.
  BRING_UP,
  TAKE_DOWN,
};

struct request {
  enum action action;
  // N of hciN, where the action is about one adapter; else 0xFFFF, which is none.
  uint16_t adapter;
};

// "luna 1 monitor", "luna 1 control", "luna 1 query", "luna 1 link", "luna 1 user hci0", "luna 1 up hci0",
// "luna 1 down hci0", without anything after it. Returns 0, or -1 for everything else.
int parse_request(const char *text, size_t length, struct request *request);
