#define _GNU_SOURCE
#include <errno.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include "CBlueZ.h"

// Not in l2cap.h: the fixed channel of the Attribute Protocol (Core Specification, Vol 3, Part A,
// 2.1).
enum { LUNA_CID_ATT = 4 };

static struct sockaddr_l2 place(const uint8_t *address, uint8_t type) {
  struct sockaddr_l2 place = {
      .l2_family = AF_BLUETOOTH, .l2_cid = htobs(LUNA_CID_ATT), .l2_bdaddr_type = type};
  memcpy(&place.l2_bdaddr, address, sizeof place.l2_bdaddr);
  return place;
}

int luna_att_socket(void) {
  int fd = socket(AF_BLUETOOTH, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, BTPROTO_L2CAP);
  return fd < 0 ? -errno : fd;
}

int luna_att_connect(int fd, const uint8_t *own, uint8_t own_type, const uint8_t *peer, uint8_t peer_type,
                     int milliseconds) {
  struct sockaddr_l2 from = place(own, own_type), to = place(peer, peer_type);
  // No pairing is asked for.
  struct bt_security security = {.level = BT_SECURITY_LOW};
  // Without it the kernel goes on for 40 s.
  struct timeval limit = {milliseconds / 1000, milliseconds % 1000 * 1000};
  if (bind(fd, (struct sockaddr *)&from, sizeof from) < 0 ||
      setsockopt(fd, SOL_BLUETOOTH, BT_SECURITY, &security, sizeof security) < 0 ||
      setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit) < 0 ||
      (connect(fd, (struct sockaddr *)&to, sizeof to) < 0 && errno != EINPROGRESS)) {
    return -errno;
  }
  return 0;
}
