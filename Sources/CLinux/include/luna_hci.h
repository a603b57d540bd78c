// HCI sockets. The kernel does not export their structures and constants to user space, and
// libbluetooth is not needed for anything else.
#pragma once
#include <stdint.h>

// The family is absent from a kernel or a network namespace without Bluetooth.
enum { LUNA_AF_BLUETOOTH = 31, LUNA_BTPROTO_HCI = 1 };

// The channels of an HCI socket, and the "no adapter" that three of them are bound to.
enum {
  LUNA_HCI_CHANNEL_RAW = 0,
  LUNA_HCI_CHANNEL_USER = 1,
  LUNA_HCI_CHANNEL_MONITOR = 2,
  LUNA_HCI_CHANNEL_CONTROL = 3,
  LUNA_HCI_DEV_NONE = 0xFFFF,
};

struct luna_sockaddr_hci {
  uint16_t family;
  uint16_t device;
  uint16_t channel;
};

// What the ioctl HCIGETDEVINFO tells about an adapter.
struct luna_hci_info {
  uint16_t device;
  char name[8];
  uint8_t address[6];
  uint32_t flags;
  uint8_t type;  // low four bits: the bus
  uint8_t features[8];
  uint32_t packet_types;
  uint32_t link_policy;
  uint32_t link_mode;
  uint16_t acl_mtu;
  uint16_t acl_packets;
  uint16_t sco_mtu;
  uint16_t sco_packets;
  uint32_t statistics[10];
};

// A socket on which nothing is received yet: filters are attached before the bind.
int luna_hci_socket(void);
int luna_hci_bind(int fd, uint16_t device, uint16_t channel);

// The numbers of the adapters, at most `capacity`; the count is returned.
int luna_hci_devices(int fd, uint16_t *devices, int capacity);
int luna_hci_device_info(int fd, uint16_t device, struct luna_hci_info *info);
// The addresses of the LE peers that an adapter is connected to, six octets each, least significant
// first; at most `capacity`; the count is returned.
int luna_hci_le_links(int fd, uint16_t device, uint8_t *addresses, int capacity);
// Takes an adapter down, as the user channel wants it.
int luna_hci_device_down(int fd, uint16_t device);

// On the monitor channel: let only LE advertising reports through, legacy and extended.
int luna_filter_advertising(int fd);
// On the control channel: keep the reports of devices found out.
int luna_filter_found(int fd);
