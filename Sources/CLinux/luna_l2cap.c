#define _GNU_SOURCE
#include "luna_l2cap.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

// From the kernel's include/net/bluetooth/bluetooth.h and l2cap.h.
enum {
  AF_BLUETOOTH_ = 31,
  BTPROTO_L2CAP_ = 0,
  SOL_BLUETOOTH_ = 274,
  BT_SECURITY_ = 4,
  BT_SECURITY_LOW_ = 1,
  CID_ATT_ = 4,
};

struct sockaddr_l2_ {
  uint16_t family;
  uint16_t psm;  // little-endian
  uint8_t address[6];
  uint16_t cid;  // little-endian
  uint8_t address_type;
};
_Static_assert(sizeof(struct sockaddr_l2_) == 14, "struct sockaddr_l2");

struct bt_security_ {
  uint8_t level;
  uint8_t key_size;
};

static struct sockaddr_l2_ place(const uint8_t *address, uint8_t type) {
  struct sockaddr_l2_ place = {.family = AF_BLUETOOTH_, .address_type = type};
  memcpy(place.address, address, sizeof place.address);
  const uint8_t cid[2] = {CID_ATT_, 0};
  memcpy(&place.cid, cid, sizeof place.cid);
  return place;
}

int luna_att_connect(const uint8_t *own, uint8_t own_type, const uint8_t *peer, uint8_t peer_type,
                     int milliseconds) {
  int fd = socket(AF_BLUETOOTH_, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, BTPROTO_L2CAP_);
  if (fd < 0) return -errno;
  struct sockaddr_l2_ from = place(own, own_type), to = place(peer, peer_type);
  // No pairing is asked for.
  struct bt_security_ security = {BT_SECURITY_LOW_, 0};
  // Without it the kernel goes on for 40 s.
  struct timeval limit = {milliseconds / 1000, milliseconds % 1000 * 1000};
  if (bind(fd, (struct sockaddr *)&from, sizeof from) < 0 ||
      setsockopt(fd, SOL_BLUETOOTH_, BT_SECURITY_, &security, sizeof security) < 0 ||
      setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit) < 0 ||
      (connect(fd, (struct sockaddr *)&to, sizeof to) < 0 && errno != EINPROGRESS)) {
    int error = errno;
    close(fd);
    return -error;
  }
  return fd;
}

int luna_socket_error(int fd) {
  int error = 0;
  socklen_t size = sizeof error;
  return getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &size) < 0 ? errno : error;
}
