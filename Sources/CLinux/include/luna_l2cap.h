// L2CAP sockets on the fixed channel of the Attribute Protocol. The kernel does not export their
// structures to user space, and libbluetooth is not needed for anything else.
#pragma once
#include <stdint.h>

// The types of LE addresses as these sockets name them.
enum { LUNA_BDADDR_LE_PUBLIC = 1, LUNA_BDADDR_LE_RANDOM = 2 };

// Begins to connect to `peer` from the adapter with the address `own` (both least significant octet
// first), without waiting: the socket becomes writable when that has ended, and luna_socket_error
// tells how. After `milliseconds` the kernel gives up by itself. Returns the socket or -errno.
int luna_att_connect(const uint8_t *own, uint8_t own_type, const uint8_t *peer, uint8_t peer_type,
                     int milliseconds);

// The error that a socket has met, 0 when there is none.
int luna_socket_error(int fd);
