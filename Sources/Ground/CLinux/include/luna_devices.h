// Devices that are switched or reset: what their headers hold as structures and macros.
#pragma once
#include <stdint.h>

// Takes back the soft block of one switch of rfkill's, N of rfkillN. Needs write access to
// /dev/rfkill. Returns 0 or -errno.
int luna_rfkill_unblock(uint32_t number);

// Resets the USB device with this node (/dev/bus/usb/BBB/DDD), as if it were plugged in again; waits
// until that is done. Needs write access to the node. Returns 0 or -errno.
int luna_usb_reset(const char *node);
