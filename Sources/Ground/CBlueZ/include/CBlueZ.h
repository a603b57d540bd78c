// Bluetooth sockets, on the headers of BlueZ (libbluetooth-dev): their structures, constants and
// ioctls. Ours is what Swift cannot express, and what these headers lack: the packets of the monitor
// and control channels. Nothing of libbluetooth is linked.
// Functions return what they were asked for, or -errno.
#pragma once
#include <bluetooth/bluetooth.h>
#include <bluetooth/hci.h>
#include <bluetooth/l2cap.h>
#include <stdint.h>

// An HCI socket on which nothing is received yet: filters are attached before the bind. Its family
// is absent from a kernel or a network namespace without Bluetooth.
int luna_hci_socket(void);
int luna_hci_bind(int fd, uint16_t device, uint16_t channel);

// The numbers of the adapters, at most `capacity`; the count is returned.
int luna_hci_devices(int fd, uint16_t *devices, int capacity);
int luna_hci_device_info(int fd, uint16_t device, struct hci_dev_info *info);
// The addresses of the LE peers that an adapter is connected to, least significant octet first; at
// most `capacity`; the count is returned.
int luna_hci_le_links(int fd, uint16_t device, bdaddr_t *addresses, int capacity);
// Takes an adapter down, as the user channel wants it; and up.
int luna_hci_device_down(int fd, uint16_t device);
int luna_hci_device_up(int fd, uint16_t device);

// On the monitor channel: let only LE advertising reports through, legacy and extended.
int luna_filter_advertising(int fd);
// On the control channel: keep the reports of devices found out.
int luna_filter_found(int fd);

// A socket that can connect with the Attribute Protocol.
int luna_att_socket(void);
// Begins to connect such a socket to `peer` from the adapter with the address `own` (both least significant octet
// first; the types are BDADDR_LE_PUBLIC or BDADDR_LE_RANDOM) on the fixed channel of the Attribute
// Protocol, without waiting: the socket becomes writable when that has ended, and luna_socket_error
// tells how. After `milliseconds` the kernel gives up by itself.
int luna_att_connect(int fd, const uint8_t *own, uint8_t own_type, const uint8_t *peer, uint8_t peer_type,
                     int milliseconds);
