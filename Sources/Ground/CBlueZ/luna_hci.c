#include <errno.h>
#include <linux/filter.h>
#include <stddef.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include "CBlueZ.h"

// More adapters and links than any machine has.
enum { LIST_LENGTH = 64 };

// Not in hci.h: the type of LE links (the kernel's hci.h), LE Extended Advertising Report (Core
// Specification, Vol 4, Part E, 7.7.65.13), and the packets of the monitor channel (the kernel's
// hci_mon.h) and of the control channel (doc/mgmt-api.txt).
enum {
  LUNA_LE_LINK = 0x80,
  LUNA_EVT_LE_EXTENDED_ADVERTISING_REPORT = 0x0D,
  LUNA_MONITOR_EVENT_PKT = 3,
  LUNA_MGMT_EV_DEVICE_FOUND = 0x0012,
  LUNA_MGMT_EV_ADV_MONITOR_DEVICE_FOUND = 0x002F,
};

// The kernel fills them as it knows them.
_Static_assert(sizeof(struct sockaddr_hci) == 6, "struct sockaddr_hci");
_Static_assert(sizeof(struct hci_dev_info) == 92, "struct hci_dev_info");
_Static_assert(sizeof(struct hci_conn_info) == 16, "struct hci_conn_info");

static int result(int value) { return value < 0 ? -errno : value; }

int luna_hci_socket(void) {
  return result(socket(AF_BLUETOOTH, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, BTPROTO_HCI));
}

int luna_hci_bind(int fd, uint16_t device, uint16_t channel) {
  struct sockaddr_hci address = {AF_BLUETOOTH, device, channel};
  return result(bind(fd, (struct sockaddr *)&address, sizeof address));
}

int luna_hci_devices(int fd, uint16_t *devices, int capacity) {
  union {
    struct hci_dev_list_req request;
    char room[sizeof(struct hci_dev_list_req) + LIST_LENGTH * sizeof(struct hci_dev_req)];
  } list = {.request = {.dev_num = LIST_LENGTH}};
  if (ioctl(fd, HCIGETDEVLIST, &list) < 0) return -errno;
  int count = list.request.dev_num < capacity ? list.request.dev_num : capacity;
  for (int i = 0; i < count; i++) devices[i] = list.request.dev_req[i].dev_id;
  return count;
}

int luna_hci_device_info(int fd, uint16_t device, struct hci_dev_info *info) {
  memset(info, 0, sizeof *info);
  info->dev_id = device;
  return result(ioctl(fd, HCIGETDEVINFO, info));
}

int luna_hci_le_links(int fd, uint16_t device, bdaddr_t *addresses, int capacity) {
  union {
    struct hci_conn_list_req request;
    char room[sizeof(struct hci_conn_list_req) + LIST_LENGTH * sizeof(struct hci_conn_info)];
  } list = {.request = {.dev_id = device, .conn_num = LIST_LENGTH}};
  if (ioctl(fd, HCIGETCONNLIST, &list) < 0) return -errno;
  int count = 0;
  for (int i = 0; i < list.request.conn_num && i < LIST_LENGTH && count < capacity; i++) {
    const struct hci_conn_info *link = &list.request.conn_info[i];
    if (link->type == LUNA_LE_LINK) bacpy(&addresses[count++], &link->bdaddr);
  }
  return count;
}

int luna_hci_device_down(int fd, uint16_t device) {
  return result(ioctl(fd, HCIDEVDOWN, (long)device));
}

int luna_hci_device_up(int fd, uint16_t device) {
  return result(ioctl(fd, HCIDEVUP, (long)device));
}

static int attach(int fd, struct sock_filter *code, unsigned short count) {
  struct sock_fprog program = {count, code};
  return result(setsockopt(fd, SOL_SOCKET, SO_ATTACH_FILTER, &program, sizeof program));
}

// A filter reads numbers as big-endian; the packets hold them little-endian.
#define SWAP16(value) ((((value) & 0xFF) << 8) | ((value) >> 8))

int luna_filter_advertising(int fd) {
  // Monitor header (opcode, index, length: 6 bytes), then the event: code, length, subevent.
  struct sock_filter code[] = {
      BPF_STMT(BPF_LD | BPF_H | BPF_ABS, 0),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SWAP16(LUNA_MONITOR_EVENT_PKT), 0, 6),
      BPF_STMT(BPF_LD | BPF_B | BPF_ABS, 6),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, EVT_LE_META_EVENT, 0, 4),
      BPF_STMT(BPF_LD | BPF_B | BPF_ABS, 8),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, EVT_LE_ADVERTISING_REPORT, 1, 0),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, LUNA_EVT_LE_EXTENDED_ADVERTISING_REPORT, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, 0xFFFFFFFF),
      BPF_STMT(BPF_RET | BPF_K, 0),
  };
  return attach(fd, code, sizeof code / sizeof *code);
}

int luna_filter_found(int fd) {
  struct sock_filter code[] = {
      BPF_STMT(BPF_LD | BPF_H | BPF_ABS, 0),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SWAP16(LUNA_MGMT_EV_DEVICE_FOUND), 2, 0),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SWAP16(LUNA_MGMT_EV_ADV_MONITOR_DEVICE_FOUND), 1, 0),
      BPF_STMT(BPF_RET | BPF_K, 0xFFFFFFFF),
      BPF_STMT(BPF_RET | BPF_K, 0),
  };
  return attach(fd, code, sizeof code / sizeof *code);
}
